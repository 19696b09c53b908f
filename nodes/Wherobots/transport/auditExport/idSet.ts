import { randomBytes } from 'crypto';

/** Number of 32-bit words kept for each ID. */
const WORDS = 4;

/** Maximum number of IDs: they take 256 MiB. */
export const MAX_IDS = 11_000_000;

/**
 * Remembers which IDs have occurred, in 23 to 46 bytes each, where a `Set` of ten million would take a
 * gigabyte of n8n's heap. It keeps 128 bits of a hash that is different in each set: among ten million
 * IDs, the probability that two different ones count as the same is below 10^-12.
 */
export class IdSet {
	private table = new Uint32Array(4096 * WORDS);

	private size = 0;

	/** An odd factor for each word of the hash. */
	private readonly factors = Array.from({ length: WORDS }, () => randomBytes(4).readInt32LE(0) | 1);

	/**
	 * Adds the ID between two offsets and returns whether it is new. Empty ones always count as new.
	 *
	 * @throws RangeError when there are more than {@link MAX_IDS}
	 */
	add(text: string, from = 0, to = text.length): boolean {
		if (from >= to) return true;
		const [f1, f2, f3, f4] = this.factors;
		let [h1, h2, h3, h4] = [f4, f3, f2, f1];
		for (let at = from; at < to; at++) {
			const code = text.charCodeAt(at);
			h1 = Math.imul(h1 ^ code, f1);
			h2 = Math.imul(h2 ^ code, f2);
			h3 = Math.imul(h3 ^ code, f3);
			h4 = Math.imul(h4 ^ code, f4);
		}
		// The position uses the upper bits, which depend on all of the ID. Zero marks a free slot.
		if (!insert(this.table, h1 ^ (h1 >>> 15), h2, h3, h4 ^ (h4 >>> 15) || 1)) return false;
		this.size++;
		if (this.size > MAX_IDS) {
			throw new RangeError(
				`More than ${MAX_IDS.toLocaleString('en-US')} event IDs cannot be checked for duplicates: choose a shorter range, or split it into more files`,
			);
		}
		if (this.size * WORDS > this.table.length * 0.7) this.grow();
		return true;
	}

	private grow(): void {
		const old = this.table;
		this.table = new Uint32Array(old.length * 2);
		for (let at = 0; at < old.length; at += WORDS) {
			if (old[at + 3] !== 0) insert(this.table, old[at], old[at + 1], old[at + 2], old[at + 3]);
		}
	}
}

/** Puts four words into the first free slot from their position; false when they are already there. */
function insert(table: Uint32Array, a: number, b: number, c: number, d: number): boolean {
	const mask = table.length - 1;
	let at = (a * WORDS) & mask;
	for (; table[at + 3] !== 0; at = (at + WORDS) & mask) {
		if (table[at] !== a >>> 0 || table[at + 1] !== b >>> 0) continue;
		if (table[at + 2] === c >>> 0 && table[at + 3] === d >>> 0) return false;
	}
	table[at] = a;
	table[at + 1] = b;
	table[at + 2] = c;
	table[at + 3] = d;
	return true;
}

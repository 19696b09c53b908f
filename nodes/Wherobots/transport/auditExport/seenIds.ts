import { randomBytes } from 'crypto';

import { murmur3 } from './murmur3';

const WORDS = 4;
const FIRST_SLOTS = 4096;

/** New memory costs more than what is put into it, so it is asked for seldom. */
const GROWTH = 4;

/** Most IDs that are kept: they take 256 MiB. */
export const MAX_SEEN_IDS = 11_000_000;

/**
 * Remembers which IDs came before, in 23 to 92 bytes each whatever their length: of each it keeps
 * 128 bits of a hash with a random seed (MurmurHash3), so that among ten million IDs two different
 * ones count as the same with a probability below 10^-24.
 */
export class SeenIds {
	private table = new Uint32Array(FIRST_SLOTS * WORDS);

	private size = 0;

	private readonly seed = randomBytes(4).readUInt32LE(0);

	/** What was read ahead: kept, because a read that nobody uses may be left out. */
	private readonly readAhead = new Uint32Array(1);

	/** Of the IDs that are added together: their hashes, and whether each is new (1) or not (0). */
	private hashes = new Uint32Array(WORDS);

	private areNew = new Uint8Array(1);

	/**
	 * Adds an ID; tells whether it is new. An empty one repeats no other.
	 *
	 * @throws RangeError when there are more than {@link MAX_SEEN_IDS}
	 */
	add(id: Uint8Array): boolean {
		return this.addAll(id, [0, id.length])[0] === 1;
	}

	/**
	 * Adds IDs that lie in the same bytes.
	 *
	 * @param bounds where each begins and ends
	 * @returns 1 for each that is new, else 0; overwritten by the next call
	 * @throws RangeError when there are more than {@link MAX_SEEN_IDS}
	 */
	addAll(bytes: Uint8Array, bounds: ArrayLike<number>): Uint8Array {
		const count = bounds.length / 2;
		const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
		while ((this.size + count) * WORDS > this.table.length * 0.7) this.grow();
		if (this.areNew.length < count) {
			this.areNew = new Uint8Array(2 * count);
			this.hashes = new Uint32Array(2 * count * WORDS);
		}
		const { hashes, areNew, table } = this;
		for (let index = 0; index < count; index++) {
			const at = index * WORDS;
			murmur3(view, bounds[2 * index], bounds[2 * index + 1], this.seed, hashes, at);
			// Zero marks a free slot.
			if (hashes[at + 3] === 0) hashes[at + 3] = 1;
		}
		this.readAhead[0] = reach(table, hashes, count);
		for (let index = 0; index < count; index++) {
			const at = index * WORDS;
			const isEmpty = bounds[2 * index] === bounds[2 * index + 1];
			const isNew =
				isEmpty || insert(table, hashes[at], hashes[at + 1], hashes[at + 2], hashes[at + 3]);
			if (isNew && !isEmpty && ++this.size > MAX_SEEN_IDS) throw tooMany();
			areNew[index] = isNew ? 1 : 0;
		}
		return areNew.subarray(0, count);
	}

	private grow(): void {
		const old = this.table;
		this.table = new Uint32Array(old.length * GROWTH);
		for (let at = 0; at < old.length; at += WORDS) {
			if (old[at + 3] !== 0) {
				insert(this.table, old[at], old[at + 1], old[at + 2], old[at + 3]);
			}
		}
	}
}

/**
 * Reads where the IDs belong and forgets what it read. Each of these places is far from the last
 * one, in memory that no cache holds: reads that do not depend on each other wait at the same time,
 * inserts would wait one after the other.
 */
function reach(table: Uint32Array, hashes: Uint32Array, count: number): number {
	const mask = table.length - 1;
	let read = 0;
	for (let at = 0; at < count * WORDS; at += WORDS) read ^= table[(hashes[at] * WORDS) & mask];
	return read;
}

function tooMany(): RangeError {
	return new RangeError(
		`More than ${MAX_SEEN_IDS.toLocaleString('en-US')} event IDs cannot be checked for duplicates: choose a shorter range, or split it into more files`,
	);
}

/** Puts four words into the first free slot from where they belong; false when they are there. */
function insert(table: Uint32Array, a: number, b: number, c: number, d: number): boolean {
	const mask = table.length - 1;
	for (let at = (a * WORDS) & mask; ; at = (at + WORDS) & mask) {
		if (table[at + 3] === 0) {
			table[at] = a;
			table[at + 1] = b;
			table[at + 2] = c;
			table[at + 3] = d;
			return true;
		}
		if (table[at] === a && table[at + 1] === b && table[at + 2] === c && table[at + 3] === d) {
			return false;
		}
	}
}

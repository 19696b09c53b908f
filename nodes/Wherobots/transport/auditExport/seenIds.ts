import { randomBytes } from 'crypto';

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

	/** Hashes of the IDs that are added together. */
	private hashes = new Uint32Array(WORDS);

	/**
	 * Adds an ID; tells whether it is new. An empty one repeats no other.
	 *
	 * @throws RangeError when there are more than {@link MAX_SEEN_IDS}
	 */
	add(id: Uint8Array): boolean {
		return this.addAll(id, [0, id.length])[0];
	}

	/**
	 * Adds the IDs that lie in the same bytes; tells of each whether it is new.
	 *
	 * @param bounds where each begins and ends
	 * @throws RangeError when there are more than {@link MAX_SEEN_IDS}
	 */
	addAll(bytes: Uint8Array, bounds: readonly number[]): boolean[] {
		const count = bounds.length / 2;
		while ((this.size + count) * WORDS > this.table.length * 0.7) this.grow();
		if (this.hashes.length < count * WORDS) this.hashes = new Uint32Array(count * WORDS);
		const { hashes, table } = this;
		const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
		for (let index = 0; index < count; index++) {
			this.digest(view, bounds[2 * index], bounds[2 * index + 1], index * WORDS);
		}
		this.readAhead[0] = reach(table, hashes, count);
		const areNew: boolean[] = [];
		for (let index = 0; index < count; index++) {
			const at = index * WORDS;
			const isEmpty = bounds[2 * index] === bounds[2 * index + 1];
			const isNew =
				isEmpty || insert(table, hashes[at], hashes[at + 1], hashes[at + 2], hashes[at + 3]);
			if (isNew && !isEmpty && ++this.size > MAX_SEEN_IDS) throw tooMany();
			areNew.push(isNew);
		}
		return areNew;
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

	/** MurmurHash3, the variant of 128 bits for 32-bit machines. */
	private digest(bytes: DataView, from: number, to: number, into: number): void {
		let h1 = this.seed;
		let h2 = this.seed;
		let h3 = this.seed;
		let h4 = this.seed;
		for (let at = from; at < to; at += 16) {
			h1 ^= scramble(word(bytes, at, to), 0x239b961b, 15, 0xab0e9789);
			h1 = (Math.imul(rotate(h1, 19) + h2, 5) + 0x561ccd1b) | 0;
			h2 ^= scramble(word(bytes, at + 4, to), 0xab0e9789, 16, 0x38b34ae5);
			h2 = (Math.imul(rotate(h2, 17) + h3, 5) + 0x0bcaa747) | 0;
			h3 ^= scramble(word(bytes, at + 8, to), 0x38b34ae5, 17, 0xa1e38b93);
			h3 = (Math.imul(rotate(h3, 15) + h4, 5) + 0x96cd1c35) | 0;
			h4 ^= scramble(word(bytes, at + 12, to), 0xa1e38b93, 18, 0x239b961b);
			h4 = (Math.imul(rotate(h4, 13) + h1, 5) + 0x32ac3b17) | 0;
		}
		const length = to - from;
		h2 ^= length;
		h3 ^= length;
		h4 ^= length;
		h1 = ((h1 ^ length) + h2 + h3 + h4) | 0;
		h2 = finish((h2 + h1) | 0);
		h3 = finish((h3 + h1) | 0);
		h4 = finish((h4 + h1) | 0);
		h1 = (finish(h1) + h2 + h3 + h4) | 0;
		this.hashes[into] = h1;
		this.hashes[into + 1] = h2 + h1;
		this.hashes[into + 2] = h3 + h1;
		// Zero marks a free slot.
		this.hashes[into + 3] = h4 + h1 || 1;
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

/** Four bytes as a number, zeros after the end. */
function word(bytes: DataView, at: number, end: number): number {
	if (at + 4 <= end) return bytes.getInt32(at, true);
	let value = 0;
	for (let index = 0; at + index < end; index++) value |= bytes.getUint8(at + index) << (8 * index);
	return value;
}

function scramble(value: number, factor: number, turn: number, second: number): number {
	return Math.imul(rotate(Math.imul(value, factor), turn), second);
}

function rotate(value: number, by: number): number {
	return (value << by) | (value >>> (32 - by));
}

function finish(value: number): number {
	let mixed = value ^ (value >>> 16);
	mixed = Math.imul(mixed, 0x85ebca6b);
	mixed ^= mixed >>> 13;
	mixed = Math.imul(mixed, 0xc2b2ae35);
	return mixed ^ (mixed >>> 16);
}

/**
 * MurmurHash3, the variant of 128 bits for 32-bit machines. The last bytes are mixed like a whole
 * block that ends in zeros; the length tells them from zeros of their own.
 *
 * @param seed an integer of 32 bits
 * @param into takes the four words of the hash, from `at` on
 */
export function murmur3(
	bytes: DataView,
	from: number,
	to: number,
	seed: number,
	into: Uint32Array,
	at: number,
): void {
	let h1 = seed;
	let h2 = seed;
	let h3 = seed;
	let h4 = seed;
	for (let block = from; block < to; block += 16) {
		h1 ^= scramble(word(bytes, block, to), 0x239b961b, 15, 0xab0e9789);
		h1 = (Math.imul(rotate(h1, 19) + h2, 5) + 0x561ccd1b) | 0;
		h2 ^= scramble(word(bytes, block + 4, to), 0xab0e9789, 16, 0x38b34ae5);
		h2 = (Math.imul(rotate(h2, 17) + h3, 5) + 0x0bcaa747) | 0;
		h3 ^= scramble(word(bytes, block + 8, to), 0x38b34ae5, 17, 0xa1e38b93);
		h3 = (Math.imul(rotate(h3, 15) + h4, 5) + 0x96cd1c35) | 0;
		h4 ^= scramble(word(bytes, block + 12, to), 0xa1e38b93, 18, 0x239b961b);
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
	into[at] = h1;
	into[at + 1] = h2 + h1;
	into[at + 2] = h3 + h1;
	into[at + 3] = h4 + h1;
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

import { murmur3 } from '../../../../nodes/Wherobots/transport/auditExport/murmur3';

/** The hash of some of the bytes, its words as the reference writes them. */
function hash(bytes: Buffer, seed: number, from = 0, to = bytes.length): string {
	const words = new Uint32Array(6);
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
	murmur3(view, from, to, seed, words, 1);
	expect([words[0], words[5]]).toEqual([0, 0]);
	const text = Buffer.alloc(16);
	for (let word = 0; word < 4; word++) text.writeUInt32LE(words[word + 1], word * 4);
	return text.toString('hex');
}

it.each([
	['nothing', Buffer.alloc(0), 0, '00000000000000000000000000000000'],
	['a block', Buffer.from('0123456789abcdef'), 0, '09447dfb0ad3ae369b1dad48fd3b2b57'],
	[
		'two blocks',
		Buffer.from('0123456789abcdef0123456789abcdef'),
		42,
		'90a7e1a142db61600d86a7bf917e377b',
	],
	[
		'bytes of the upper half',
		Buffer.from(Array.from({ length: 16 }, (_, n) => 240 + n)),
		0xdeadbeef,
		'6c9f48c5b04282bf82ccd94244b017a8',
	],
])('the hash of %s is that of the reference implementation', (_, bytes, seed, expected) => {
	expect(hash(bytes, seed)).toBe(expected);
});

it('the hash is of the bytes between two places, wherever these lie', () => {
	for (let length = 0; length <= 40; length++) {
		const bytes = Buffer.alloc(length, 'abcdefghijk');
		const around = Buffer.concat([Buffer.from('xyz'), bytes, Buffer.from('xyz')]);
		expect(hash(around, 7, 3, 3 + length)).toBe(hash(bytes, 7));
	}
});

it('every byte counts, and so do zeros at the end', () => {
	const hashes = new Set<string>();
	let count = 0;
	for (let length = 1; length <= 36; length++) {
		for (let place = 0; place < length; place++) {
			for (let bit = 0; bit < 8; bit++) {
				const bytes = Buffer.alloc(length);
				bytes[place] = 1 << bit;
				hashes.add(hash(bytes, 0));
				count += 1;
			}
		}
		hashes.add(hash(Buffer.alloc(length), 0));
		count += 1;
	}
	expect(hashes.size).toBe(count);
});

it('another seed gives another hash', () => {
	const seeds = Array.from({ length: 100 }, (_, seed) => hash(Buffer.from('event'), seed));
	expect(new Set(seeds).size).toBe(100);
});

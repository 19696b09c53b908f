import { Encoder } from 'cbor-x';
import fc from 'fast-check';

import { parseFrame as received } from '../../../nodes/Wherobots/transport/socket';
import { forAll, USUALLY } from '../../support/forAll';

/** The message in a frame. */
function readFrame(data: unknown): unknown {
	const frame = received(data);
	if (frame.kind !== 'message') throw new Error(frame.kind === 'unreadable' ? frame.problem : '');
	return frame.message;
}

const encoder = new Encoder({ useRecords: false, mapsAsObjects: true });
const bytesOf = (value: unknown) => {
	const encoded = encoder.encode(value);
	return encoded.buffer.slice(encoded.byteOffset, encoded.byteOffset + encoded.byteLength);
};

const leaf = fc.oneof(
	fc.string({ unit: 'binary' }).filter((value) => !/\p{Cs}/u.test(value)),
	fc.maxSafeInteger(),
	// Larger ones are written as digits in JSON, and as integers by some encoders.
	fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((value) => value + 0),
	fc.boolean(),
	fc.constant(null),
);
const message = fc.dictionary(
	fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
	fc.oneof(leaf, fc.array(leaf), fc.dictionary(fc.constantFrom('a', 'b', 'c'), leaf)),
);

it('reads what another CBOR encoder writes', async () =>
	await forAll([message], USUALLY, (value) =>
		expect(readFrame(bytesOf(value))).toEqual({ ...value }),
	));

it('reads what JSON writes', async () =>
	await forAll([message], USUALLY, (value) => {
		expect(readFrame(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
	}));

it('keeps bytes and 64-bit integers', () => {
	const value = { bytes: Buffer.from([0, 255]), safe: 5n, large: 2n ** 63n - 1n };
	const { bytes, ...numbers } = readFrame(bytesOf(value)) as Record<string, Uint8Array>;
	expect([...bytes]).toEqual([0, 255]);
	expect(numbers).toEqual({ safe: 5, large: 9223372036854775807n });
});

/** Reads a message of bytes given in hexadecimal. */
const cbor = (hex: string) => readFrame(Uint8Array.from(Buffer.from(hex, 'hex')).buffer);

// How Java's encoders write long texts, and maps of unknown size.
it.each<[string, unknown]>([
	['f7', undefined],
	['5f42010243030405ff', new Uint8Array([1, 2, 3, 4, 5])],
	['7f657374726561646d696e67ff', 'streaming'],
	['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
	['bf61610161629f0203ffff', { a: 1, b: [2, 3] }],
	['bfff', {}],
])('reads %s', (hex, value) => {
	const read = cbor(hex);
	expect(read instanceof Uint8Array ? new Uint8Array(read) : read).toEqual(value);
});

const malformed = [
	...['', 'ff', '1c', '18', '0000', '61', '82', '8201', '82ff01', 'a1', 'a101', 'a1ff', 'a101ff'],
	...['1f', 'c1', 'c1ff', '5f6161ff', '7f7f6161ffff', '5f01ff', '7f61', '5bffffffffffffffff'],
	...['82ff', '9cff', 'bf6161ff', 'a16161ff', 'a2616101ff'],
	// Lengths that would exhaust memory, and depths that would exhaust the stack.
	...['9bffffffffffffffff', '9affffffff01', 'bbffffffffffffffff', '7affffffff'],
	...['81', 'c1', 'a16161', 'a1'].map((opening) => opening.repeat(200_000)),
].map((hex) => [hex.slice(0, 24), hex]);

it.each(malformed)('refuses %s', (_, hex) => expect(() => cbor(hex)).toThrow());

it('refuses anything else with an explanation', async () => {
	await forAll([fc.uint8Array()], USUALLY, (bytes) => {
		try {
			readFrame(Uint8Array.from(bytes).buffer);
		} catch (error) {
			expect((error as Error).message).not.toBe('');
		}
	});
	expect(() => readFrame('{')).toThrow('JSON');
});

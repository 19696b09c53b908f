import { Encoder } from 'cbor-x';
import fc from 'fast-check';

import { readFrame } from '../../../../nodes/Wherobots/transport/sql/socket';

const encoder = new Encoder({ useRecords: false, mapsAsObjects: true });
const bytesOf = (value: unknown) => {
	const encoded = encoder.encode(value);
	return encoded.buffer.slice(encoded.byteOffset, encoded.byteOffset + encoded.byteLength);
};

const leaf = fc.oneof(
	fc.string({ unit: 'binary' }).filter((value) => !/\p{Cs}/u.test(value)),
	fc.maxSafeInteger(),
	// Larger ones are digits in JSON, and integers to some encoders.
	fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((value) => value + 0),
	fc.boolean(),
	fc.constant(null),
);
const message = fc.dictionary(
	fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
	fc.oneof(leaf, fc.array(leaf), fc.dictionary(fc.constantFrom('a', 'b', 'c'), leaf)),
);

it('reads what another encoder of CBOR writes', () => {
	fc.assert(
		fc.property(message, (value) => expect(readFrame(bytesOf(value))).toEqual({ ...value })),
	);
});

it('reads what JSON writes', () => {
	fc.assert(
		fc.property(message, (value) => {
			expect(readFrame(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
		}),
	);
});

it('keeps bytes, and the digits of integers of any size', () => {
	const value = {
		bytes: Buffer.from([0, 255]),
		safe: 5n,
		large: 2n ** 63n - 1n,
		huge: -(2n ** 80n),
	};
	const { bytes, ...numbers } = readFrame(bytesOf(value)) as Record<string, Uint8Array>;
	expect([...bytes]).toEqual([0, 255]);
	expect(numbers).toEqual({
		safe: 5,
		large: '9223372036854775807',
		huge: '-1208925819614629174706176',
	});
});

/** Bytes in hexadecimal. */
const cbor = (hex: string) => readFrame(Uint8Array.from(Buffer.from(hex, 'hex')).buffer);

// Examples of RFC 8949, appendix A.
it.each<[string, unknown]>([
	['f90001', 5.960464477539063e-8],
	['f97bff', 65504],
	['f9c400', -4],
	['f98002', -(2 ** -23)],
	['f97c00', Infinity],
	['f97e00', NaN],
	['fa7f7fffff', 3.4028234663852886e38],
	['fbc010666666666666', -4.1],
	['1bffffffffffffffff', '18446744073709551615'],
	['3bffffffffffffffff', '-18446744073709551616'],
	['c249010000000000000000', '18446744073709551616'],
	['c349010000000000000000', '-18446744073709551617'],
	['c11a514b67b0', 1363896240],
	['c201', 1],
	['d840420102', new Uint8Array([1, 2])],
	['f7', undefined],
	['f8ff', undefined],
	['5f42010243030405ff', new Uint8Array([1, 2, 3, 4, 5])],
	['7f657374726561646d696e67ff', 'streaming'],
	['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
	['bf61610161629f0203ffff', { a: 1, b: [2, 3] }],
	['a201020304', { 1: 2, 3: 4 }],
])('reads %s', (hex, value) => {
	const read = cbor(hex);
	expect(read instanceof Uint8Array ? new Uint8Array(read) : read).toEqual(value);
});

it.each([
	...['', 'ff', '1c', '18', '0000', '61', '82', '8201', '82ff01', 'a1', 'a101', 'a1ff', 'a101ff'],
	...['1f', 'c1', 'c1ff', '5f6161ff', '7f7f6161ffff', '5f01ff', '7f61', '5bffffffffffffffff'],
	// An end where none may be, and a length that is reserved.
	...['82ff', '9fc1ff', '9cff'],
	'81'.repeat(10_000),
])('refuses %s', (hex) => expect(() => cbor(hex)).toThrow(SyntaxError));

it.each(['81', 'c1'])('reads values as deep as 200 levels, and no deeper: %s', (level) => {
	expect(() => cbor(`${level.repeat(200)}01`)).not.toThrow();
	expect(() => cbor(`${level.repeat(201)}01`)).toThrow(SyntaxError);
});

it('refuses anything else, and never does more', () => {
	fc.assert(
		fc.property(fc.uint8Array(), (bytes) => {
			try {
				readFrame(Uint8Array.from(bytes).buffer);
			} catch (error) {
				expect((error as Error).name).toBe('SyntaxError');
			}
		}),
	);
	expect(() => readFrame('{')).toThrow(SyntaxError);
});

import { Encoder } from 'cbor-x';
import fc from 'fast-check';

import { readFrame } from '../../../../nodes/Wherobots/transport/sql/frames';

const encoder = new Encoder({ useRecords: false, mapsAsObjects: true });
const bytesOf = (value: unknown) => {
	const encoded = encoder.encode(value);
	return encoded.buffer.slice(encoded.byteOffset, encoded.byteOffset + encoded.byteLength);
};

const leaf = fc.oneof(
	fc.string({ unit: 'binary' }).filter((value) => !/\p{Cs}/u.test(value)),
	fc.maxSafeInteger(),
	fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
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
	expect(readFrame(bytesOf(value))).toEqual({
		bytes: new Uint8Array([0, 255]),
		safe: 5,
		large: '9223372036854775807',
		huge: '-1208925819614629174706176',
	});
});

it('reads texts and lists of no stated length, and the content of unknown tags', () => {
	const hex = 'bf616bff';
	expect(() => readFrame(Uint8Array.from(Buffer.from(hex, 'hex')).buffer)).toThrow(SyntaxError);
	const streamed = Buffer.from('bf616b7f61786179ff616c9f01f6ff6174d9d9f7f5ff', 'hex');
	expect(readFrame(Uint8Array.from(streamed).buffer)).toEqual({ k: 'xy', l: [1, null], t: true });
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

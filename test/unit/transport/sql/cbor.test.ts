import { readCbor } from '../../../../nodes/Wherobots/transport/sql/cbor';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

it.each([
	['a map whose size is told', 'a1616101', { a: 1 }],
	['a map that ends with a mark', 'bf616101616202ff', { a: 1, b: 2 }],
	['an empty map that ends with a mark', 'bfff', {}],
])('%s is read', (_, hex, value) => expect(readCbor(bytes(hex))).toEqual(value));

it.each([
	['between a name and its value', 'bf6161ff'],
	['in place of a value', 'a16161ff'],
	['in place of a name', 'a1ff01'],
	['before as many entries as it has said', 'a2616101ff'],
])('a map that ends %s is refused', (_, hex) => {
	expect(() => readCbor(bytes(hex))).toThrow();
});

it.each([
	['values', 'a16161'],
	['names', 'a1'],
])('maps in the %s of maps are refused before the stack is full', (_, opening) => {
	expect(() => readCbor(bytes(opening.repeat(200_000)))).toThrow(SyntaxError);
});

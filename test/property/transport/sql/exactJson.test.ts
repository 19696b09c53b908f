import fc from 'fast-check';

import { parseExactJson } from '../../../../nodes/Wherobots/transport/json';

const digits = (min: number, max: number) =>
	fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max });

it('gives every JSON value back', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			const text = JSON.stringify(value);
			// Integers beyond the safe range are digits, as below.
			fc.pre(!/\d{16}/.test(text));
			expect(parseExactJson(text)).toEqual(JSON.parse(text));
		}),
	);
});

it('gives decimals as numbers where they hold them, and else as their digits', () => {
	fc.assert(
		fc.property(fc.integer(), digits(1, 20), (whole, fraction) => {
			const text = `${whole}.${fraction}`;
			// Below one, a number may be written with an exponent.
			fc.pre(whole !== 0);
			const { value } = parseExactJson(`{"value": ${text}}`) as { value: number | string };
			if (typeof value === 'string') return expect(value).toBe(text);
			expect(value).toBe(Number(text));
			return expect(scaled(String(value))).toBe(scaled(text));
		}),
	);
});

/** The digits of a decimal with twenty of them after the point. */
function scaled(decimal: string): string {
	const [whole, fraction = ''] = decimal.split('.');
	return `${whole}.${fraction.padEnd(20, '0')}`;
}

it.each([
	['[9007199254740993]', ['9007199254740993']],
	['[1234567890123456.78, 12.30, 0.1]', ['1234567890123456.78', 12.3, 0.1]],
	['[1e400, NaN, -Infinity]', ['1e400', 'NaN', '-Infinity']],
	['{"NaN": "Infinity 12345678901234567890"}', { NaN: 'Infinity 12345678901234567890' }],
])('%s', (text, value) => expect(parseExactJson(text)).toEqual(value));

it('ends with every beginning of a text', () => {
	const text = '[{"a \\" b": 12345678901234567890.5, "c": NaN}]';
	for (let length = 0; length < text.length; length++) {
		expect(() => parseExactJson(text.slice(0, length))).toThrow(SyntaxError);
	}
});

it.each(['{', '[1,]', 'x', ''])('refuses %s', (text) =>
	expect(() => parseExactJson(text)).toThrow(SyntaxError),
);

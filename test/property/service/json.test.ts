import fc from 'fast-check';

import { parseJson, parsePrintedJson } from '../../../nodes/Wherobots/service/json';
import { forAll } from '../../support/forAll';

/** Values without integers that a JavaScript number cannot hold. */
const safeValues = fc.jsonValue().filter((value) => !/\d{16}/.test(JSON.stringify(value)));

describe('JSON of the service', () => {
	it('keeps every digit of every integer', async () =>
		await forAll(
			[fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.string()],
			1_000,
			(n, key) => {
				const text = `{${JSON.stringify(key)}: [ ${n} ,{"a":${n}}], "s": ${JSON.stringify(`${n}`)}}`;
				const { [key]: value } = parseJson(text) as Record<string, unknown>;
				if (key === 's') return;
				const [first, { a }] = value as [string | number, { a: string | number }];
				for (const one of [first, a]) {
					expect(String(one)).toBe(String(n));
					expect(typeof one).toBe(Number.isSafeInteger(Number(n)) ? 'number' : 'string');
				}
			},
		));

	it('equals JSON.parse where no integer is too long, and inside strings and keys always', async () =>
		await forAll([safeValues, fc.string()], 1_000, (value, string) => {
			const digits = `${string}12345678901234567890${string}`;
			const text = JSON.stringify({ [digits]: value, text: digits, quoted: `"${digits}\\` });
			expect(parseJson(text)).toEqual(JSON.parse(text));
		}));

	it('refuses what JSON.parse refuses', async () => {
		const broken = fc.oneof(
			fc.string(),
			fc.json().map((text) => `${text},`),
			fc.json().map((text) => text.slice(0, -1)),
			fc.constantFrom(
				'01234567890123456789',
				'-',
				'[1234567890123456 7]',
				'{"a":12345678901234567',
			),
			fc.constantFrom('12345678901234567-8', '+12345678901234567', '.12345678901234567'),
		);
		await forAll([broken], 1_000, (text) => {
			let valid = true;
			try {
				JSON.parse(text);
			} catch {
				valid = false;
			}
			if (valid) parseJson(text);
			else expect(() => parseJson(text)).toThrow(SyntaxError);
		});
	});

	it.each([
		['one string', (size: number) => 'x'.repeat(size)],
		['backslashes', (size: number) => '\\\\'.repeat(size / 2)],
		['quotes', (size: number) => '\\"'.repeat(size / 2)],
	])('reads 16 megabytes of %s beside long integers', (_, text) => {
		const raw = text(16_000_000);
		const value = parseJson(`{"id":9007199254740993,"raw":"${raw}","n":[-9007199254740993]}`);
		const { id, n, raw: read } = value as { id: string; n: string[]; raw: string };
		expect([id, n]).toEqual(['9007199254740993', ['-9007199254740993']]);
		expect(JSON.stringify(read) === `"${raw}"`).toBe(true);
	});

	it('is not slowed down by text that only looks like JSON', () => {
		const startedAt = performance.now();
		expect(() => parseJson(`{"n":1234567890123456,"${'\\"'.repeat(200_000)}`)).toThrow(SyntaxError);
		expect(performance.now() - startedAt).toBeLessThan(10_000);
	});
});

describe('JSON that a program printed', () => {
	it('equals JSON.parse but for numbers that JavaScript would write otherwise', async () =>
		await forAll([fc.jsonValue(), fc.bigInt()], 1_000, (value, long) => {
			const text = JSON.stringify({ value, long: '' }).replace('"long":""', `"long":${long}`);
			const { long: digits, ...rest } = parsePrintedJson(text) as { long: unknown };
			expect(String(digits)).toBe(String(long));
			expect(rest).toEqual({ value: (JSON.parse(text) as { value: unknown }).value });
		}));

	it.each([
		['1.0', 1],
		['1.50', 1.5],
		['1e3', 1000],
		['0.30000000000000004', 0.30000000000000004],
		['0.1234567890123456789', '0.1234567890123456789'],
		['123456789012345.60', '123456789012345.60'],
		['[NaN, "NaN", -Infinity]', ['NaN', 'NaN', '-Infinity']],
	])('reads %s', (text, value) => {
		expect(parsePrintedJson(text)).toEqual(value);
	});

	it.each(['', "{'a': 1}", '{"a": 1', '{12345678901234567: 1}', '12345678901234567 8', 'None'])(
		'refuses %j',
		(text) => {
			expect(() => parsePrintedJson(text)).toThrow(SyntaxError);
		},
	);
});

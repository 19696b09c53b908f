import { parseExactJson, parseJson, parseLenientJson } from '../../../nodes/Wherobots/service/json';

const long = '9007199254740993';

describe('JSON of other programs', () => {
	it.each([
		['{"a":NaN,"b":[-Infinity,Infinity]}', { a: 'NaN', b: ['-Infinity', 'Infinity'] }],
		['{"a":"\\"NaN","b":NaN}', { a: '"NaN', b: 'NaN' }],
		[
			`{"a":NaN,"b":${long},"c":0.12345678901234567890}`,
			{ a: 'NaN', b: long, c: 0.12345678901234568 },
		],
		['[1.5]', [1.5]],
	])('%s is read', (text, value) => {
		expect(parseLenientJson(text)).toEqual(value);
	});

	it.each(['[NaN', '[--Infinity]', '[NaNa]', '[1-2]', '{broken}'])('%s is not JSON', (text) => {
		expect(() => parseLenientJson(text)).toThrow(SyntaxError);
	});
});

it.each<[string, unknown]>([
	['[9007199254740991,-9007199254740991]', [9007199254740991, -9007199254740991]],
	['[1234567890123456.5]', [1234567890123456.5]],
	['[12345678901234567e3]', [12345678901234567e3]],
])('an integer that a number cannot hold is not in %s', (text, value) => {
	expect(parseJson(text)).toEqual(value);
});

it.each([' ', '\n'])('an integer that a number cannot hold is its digits after %j', (blank) => {
	expect(parseJson(`{"a":${blank}${long}}`)).toEqual({ a: long });
});

it('a number that JavaScript would write otherwise is its digits where values have to be exact', () => {
	const json = '[1, 1.5, 1.50, 1e3, -0, 0.12345678901234567890, "1.50", {"1.50": 1E400}]';
	expect(parseExactJson(json)).toEqual([
		...[1, 1.5, '1.50', '1e3', '-0', '0.12345678901234567890', '1.50', { '1.50': '1E400' }],
	]);
});

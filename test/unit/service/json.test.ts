import { parseExactJson, parseJson, parseLenientJson } from '../../../nodes/Wherobots/service/json';

const long = '9007199254740993';

describe('in the rows of a table', () => {
	it.each([
		'NaN',
		'Infinity',
		'-Infinity',
		'1e400',
		long,
		'0.12345678901234567',
		'123456789.123456789',
		'1e-400',
		'1.2345678e-320',
	])('%s is the text of it', (token) => {
		expect(parseExactJson(`{"a":[${token},1]}`)).toEqual({ a: [token, 1] });
	});

	it.each<[string, number]>([
		['0.1', 0.1],
		['-1.5', -1.5],
		['1e2', 100],
		['9007199254740991', 9007199254740991],
		['0.10000000000000000000', 0.1],
		['-0.10000000000000000000', -0.1],
		['-0.00000010000000000', -1e-7],
		['1002.0000000000000000', 1002],
		['0.0000000000000000000', 0],
		['0e-999', 0],
		['5e-324', Number.MIN_VALUE],
		['100.00000000000000000', 100],
		['1.0000000000000000000E2', 100],
		['10000000000000000000e-19', 1],
		['0.000000000000000000001', 1e-21],
		['1000000000000000000000.0', 1e21],
		['1.7976931348623157e308', Number.MAX_VALUE],
	])('%s is a number', (token, number) => {
		expect(parseExactJson(`[${token}]`)).toEqual([number]);
	});

	it('texts are left alone, whatever they say', () => {
		const text = `["NaN ${long} 1e400","\\"Infinity"]`;
		expect(parseExactJson(text)).toEqual(JSON.parse(text));
	});

	it.each(['[NaN', '["NaN]', '[--Infinity]', '[NaNa]'])('%s is not JSON', (text) => {
		expect(() => parseExactJson(text)).toThrow(SyntaxError);
	});
});

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
	['9007199254740991', 9007199254740991],
	['[9007199254740991,-9007199254740991]', [9007199254740991, -9007199254740991]],
	['[1234567890123456.5]', [1234567890123456.5]],
	['[12345678901234567e3]', [12345678901234567e3]],
	[`"${long}"`, long],
	[`{"${long}":"[${long}"}`, { [long]: `[${long}` }],
	['{}', {}],
	['null', null],
])('an integer that a number cannot hold is not in %s', (text, value) => {
	expect(parseJson(text)).toEqual(value);
});

it.each([' ', '\n'])('an integer that a number cannot hold is its digits after %j', (blank) => {
	expect(parseJson(`{"a":${blank}${long}}`)).toEqual({ a: long });
});

/** What comes out of forms, expressions and other nodes' data when somebody is careless or means harm. */

/** In every text of these, so that it is found again wherever it goes. */
export const TOKEN = 'zq7';

export interface HostileValue {
	name: string;
	/** An expression instead of a value: for what JSON does not have. */
	expression?: string;
	value?: unknown;
}

const text = (value: string): HostileValue => ({ name: JSON.stringify(value).slice(0, 40), value });

/** 100 kB: a start, one thing again and again, an end. */
const long = (start: string, unit: string, end: string): HostileValue => ({
	name: `100 kB of ${JSON.stringify(start + unit + unit)}…`,
	value: start + unit.repeat(100_000 / unit.length) + end,
});

export const hostileValues: HostileValue[] = [
	// Other paths
	text(`../../${TOKEN}`),
	text(`..%2f..%2f${TOKEN}`),
	text(`/${TOKEN}/../../runs`),
	text('..'),
	text('.'),
	// Queries, fragments, headers
	text(`${TOKEN}?size=0&cursor=1#x`),
	text(`${TOKEN}&force_delete_catalog_entry=true`),
	text(`${TOKEN}\r\nX-Injected: 1\r\n\r\n`),
	text(`${TOKEN}%0d%0aX-Injected:%201`),
	text(`https://${TOKEN}.example.com/`),
	// Characters
	text(`${TOKEN}\u0000`),
	text(`\u0007${TOKEN}\u001b[31m`),
	text(`${TOKEN}\ud800`),
	text(`\udc00${TOKEN}`),
	text(`${TOKEN}\u2028\u202e`),
	text(`${TOKEN}%`),
	text(`${TOKEN}"'<script>{{ $json }}`),
	text(`${TOKEN}, ${TOKEN}`),
	// Names that objects have
	text('__proto__'),
	text('constructor'),
	text('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
	// Lengths
	{ name: 'a text of 1 MB', value: TOKEN + 'x'.repeat(1_000_000) },
	text(''),
	// What a pattern that tries every way to read a text takes seconds or minutes for
	...['', TOKEN, 'POINT', '0.', '"', 's3://b/'].flatMap((start) => [
		long(start, ' ', '!'),
		long(start, '0', '1'),
		long(start, '=', '!'),
	]),
	long('', '/', '!'),
	long('', '"\\', 'x'),
	long(TOKEN, '/*', ''),
	long('', '?sig', ''),
	// What stands for other kinds
	text('TRUE'),
	text('null'),
	text('1e3'),
	// Other kinds
	{ name: 'null', value: null },
	{ name: 'undefined', expression: '={{ undefined }}' },
	{ name: 'true', value: true },
	{ name: '-1', value: -1 },
	{ name: '1.5', value: 1.5 },
	{ name: 'NaN', value: Number.NaN },
	{ name: 'Infinity', value: Number.POSITIVE_INFINITY },
	{ name: '2^53 and more', value: 2 ** 60 },
	{ name: 'a list', value: [TOKEN] },
	{ name: 'a list of nothing', value: [null] },
	{ name: 'a list of lists', value: [[TOKEN], [{ [TOKEN]: 1 }]] },
	{ name: 'an empty object', value: {} },
	{ name: 'an object', value: { [TOKEN]: { [TOKEN]: 1 } } },
	{ name: 'an object with __proto__', value: JSON.parse(`{"__proto__":{"polluted":1},"a":1}`) },
	{ name: 'a date', expression: '={{ new Date(0) }}' },
	{ name: 'an invalid date', expression: '={{ new Date(NaN) }}' },
	{ name: 'a luxon date', expression: '={{ $now }}' },
];

/** Types of columns with values that people give for them, and whether a value arrived as it was given. */
import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';

import type { Call } from '../../nodes/Wherobots/actions/operations/operation';
import { CellReader } from '../../nodes/Wherobots/actions/tables/cells';

export type Type =
	| string
	| { type: 'list'; element: Type }
	| { type: 'map'; key: Type; value: Type }
	| { type: 'struct'; fields: Array<{ name: string; type: Type }> };

/** That of the workflow; without summer time in the years of `times`. */
export const ZONE = 'America/Sao_Paulo';

/** Reads cells as Insert Rows does, without n8n. */
export function cellReader(zone = ZONE): CellReader {
	const call = {
		context: { getTimezone: () => zone },
		input: { problem: (_: unknown, what: string) => new RangeError(what) },
	};
	return new CellReader(call as unknown as Call, {} as INodeProperties);
}

const LEAVES = [
	...['int', 'long', 'float', 'double', 'boolean', 'string', 'date', 'timestamp', 'timestamptz'],
	...['decimal(10, 2)', 'decimal(38, 20)', 'binary', 'fixed[2]'],
];
const NAMES = ['a', 'B', 'size', 'a b', "it's", 'x.y', '`', 'Größe', 'm0', '_corrupt_record'];

/** At most four levels deep. */
export const types: fc.Arbitrary<Type> = fc.letrec<{ type: Type; leaf: string; key: string }>(
	(tie) => ({
		leaf: fc.constantFrom(...LEAVES),
		key: fc.constantFrom('int', 'long', 'string', 'date', 'boolean', 'decimal(10, 2)'),
		type: fc.oneof(
			{ maxDepth: 3, depthSize: 'large' },
			tie('leaf'),
			fc.record({ type: fc.constant('list' as const), element: tie('type') }),
			fc.record({ type: fc.constant('map' as const), key: tie('key'), value: tie('type') }),
			fc.record({
				type: fc.constant('struct' as const),
				fields: fc.uniqueArray(fc.record({ name: fc.constantFrom(...NAMES), type: tie('type') }), {
					minLength: 1,
					maxLength: 4,
					selector: ({ name }) => name,
				}),
			}),
		),
	}),
).type;

const two = (value: number) => String(value).padStart(2, '0');
const days = fc
	.tuple(fc.integer({ min: 2020, max: 2090 }), fc.integer({ min: 1, max: 12 }), fc.nat(28))
	.map(([year, month, day]) => `${year}-${two(month)}-${two(day + 1)}`);
const clocks = fc
	.tuple(
		fc.nat(23),
		fc.nat(59),
		fc.nat(59),
		fc.constantFrom('', '', '.5', '.50000000', '.123456', '.1234567'),
	)
	.map(([hour, minute, second, part]) => `${two(hour)}:${two(minute)}:${two(second)}${part}`);
const times = fc
	.tuple(days, fc.constantFrom('T', ' '), clocks, fc.constantFrom('', '', 'Z', '+05:30', '-0800'))
	.map((parts) => parts.join(''));
const digits = fc
	.tuple(
		fc.constantFrom('', '', '-', '+'),
		fc.bigInt({ min: 0n, max: 10n ** 21n }).map((value) => String(value)),
		fc.nat(22),
		fc.constantFrom('', '', '.', '.5', '.50', '.255', '.12345678901234567890', 'e2', 'E-3'),
	)
	.map(([sign, whole, cut, rest]) => `${sign}${whole.slice(cut) || '0'}${rest}`);
const texts = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.constantFrom("'", '"', '\\', '`', '${spark.master}', '\n', ' ', 'null', '{}', '1', '\u2028'),
);
const odd = fc.oneof(
	fc.constantFrom<unknown>(null, undefined, '', 'x', {}, [], [1], { a: 1 }, NaN, Infinity, 1e300),
	fc.constantFrom<unknown>(2 ** 31, 2 ** 53, 1e-50, -0.5, true, 'NaN', 'yes', '0x10', '1 2', '٣'),
	fc.oneof(digits, times, days, texts, fc.double()),
);
const numbers = fc.oneof(digits, digits.map(Number), fc.integer(), fc.double());
const prices = fc
	.tuple(fc.integer({ min: -99_999_999, max: 99_999_999 }), fc.constantFrom('', '.5', '.50', '.07'))
	.map((parts) => parts.join(''));

const OF_LEAF: Record<string, fc.Arbitrary<unknown>> = {
	'decimal(10, 2)': fc.oneof(prices, prices, prices.map(Number), prices, prices, digits),
	boolean: fc.constantFrom(true, false, 'true', 'No', 1, 0, '1'),
	string: fc.oneof(texts, fc.integer(), fc.boolean()),
	date: days,
	timestamp: fc.oneof(times, days),
	timestamptz: fc.oneof(times, days),
	binary: fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes).toString('base64')),
	'fixed[2]': fc.constantFrom('AQI=', 'AQI', 'AAAA', 'AQI=='),
	int: fc.oneof(fc.integer(), fc.integer().map(String), fc.nat(), fc.nat(), digits),
	long: fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }).map(String), fc.integer()),
};

/** Values that mostly belong to a type; some do not. */
export function valuesOf(type: Type): fc.Arbitrary<unknown> {
	const own = typeof type === 'string' ? (OF_LEAF[type] ?? numbers) : nestedValuesOf(type);
	return fc.oneof({ weight: 50, arbitrary: own }, { weight: 1, arbitrary: odd });
}

function nestedValuesOf(type: Exclude<Type, string>): fc.Arbitrary<unknown> {
	const orJson = (values: fc.Arbitrary<unknown>) =>
		fc.oneof({ weight: 5, arbitrary: values }, { weight: 1, arbitrary: values.map(toJson) });
	if (type.type === 'list') return orJson(fc.array(valuesOf(type.element), { maxLength: 3 }));
	if (type.type === 'map') {
		const keys = valuesOf(type.key).map((key) => String(key));
		return orJson(fc.dictionary(keys, valuesOf(type.value), { maxKeys: 3 }));
	}
	const members = type.fields.map(({ name, type: of }) => [name, valuesOf(of)] as const);
	const record = fc.record(Object.fromEntries(members), { requiredKeys: [] });
	const other = fc.constantFrom('a', 'A', 'b', 'other');
	return orJson(
		fc.oneof(
			{ weight: 20, arbitrary: record },
			{ weight: 1, arbitrary: fc.tuple(record, other).map(([of, name]) => ({ ...of, [name]: 1 })) },
		),
	);
}

/** As JSON, in which numbers keep the digits of their texts. */
const toJson = (value: unknown) =>
	JSON.stringify(value).replace(/"(-?[1-9]\d*(\.\d+)?)"(?!:)/g, '$1');

const SQL: Record<string, string> = {
	...{ long: 'BIGINT', timestamp: 'TIMESTAMP_NTZ', timestamptz: 'TIMESTAMP' },
	'fixed[2]': 'BINARY',
};
const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``;

/** A type in Spark SQL. */
export function sqlOf(type: Type): string {
	if (typeof type === 'string') return SQL[type] ?? type.toUpperCase();
	if (type.type === 'list') return `ARRAY<${sqlOf(type.element)}>`;
	if (type.type === 'map') return `MAP<${sqlOf(type.key)}, ${sqlOf(type.value)}>`;
	return `STRUCT<${type.fields.map(({ name, type: of }) => `${quoted(name)}: ${sqlOf(of)}`).join(', ')}>`;
}

/** An expression for a value as text: that of Spark, or a JSON list of such texts, in which a map is pairs. */
export function textSql(type: Type, sql: string, depth = 0): string {
	if (type === 'binary' || type === 'fixed[2]') return `base64(${sql})`;
	if (typeof type === 'string') return `CAST(${sql} AS STRING)`;
	const each = `x${depth}`;
	const of = (part: Type, at: string) => textSql(part, at, depth + 1);
	if (type.type === 'list')
		return `to_json(transform(${sql}, ${each} -> ${of(type.element, each)}))`;
	if (type.type === 'map') {
		const pair = [of(type.key, `${each}.key`), of(type.value, `${each}.value`)];
		return `to_json(transform(map_entries(${sql}), ${each} -> array(${pair.join(', ')})))`;
	}
	const members = type.fields.map(({ name, type: part }) => of(part, `${sql}.${quoted(name)}`));
	return `IF(${sql} IS NULL, NULL, to_json(array(${members.join(', ')})))`;
}

/** Whether a value that was given is what `textSql` then says. By rules of its own, not the package's. */
export function isSame(type: Type, given: unknown, text: string | null): boolean {
	if (given === null || given === undefined) return text === null;
	if (text === null) return false;
	if (typeof type === 'string') return isSameLeaf(type, given, text);
	const value: unknown = typeof given === 'string' ? fromJson(given) : given;
	const parts = JSON.parse(text) as Array<string | null>;
	if (type.type === 'list') {
		const list = value as unknown[];
		return (
			list.length === parts.length &&
			list.every((each, at) => isSame(type.element, each, parts[at]))
		);
	}
	if (type.type === 'map') {
		const entries = Object.entries(value as object);
		const pairs = parts as unknown as string[][];
		return (
			entries.length === pairs.length &&
			entries.every(([key, each], at) => {
				const [own, of] = pairs[at];
				return isSame(type.key, key, own) && isSame(type.value, each, of);
			})
		);
	}
	const record = value as Record<string, unknown>;
	const isKnown = (name: string) => type.fields.some((field) => field.name === name);
	return (
		Object.keys(record).every(isKnown) &&
		type.fields.every(({ name, type: of }, at) => isSame(of, record[name], parts[at]))
	);
}

/** With each number as its text. */
const fromJson = (json: string): unknown =>
	JSON.parse(
		json.replace(/("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)/g, (_, own, number) => own ?? `"${number}"`),
	);

/** A decimal number as a whole one and its power of ten, without zeros at the end. */
function exact(number: string): string | undefined {
	const [, sign, whole, part = '', power = '0'] =
		/^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(number) ?? [];
	if (whole === undefined || whole + part === '') return undefined;
	const all = `${whole}${part}`.replace(/^0+/, '');
	const kept = all.replace(/0+$/, '');
	const at = Number(power) - part.length + all.length - kept.length;
	return kept === '' ? '0' : `${sign === '-' ? '-' : ''}${kept}e${at}`;
}

function microsOf(text: string, zone: string): string | undefined {
	const [, day, clock = '00:00:00', part = '', own = zone] =
		/^(\d+-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? [];
	const seconds = Date.parse(`${day}T${clock}${own.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
	return Number.isNaN(seconds) ? undefined : `${seconds}.${part.replace(/0+$/, '')}`;
}

const WORDS: Record<string, string> = {
	yes: 'true',
	on: 'true',
	'1': 'true',
	no: 'false',
	'0': 'false',
};

function isSameLeaf(type: string, given: unknown, text: string): boolean {
	if (typeof given === 'object') return false;
	const own = String(given);
	switch (type.replace(/[([].*/, '')) {
		case 'string':
			return own === text;
		case 'boolean':
			return (WORDS[own.toLowerCase()] ?? own.toLowerCase()) === text;
		case 'double':
			return Object.is(Number(own), Number(text));
		case 'float':
			return Object.is(Math.fround(Number(own)), Math.fround(Number(text)));
		case 'date':
			return (
				own === text || own.startsWith(`${text}T00:00:00`) || own.startsWith(`${text} 00:00:00`)
			);
		case 'timestamp':
			return microsOf(own, 'Z') === microsOf(text, 'Z') && microsOf(text, 'Z') !== undefined;
		case 'timestamptz':
			return microsOf(own, '-03:00') === microsOf(text, 'Z') && microsOf(text, 'Z') !== undefined;
		case 'binary':
		case 'fixed':
			return own.replace(/=+$/, '') === text.replace(/=+$/, '');
		default:
			return exact(own) === exact(text) && exact(text) !== undefined;
	}
}

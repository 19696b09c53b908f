/** Values of query parameters, compared with what Spark's own `:name` parameters make of them. */
import fc from 'fast-check';

import { readQuery } from '../../nodes/Wherobots/actions/sql/query';
import { ORGANIZATION_DEFAULT } from '../../nodes/Wherobots/service/deployment';
import { inputOf } from '../support/input';
import { runPython } from './programs';
import { describeWithSpark } from './suite';

/** A value as the form has it, and as Spark's own parameter, with the type that it then has to be given. */
interface Value {
	type: string;
	value: string;
	own: string | number | boolean | null;
	cast?: string;
}

/** What a statement gave: the types of its columns and their values as JSON, or an error. */
type Outcome = string | [string[], string];

const texts = fc
	.oneof(
		fc.string({ unit: 'binary' }),
		fc.string({ unit: 'grapheme' }),
		fc
			.array(
				fc.constantFrom("'", '"', '\\', '`', '${spark.master}', '--', '/*', '*/', ';', ':p', '\n'),
				{ maxLength: 8 },
			)
			.map((parts) => parts.join('')),
		fc.constantFrom(
			'',
			' ',
			"it's",
			"' OR 1=1 --",
			'\\u0027',
			"a\\'b",
			'\r\n',
			'\u0000',
			'🏙',
			'ß',
		),
	)
	.filter((text) => text.isWellFormed() && !text.includes('\u0000'));

const days = fc.date({
	min: new Date('0001-01-01'),
	max: new Date('9999-12-31'),
	noInvalidDate: true,
});
const two = (number: number, digits = 2) => String(number).padStart(digits, '0');
const dayOf = (date: Date) =>
	`${two(date.getUTCFullYear(), 4)}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;

const value: fc.Arbitrary<Value> = fc.oneof(
	{ weight: 4, arbitrary: texts.map((text) => ({ type: 'text', value: text, own: text })) },
	fc.integer().map((number) => ({ type: 'number', value: String(number), own: number })),
	fc
		.tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 0, max: 99 }))
		.map(([whole, cents]) => `${whole}.${two(cents)}`)
		.map((digits) => ({ type: 'number', value: digits, own: digits, cast: 'DECIMAL' })),
	fc.boolean().map((flag) => ({ type: 'boolean', value: String(flag), own: flag })),
	days.map((day) => ({ type: 'date', value: dayOf(day), own: dayOf(day), cast: 'DATE' })),
	fc.tuple(days, fc.integer({ min: 0, max: 999_999 })).map(([day, micros]) => {
		const time = `${dayOf(day)}T${day.toISOString().slice(-13, -5)}.${two(micros, 6)}Z`;
		return { type: 'timestamp', value: time, own: time, cast: 'TIMESTAMP' };
	}),
	fc.constant({ type: 'null', value: '', own: null }),
);

/** Where values stand, one for each column. */
const PLACES = [
	'$',
	'struct($ AS a)',
	'$ IS NULL',
	'concat($, :end)',
	'array($)',
	'5 -$',
	'CASE WHEN $ = $ THEN 1 END',
];

/** A statement with the same values as literals and as Spark's parameters. */
function pairOf(values: Value[], places: number[]) {
	const columns = values.map((each, at) => {
		const isNumber = each.type === 'number';
		const place = PLACES[places[at] % PLACES.length];
		return isNumber || !place.includes('-') ? place : '$';
	});
	const select = (write: (at: number) => string) =>
		`SELECT ${columns.map((place, at) => `${place.replaceAll('$', () => write(at))} AS c${at}`).join(', ')}`;
	const typeOf = ({ value: digits, cast }: Value) =>
		cast === 'DECIMAL'
			? `DECIMAL(${digits.replace(/\D/g, '').replace(/^0+(?=\d{3})/, '').length}, 2)`
			: cast;
	const marked = select((at) => {
		const type = typeOf(values[at]);
		return type ? `CAST(:p${at} AS ${type})` : `:p${at}`;
	});
	const end: Value = { type: 'text', value: 'x', own: 'x' };
	const all = [...values.map((each, at) => ({ ...each, name: `p${at}` })), { ...end, name: 'end' }];
	const query = select((at) => `:p${at}`);
	const used = all.filter(({ name }) => query.includes(`:${name}`));
	const parameter = used.map(({ name, type, value: text }) => ({ name, type, value: text }));
	const session = { region: ORGANIZATION_DEFAULT, runtime: ORGANIZATION_DEFAULT };
	const input = inputOf({ query, queryParameters: { parameter }, ...session });
	return {
		literal: readQuery(input, 'UTC').statement.text,
		marked,
		values: Object.fromEntries(used.map(({ name, own }) => [name, own])),
	};
}

describeWithSpark('a query parameter', () => {
	it("is what Spark's own parameter would be", async () => {
		const pair = fc
			.tuple(
				fc.array(value, { minLength: 10, maxLength: 10 }),
				fc.array(fc.nat({ max: 100 }), { minLength: 10, maxLength: 10 }),
			)
			.map(([values, places]) => pairOf(values, places));
		const pairs = fc.sample(pair, { numRuns: 150, seed: 43 });
		const outcomes = await runPython<Array<[Outcome, Outcome]>>('bound.py', pairs, {
			withJars: true,
		});
		const different = outcomes
			.map(([literal, own], at) => ({ ...pairs[at], outcome: { literal, own } }))
			.filter(({ outcome }) => JSON.stringify(outcome.literal) !== JSON.stringify(outcome.own));
		expect(different).toEqual([]);
		const failed = outcomes.filter(([literal]) => typeof literal === 'string');
		expect(failed).toEqual([]);
	});
});

import {
	DateDay,
	Decimal,
	Duration,
	Field,
	Float32,
	Int32,
	Interval,
	IntervalUnit,
	makeData,
	makeVector,
	RecordBatch,
	RecordBatchStreamWriter,
	Schema,
	Struct,
	Table,
	tableToIPC,
	TimeMicrosecond,
	Timestamp,
	TimeUnit,
	vectorFromArray,
	type DataType,
	type Vector,
} from 'apache-arrow';

import { advice } from '../../../../nodes/Wherobots/actions/sql/query';
import { readRows } from '../../../../nodes/Wherobots/useCases/sql/rows';
import { arrowStream } from '../../../sandbox/sql/arrow';
import { clientWith } from '../../../support/clientWith';

async function read(bytes: Uint8Array) {
	const { client } = await clientWith();
	const rows = { bytes, format: 'arrow', compression: 'none', geoColumns: [] };
	return await readRows(client, rows, advice);
}

/** Rows as a session sends them, of types that are inferred as Spark does unless they are given. */
const sent = (columns: string[], rows: unknown[][], types: Record<string, DataType> = {}) =>
	arrowStream({ columns, rows, types, geometryColumns: [] });

/** A column of these values, of a type that is inferred unless it is given. */
const values = (all: unknown[], type?: DataType) =>
	sent(
		['v'],
		all.map((v) => [v]),
		type && { v: type },
	);

const vector = (all: Vector) => tableToIPC(new Table({ v: all }), 'stream');

/** A column of 64-bit numbers as they are, which the builders round. */
const exact = (type: DataType, ...all: bigint[]) =>
	vector(makeVector(makeData({ type: type as Timestamp, data: BigInt64Array.from(all) })));

const micros = (text: string, more = 0n) => BigInt(Date.parse(text)) * 1_000n + more;
const MOMENTS = [
	micros('2026-01-31T09:00:00Z'),
	micros('2026-01-31T09:00:00Z', 123_456n),
	micros('0001-01-01T00:00:00Z', 1n),
	micros('1969-12-31T23:59:59Z', 999_999n),
	micros('9999-12-31T23:59:59Z', 999_999n),
];
const TEXTS = [
	...['2026-01-31T09:00:00', '2026-01-31T09:00:00.123456', '0001-01-01T00:00:00.000001'],
	...['1969-12-31T23:59:59.999999', '9999-12-31T23:59:59.999999'],
];
const DAYS = ['2026-01-31', '0001-01-01', '9999-12-31'];
const DAY = 86_400_000_000n;
const MONTHS = makeData({
	type: new Interval(IntervalUnit.YEAR_MONTH),
	data: Int32Array.of(14, -1, 0),
	length: 3,
});
const at = (unit: TimeUnit, zone: string | null = 'UTC') => new Timestamp(unit, zone);

it.each<[string, Uint8Array, unknown[]]>([
	[
		'numbers of 64 bits are numbers where JavaScript holds them, otherwise their digits',
		values([1n, -9007199254740991n, 9007199254740993n, -(2n ** 63n), null]),
		[1, -9007199254740991, '9007199254740993', '-9223372036854775808', null],
	],
	[
		'numbers with decimals keep their digits',
		values([1250n, -5n, 0n, 12345678901234567890123456789012345678n, null], new Decimal(2, 38)),
		[12.5, -0.05, 0, '123456789012345678901234567890123456.78', null],
	],
	[
		'numbers with no decimals keep their digits',
		values([123456789012345678901234n], new Decimal(0, 38)),
		['123456789012345678901234'],
	],
	[
		'numbers with many decimals are numbers where JavaScript holds them',
		values(
			[
				...[0n, 10n ** 17n, -(10n ** 11n), 1_002n * 10n ** 18n, 123_456_789_012_345_678n],
				...[9_007_199_254_740_991n * 10n ** 18n, 9_007_199_254_740_993n * 10n ** 18n, 10n ** 37n],
			],
			new Decimal(18, 38),
		),
		[
			...[0, 0.1, -1e-7, 1002, '0.123456789012345678', 9007199254740991],
			...['9007199254740993.000000000000000000', '10000000000000000000.000000000000000000'],
		],
	],
	[
		'numbers that are none have a name',
		values([1.5, NaN, Infinity, -Infinity, 0.1]),
		[1.5, 'NaN', 'Infinity', '-Infinity', 0.1],
	],
	[
		'numbers of 32 bits have their own digits',
		vector(vectorFromArray([0.1, 1.5, 16777216, 3.4028235e38, NaN], new Float32())),
		[0.1, 1.5, 16777216, 3.4028235e38, 'NaN'],
	],
	// The time zone of the session is only how it would show them.
	...['UTC', 'Europe/Berlin', null].map((zone): [string, Uint8Array, unknown[]] => [
		`times keep microseconds in every year (zone ${zone})`,
		exact(at(TimeUnit.MICROSECOND, zone), ...MOMENTS),
		TEXTS.map((text) => text + (zone === null ? '' : 'Z')),
	]),
	['times may be seconds', exact(at(TimeUnit.SECOND), 60n), ['1970-01-01T00:01:00Z']],
	[
		'times may be nanoseconds',
		exact(at(TimeUnit.NANOSECOND), 1n),
		['1970-01-01T00:00:00.000000001Z'],
	],
	[
		'times beyond what JavaScript knows are numbers',
		exact(at(TimeUnit.SECOND), 2n ** 62n),
		[String(2n ** 62n)],
	],
	[
		'days are dates',
		vector(
			vectorFromArray(
				DAYS.map((day) => new Date(day)),
				new DateDay(),
			),
		),
		DAYS,
	],
	['times of day are text', exact(new TimeMicrosecond(), 34_200_000_001n), ['09:30:00.000001']],
	[
		'durations are those of ISO 8601',
		exact(new Duration(TimeUnit.MICROSECOND), 0n, DAY, 2n * DAY + 3_723_500_000n, -90_000_000n),
		['PT0S', 'P1D', 'P2DT1H2M3.5S', 'PT-1M-30S'],
	],
	['months are durations, too', vector(makeVector(MONTHS as never)), ['P1Y2M', 'P-1M', 'PT0S']],
	[
		'lists and objects have the same types inside',
		values([{ id: 2n ** 53n + 1n, list: [1n, null], at: new Date(0), raw: Buffer.of(1, 2) }, null]),
		[{ id: '9007199254740993', list: [1, null], at: '1970-01-01T00:00:00Z', raw: 'AQI=' }, null],
	],
	...[
		[new Map([['a', 1]]), { a: 1 }] as const,
		[new Map([[9007199254740993n, 'x']]), { '9007199254740993': 'x' }] as const,
		[new Map([[true, 'x']]), { true: 'x' }] as const,
		[new Map([[new Date(0), 1n]]), { '1970-01-01T00:00:00Z': 1 }] as const,
		[new Map([[{ a: 1 }, 1]]), { '{"a":1}': 1 }] as const,
	].map(([map, expected]): [string, Uint8Array, unknown[]] => [
		`the keys of maps become text: ${JSON.stringify(expected)}`,
		values([map, null]),
		[expected, null],
	]),
])('%s', async (_, bytes, expected) => {
	const { rows } = await read(bytes);
	expect(rows.map(({ v }) => v)).toEqual(expected);
});

describe('a result', () => {
	it('keeps both columns of one name, and says so', async () => {
		const columns = ['a', 'a', 'a_2', '__proto__', 'a'];
		expect(await read(sent(columns, [[1, 2, 3, 4, 5]]))).toEqual({
			rows: [{ a: 1, a_3: 2, a_2: 3, __proto___2: 4, a_4: 5 }],
			columns: ['a', 'a_3', 'a_2', '__proto___2', 'a_4'],
			renamed: ['a_3', '__proto___2', 'a_4'],
		});
	});

	it('without rows keeps its columns; one without columns has no rows', async () => {
		const none = { rows: [], columns: ['a', 'b'], renamed: [] };
		expect(await read(sent(['a', 'b'], []))).toEqual(none);
		expect(await read(sent([], []))).toMatchObject({ columns: [] });
	});

	it('may be anywhere within a message', async () => {
		const message = Buffer.concat([Buffer.of(0, 0, 0), sent(['n'], [[1n]])]);
		const aligned = new Uint8Array(message);
		expect((await read(aligned.subarray(3))).rows).toEqual([{ n: 1 }]);
	});

	it('may come in several parts', async () => {
		const schema = new Schema([new Field('n', new Int32(), true)]);
		const writer = new RecordBatchStreamWriter();
		for (const numbers of [[1, 2], [], [3]]) {
			const children = [makeData({ type: new Int32(), data: Int32Array.from(numbers) })];
			const [type, { length }] = [new Struct(schema.fields), numbers];
			const data = makeData({ type, length, nullCount: 0, children });
			writer.write(new RecordBatch(schema, data as never));
		}
		const bytes = writer.finish().toUint8Array(true);
		expect((await read(bytes)).rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
	});
});

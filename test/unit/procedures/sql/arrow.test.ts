import {
	Binary,
	Dictionary,
	Duration,
	Field,
	Float32,
	Decimal,
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
	Utf8,
	vectorFromArray,
	DateDay,
	type DataType,
	type Vector,
} from 'apache-arrow';

import { readRows } from '../../../../nodes/Wherobots/procedures/sql/rows';
import { arrowStream } from '../../../sandbox/sql/arrow';

async function read(bytes: Uint8Array, geoColumns: string[] = []) {
	return await readRows({ bytes, format: 'arrow', compression: 'none', geoColumns });
}

/** The values of a column as items have them. */
async function valuesOf(vector: Vector): Promise<unknown[]> {
	const { rows } = await read(tableToIPC(new Table({ v: vector }), 'stream'));
	return rows.map(({ v }) => v);
}

/** Rows as a session sends them, of types that are inferred as Spark does unless they are given. */
const sent = (columns: string[], rows: unknown[][], types: Record<string, DataType> = {}) =>
	arrowStream({ columns, rows, types, geometryColumns: [] });

/** The values of a column of such a type as items have them. */
async function inferred(values: unknown[], type?: DataType) {
	const stream = sent(
		['v'],
		values.map((v) => [v]),
		type && { v: type },
	);
	return (await read(stream)).rows.map(({ v }) => v);
}

/** A column of 64-bit numbers as they are, which the builders round. */
const exact = (type: DataType, values: bigint[]) =>
	makeVector(makeData({ type: type as Timestamp, data: BigInt64Array.from(values) }));

describe('numbers', () => {
	it('of 64 bits are numbers where JavaScript holds them, otherwise their digits', async () => {
		expect(await inferred([1n, -9007199254740991n, 9007199254740993n, -(2n ** 63n), null])).toEqual(
			[1, -9007199254740991, '9007199254740993', '-9223372036854775808', null],
		);
	});

	it('with decimals keep their digits', async () => {
		const digits = [1250n, -5n, 0n, 12345678901234567890123456789012345678n, null];
		expect(await inferred(digits, new Decimal(2, 38))).toEqual([
			...[12.5, -0.05, 0, '123456789012345678901234567890123456.78', null],
		]);
		expect(await inferred([123456789012345678901234n], new Decimal(0, 38))).toEqual([
			'123456789012345678901234',
		]);
	});

	it.each<[bigint, number | string]>([
		[0n, 0],
		[100_000_000_000_000_000n, 0.1],
		[-100_000_000_000n, -1e-7],
		[1_002_000_000_000_000_000_000n, 1002],
		[123_456_789_012_345_678n, '0.123456789012345678'],
		[9_007_199_254_740_991n * 10n ** 18n, 9007199254740991],
		[9_007_199_254_740_993n * 10n ** 18n, '9007199254740993.000000000000000000'],
		[10n ** 37n, '10000000000000000000.000000000000000000'],
	])('with decimals are numbers where JavaScript holds them: %s', async (digits, read) => {
		expect(await inferred([digits], new Decimal(18, 38))).toEqual([read]);
	});

	it('that are none have a name', async () => {
		expect(await inferred([1.5, NaN, Infinity, -Infinity, 0.1])).toEqual([
			...[1.5, 'NaN', 'Infinity', '-Infinity', 0.1],
		]);
	});

	it('of 32 bits have their own digits', async () => {
		const values = [0.1, 1.5, 16777216, 3.4028235e38, NaN];
		expect(await valuesOf(vectorFromArray(values, new Float32()))).toEqual([
			...[0.1, 1.5, 16777216, 3.4028235e38, 'NaN'],
		]);
	});
});

describe('times', () => {
	const micros = (text: string, more = 0n) => BigInt(Date.parse(text)) * 1_000n + more;

	it.each([
		['UTC', 'Z'],
		// The time zone of the session is only how it would show them.
		['Europe/Berlin', 'Z'],
		[null, ''],
	])('keep microseconds, in every year (zone %s)', async (zone, end) => {
		const type = new Timestamp(TimeUnit.MICROSECOND, zone);
		const values = [
			micros('2026-01-31T09:00:00Z'),
			micros('2026-01-31T09:00:00Z', 123_456n),
			micros('0001-01-01T00:00:00Z', 1n),
			micros('1969-12-31T23:59:59Z', 999_999n),
			micros('9999-12-31T23:59:59Z', 999_999n),
		];
		expect(await valuesOf(exact(type, values))).toEqual(
			[
				'2026-01-31T09:00:00',
				'2026-01-31T09:00:00.123456',
				'0001-01-01T00:00:00.000001',
				'1969-12-31T23:59:59.999999',
				'9999-12-31T23:59:59.999999',
			].map((each) => each + end),
		);
	});

	it('may be in other units, and beyond what JavaScript knows', async () => {
		expect(await valuesOf(exact(new Timestamp(TimeUnit.SECOND, 'UTC'), [60n]))).toEqual([
			'1970-01-01T00:01:00Z',
		]);
		expect(await valuesOf(exact(new Timestamp(TimeUnit.NANOSECOND, 'UTC'), [1n]))).toEqual([
			'1970-01-01T00:00:00.000000001Z',
		]);
		const far = 2n ** 62n;
		expect(await valuesOf(exact(new Timestamp(TimeUnit.SECOND, 'UTC'), [far]))).toEqual([
			String(far),
		]);
	});

	it('of a day are dates or times of day', async () => {
		const days = ['2026-01-31', '0001-01-01', '9999-12-31'];
		const dates = vectorFromArray(
			days.map((day) => new Date(day)),
			new DateDay(),
		);
		expect(await valuesOf(dates)).toEqual(days);
		expect(await valuesOf(exact(new TimeMicrosecond(), [34_200_000_001n]))).toEqual([
			'09:30:00.000001',
		]);
	});

	it('between two times are ISO durations', async () => {
		const type = new Duration(TimeUnit.MICROSECOND);
		const day = 86_400_000_000n;
		expect(await valuesOf(exact(type, [0n, day, 2n * day + 3_723_500_000n, -90_000_000n]))).toEqual(
			['PT0S', 'P1D', 'P2DT1H2M3.5S', 'PT-1M-30S'],
		);
		const months = makeData({
			type: new Interval(IntervalUnit.YEAR_MONTH),
			data: Int32Array.of(14, -1, 0),
			length: 3,
		});
		expect(await valuesOf(makeVector(months as never))).toEqual(['P1Y2M', 'P-1M', 'PT0S']);
	});
});

describe('values with parts', () => {
	it('are lists and objects, with the same types inside', async () => {
		const value = {
			id: 9007199254740993n,
			list: [1n, null],
			at: new Date(0),
			raw: Buffer.of(1, 2),
		};
		expect(await inferred([value, null])).toEqual([
			{ id: '9007199254740993', list: [1, null], at: '1970-01-01T00:00:00Z', raw: 'AQI=' },
			null,
		]);
	});

	it.each<[Map<unknown, unknown>, object]>([
		[new Map([['a', 1]]), { a: 1 }],
		[new Map([[9007199254740993n, 'x']]), { '9007199254740993': 'x' }],
		[new Map([[true, 'x']]), { true: 'x' }],
		[new Map([[new Date(0), 1n]]), { '1970-01-01T00:00:00Z': 1 }],
		[new Map([[{ a: 1 }, 1]]), { '{"a":1}': 1 }],
	])('are maps, whose keys become text: %p', async (map, expected) => {
		expect(await inferred([map, null])).toEqual([expected, null]);
	});

	it('are text that the session abbreviates', async () => {
		const type = new Dictionary(new Utf8(), new Int32());
		expect(await valuesOf(vectorFromArray(['a', 'b', 'a', null], type))).toEqual([
			...['a', 'b', 'a', null],
		]);
	});
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

	it('has geometries as objects, and other bytes in Base64', async () => {
		const point = Buffer.from('0101000000000000000000f03f0000000000000040', 'hex');
		const types = { at: new Binary(), raw: new Binary() };
		expect((await read(sent(['at', 'raw'], [[point, point]], types), ['at'])).rows).toEqual([
			{ at: { type: 'Point', coordinates: [1, 2] }, raw: point.toString('base64') },
		]);
	});
});

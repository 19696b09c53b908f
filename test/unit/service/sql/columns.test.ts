import {
	parseColumns,
	toKeyText,
	toTextFor,
	type Column,
} from '../../../../nodes/Wherobots/service/sql/columns';

const columnOf = (type: unknown): Column =>
	parseColumns({ schema: { fields: [{ name: 'a', type: type as never, required: true }] } })[0];

describe('a column', () => {
	const dates = { type: 'list', element: 'date' };
	const fields = [
		{ name: 'a`b', type: 'int' },
		{ name: 'c', type: dates },
	];

	it.each<[unknown, string | undefined]>([
		['long', 'BIGINT'],
		['timestamp', 'TIMESTAMP_NTZ'],
		['timestamptz', 'TIMESTAMP'],
		['decimal(10, 2)', 'DECIMAL(10, 2)'],
		['fixed[16]', 'BINARY'],
		['geometry', undefined],
		['variant', undefined],
		[{ type: 'list', element: 'int' }, 'ARRAY'],
		[{ type: 'map', key: 'int', value: 'double' }, 'MAP'],
		[{ type: 'struct', fields }, 'STRUCT'],
		[{ type: 'struct', fields: [] }, undefined],
		[{ type: 'list', element: { type: 'list', element: 'variant' } }, undefined],
		["decimal(1); DROP TABLE t; --'", undefined],
	])('of the type %j is %s to Spark', (type, sqlType) => {
		expect(columnOf(type)).toMatchObject({ name: 'a', isRequired: true });
		expect(columnOf(type).sqlType).toBe(sqlType);
	});

	it.each([
		['geometry', undefined],
		['geometry(4326)', 4326],
		['geometry(EPSG:3857)', 3857],
		['geometry(srid:25832)', 25832],
		['geometry(OGC:CRS84)', 4326],
	])('of the type %s has the coordinate system %s', (type, srid) => {
		expect(columnOf(type).srid).toBe(srid);
	});

	it('comes from details of any shape', () => {
		for (const schema of [null, 1, { fields: null }, { fields: [null, 1] }]) {
			expect(parseColumns({ schema: schema as never })).toEqual([]);
		}
	});
});

describe('a value', () => {
	const held = (type: unknown, value: string) => toTextFor(columnOf(type), value, 'Europe/Berlin');

	it.each<[unknown, string, string]>([
		['string', ' a ', ' a '],
		['boolean', 'Yes', 'true'],
		['int', '-2147483648', '-2147483648'],
		['long', '+9223372036854775807', '9223372036854775807'],
		['double', '1e300', '1e300'],
		['float', 'NaN', 'NaN'],
		['decimal(5, 2)', '-123.4500', '-123.4500'],
		['decimal(5, 2)', '1.5e1', '15'],
		['decimal(3, 3)', '0.125', '0.125'],
		['date', '2026-01-31', '2026-01-31'],
		['date', '2026-01-31T00:00:00.000+01:00', '2026-01-31'],
		['timestamptz', '2026-01-31T09:00:00', '2026-01-31T08:00:00Z'],
		['timestamptz', '1950-01-31T09:00:00.123456Z', '1950-01-31T09:00:00.123456Z'],
		['timestamp', '2026-01-31 09:00:00.5', '2026-01-31T09:00:00.5'],
		['timestamp', '2026-01-31 09:00:00.123456000', '2026-01-31T09:00:00.123456'],
		['uuid', '7D4E2A60-51c3-4b8f-a2d9-90be1f3c6a54', '7d4e2a60-51c3-4b8f-a2d9-90be1f3c6a54'],
		['binary', 'AQI=', 'AQI='],
		['fixed[2]', 'AQI=', 'AQI='],
	])('that a column of the type %j holds: %s', (type, value, text) => {
		expect(held(type, value)).toBe(text);
	});

	it.each<[unknown, string]>([
		['int', '1.5'],
		['int', '2147483648'],
		['int', ''],
		['int', '1e3'],
		['long', '9223372036854775808'],
		['double', '1e309'],
		['double', '1,5'],
		['float', '1e300'],
		['float', '1e-50'],
		['double', '1e-400'],
		['decimal(5, 2)', '1.255'],
		['decimal(5, 2)', '1234.5'],
		['decimal(5, 2)', 'NaN'],
		['boolean', 'maybe'],
		['date', '2026-01-31T09:00:00Z'],
		['date', '2026-02-30'],
		['date', '1769846400000'],
		['timestamptz', '09:00'],
		['timestamptz', '2026'],
		['timestamptz', '2026-01-31T09:00:00.1234567Z'],
		['timestamp', '2026-01-31T09:00:00.0000001'],
		['timestamp', '2026-01-31T09:00:00Z'],
		['timestamp', '2026-01-31T09:00:00+01:00'],
		['uuid', '7d4e2a60'],
		['binary', '%%'],
		['binary', '===='],
		['binary', ' '],
		['fixed[3]', 'AQI='],
		['variant', '1'],
	])('that a column of the type %j does not hold: %s', (type, value) => {
		expect(held(type, value)).toBeUndefined();
	});
});

it.each([
	['decimal(10, 2)', ['1', '1.0', '01.00', '1e0', '+1'], '1.00'],
	['decimal(10, 2)', ['0', '-0', '.0', '-0.000'], '0.00'],
	['decimal(10, 2)', ['-.5', '-0.50'], '-0.50'],
	['decimal(38, 0)', ['7', '7.0', '-0007'.slice(1)], '7.'],
	['long', ['7', '+07'], '7'],
	['binary', ['AQI', 'AQI='], 'AQI='],
	['string', ['1.0'], '1.0'],
])('a key of the type %s is one for %j', (type, values, key) => {
	const column = columnOf(type);
	for (const value of values) {
		expect([value, toKeyText(column, toTextFor(column, value, 'UTC') ?? '')]).toEqual([value, key]);
	}
});

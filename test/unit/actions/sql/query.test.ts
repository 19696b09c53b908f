import { readQuery } from '../../../../nodes/Wherobots/actions/sql/query';
import { ORGANIZATION_DEFAULT } from '../../../../nodes/Wherobots/service/deployment';
import { inputOf } from '../../../support/input';

/** The statement as it is sent, with this parameter filled in. */
function sentWith(parameter: Record<string, unknown>): string {
	const queryParameters = { parameter: [{ name: 'a', ...parameter }] };
	const session = { region: ORGANIZATION_DEFAULT, runtime: ORGANIZATION_DEFAULT };
	const input = inputOf({ query: 'SELECT :a', queryParameters, ...session });
	return readQuery(input, 'Europe/Berlin').statement.text;
}

describe('a parameter', () => {
	it.each([
		['a name with spaces around it', { name: ' a ', value: 'x' }, "'x'"],
		['a name with its colon', { name: ' :a', value: 'x' }, "'x'"],
		['a number', { type: 'number', value: ' 2.50\n' }, '2.50'],
		['a switch', { type: 'boolean', value: ' No ' }, 'FALSE'],
		[
			'a time in the zone of the workflow',
			{ type: 'timestamp', value: '2026-01-31 09:00' },
			"TIMESTAMP '2026-01-31T08:00:00Z'",
		],
		[
			'a time to the microsecond',
			{ type: 'timestamp', value: '2026-01-31T09:00:00.1234567+01:00' },
			"TIMESTAMP '2026-01-31T08:00:00.123456Z'",
		],
		[
			'the first year',
			{ type: 'timestamp', value: '0001-01-02' },
			"TIMESTAMP '0001-01-01T23:06:32Z'",
		],
		[
			'the last year',
			{ type: 'timestamp', value: '9999-12-31 23:59:59Z' },
			"TIMESTAMP '9999-12-31T23:59:59Z'",
		],
		['a day', { type: 'date', value: ' 1950-02-28 ' }, "DATE '1950-02-28'"],
		[
			'the day of a time in the zone of the workflow',
			{ type: 'date', value: '2026-01-30T23:30:00Z' },
			"DATE '2026-01-31'",
		],
		['a day from an expression', { type: 'date', value: new Date(0) }, "DATE '1970-01-01'"],
		['a list', { type: 'list', value: ' ["a", 1, true, null] ' }, "('a', 1, TRUE, NULL)"],
		[
			'numbers in a list with all their digits',
			{ type: 'list', value: '[9007199254740993, 12345678901234567890, -0.10000000000000000001]' },
			'(9007199254740993, 12345678901234567890, (-0.10000000000000000001))',
		],
		[
			'what looks like a number within text in a list',
			{ type: 'list', value: '["a \\"1\\\\", "true", false]' },
			"(CAST(X'612022315C' AS STRING), 'true', FALSE)",
		],
		['a list from an expression', { type: 'list', value: [1, 'a, b', null] }, "(1, 'a, b', NULL)"],
		['text as it is', { value: ' x ' }, "' x '"],
		['what is typed, as text', { value: '2.5' }, "'2.5'"],
		['a number from an expression', { value: 2.5 }, '2.5'],
		['a switch from an expression', { value: false }, 'FALSE'],
		['a list without a type', { value: [1, 'b'] }, "(1, 'b')"],
		['a date', { value: new Date(0) }, "TIMESTAMP '1970-01-01T00:00:00Z'"],
		['a number whose type is Text', { type: 'text', value: 2.5 }, "'2.5'"],
	])('is written as it was meant: %s', (_, parameter, literal) =>
		expect(sentWith(parameter)).toBe(`SELECT ${literal}`),
	);

	it.each([
		[{ type: 'number', value: ' ' }, 'is not a valid number: " "'],
		[{ type: 'number', value: '1 2' }, 'is not a valid number: "1 2"'],
		[{ type: 'boolean', value: 'maybe' }, 'is not a valid boolean: "maybe"'],
		[{ type: 'timestamp', value: 'soon' }, 'is not a valid timestamp: "soon"'],
		[{ type: 'timestamp', value: '09:00' }, 'is not a valid timestamp: "09:00"'],
		[{ type: 'timestamp', value: '2026' }, 'is not a valid timestamp: "2026"'],
		[{ type: 'timestamp', value: '2026-01' }, 'is not a valid timestamp: "2026-01"'],
		[{ type: 'timestamp', value: '0001-01-01' }, 'is not a valid timestamp: "0001-01-01"'],
		[
			{ type: 'timestamp', value: '9999-12-31T23:59:59-01:00' },
			'is not a valid timestamp: "9999-12-31T23:59:59-01:00"',
		],
		[{ type: 'date', value: '2026-02-30' }, 'is not a valid date: "2026-02-30"'],
		[{ type: 'date', value: 'T09:00' }, 'is not a valid date: "T09:00"'],
		// Anything but a list would end up in the statement without parentheses.
		[{ type: 'list', value: '5' }, 'is not a valid list: "5"'],
		[{ type: 'list', value: '{"digits": "5"}' }, 'is not a valid list: "{"digits": "5"}"'],
		[{ type: 'list', value: '1, 2' }, 'is not a valid list: "1, 2"'],
		[{ type: 'list', value: '[1, [2]]' }, 'is not a valid list: "[1, [2]]"'],
		[{ type: 'list', value: '[{"digits": "5"}]' }, 'is not a valid list: "[{"digits": "5"}]"'],
		[{ type: 'list', value: '[]' }, 'is not a valid list: "[]"'],
		[{ type: 'list', value: '["\\ud800"]' }, 'is not a valid list: "["\\ud800"]"'],
		[{ type: 'date', value: '2026' }, 'is not a valid date: "2026"'],
	])('is refused when it is not valid: %j', (parameter, problem) =>
		expect(() => sentWith(parameter)).toThrow(
			`'Query Parameters' has a value for :a that ${problem}`,
		),
	);

	it.each([
		[{ type: 'text', value: [1] }, "has a list as 'Value'"],
		[{ value: { a: 1 } }, "has an object as 'Value'"],
		// A field that is missing must not become NULL.
		[{ value: null }, "has no value for 'Value'"],
		[{ value: undefined }, "has no value for 'Value'"],
	])('must have a value of its type: %j', (parameter, problem) => {
		expect(() => sentWith(parameter)).toThrow(problem);
	});

	const inZone = (zone: string, parameter: Record<string, string>) => {
		const queryParameters = { parameter: [{ name: 'a', ...parameter }] };
		const session = { region: ORGANIZATION_DEFAULT, runtime: ORGANIZATION_DEFAULT };
		const input = inputOf({ query: 'SELECT :a', queryParameters, ...session }, { timezone: zone });
		return readQuery(input, zone).statement.text;
	};

	it.each(['"Europe/Berlin"', '', 'GMT+2'])('blames the time zone that is none: %s', (zone) => {
		for (const type of ['timestamp', 'date']) {
			expect(() => inZone(zone, { type, value: '2026-01-31T09:00:00' })).toThrow(
				`The workflow's time zone "${zone}" does not exist`,
			);
		}
		const value = '2026-01-31T09:00:00+01:00';
		expect(inZone(zone, { type: 'timestamp', value })).toContain('2026-01-31T08:00:00Z');
		expect(inZone(zone, { type: 'date', value: '2026-01-31' })).toContain('2026-01-31');
		expect(() => inZone(zone, { type: 'date', value: 'soon' })).toThrow('is not a valid date');
	});

	it('that the query does not use is refused', () => {
		const parameter = [{ name: 'ids', value: 'x' }];
		const session = { region: ORGANIZATION_DEFAULT, runtime: ORGANIZATION_DEFAULT };
		const query = 'SELECT 1 WHERE a IN:ids';
		const input = inputOf({ query, queryParameters: { parameter }, ...session });
		expect(() => readQuery(input, 'UTC')).toThrow(
			"'Query Parameters' has a value for :ids, which needs a space before its colon in the query",
		);
	});

	it.each(['a:b', 'a:', '::a'])('is refused with the name %s', (name) =>
		expect(() => sentWith({ name })).toThrow(
			`'Query Parameters' has the name "${name}": a name has letters, digits and underscores`,
		),
	);
});

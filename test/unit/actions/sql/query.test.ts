import { readQuery } from '../../../../nodes/Wherobots/actions/sql/query';
import { ORGANIZATION_DEFAULT } from '../../../../nodes/Wherobots/service/deployment';
import { inputOf } from '../../../support/input';

/** The statement as it is sent, with this parameter filled in. */
function sentWith(parameter: Record<string, unknown>, timezone = 'Europe/Berlin'): string {
	const queryParameters = { parameter: [{ name: 'a', ...parameter }] };
	const session = { region: ORGANIZATION_DEFAULT, runtime: ORGANIZATION_DEFAULT };
	const input = inputOf({ query: 'SELECT :a', queryParameters, ...session }, { timezone });
	return readQuery(input, timezone).statement.text;
}

/** Numbers in a list have all their digits. */
const NUMBERS = '(9007199254740993, (-0.10000000000000000001))';

describe('a parameter', () => {
	it.each([
		['a name with spaces around it', { name: ' a ', value: 'x' }, "'x'"],
		['a name with its colon', { name: ' :a', value: 'x' }, "'x'"],
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
		['number', ' 2.50\n', '2.50'],
		['boolean', ' No ', 'FALSE'],
		// In the zone of the workflow.
		['timestamp', '2026-01-31 09:00', "TIMESTAMP '2026-01-31T08:00:00Z'"],
		['timestamp', '2026-01-31T09:00:00.1234560+01:00', "TIMESTAMP '2026-01-31T08:00:00.123456Z'"],
		['timestamp', '0001-01-02', "TIMESTAMP '0001-01-01T23:06:32Z'"],
		['timestamp', '9999-12-31 23:59:59Z', "TIMESTAMP '9999-12-31T23:59:59Z'"],
		['date', ' 1950-02-28 ', "DATE '1950-02-28'"],
		['date', '2026-01-30T23:30:00Z', "DATE '2026-01-31'"],
		['date', new Date(0), "DATE '1970-01-01'"],
		['list', ' ["a", 1, true, null] ', "('a', 1, TRUE, NULL)"],
		['list', '[9007199254740993, -0.10000000000000000001]', NUMBERS],
		['list', '["a \\"1\\\\", "true", false]', "(CAST(X'612022315C' AS STRING), 'true', FALSE)"],
		['list', [1, 'a, b', null], "(1, 'a, b', NULL)"],
	])('of the type %s is written as it was meant: %j', (type, value, literal) =>
		expect(sentWith({ type, value })).toBe(`SELECT ${literal}`),
	);

	// Anything but a list would end up in a list's place without parentheses.
	it.each(
		Object.entries({
			number: [' ', '1 2'],
			boolean: ['maybe'],
			timestamp: [
				...['soon', '09:00', '2026', '2026-01', '0001-01-01'],
				...['2026-01-31T09:00:00.1234567Z', '9999-12-31T23:59:59-01:00'],
			],
			date: ['2026-02-30', 'T09:00', '2026'],
			list: ['5', '{"digits": "5"}', '1, 2', '[1, [2]]', '[{"digits": "5"}]', '[]', '["\\ud800"]'],
		}).flatMap(([type, values]) => values.map((value) => [type, value])),
	)('of the type %s is refused when it is not valid: %j', (type, value) =>
		expect(() => sentWith({ type, value })).toThrow(
			`'Query Parameters' has a value for :a that is not a valid ${type}: "${value}"`,
		),
	);

	it.each([
		[{ type: 'text', value: [1] }, "has a list as 'Value'"],
		[{ value: { a: 1 } }, "has an object as 'Value'"],
		// A field that is missing must not become NULL.
		[{ value: null }, 'has no \'Value\' for "a"'],
		[{ value: undefined }, 'has no \'Value\' for "a"'],
	])('must have a value of its type: %j', (parameter, problem) => {
		expect(() => sentWith(parameter)).toThrow(problem);
	});

	it.each(['"Europe/Berlin"', '', 'GMT+2'])('blames the time zone that is none: %s', (zone) => {
		for (const type of ['timestamp', 'date']) {
			expect(() => sentWith({ type, value: '2026-01-31T09:00:00' }, zone)).toThrow(
				`The workflow's time zone "${zone}" does not exist`,
			);
		}
		const value = '2026-01-31T09:00:00+01:00';
		expect(sentWith({ type: 'timestamp', value }, zone)).toContain('2026-01-31T08:00:00Z');
		expect(sentWith({ type: 'date', value: '2026-01-31' }, zone)).toContain('2026-01-31');
		expect(() => sentWith({ type: 'date', value: 'soon' }, zone)).toThrow('is not a valid date');
	});

	it.each(['a:b', 'a:', '::a'])('is refused with the name %s', (name) =>
		expect(() => sentWith({ name })).toThrow(
			`'Query Parameters' has the name "${name}": a name may have only letters, digits and underscores`,
		),
	);
});

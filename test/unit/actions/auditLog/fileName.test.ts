import {
	fileNameField,
	formatFileName,
	hasPlaceholder,
} from '../../../../nodes/Wherobots/actions/auditLog/exportForm';
import { getReading } from '../../../../nodes/Wherobots/form/declarations';
import { Calendar } from '../../../../nodes/Wherobots/service/time';

const micros = (iso: string) => Date.parse(iso) * 1000;
const { rule } = getReading<string>(fileNameField);
const hour = { start: micros('2026-01-04T20:30:00Z'), end: micros('2026-01-04T21:30:00Z') };

describe('the name of a file', () => {
	it('has start and end in UTC, and the date and hour of the zone', () => {
		const name = formatFileName(
			'{year}/{month}/{day}/{hour}/{start}_{end}',
			hour,
			new Calendar('Asia/Kolkata'),
			'.csv',
		);
		expect(name).toBe('2026/01/05/02/20260104T203000Z_20260104T213000Z.csv');
	});

	it.each(['a.csv', 'a.CSV'])('may have its extension already: %s', (pattern) => {
		expect(formatFileName(pattern, hour, new Calendar('UTC'), '.csv')).toBe(pattern);
	});

	it.each(['{start}', 'a/{year}/b-{hour}', '..a', 'a..', '.a/b.c', 'über/a b', '{', '}{'])(
		'can be %j',
		(pattern) => {
			expect(rule?.(pattern)).toBeUndefined();
		},
	);

	it.each(['', '/', '/a', 'a/', 'a//b', '.', '..', './a', 'a/..', 'a/./b', '../{start}'])(
		'has no parts that are empty or consist only of dots: %j',
		(pattern) => {
			expect(rule?.(pattern)).toMatch(/^must not start or end with a slash/);
		},
	);

	it.each(['a\\b', 'a\nb', '\u0000', 'a\u007f'])(
		'has no backslash or control character: %j',
		(pattern) => {
			expect(rule?.(pattern)).toBe(
				'must not start or end with a slash, or contain backslashes, control characters, empty parts or parts that consist of dots only',
			);
		},
	);

	it.each(['date', '', 'Year', 'year '])('has no placeholder {%s}', (name) => {
		expect(rule?.(`{year}-{${name}}`)).toBe(
			`supports only {start}, {end}, {year}, {month}, {day}, {hour}, not {${name}}`,
		);
	});
});

it.each([
	['{start}', true],
	['a', false],
])('whether %s has a placeholder: %j', (pattern, expected) => {
	expect(hasPlaceholder(pattern)).toBe(expected);
});

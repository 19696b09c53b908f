import { DateTime } from 'luxon';

import {
	complaint,
	exact,
	field,
	flag,
	inputOf,
	limited,
	read,
	rows,
	text,
} from '../../support/input';

const date = new Date('2026-01-31T09:00:00.000Z');
const dateTime = DateTime.fromISO('2026-01-31T10:00:00', { zone: 'Europe/Berlin' });
describe('switches', () => {
	it.each([
		...[true, 'true', 'TRUE', ' True ', 'yes', 'Yes', 'on', 'ON', 1, '1'].map((value) => [
			value,
			true,
		]),
		...[false, 'false', 'FALSE', 'no', 'No', 'off', 0, '0'].map((value) => [value, false]),
	])('take %j for %s', (value, on) => {
		expect(read(value, (input) => input.flag(flag))).toBe(on);
	});

	it.each([
		[null],
		[undefined],
		[''],
		['maybe'],
		['truee'],
		[2],
		[-1],
		[NaN],
		[[]],
		[[true]],
		[{}],
		[date],
	])('refuse %j', (value) => {
		expect(complaint(value, (input) => input.flag(flag))).toContain('must be on or off');
	});

	it('have their default when they are not set at all', () => {
		expect(inputOf({}).flag(flag)).toBe(true);
		expect(inputOf({}).flag({ ...flag, default: false })).toBe(false);
		expect(inputOf({}).optionalFlag(flag)).toBeUndefined();
	});
});

describe('text', () => {
	it.each([
		[' a ', 'a'],
		[12, '12'],
		[1.5, '1.5'],
		[false, 'false'],
		[date, '2026-01-31T09:00:00.000Z'],
		[dateTime, '2026-01-31T10:00:00.000+01:00'],
	])('of %j is %j', (value, expected) => {
		expect(read(value, (input) => input.text(text))).toBe(expected);
		expect(read(value, (input) => input.text(exact).trim())).toBe(expected);
	});

	it.each([
		[{}, 'not an object'],
		[['a'], 'not a list'],
		[NaN, 'not NaN'],
		[new Date(NaN), 'not an invalid date'],
		[() => 1, 'not a function'],
	])('is not made of %j', (value, why) => {
		expect(complaint(value, (input) => input.text(text))).toContain(`must be text, ${why}`);
		expect(complaint(value, (input) => input.optionalText(text))).toContain(why);
	});

	it('is not half of a character, wherever it stands', () => {
		const broken = 'a\ud800';
		const what = 'contains a broken character';
		expect(complaint(broken, (input) => input.optionalText(text))).toContain(what);
		expect(complaint(['a', broken], (input) => input.texts(text))).toContain(
			`entry 2, which ${what}`,
		);
		expect(complaint(`a,${broken}`, (input) => input.list(text))).toContain(what);
		const row = { config: [{ key: 'a', value: broken }] };
		expect(complaint(row, (input) => input.keyValues(rows))).toContain(`'Value', which ${what}`);
	});

	it.each([[null], [undefined], [''], ['  ']])('that is %j is empty', (value) => {
		expect(complaint(value, (input) => input.text(text))).toContain('must not be empty');
		expect(read(value, (input) => input.optionalText(text))).toBeUndefined();
	});
});

describe('several texts', () => {
	it('are one for each field, and one for each entry of a list in a field', () => {
		const given = ['--date', date, ['--fast', 3, true], dateTime, ''];
		expect(read(given, (input) => input.texts(text))).toEqual([
			'--date',
			'2026-01-31T09:00:00.000Z',
			'--fast',
			'3',
			'true',
			'2026-01-31T10:00:00.000+01:00',
			'',
		]);
		expect(read('a,b', (input) => input.texts(text))).toEqual(['a,b']);
	});

	it.each([
		[[['a', ['b']]], 'has a list as entry 2'],
		[['a', {}], 'has an object as entry 2'],
		[['a', 'b', undefined], 'has no value for entry 3'],
		[[null], 'has no value for entry 1'],
		[null, 'has no value for entry 1'],
	])('refuse %j', (value, why) => {
		expect(complaint(value, (input) => input.texts(text))).toContain(why);
		expect(complaint(value, (input) => input.list(text))).toMatch(
			value === null ? /none: \[\]/ : why,
		);
	});
});

describe('keys and values', () => {
	const pairs = (config: unknown) => read({ config }, (input) => input.keyValues(rows));

	it('become texts', () => {
		const config = [
			{ key: ' a ', value: date },
			{ key: 'b', value: 64 },
			{ key: 'c', value: true },
			{ key: 'd', value: '' },
			{ key: 'e' },
		];
		expect(pairs(config)).toEqual({
			a: '2026-01-31T09:00:00.000Z',
			b: '64',
			c: 'true',
			d: '',
			e: '',
		});
	});

	it.each([
		[{ key: 'a', value: {} }, "has an object as 'Value'"],
		[{ key: 'a', value: ['b'] }, "has a list as 'Value'"],
		[{ key: 'a', value: undefined }, "has no value for 'Value'"],
		[{ key: 'a', value: null }, "has no value for 'Value'"],
		[{ key: undefined, value: 'b' }, "has no value for 'Key'"],
		[{ key: '', value: 'b' }, 'has an entry without a key'],
		['a', 'must be a list of entries'],
	])('refuse %j', (row, why) => {
		expect(complaint({ config: [row] }, (input) => input.keyValues(rows))).toContain(why);
		const beside = [{ key: 'good', value: 'b' }, row];
		expect(complaint({ config: beside }, (input) => input.keyValues(rows))).toContain(why);
	});
});

describe('numbers', () => {
	it('keep to the limits of the form and have its default', () => {
		expect(read(' 7 ', (input) => input.integer(limited))).toBe(7);
		expect(inputOf({}).integer(limited)).toBe(5);
		expect(inputOf({}).optionalInteger(limited)).toBeUndefined();
		expect(complaint(0, (input) => input.integer(limited))).toContain('must be at least 1, not 0');
		expect(complaint('11', (input) => input.integer(limited))).toContain(
			'must be at most 10, not 11',
		);
		expect(complaint(null, (input) => input.integer(limited))).toContain('must not be empty');
	});
});

describe('the members of a collection', () => {
	it('are read by their path', () => {
		const options = field('collection', { name: 'options', options: [text] });
		const input = inputOf({ 'options.field': 'inner', field: 'outer' });
		expect(input.within(options).text(text)).toBe('inner');
		expect(input.text(text)).toBe('outer');
	});
});

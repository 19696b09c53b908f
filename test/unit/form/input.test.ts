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
import { defineCountField, defineTextField } from '../../../nodes/Wherobots/form/declarations';
import { checkS3Path } from '../../../nodes/Wherobots/service/rules';
import type { Input } from '../../../nodes/Wherobots/form/input';
import { show } from '../../../nodes/Wherobots/form/values';

const date = new Date('2026-01-31T09:00:00.000Z');
const dateTime = DateTime.fromISO('2026-01-31T10:00:00', { zone: 'Europe/Berlin' });

/** What to do about a value that is refused. */
const advising = (advice: string) =>
	expect.objectContaining({
		description: advice === '' ? advice : (expect.stringContaining(advice) as string),
	}) as Error;

describe('switches', () => {
	it.each([
		[true, [true, 'true', 'TRUE', ' True ', 'yes', 'Yes', 'on', 'ON', 1, '1']],
		[false, [false, 'false', 'FALSE', 'no', 'No', 'off', 0, '0']],
	])('take for %s: %j', (on, all) => {
		for (const value of all) {
			expect([value, read(value, (input) => input.flag(flag))]).toEqual([value, on]);
		}
	});

	it.each([null, undefined, '', 'maybe', 'truee', 2, -1, NaN, [], [true], {}, date])(
		'refuse %j',
		(value) => {
			expect(complaint(value, (input) => input.flag(flag))).toContain('must be on or off');
		},
	);

	it('have their default when they are not set at all', () => {
		expect(inputOf({}).flag(flag)).toBe(true);
		expect(inputOf({}).flag({ ...flag, default: false })).toBe(false);
		expect(inputOf({}).optionalFlag(flag)).toBeUndefined();
	});
});

const emptied = { __rl: true, mode: 'list', value: '' };
const picker = (value: string) => field('resourceLocator', { default: { ...emptied, value } });

it('a list that n8n has emptied has the default of its field', () => {
	expect(read(emptied, (input) => input.text(picker('standard')))).toBe('standard');
	expect(complaint(emptied, (input) => input.text(picker('')))).toContain('must not be empty');
});

const ofS3 = defineTextField({ displayName: 'The Field', name: 'field', rule: checkS3Path });

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

	it.each([
		[undefined, 'Its expression returned nothing. Check its names against the output of'],
		[{}, 'Its expression must return a single value, such as {{ $json.id }}.'],
		['s3:/b', 'Its value is "s3:/b".'],
		['s', 'Its value is "s".'],
		['', ''],
	])('that is refused says what to do about its value: %j', (value, advice) => {
		expect(() => read(value, (input) => input.text(ofS3))).toThrow(advising(advice));
	});

	it('is not half of a character, wherever it stands', () => {
		const broken = 'a\ud800';
		const what = 'contains an invalid character (an unpaired surrogate)';
		expect(complaint(broken, (input) => input.optionalText(text))).toContain(what);
		expect(complaint(['a', broken], (input) => input.texts(text))).toContain(
			`entry 2, which ${what}`,
		);
		expect(complaint(`a,${broken}`, (input) => input.list(text))).toContain(what);
		const row = { config: [{ key: 'a', value: broken }] };
		expect(complaint(row, (input) => input.keyValues(rows))).toContain(
			`'Value' for "a", which ${what}`,
		);
	});

	it.each([[null], [undefined], [''], ['  ']])('that is %j is empty', (value) => {
		expect(complaint(value, (input) => input.text(text))).toContain('must not be empty');
		expect(read(value, (input) => input.optionalText(text))).toBeUndefined();
	});

	const rule = (value: string) => (value.length > 2 ? 'is too long' : undefined);
	const short = defineTextField({ ...text, rule });

	it('keeps to its rule, without what surrounds it, also in a copy of the field', () => {
		for (const each of [short, { ...short, hint: 'Short' }]) {
			expect(read(' ab ', (input) => input.text(each))).toBe('ab');
			expect(complaint('abc', (input) => input.text(each))).toContain('is too long');
			expect(complaint('abc', (input) => input.optionalText(each))).toContain('is too long');
			expect(complaint('a,abc', (input) => input.list(each))).toContain(
				'has the entry "abc", which is too long',
			);
		}
	});

	it('to the letter keeps to it with all of it', () => {
		const letter = defineTextField({ ...text, rule, exact: true });
		expect(read(' a', (input) => input.text(letter))).toBe(' a');
		expect(complaint(' ab', (input) => input.text(letter))).toContain('is too long');
		expect(complaint('  ', (input) => input.text(letter))).toContain('must not be empty');
	});

	it('has its default when it is not set, and none where it is optional', () => {
		const named = field('string', { default: 'x' });
		expect(inputOf({}).text(named)).toBe('x');
		expect(inputOf({}).optionalText(named)).toBeUndefined();
	});

	it('has a rule that n8n does not see', () => {
		expect(JSON.parse(JSON.stringify(short))).toEqual(text);
		expect(Object.keys(short).sort()).toEqual(Object.keys(text).sort());
	});
});

describe('several texts', () => {
	it('are one for each field, and one for each entry of a list in a field', () => {
		const given = ['--date', date, ['--fast', 3, true], dateTime, ''];
		expect(read(given, (input) => input.texts(text))).toEqual([
			...['--date', '2026-01-31T09:00:00.000Z', '--fast', '3', 'true'],
			...['2026-01-31T10:00:00.000+01:00', ''],
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
		const texts = { a: '2026-01-31T09:00:00.000Z', b: '64', c: 'true', d: '', e: '' };
		expect(pairs(config)).toEqual(texts);
	});

	it.each([
		[{ key: 'a', value: null }, 'has no \'Value\' for "a"'],
		[{ key: undefined, value: 'b' }, "has no 'Key'"],
		[{ key: '', value: 'b' }, 'has an entry without a key'],
		['a', 'must be a list of entries'],
	])('refuse %j', (row, why) => {
		expect(complaint({ config: [row] }, (input) => input.keyValues(rows))).toContain(why);
		const beside = [{ key: 'good', value: 'b' }, row];
		expect(complaint({ config: beside }, (input) => input.keyValues(rows))).toContain(why);
	});
});

describe('numbers', () => {
	it('have the default of the form', () => {
		expect(read(' 7 ', (input) => input.integer(limited))).toBe(7);
		expect(inputOf({}).integer(limited)).toBe(5);
		expect(inputOf({}).optionalInteger(limited)).toBeUndefined();
	});

	it.each([
		[0, 'must be from 1 to 10, not 0'],
		['11', 'must be from 1 to 10, not 11'],
		[null, 'must not be empty'],
		['  ', 'must not be empty'],
		...[1.5, '1.5', 'a', true, {}, 2 ** 53, Infinity].map((value): [unknown, string] => [
			...([value, 'must be a whole number'] as const),
		]),
	])('are not %j, which %s', (value, why) => {
		expect(complaint(value, (input) => input.integer(limited))).toContain(why);
	});

	it('keep to rules of their own before the limits of the form', () => {
		const rule = (value: number) => (value === 0 ? 'must not be zero' : undefined);
		const own = defineCountField({ ...limited, default: 5, rule });
		expect(complaint(0, (input) => input.integer(own))).toContain('must not be zero');
		expect(complaint(11, (input) => input.integer(own))).toContain('from 1 to 10');
		expect(complaint(0, (input) => input.optionalInteger(own))).toContain('not be zero');
	});
});

const circular: Record<string, unknown> = {};
circular.self = circular;

it.each<[unknown, string]>([
	['a', '"a"'],
	[10n, '10'],
	[date, '2026-01-31T09:00:00.000Z'],
	[new Date(NaN), 'an invalid date'],
	[DateTime.invalid('test'), 'an invalid date'],
	[null, 'null'],
	[['a', 1], '["a",1]'],
	[{ a: 1 }, '{"a":1}'],
	[circular, 'an object'],
	[() => 1, 'a function'],
	['a\u200bb\u00a0c\n', '"a<U+200B>b<U+00A0>c\n"'],
	['x'.repeat(58), `"${'x'.repeat(58)}"`],
	['x'.repeat(59), `"${'x'.repeat(56)}…"`],
])('a message shows %p as %s', (value, shown) => {
	expect(show(value)).toBe(shown);
});

describe('a list', () => {
	it.each<[unknown, string[]]>([
		['a, b ,,c', ['a', 'b', 'c']],
		[
			[' a', '', 'b,c'],
			['a', 'b,c'],
		],
		['["a, b", 7]', ['a, b', '7']],
		['[a], b', ['[a]', 'b']],
		['7', ['7']],
		[null, []],
		[7, ['7']],
	])('of %j is %j', (value, expected) => {
		expect(read(value, (input) => input.list(text))).toEqual(expected);
	});

	it('is empty when it is not set', () => {
		expect(inputOf({}).list(text)).toEqual([]);
		expect(inputOf({}).texts(text)).toEqual([]);
		expect(read('', (input) => input.texts(text))).toEqual([]);
	});
});

describe('rows', () => {
	const read_ = (value: unknown) => read(value, (input) => input.rows(rows));

	it('come in a group, alone, or not at all', () => {
		const row = { key: 'a', value: 'b' };
		expect(read_({ config: [row] })).toEqual([row]);
		expect(read_([row])).toEqual([row]);
		expect(read_({})).toEqual([]);
		expect(inputOf({}).rows(rows)).toEqual([]);
		expect(read_([{ ...row, other: 1 }])).toEqual([row]);
	});

	it.each([[{ other: [] }], ['a'], [7], [null], [undefined], [[['a']]], [[null]], [[{}, 7]]])(
		'refuse %j',
		(value) => {
			expect(complaint(value, (input) => input.rows(rows))).toContain('must be a list of entries');
		},
	);
});

describe('JSON', () => {
	const json = (input: Input) => input.json(field('json', { default: '{"a":1}' }));

	it.each<[unknown, object]>([
		[' {"b":2} ', { b: 2 }],
		['', {}],
		['  ', {}],
		[{ c: 3 }, { c: 3 }],
	])('of %j is %j', (value, expected) => {
		expect(read(value, json)).toEqual(expected);
	});

	it.each([['[1]'], ['7'], ['{'], [[]], [null], [date]])('is not %j', (value) => {
		expect(complaint(value, json)).toMatch(
			/^'The Field' must be a JSON object such as \{"key": "value"\}, not /,
		);
	});

	it.each([
		['{"a": 1,}', 'In JSON, names and texts are in double quotes'],
		['[1]', ''],
	])('is not %j, with advice where it is no JSON at all', (value, advice) => {
		expect(() => read(value, json)).toThrow(advising(advice));
	});

	it('has its default when it is not set', () => {
		expect(json(inputOf({}))).toEqual({ a: 1 });
	});
});

describe('a time', () => {
	it('is in the time zone of the workflow', () => {
		const expected = Date.parse('2026-01-31T08:00:00Z') * 1000;
		expect(read('2026-01-31T09:00:00', (input) => input.time(text))).toBe(expected);
		expect(read('2026-01-31T09:00:00', (input) => input.optionalTime(text))).toBe(expected);
		expect(read(expected / 1000, (input) => input.time(text))).toBe(expected);
	});

	it('needs no time zone of the workflow if it has one, otherwise the workflow is to blame', () => {
		const timed = (value: string) => inputOf({ field: value }, { timezone: 'GMT+2' }).time(text);
		expect(timed('2026-01-31T09:00:00Z')).toBe(Date.parse('2026-01-31T09:00:00Z') * 1000);
		expect(() => timed('2026-01-31T09:00:00')).toThrow(
			'The workflow\'s time zone "GMT+2" does not exist',
		);
		expect(() => timed('soon')).toThrow('must be a date from 1970 to 2254');
		expect(() => timed('2 days ago')).toThrow(advising('$now.minus'));
		expect(() => timed('yesterday')).toThrow(advising('$now.minus'));
		expect(() => timed('31 Jan 2026')).toThrow(advising('DateTime.fromFormat'));
	});

	it('is not guessed', () => {
		expect(complaint('soon', (input) => input.time(text))).toBe(
			`'The Field' must be a date from 1970 to 2254, for example 2026-01-31T09:00:00Z, not "soon"`,
		);
		// As milliseconds, it would be in January 1970.
		const seconds = () => read(1769817600, (input) => input.time(text));
		expect(seconds).toThrow(advising('DateTime.fromSeconds'));
	});
});

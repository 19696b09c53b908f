/**
 * What other nodes hand over by expressions, in every field of the form: the value that is read is
 * right, or an error names the field as the form shows it. Nothing is guessed and nothing is lost.
 */
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { NodeOperationError, type INode, type INodeProperties } from 'n8n-workflow';

import type { ChoiceField } from '../../../nodes/Wherobots/parameters/declarations';
import { Input } from '../../../nodes/Wherobots/parameters/input';

const node = { name: 'Wherobots', type: 'wherobots', parameters: {} } as unknown as INode;

/** Reads from parameters as n8n hands them over, expressions resolved. */
function inputOf(parameters: Record<string, unknown>): Input {
	return new Input({
		getNode: () => node,
		getTimezone: () => 'Europe/Berlin',
		isToolUse: () => false,
		itemIndex: 0,
		parameter: (path, unset) => (Object.hasOwn(parameters, path) ? parameters[path] : unset),
	});
}

function field(
	type: INodeProperties['type'],
	more: Partial<INodeProperties> = {},
): INodeProperties {
	return { displayName: 'The Field', name: 'field', type, default: '', ...more };
}

const text = field('string');
const flag = field('boolean', { default: true });
const limited = field('number', { default: 5, typeOptions: { minValue: 1, maxValue: 10 } });
const choice: ChoiceField<'a' | 'b'> = {
	displayName: 'The Field',
	name: 'field',
	type: 'options',
	options: [
		{ name: 'A', value: 'a' },
		{ name: 'B', value: 'b' },
	],
	default: 'a',
};
const rows = field('fixedCollection', {
	default: {},
	options: [
		{
			displayName: 'Config',
			name: 'config',
			values: [
				{ displayName: 'Key', name: 'key', type: 'string', default: '' },
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
	],
});

const read = (value: unknown, reader: (input: Input) => unknown) =>
	reader(inputOf({ field: value }));

/** The complaint about a value; it names the field. */
function complaint(value: unknown, reader: (input: Input) => unknown): string {
	try {
		return `none: ${JSON.stringify(read(value, reader))}`;
	} catch (error) {
		expect(error).toBeInstanceOf(NodeOperationError);
		expect((error as Error).message).toMatch(/^'The Field' \S/);
		return (error as Error).message;
	}
}

const date = new Date('2026-01-31T09:00:00.000Z');
const dateTime = DateTime.fromISO('2026-01-31T10:00:00', { zone: 'Europe/Berlin' });
const circular: Record<string, unknown> = {};
circular.self = circular;

/** Anything that an expression can give. */
const anything = fc.oneof(
	fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }),
	fc.constantFrom(date, dateTime, new Date(NaN), DateTime.invalid('test'), circular, 'TRUE', NaN),
	fc.array(fc.constantFrom(date, dateTime, null, undefined, ['a'], [['a']], {}, 'a', 1, true)),
	fc.array(fc.record({ key: fc.anything(), value: fc.anything() })).map((config) => ({ config })),
);

describe('any value in any field', () => {
	const readers: Array<[string, (input: Input) => unknown, (value: unknown) => boolean]> = [
		['text', (input) => input.text(text), (value) => isText(value) && value !== ''],
		[
			'optional text',
			(input) => input.optionalText(text),
			(value) => value === undefined || isText(value),
		],
		['exact text', (input) => input.exactText(text), (value) => isText(value) && value !== ''],
		['number', (input) => input.integer(limited), isLimited],
		[
			'optional number',
			(input) => input.optionalInteger(limited),
			(value) => value === undefined || isLimited(value),
		],
		['switch', (input) => input.flag(flag), (value) => typeof value === 'boolean'],
		[
			'optional switch',
			(input) => input.optionalFlag(flag),
			(value) => value === undefined || typeof value === 'boolean',
		],
		['choice', (input) => input.choice(choice), (value) => value === 'a' || value === 'b'],
		[
			'list',
			(input) => input.list(text),
			(value) => Array.isArray(value) && value.every((entry) => isText(entry) && entry !== ''),
		],
		['texts', (input) => input.texts(text), (value) => Array.isArray(value) && value.every(isText)],
		[
			'keys and values',
			(input) => input.keyValues(rows),
			(value) => Object.values(value as object).every(isText),
		],
		[
			'JSON',
			(input) => input.json(text),
			(value) => typeof value === 'object' && !Array.isArray(value),
		],
		['time', (input) => input.time(text), Number.isSafeInteger],
		[
			'optional time',
			(input) => input.optionalTime(text),
			(value) => value === undefined || Number.isSafeInteger(value),
		],
	];

	it.each(readers)('is read as %s, or refused by the name of the field', (_, reader, isGood) => {
		fc.assert(
			fc.property(anything, (value) => {
				let got: unknown;
				try {
					got = read(value, reader);
				} catch (error) {
					expect(error).toBeInstanceOf(NodeOperationError);
					expect((error as Error).message).toMatch(/^'The Field' \S/);
					return;
				}
				expect(isGood(got)).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});

	/** No text that stands for a value that has none. */
	function isText(value: unknown): value is string {
		return typeof value === 'string' && !/^\s*(\[object|undefined$|null$|NaN$|"\d{4}-)/.test(value);
	}

	function isLimited(value: unknown): boolean {
		return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 10;
	}
});

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
		expect(read(value, (input) => input.exactText(text).trim())).toBe(expected);
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

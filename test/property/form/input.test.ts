/**
 * What other nodes hand over by expressions, in every kind of field: the value that is read is right,
 * or an error names the field as the form shows it. Nothing is guessed and nothing is lost.
 */
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { Failure } from '../../../nodes/Wherobots/transport/failure';

import type { Input } from '../../../nodes/Wherobots/form/input';
import { forAll } from '../../support/forAll';
import { choice, exact, flag, limited, read, rows, text } from '../../support/input';

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
	const isFilled = (value: unknown) => isText(value) && value !== '';
	const isFlag = (value: unknown) => typeof value === 'boolean';
	const areTexts = (value: unknown) => Object.values(value as object).every(isText);
	const isObject = (value: unknown) => typeof value === 'object' && !Array.isArray(value);
	const orNone = (isGood: (value: unknown) => boolean) => (value: unknown) =>
		value === undefined || isGood(value);

	const readers: Array<[string, (input: Input) => unknown, (value: unknown) => boolean]> = [
		['text', (input) => input.text(text), isFilled],
		['optional text', (input) => input.optionalText(text), orNone(isText)],
		['exact text', (input) => input.text(exact), isFilled],
		['number', (input) => input.integer(limited), isLimited],
		['optional number', (input) => input.optionalInteger(limited), orNone(isLimited)],
		['switch', (input) => input.flag(flag), isFlag],
		['optional switch', (input) => input.optionalFlag(flag), orNone(isFlag)],
		['choice', (input) => input.choice(choice), (value) => value === 'a' || value === 'b'],
		['list', (input) => input.list(text), (value) => Array.isArray(value) && value.every(isFilled)],
		['texts', (input) => input.texts(text), (value) => Array.isArray(value) && value.every(isText)],
		['keys and values', (input) => input.keyValues(rows), areTexts],
		['JSON', (input) => input.json(text), isObject],
		['time', (input) => input.time(text), Number.isSafeInteger],
		['optional time', (input) => input.optionalTime(text), orNone(Number.isSafeInteger)],
	];

	it.each(readers)('is read as %s, or refused by its name', async (_, reader, isGood) => {
		await forAll([anything], 500, (value) => {
			let got: unknown;
			try {
				got = read(value, reader);
			} catch (error) {
				expect(error).toBeInstanceOf(Failure);
				const { message, parts } = error as Failure;
				expect(message).toMatch(/^'The Field' \S/);
				// Not a failure of the service, which would be tried again later.
				expect(parts.isInput).toBe(true);
				return;
			}
			expect(isGood(got)).toBe(true);
		});
	});

	/** No text that stands for a value that has none. */
	function isText(value: unknown): value is string {
		return typeof value === 'string' && !/^\s*(\[object|undefined$|null$|NaN$|"\d{4}-)/.test(value);
	}

	function isLimited(value: unknown): boolean {
		return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 10;
	}
});

/**
 * Interpretation of the values that expressions return. An ambiguous value is undefined: the field is
 * rejected by name instead of guessing what was meant.
 */
import type { IDataObject, INodeParameterResourceLocator } from 'n8n-workflow';

import { LongInteger } from '../service/json';
import { isRecord } from '../service/records';
import { hasExpression, toVisible } from '../service/rules';

const SWITCHES = new Map([
	...['true', 'yes', 'on', '1'].map((word) => [word, true] as const),
	...['false', 'no', 'off', '0'].map((word) => [word, false] as const),
]);

/** What an expression returns for missing data. */
export function isNothing(value: unknown): value is null | undefined {
	return value === null || value === undefined;
}

/**
 * A single value as text: a long integer of `parseJsonToSend` as its digits, a date as ISO 8601, a luxon
 * DateTime in its own zone.
 *
 * @returns undefined for null, undefined, lists, objects, invalid dates and NaN
 */
export function toText(value: unknown): string | undefined {
	switch (typeof value) {
		case 'number':
			return Number.isNaN(value) ? undefined : String(value);
		case 'string':
		case 'boolean':
		case 'bigint':
			return String(value);
		default:
			if (value instanceof LongInteger) return String(value);
			return isDate(value) || isLuxon(value) ? toIso(value) : undefined;
	}
}

/** Whether a number is so large that digits of it may have been lost before it arrived here. */
export function isPossiblyRounded(value: unknown): boolean {
	return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** On or off, for booleans, 1 and 0, and the words for them in any case; otherwise undefined. */
export function toFlag(value: unknown): boolean | undefined {
	return SWITCHES.get(String(toText(value)).trim().toLowerCase());
}

/** An object with named entries, not a date. */
export function isPlainObject(value: unknown): value is IDataObject {
	return isRecord(value) && !isDate(value) && !isLuxon(value);
}

/** How deep lists and objects may be nested. Functions that read deeper ones would run out of stack. */
export const MAX_LEVELS = 100;

/** Whether lists and objects are nested deeper than so many levels. */
export function isDeeper(value: unknown, levels = MAX_LEVELS): boolean {
	if (!Array.isArray(value) && !isPlainObject(value)) return false;
	return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/**
 * Where the value of a field, as it was entered, contains an expression in Fixed mode: ` in name` for a
 * column, empty elsewhere, and undefined if there is none.
 */
export function findUnresolved(value: unknown): string | undefined {
	if (typeof value === 'string') {
		const isUnresolved = !value.startsWith('=') && hasExpression(value);
		return isUnresolved || BARE.test(value) ? '' : undefined;
	}
	const isObject = isPlainObject(value);
	if (!isObject && !Array.isArray(value)) return undefined;
	// n8n keeps names of records and columns beside what was chosen or entered.
	if (isObject && value.__rl)
		return value.mode === 'list' ? undefined : findUnresolved(value.value);
	const isMapper = isObject && 'mappingMode' in value;
	const parts = Object.entries((isMapper ? value.value : value) ?? {});
	const found = parts.find(([, part]) => findUnresolved(part) !== undefined);
	return found && (isMapper ? ` in ${found[0]}` : '');
}

/** Whether it is a resource locator whose list has nothing picked. */
export function isEmptied(entered: unknown): entered is INodeParameterResourceLocator {
	return (
		isPlainObject(entered) && !!entered.__rl && entered.mode === 'list' && entered.value === ''
	);
}

/** An expression without its braces, in either mode of a field. */
const BARE = /^=?\s*\$(?:(?:json|input|binary|execution|workflow)[.[]|\(['"])/;

/** How a message names a value that has no text. */
export function describeKind(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	if (isDate(value) || isLuxon(value)) return 'an invalid date';
	if (typeof value === 'object' && value !== null) return 'an object';
	return typeof value === 'function' ? 'a function' : String(value);
}

/** A value in a message, shortened. */
export function show(value: unknown): string {
	const text = toVisible(
		typeof value === 'string'
			? `"${value}"`
			: (toText(value) ?? toJson(value) ?? describeKind(value)),
	);
	if (text.length <= 60) return text;
	return `${text.slice(0, 57)}…${typeof value === 'string' ? '"' : ''}`;
}

function toJson(value: unknown): string | undefined {
	if (!Array.isArray(value) && !isPlainObject(value)) return undefined;
	try {
		return JSON.stringify(value);
	} catch {
		// It is circular, or contains a BigInt.
		return undefined;
	}
}

/** Not by instanceof: a date can come from another JavaScript context. */
function isDate(value: unknown): value is Date {
	return Object.prototype.toString.call(value) === '[object Date]';
}

/** By shape: n8n's expressions have their own copy of luxon. */
function isLuxon(value: unknown): value is { toISO(): string | null } {
	return isRecord(value) && 'toISO' in value && typeof value.toISO === 'function';
}

function toIso(value: Date | { toISO(): string | null }): string | undefined {
	if ('toISO' in value) return value.toISO() ?? undefined;
	return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
}

/** Whether a number is a time in seconds: read as milliseconds, it would be in the first months of 1970. */
export const isUnixSeconds = (value: unknown): boolean =>
	/^\d{9,10}$/.test(typeof value === 'number' ? String(value) : '');

/** How to write a time that a field does not take. */
export function adviseOnTime(value: unknown): string {
	if (isUnixSeconds(value))
		return 'For seconds since 1970, use an expression: {{ DateTime.fromSeconds($json.time) }}.';
	return /^\D*$|\b(now|ago|last|next)\b/i.test(show(value))
		? 'For a time relative to now, use an expression: {{ $now.minus({ months: 1 }) }}.'
		: "Convert other formats in an expression: {{ DateTime.fromFormat('31.01.2026', 'dd.MM.yyyy') }}.";
}

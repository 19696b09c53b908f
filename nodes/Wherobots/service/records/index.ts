/**
 * What all records and responses of the service have in common. Fields may be missing and others may be
 * added: records are passed on as they arrive (interface, "Resources").
 */
import type { IDataObject } from 'n8n-workflow';

import { toJson } from '../json';

/** One entry of an error body (interface, "Errors"). */
export interface ServiceErrorInfo {
	code?: string;
	message?: string;
	details?: string;
	path?: string;
	suggestion?: string;
	documentation_url?: string;
	field?: string;
}

/** One log line; the timestamp's unit is not documented and it may be a number or a string. */
export interface LogLine {
	timestamp: string | number;
	raw: string;
}

/** Whether a value is an object, not a list or null. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text as it is; empty for anything else. */
export function toPlainText(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** A text, or the digits of a number, as the service may send an ID; empty for anything else. */
export function toExactText(value: unknown): string {
	return typeof value === 'number' ? String(value) : toPlainText(value);
}

/** These fields of a record; missing ones are null. */
export function pick(record: IDataObject, names: readonly string[]): IDataObject {
	return Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
}

/**
 * Whether `whole` contains everything in `part`, at every depth; lists must have equal length. What is
 * undefined in `part` is not in it.
 */
export function hasPart(whole: unknown, part: unknown): boolean {
	if (part === undefined) return true;
	if (Array.isArray(part)) {
		return (
			Array.isArray(whole) &&
			whole.length === part.length &&
			part.every((entry, index) => hasPart(whole[index], entry))
		);
	}
	if (isRecord(part)) {
		return (
			isRecord(whole) && Object.entries(part).every(([name, value]) => hasPart(whole[name], value))
		);
	}
	return whole === part;
}

/** Whether a body is the service's error body (interface, "Error body"), even if its status is successful. */
export function isErrorBody(value: unknown): boolean {
	if (!isRecord(value) || typeof value.requestId !== 'string') return false;
	const { errors } = value;
	return Array.isArray(errors) && errors.length > 0 && errors.every(isRecord);
}

/** The errors of the service's envelope, or of the `{detail}`, `{message}` or `{error}` of a framework. */
export function parseErrors(body: IDataObject | undefined): ServiceErrorInfo[] {
	if (!body) return [];
	const { errors, detail, message, error } = body;
	if (Array.isArray(errors)) return parseErrorInfos(errors);
	if (Array.isArray(detail)) {
		return parseErrorInfos(detail).map(({ msg, message, loc }) => ({
			message: (msg ?? message) as string,
			field: Array.isArray(loc)
				? loc.filter((step) => typeof step !== 'object').join('.')
				: undefined,
		}));
	}
	const said = [detail, message, error].find((each) => typeof each === 'string' || isRecord(each));
	if (typeof said === 'string') return [{ message: said }];
	if (!isRecord(said)) return [];
	const words = [said.message, said.msg, said.detail, said.error].find(
		(each) => typeof each === 'string' && each.trim() !== '',
	);
	return [{ ...said, message: (words as string | undefined) ?? toJson(said) }];
}

/** The errors in a list; in one without records, the texts. */
function parseErrorInfos(list: unknown[]): IDataObject[] {
	const records = list.filter(isRecord);
	const texts = list.filter((each) => typeof each === 'string');
	return records.length > 0 ? records : texts.map((message) => ({ message }));
}

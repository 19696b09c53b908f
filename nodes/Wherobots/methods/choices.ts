/** Tested by test/engine/methods/pickers*.test.ts. */
import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';

import { getPathParams } from '../form/address';
import type { EndpointId, PathValues } from '../service/endpoints';
import { formatTime, parseTime } from '../service/time';
import { Client } from '../transport/client';
import { clock } from '../transport/clock';
import { Failure } from '../transport/failure';
import { toText } from '../transport/text';

/** Maximum time for loading a picker, in milliseconds, while the user waits. */
export const PICKER_TIMEOUT_MS = 20_000;

/** A client that gives up while the user still waits for the picker, which shows its error. */
export async function createPickerClient(context: ILoadOptionsFunctions): Promise<Client> {
	return await Client.create(context, clock.monotonic() + PICKER_TIMEOUT_MS);
}

/** What n8n calls when a picker is opened or typed in. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

export interface Choice {
	name: string;
	value: string;
	description?: string;
}

/** What a picker needs from a record. The service may omit any field, or send something else in it. */
export interface Option {
	/** The value of the field. */
	id: unknown;
	/** The ID is used instead when it is missing. */
	name?: unknown;
	/** Shown in parentheses after the name, to distinguish similar records. */
	detail?: unknown;
	description?: unknown;
}

/** The records that can be chosen: those that have an ID. */
export function toChoices(options: Option[]): Choice[] {
	return options.flatMap(({ id, name, detail, description }) => {
		if (toText(id) === '') return [];
		const brackets = toText(detail) && ` (${toText(detail)})`;
		return {
			name: (toText(name) || toText(id)) + brackets,
			value: String(id),
			description: toText(description) || undefined,
		};
	});
}

/** The entries whose name or value contains what was typed. */
export function filterChoices(choices: Choice[], filter = ''): INodeListSearchResult {
	const typed = filter.trim().toLowerCase();
	const isMatch = ({ name, value }: Choice) => `${name} ${value}`.toLowerCase().includes(typed);
	return { results: choices.filter(isMatch) };
}

/** The choices with their ID in the names that several of them have. */
export function disambiguate(choices: Choice[]): Choice[] {
	const names = choices.map(({ name }) => name);
	return choices.map((choice) => {
		const isUnique = names.indexOf(choice.name) === names.lastIndexOf(choice.name);
		return isUnique ? choice : { ...choice, name: `${choice.name}, ${choice.value}` };
	});
}

/** A time of the service to the minute, such as `2026-01-31 09:00 UTC`; undefined for any other value. */
export function formatShortTime(value: unknown): string | undefined {
	const time = parseTime(value);
	return time === undefined ? undefined : `${formatTime(time).slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * The value of another field on which a list depends.
 *
 * @throws Failure when it is empty, or an expression, which has no value in the editor
 */
export function readChosen(
	context: ILoadOptionsFunctions,
	{ name, displayName: label }: Pick<INodeProperties, 'name' | 'displayName'>,
): string {
	const value = context.getCurrentNodeParameter(name, { extractValue: true });
	if (typeof value === 'string' && value !== '' && !value.startsWith('=')) return value;
	throw new Failure({
		message: `Choose a value for '${label}' first`,
		isInput: true,
		description: `This list depends on '${label}'. If that field is an expression, enter this value by ID or name, or use an expression here as well.`,
	});
}

/** The values in the path of an endpoint, from other fields. Throws as `readChosen` does. */
export function readChosenPath(context: ILoadOptionsFunctions, endpoint: EndpointId): PathValues {
	const params = getPathParams(endpoint);
	return Object.fromEntries(params.map(({ field, name }) => [name, readChosen(context, field)]));
}

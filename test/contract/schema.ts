/** The words in which the contract is written: JSON schemas (draft 7), made short. */

import type { EndpointId } from '../interface/endpoints';

export type Schema = Record<string, unknown>;

export type EndpointContract = {
	/** Query parameters; anything else is a violation. */
	query?: Record<string, Schema>;
	/** Those that have to be there. */
	requiredQuery?: string[];
	/** The JSON body; without it a request has none. */
	body?: Schema;
	/** The JSON of a success; `none` may be anything, `file` is not JSON, `redirect` may be a file too. */
	response: Schema | 'none' | 'file' | 'redirect';
};

/** Those of some endpoints, by id. */
export type Contracts = Partial<Record<EndpointId, EndpointContract>>;

export const text: Schema = { type: 'string' };
export const filled: Schema = { type: 'string', minLength: 1 };
export const flag: Schema = { type: 'boolean' };
export const integer: Schema = { type: 'integer' };
export const time: Schema = { type: 'string', format: 'iso-date-time' };
/** Times in requests: UTC, so that nobody has to guess. */
export const utcTime: Schema = {
	type: 'string',
	pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$',
};
export const anything: Schema = {};

export const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values });

/** A text between two lengths that matches a pattern. */
export const textOf = (minLength: number, maxLength: number, pattern = ''): Schema => ({
	type: 'string',
	minLength,
	maxLength,
	pattern,
});

export const nullable = (schema: Schema): Schema => ({ anyOf: [{ type: 'null' }, schema] });
export const listOf = (items: Schema): Schema => ({ type: 'array', items });
export const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });

/** An object with these properties and no others; a question mark ends the name of an optional one. */
export function object(properties: Record<string, Schema>): Schema {
	const names = Object.keys(properties);
	return {
		type: 'object',
		additionalProperties: false,
		required: names.filter((name) => !name.endsWith('?')),
		properties: Object.fromEntries(
			names.map((name) => [name.replace(/\?$/, ''), properties[name]]),
		),
	};
}

/** One use of an operation, or of an event of the trigger, and what a person would expect of it. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { by } from '../../test/support/files';
import type { Account, Done } from './account';
import type { Known } from './known';

/** Keeps what later cases need, and says what is different from what a person would expect. */
export type Expect = (done: Done, known: Known) => string | undefined | void;

export interface Case {
	/** `resource operation`. */
	operation: string;
	/**
	 * In texts, `{name}` stands for what is known by that name; a text that begins with `@id`, `@name` or
	 * `@path` chooses a record so.
	 */
	parameters: INodeParameters;
	expect?: Expect;
	/** What is special about this use. */
	use?: string;
	/** Creates, changes or removes something: only with `--spend`. */
	spends?: true;
	/** Needs compute: for how many hours at most. */
	hours?: number;
	/** The input items (default: one without fields). */
	input?: IDataObject[];
	/** It has to fail, with a message that says this. */
	failsWith?: RegExp;
	/** What is made, and how it is removed at the end. */
	makes?: [what: string, remove: (account: Account, known: Known) => Promise<void>];
}

export interface EventCase {
	event: string;
	parameters: INodeParameters;
	/** Whether an item comes of what was made with `--spend`. */
	isOwn?(item: IDataObject, known: Known): boolean;
}

/** A case that only reads. */
export const read = (
	operation: string,
	parameters: INodeParameters = {},
	expect?: Expect,
	more: Partial<Case> = {},
): Case => ({ operation, parameters, expect, ...more });

/** A case that makes or changes something. */
export const spend = (...args: Parameters<typeof read>): Case => ({
	...read(...args),
	spends: true,
});

/** Parameters with what is known. @throws NotPossible when the account lacks what it takes */
export function fill<T>(value: T, known: Known): T {
	if (Array.isArray(value)) return value.map((each: unknown) => fill(each, known)) as T;
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).map(([key, each]) => [key, fill<unknown>(each, known)]);
		return Object.fromEntries(entries) as T;
	}
	if (typeof value !== 'string') return value;
	const filled = value.replace(/\{([a-z][^{}"]*)\}/g, (_, name: string) => known.get(name));
	const [, mode, chosen] = /^@(id|name|path) ([^]*)$/.exec(filled) ?? [];
	return (mode ? by(mode as 'id', chosen) : filled) as T;
}

/** What is different unless the condition holds. */
export const unless = (holds: boolean, different: string) => (holds ? undefined : different);

/** Learns a field of the first item. */
export const learn =
	(name: string, field: string): Expect =>
	({ json: [json] }, known) =>
		known.learn({ [name]: json?.[field] });

const time = (value: unknown) => Date.parse(String(value));

/** Whether each record is not older than the next. */
export const isNewestFirst = (records: IDataObject[], field: string) =>
	records.every((record, at) => at === 0 || time(record[field]) <= time(records[at - 1][field]));

export const text = (value: unknown) => (typeof value === 'string' ? value : '');

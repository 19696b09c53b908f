/** One use of an operation, or of an event of the trigger, and what a person would expect of it. */
import type { IBinaryKeyData, IDataObject, INodeParameters } from 'n8n-workflow';

import { by } from '../../test/support/files';
import type { Account, Done } from './account';
import type { Known, Remove } from './known';

/** Keeps what later cases need. @returns what is different from what a person would expect */
export type Expect = (done: Done, known: Known) => string | true | undefined | void;

export interface Case {
	/** `resource operation`, or `event` and its name. */
	name: string;
	/** What is special about this use. */
	use?: string;
	/**
	 * In texts, `{name}` stands for what is known by that name; a text that begins with `@id`, `@name` or
	 * `@path` chooses a record so.
	 */
	parameters: INodeParameters;
	/** What it should give, or the message with which it has to fail. */
	expect?: Expect | RegExp;
	/** Needs compute: for how many hours at most. */
	hours?: number;
	/** The input items (default: one without fields). */
	input?: IDataObject[];
	/** The files of the input items. */
	files?: IBinaryKeyData[];
	/** What is made, and how it is removed at the end. */
	makes?: [what: string, remove: Remove];
	/** In place of executing the operation. */
	work?(account: Account, parameters: INodeParameters, known: Known): Promise<Done>;
}

/** @param what its name, then in parentheses what is special */
export function use(what: string, parameters: INodeParameters = {}, expect?: Case['expect']): Case {
	const [name, special] = what.split(/ \((.*)\)$/);
	return { name, use: special, parameters, expect };
}

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

/** Learns a field of the first item. */
export const learn =
	(name: string, field: string): Expect =>
	({ json: [json] }, known) =>
		known.learn({ [name]: json?.[field] });

export type Is = (record: IDataObject) => boolean;

/** The first of that kind; an empty one if there is none. */
export const find = (records: IDataObject[], is: Is) => records.find(is) ?? {};

export const text = (value: unknown) => (typeof value === 'string' ? value : '');

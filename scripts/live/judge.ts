/** Executes a case and says how it went. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { schemaOf, SCHEMAS, type Schema } from '../../test/support/outputSchema';
import type { Account, Done } from './account';
import { fill, type Case } from './case';
import { NotPossible, type Known } from './known';

export const OUTCOMES = ['works', 'differs', 'fails', 'notPossible'] as const;

export type Outcome = (typeof OUTCOMES)[number];

export interface Result {
	/** An operation, or `event` and its name. */
	name: string;
	use?: string;
	outcome: Outcome;
	/** What is different, the error, or why it is not possible. */
	why?: string;
	/** How many items it gave, and what they look like. */
	items: number;
	output?: Schema;
	hints: string[];
	ms: number;
	requests: number;
}

/** Statuses that are about the account, not about the package. */
const NOT_ALLOWED = ['402', '403'];

export async function judge(each: Case, account: Account, known: Known): Promise<Result> {
	const { operation: name, use } = each;
	try {
		const [made, remove] = each.makes ?? [];
		if (made && remove) {
			known.makes(fill(made, known), async (own) => await remove(own, known));
		}
		const done = await account.execute(name, fill(each.parameters, known), each.input);
		return { ...resultOf(name, done), ...(use && { use }), ...verdict(each, done, known) };
	} catch (error) {
		const { message } = error as Error;
		if (error instanceof NotPossible) return withoutResult(name, use, message);
		return { ...withoutResult(name, use, String(error)), outcome: 'fails' };
	}
}

/** Of what was not executed, and why. */
export const withoutResult = (name: string, use: string | undefined, why: string): Result => ({
	...{ name, ...(use && { use }), outcome: 'notPossible', why },
	...{ items: 0, hints: [], ms: 0, requests: 0 },
});

function verdict(each: Case, done: Done, known: Known): Pick<Result, 'outcome' | 'why'> {
	const { error } = done;
	if (error) return ofError(error, each.failsWith);
	if (each.failsWith) return { outcome: 'differs', why: 'it does not fail' };
	// Without a field, what else is expected of it only confuses.
	const why = [differenceOf(each.operation, done.json), each.expect?.(done, known)]
		.filter(Boolean)
		.join('; ');
	return why ? { outcome: 'differs', why } : { outcome: 'works' };
}

/** @param expected what the message of an error that has to come says */
export function ofError(
	error: NonNullable<Done['error']>,
	expected?: RegExp,
): Pick<Result, 'outcome' | 'why'> {
	const { message, description, httpCode } = error;
	const why = [httpCode && `Status ${httpCode}`, message, description].filter(Boolean).join('; ');
	if (/^There is no .* to test/.test(message)) return { outcome: 'notPossible', why };
	if (expected) return { outcome: expected.test(why) ? 'works' : 'differs', why };
	return { outcome: NOT_ALLOWED.includes(String(httpCode)) ? 'notPossible' : 'fails', why };
}

export function resultOf(
	name: string,
	{ json, hints, ms, requests }: Done,
): Omit<Result, 'outcome'> {
	return { name, items: json.length, output: schemaOf(json), hints, ms, requests };
}

/** Fields that have a value in each record, wherever an output has them. */
const ALWAYS =
	`id taskId taskRunId event_id createTime createdAt submittedAt event_time action_name status type
	tableType workloadType preview expiresAt path size url destination definition`.split(/\s+/);

/** Where an output is not what n8n's editor shows of the operation before it was executed. */
function differenceOf(operation: string, json: IDataObject[]): string | undefined {
	const file = path.join(SCHEMAS, `${operation.replace(' ', '/')}.json`);
	if (!existsSync(file) || json.length === 0) return undefined;
	const declared = JSON.parse(readFileSync(file, 'utf8')) as Schema;
	// Runs of tasks and workloads have a name only if somebody has given them one.
	const always = /^(taskRun|usage|file) /.test(operation) ? ALWAYS : [...ALWAYS, 'name'];
	const missing = always
		.filter((name) => declared.properties?.[name] && json.some((item) => (item[name] ?? '') === ''))
		.map((name) => `${name} has no value`);
	const different = [...missing, ...differences(declared, schemaOf(json))];
	return different.length === 0 ? undefined : `Of the fields, ${different.join(', ')}`;
}

const NUMBERS = ['integer', 'number'];

function differences(declared: Schema, seen: Schema, at = ''): string[] {
	const isSame =
		declared.type === seen.type || [declared, seen].every(({ type }) => NUMBERS.includes(type));
	// Nothing is known of what is null, and an empty list says nothing of its entries.
	if (seen.type === 'null' || declared.type === 'null') return [];
	if (!isSame) return [`${at} is ${seen.type} and not ${declared.type}`];
	if (declared.items && seen.items) return differences(declared.items, seen.items, `${at}[]`);
	return Object.entries(declared.properties ?? {}).flatMap(([name, inner]) => {
		const other = seen.properties?.[name];
		return other ? differences(inner, other, at ? `${at}.${name}` : name) : [];
	});
}

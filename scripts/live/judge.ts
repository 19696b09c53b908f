/** Executes a case and says how it went. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { schemaOf, SCHEMAS, type Schema } from '../../test/support/outputSchema';
import type { Account, Done } from './account';
import { fill, type Case } from './case';
import { NotPossible, type Known } from './known';

export const OUTCOMES = ['works', 'differs', 'fails', 'notPossible', 'notTried'] as const;

export type Outcome = (typeof OUTCOMES)[number];

interface Verdict {
	outcome: Outcome;
	/** What is different, the error, or why it is not possible. */
	why?: string;
}

export interface Result extends Verdict {
	/** An operation, or `event` and its name. */
	name: string;
	use?: string;
	/** How many items it gave. */
	items: number;
	ms: number;
	requests: number;
}

/** Statuses that are about the account, not about the package. */
const NOT_ALLOWED = ['402', '403'];

/** The first file to look at, by the name of an operation or event. */
const FILES: Array<[RegExp, string]> = [
	[/^(jobRun|event run)/, 'service/records/jobRun.ts'],
	[/^(event )?taskRun/, 'service/records/taskRun.ts'],
	[/^(event )?audit/, 'service/records/auditEvent.ts'],
	[/^(event )?table|^view/, 'service/sql/columns.ts'],
	[/^sql/, 'service/sql/protocol.ts'],
	[/^file/, 'service/files.ts'],
	[/^apiKey/, 'service/records/apiKey.ts'],
	[/^cloudConnection/, 'service/records/cloudConnection.ts'],
	[/^/, 'service/endpoints.ts'],
];

const fileOf = (name: string) => FILES.find(([pattern]) => pattern.test(name))?.[1];

const isWrong = ({ outcome }: Verdict) => outcome === 'differs' || outcome === 'fails';

/** Adds which earlier list may have hidden what was needed. */
export function explain(result: Result, earlier: Result[]): Result {
	const { name, outcome, why, items } = result;
	const lists = earlier.filter((each) => each.name.endsWith(' getAll'));
	const cause = lists.find((each) => isWrong(each) && fileOf(each.name) === fileOf(name));
	if (!cause || isWrong(result) || (outcome === 'works' && (items > 0 || why))) return result;
	const told = `${why ?? 'nothing came'}; perhaps only because ${cause.name} ${cause.outcome}`;
	return { ...result, outcome: 'notPossible', why: told };
}

export async function judge(each: Case, account: Account, known: Known): Promise<Result> {
	const { name, use, makes, input, files, work } = each;
	try {
		if (makes) known.makes(fill(makes[0], known), makes[1]);
		const parameters = fill(each.parameters, known);
		const done = await (work?.(account, parameters, known) ??
			account.execute(name, parameters, { input, files }));
		const { json, ms, exchanges } = done;
		const verdict = toVerdict(each, done, known);
		if (isWrong(verdict)) {
			const routes = new Set(exchanges.flatMap(({ route }) => route ?? []));
			verdict.why += `. Look at ${[...routes, `nodes/Wherobots/${fileOf(name)}`].join(', ')}`;
		}
		return { name, use, items: json.length, ms, requests: exchanges.length, ...verdict };
	} catch (error) {
		if (error instanceof NotPossible) return withoutResult(each, error.message);
		return withoutResult(each, String(error), 'fails');
	}
}

/** Of what was not executed, and why. */
export const withoutResult = (
	{ name, use }: Pick<Case, 'name' | 'use'>,
	why: string,
	outcome: Outcome = 'notPossible',
): Result => ({ name, use, outcome, why, items: 0, ms: 0, requests: 0 });

function toVerdict({ name, expect }: Case, done: Done, known: Known): Verdict {
	const { message = '', description, httpCode } = done.error ?? {};
	const why = [httpCode && `Status ${httpCode}`, message, description].filter(Boolean).join('; ');
	if (/^There is no .* to test/.test(message)) return { outcome: 'notPossible', why };
	if (expect instanceof RegExp) {
		return { outcome: expect.test(why) ? 'works' : 'differs', why: why || 'it does not fail' };
	}
	if (done.error) {
		return { outcome: NOT_ALLOWED.includes(String(httpCode)) ? 'notPossible' : 'fails', why };
	}
	// Without a field, what else is expected of it only confuses.
	const said = [findDifference(name, done), expect?.(done, known)];
	const different = said.filter((each) => typeof each === 'string').join('; ');
	return different ? { outcome: 'differs', why: different } : { outcome: 'works' };
}

/** Fields that have a value in each record, wherever an output has them. */
const ALWAYS =
	`id taskId taskRunId event_id createTime createdAt submittedAt event_time action_name status type
	tableType workloadType preview expiresAt path size url destination definition`.split(/\s+/);

/** Where an output is not what n8n's editor shows of the operation before it was executed. */
function findDifference(name: string, { json }: Done): string | undefined {
	const file = path.join(SCHEMAS, `${name.replace(' ', '/')}.json`);
	if (!existsSync(file) || json.length === 0) return undefined;
	const declared = JSON.parse(readFileSync(file, 'utf8')) as Schema;
	// Runs of tasks and workloads have a name only if somebody has given them one.
	const always = /^(taskRun|usage|file) /.test(name) ? ALWAYS : [...ALWAYS, 'name'];
	const missing = always
		.filter((field) => declared.properties?.[field])
		.filter((field) => json.some((item) => (item[field] ?? '') === ''))
		.map((field) => `${field} has no value`);
	const different = [...missing, ...listDifferences(declared, schemaOf(json))];
	return different.length === 0 ? undefined : `Of the fields, ${different.join(', ')}`;
}

const toKind = ({ type }: Schema) => (type === 'integer' ? 'number' : type);

function listDifferences(declared: Schema, seen: Schema, at = ''): string[] {
	const kinds = [toKind(declared), toKind(seen)];
	// Nothing is known of what is null, and an empty list says nothing of its entries.
	if (kinds.includes('null')) return [];
	if (kinds[0] !== kinds[1]) return [`${at} is ${seen.type} and not ${declared.type}`];
	if (declared.items && seen.items) return listDifferences(declared.items, seen.items, `${at}[]`);
	return Object.entries(declared.properties ?? {}).flatMap(([name, inner]) => {
		const other = seen.properties?.[name];
		return other ? listDifferences(inner, other, at ? `${at}.${name}` : name) : [];
	});
}

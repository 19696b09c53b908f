/**
 * What logs say of runs that ended a while ago, read once for all triggers of a process: n8n starts them
 * one after the other, and after a pause each asks for the same failed runs.
 */
import type { JobRun } from '../../service/records/jobRun';
import type { Client } from '../../transport/client';
import {
	explainRun,
	type ExplainOptions,
	type RunExplanation,
} from '../../useCases/runs/explainRun';
import { measureSinceEnd } from '../../useCases/runs/logs';

/** By then, nearly all lines have arrived, also in a page that is a minute old, in milliseconds. */
const COMPLETE_MS = 120_000;

/** How many characters are kept; the oldest go. Tests lower it. */
export const ENDED_RUN_LIMITS = { length: 8_000_000 };

/** JSON, by account, run and options: nodes may change the items that they get. */
const explanations = new Map<string, string>();

let keptLength = 0;

/** As `explainRun`. What is not complete yet, or could not be read, is not kept. */
export async function explainEndedRun(
	client: Client,
	run: JobRun,
	options: ExplainOptions,
): Promise<RunExplanation> {
	const isLogRead = options.lines > 0 || options.includeOutput;
	if (!isLogRead || measureSinceEnd(client, run) < COMPLETE_MS) {
		return await explainRun(client, run, options);
	}
	const key = JSON.stringify([client.account, run.id, options]);
	const known = explanations.get(key);
	if (known !== undefined) return JSON.parse(known) as RunExplanation;
	const explanation = await explainRun(client, run, options);
	if (explanation.logProblem === undefined) storeText(key, JSON.stringify(explanation));
	return explanation;
}

function storeText(key: string, text: string): void {
	remove(key);
	explanations.set(key, text);
	keptLength += key.length + text.length;
	for (const oldest of explanations.keys()) {
		if (keptLength <= ENDED_RUN_LIMITS.length) break;
		remove(oldest);
	}
}

function remove(key: string): void {
	const text = explanations.get(key);
	if (text !== undefined) keptLength -= key.length + text.length;
	explanations.delete(key);
}

/** Forgets everything, as a restart of n8n does. */
export function forgetEndedRuns(): void {
	explanations.clear();
	keptLength = 0;
}

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

/** By then, all lines of a run that has ended have arrived, in milliseconds. */
const COMPLETE_MS = 60_000;

/** How many characters are kept; the oldest go. Tests lower it. */
export const ENDED_RUN_LIMITS = { length: 8_000_000 };

/** By account, run and options. */
const explanations = new Map<string, { explanation: RunExplanation; length: number }>();

/** As `explainRun`. What is not complete yet, or could not be read, is not kept. */
export async function explainEndedRun(
	client: Client,
	run: JobRun,
	options: ExplainOptions,
): Promise<RunExplanation> {
	const key = JSON.stringify([client.account, run.id, options]);
	const known = explanations.get(key);
	if (known) return known.explanation;
	const isComplete = measureSinceEnd(client, run) >= COMPLETE_MS;
	const explanation = await explainRun(client, run, options);
	if (!isComplete || explanation.logProblem !== undefined) return explanation;
	explanations.set(key, { explanation, length: JSON.stringify(explanation).length });
	let left = [...explanations.values()].reduce((sum, { length }) => sum + length, 0);
	for (const [oldest, { length }] of explanations) {
		if (left <= ENDED_RUN_LIMITS.length) break;
		explanations.delete(oldest);
		left -= length;
	}
	return explanation;
}

/** Forgets everything, as a restart of n8n does. */
export function forgetEndedRuns(): void {
	explanations.clear();
}

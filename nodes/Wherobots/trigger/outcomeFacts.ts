import type { IDataObject } from 'n8n-workflow';

import { noCost } from '../service/jobRuns/costs';
import { isTerminal, outcomeOf } from '../service/jobRuns/runs';
import type { Run } from '../service/types';
import type { Client } from '../transport/client';
import { inParallel } from '../transport/inParallel';
import { readLog } from '../transport/jobRuns/logReading';
import { costFields } from '../transport/jobRuns/runCosts';
import { toResult } from '../transport/toResult';
import type { Budget } from './core/source';
import type { RunSettings } from './settings';

const LOGS_AT_ONCE = 10;

/** Lines arrive with a delay; a poll cannot wait the full minute that would be safe. */
const QUIET_MS = 5_000;

const noTimeTo = (what: string) => `There was no time left in this poll to ${what}`;

/**
 * What is added to the items of the runs among these that have ended: costs, with one request per
 * hundred, and the last log lines of those that failed or timed out. Whatever cannot be read never
 * holds back an item; `costProblem` or `logProblem` says why.
 */
export async function readOutcomeFacts(
	client: Client,
	runs: readonly Run[],
	{ includeCost, logLines }: Pick<RunSettings, 'includeCost' | 'logLines'>,
	budget: Budget,
): Promise<Map<Run, IDataObject>> {
	const ended = runs.filter(({ status }) => isTerminal(status));
	const facts = includeCost ? await readCosts(client, ended, budget) : new Map<Run, IDataObject>();
	const failed = logLines > 0 ? ended.filter(isFailure) : [];
	await inParallel(failed.length, LOGS_AT_ONCE, async (index) => {
		const run = failed[index];
		const lines = await readLastLines(client, run, logLines, budget);
		facts.set(run, { ...lines, ...facts.get(run) });
	});
	return facts;
}

async function readCosts(client: Client, runs: Run[], budget: Budget) {
	const without = (problem: string) => new Map(runs.map((run) => [run, noCost(problem)]));
	if (budget.spent()) return without(noTimeTo('get the cost'));
	const read = await toResult(costFields(client, runs));
	return read.ok ? read.value : without((read.error as Error).message);
}

async function readLastLines(client: Client, run: Run, count: number, budget: Budget) {
	const without = (logProblem: string) => ({ logLines: [], logProblem });
	if (budget.spent()) return without(noTimeTo('read the log'));
	const selection = { which: 'last' as const, count };
	const read = await toResult(readLog(client, run.id, { selection, quietMs: QUIET_MS }));
	if (!read.ok) return without((read.error as Error).message);
	return { logLines: read.value.lines.map(({ raw }) => raw) };
}

function isFailure(run: Run): boolean {
	const outcome = outcomeOf(run);
	return outcome === 'FAILED' || outcome === 'TIMED_OUT';
}

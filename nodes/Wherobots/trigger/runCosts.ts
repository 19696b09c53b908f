import type { IDataObject } from 'n8n-workflow';

import { noCost } from '../service/jobRuns/costs';
import { isTerminal } from '../service/jobRuns/runs';
import type { Run } from '../service/types';
import type { Client } from '../transport/client';
import { costFields } from '../transport/jobRuns/runCosts';
import { toResult } from '../transport/toResult';
import type { Budget } from './core/source';
import type { RunChange } from './core/runs/trackedRuns';

/**
 * The costs of the finished runs among these, as fields for their items, with one request per hundred.
 * An unreadable cost never holds back a change.
 */
export async function readFinishedCosts(
	client: Client,
	changes: readonly RunChange[],
	isWanted: boolean,
	budget: Budget,
): Promise<Map<Run, IDataObject>> {
	const finished = changes.map(({ run }) => run).filter(({ status }) => isTerminal(status));
	if (!isWanted) return new Map();
	const without = (problem: string) => new Map(finished.map((run) => [run, noCost(problem)]));
	if (budget.spent()) return without('There was no time left in this poll to get the cost');
	// Without retries, because the next poll has to begin on time.
	const read = await toResult(costFields(client, finished, 0));
	return read.ok ? read.value : without((read.error as Error).message);
}

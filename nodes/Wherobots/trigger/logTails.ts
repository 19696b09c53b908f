import { readLog } from '../transport/jobRuns/logReading';
import { outcomeOf } from '../service/jobRuns/runs';
import type { Run } from '../service/types';
import type { Client } from '../transport/client';
import { inParallel } from '../transport/inParallel';
import type { LogTail } from './items';
import type { Budget } from './core/source';
import { toResult } from '../transport/toResult';
import type { RunChange } from './core/runs/trackedRuns';

const LOGS_AT_ONCE = 10;

/** Lines arrive with a delay; a poll cannot wait the full minute that would be safe. */
const QUIET_MS = 5_000;

/** The last log lines of the runs that failed or timed out. An unreadable log never holds back a change. */
export async function readLogTails(
	client: Client,
	changes: readonly RunChange[],
	count: number,
	budget: Budget,
): Promise<Map<Run, LogTail>> {
	const tails = new Map<Run, LogTail>();
	const failed = changes.filter(({ run }) => isFailure(run));
	if (count === 0) return tails;
	await inParallel(failed.length, LOGS_AT_ONCE, async (index) => {
		const { run } = failed[index];
		if (budget.spent()) {
			tails.set(run, { problem: 'This poll had no time left to read the log' });
			return;
		}
		const selection = { which: 'last' as const, count };
		const read = await toResult(readLog(client, run.id, { selection, quietMs: QUIET_MS }));
		tails.set(
			run,
			read.ok ? { lines: read.value.lines } : { problem: (read.error as Error).message },
		);
	});
	return tails;
}

function isFailure(run: Run): boolean {
	const outcome = outcomeOf(run);
	return outcome === 'FAILED' || outcome === 'TIMED_OUT';
}

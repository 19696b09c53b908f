/** What the events about runs have in common. */
import type { IDataObject } from 'n8n-workflow';

import { filtersOf, runNameFilter, runRegionFilter } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import { simplifyRun } from '../../service/jobRuns/runs';
import { parseServiceTime } from '../../service/time/time';
import type { Run } from '../../service/types';
import type { DurationLimits } from '../core/runs/runDurations';
import { pollRuns, type RunPollResult } from '../core/runs/runPoll';
import type { RunChange } from '../core/runs/trackedRuns';
import type { Budget, RunSource } from '../core/source';
import { newRunState } from '../core/state';
import type { PollStart } from './event';

/** The choice for all final statuses. */
export const FINISHED = 'finished';

/** Whether one of these statuses of a run was chosen; choosing none means all of them. */
export function isChosen(chosen: string[], statuses: string[], isOver: boolean): boolean {
	if (chosen.length === 0 || (isOver && chosen.includes(FINISHED))) return true;
	return statuses.some((status) => chosen.includes(status));
}

export const jobRunFilters = filtersOf(runNameFilter, runRegionFilter);

/** What job runs are filtered by on the service's side. */
export function readJobRunFilter(input: Input): Record<string, string | undefined> {
	const filters = input.within(jobRunFilters);
	return {
		region: filters.optionalText(runRegionFilter),
		name: filters.optionalText(runNameFilter),
	};
}

/** The fields of a job run, with its name first. */
export function recordOf(run: Run, simplify: boolean, now: number): IDataObject {
	return { name: run.name, ...(simplify ? simplifyRun(run, now) : run) };
}

/** A poll of runs from where the last one ended. */
export async function pollRunsFrom<R>(
	{ scope, state, since }: PollStart,
	source: RunSource<R>,
	budget: Budget,
	limits?: DurationLimits,
): Promise<RunPollResult<R>> {
	const stored = state?.kind === 'runs' ? state : undefined;
	const known = since === undefined ? stored : newRunState(scope, since, []);
	return await pollRuns(known, scope, source, budget, limits);
}

/** Changes in order of the service's times. */
export function inTimeOrder<R>(
	changes: ReadonlyArray<RunChange<R>>,
	timeOf: (run: R) => string | null | undefined,
): Array<RunChange<R>> {
	const at = ({ run }: RunChange<R>) => parseServiceTime(timeOf(run)) ?? 0;
	const timed = changes.map((change) => ({ change, at: at(change) }));
	return timed.sort((a, b) => a.at - b.at).map(({ change }) => change);
}

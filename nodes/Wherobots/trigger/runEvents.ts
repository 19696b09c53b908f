import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { taskFilter } from '../form/address';
import {
	defineFilters,
	includeCostField,
	defineOptions,
	runNameFilter,
	runRegionFilter,
	runSourceFilter,
	simplifyField,
	stateOptions,
	statusOptions,
} from '../form/fields';
import type { Input } from '../form/input';
import { toItem } from '../form/output';
import { isTerminal, getShownStatus, simplifyRun } from '../service/jobRuns';
import { isOver, simplifyTaskRun, type TaskRun } from '../service/taskRuns';
import { parseServiceTime } from '../service/time';
import type { Run } from '../service/records';
import type { Client } from '../transport/client';
import { runInParallel } from '../transport/clock';
import { explainRun, toExplanationFields } from '../procedures/runs/explainRun';
import { fetchCostFields } from '../procedures/runs/costs';
import { toEventId, createRunState } from './core/cursor';
import { pollRuns, type RunPollResult } from './core/runPoll';
import type { RunChange } from './core/runs';
import type { Budget, RunSource } from './core/source';
import type { PollStart, TriggerEvent } from './event';
import { createJobRunSource, createTaskRunSource } from './sources';

/** The choice for all final statuses. */
const FINISHED = 'finished';

const LOGS_AT_ONCE = 10;

/** Lines arrive with a delay; a poll cannot wait the full minute that would be safe. */
const QUIET_MS = 5_000;

/** Maximum length of an excerpt, in characters. */
const MAX_EXCERPT = 100_000;

const statusesField: INodeProperties = {
	displayName: 'Statuses',
	name: 'statuses',
	type: 'multiOptions',
	options: [
		{
			name: 'Finished (Any Outcome)',
			value: FINISHED,
			description: 'Completed, failed, cancelled or timed out',
		},
		...statusOptions,
	],
	default: [FINISHED],
	description: 'Statuses that start the workflow when a job run reaches them',
	hint: 'Select none to start on every status change',
};

const logLinesField: INodeProperties = {
	displayName: 'Log Lines of Failed Runs',
	name: 'logLines',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1000 },
	default: 20,
	description:
		'How many of the last lines of the program to include when the log does not say why a run failed. Enter 0 to not read logs.',
};

const optionsField = defineOptions(includeCostField, logLinesField);

export const jobRunFilters = defineFilters(runNameFilter, runRegionFilter);

export const runStatusChanged: TriggerEvent = {
	name: 'Job Run Status Changed',
	description: 'Starts the workflow when a job run changes status',
	record: 'job run',
	fields: [statusesField, simplifyField, jobRunFilters, optionsField],
	read(input) {
		const options = input.within(optionsField);
		const filter = readJobRunFilter(input);
		const statuses = input.list(statusesField);
		const simplify = input.flag(simplifyField);
		const includeCost = options.flag(includeCostField);
		const logLines = options.integer(logLinesField);
		return {
			scope: filter,
			async poll(client, start, budget) {
				const source = createJobRunSource(client, filter);
				const { changes, state, notes } = await pollRunsFrom(start, source, budget);
				const wanted = changes.filter(({ run }) => isWanted(run, statuses));
				const newest = sortByTime(wanted, getChangeTime).slice(-start.limit);
				const ended = newest.map(({ run }) => run).filter(({ status }) => isTerminal(status));
				const costs = includeCost ? await fetchCostFields(client, ended) : undefined;
				const failed = ended.filter(({ status }) => ['FAILED', 'TIMED_OUT'].includes(status));
				const causes = await explainRuns(client, failed, logLines);
				const items = newest.map(({ run, previousStatus }) =>
					toItem({
						...toRecord(run, simplify, client.serviceNow()),
						previousStatus,
						changeTime: getChangeTime(run) ?? null,
						eventId: toChangeId(run),
						...causes.get(run),
						...costs?.get(run),
					}),
				);
				return { items, state, notes };
			},
		};
	},
};

const statesField: INodeProperties = {
	displayName: 'States',
	name: 'states',
	type: 'multiOptions',
	options: [
		{
			name: 'Finished (Any Outcome)',
			value: FINISHED,
			description: 'Any final state, including missed and skipped',
		},
		...stateOptions,
	],
	default: ['FAILED', 'MISSED', 'REJECTED', 'TIMED_OUT'],
	description: 'States that start the workflow when a task run reaches them',
	hint: 'Select none to start on every state change',
};

const taskRunFilters = defineFilters(runRegionFilter, runSourceFilter, taskFilter);

export const taskRunStateChanged: TriggerEvent = {
	name: 'Task Run State Changed',
	description:
		'Starts the workflow when a task run changes state, for example when a scheduled run fails or is missed',
	record: 'task run',
	fields: [statesField, simplifyField, taskRunFilters],
	read(input) {
		const filters = input.within(taskRunFilters);
		const filter = {
			taskName: filters.optionalText(taskFilter),
			runSource: filters.optionalText(runSourceFilter),
			region: filters.optionalText(runRegionFilter),
		};
		const states = input.list(statesField);
		const simplify = input.flag(simplifyField);
		return {
			scope: filter,
			async poll(client, start, budget) {
				const source = createTaskRunSource(client, filter);
				const { changes, state, notes } = await pollRunsFrom(start, source, budget);
				const wanted = changes.filter(({ run }) => isChosen(states, run.state, isOver(run)));
				const timeOf = (run: TaskRun) => run.endedAt ?? run.startedAt ?? run.submittedAt;
				const items = sortByTime(wanted, timeOf).map(({ run, previousStatus }) =>
					toItem({
						// A list does not have results.
						...(simplify ? simplifyTaskRun({ ...run, results: undefined }) : run),
						previousState: previousStatus,
						eventId: toEventId('taskRun', run.taskRunId, run.state),
					}),
				);
				return { items: items.slice(-start.limit), state, notes };
			},
		};
	},
};

/** Whether a run's current status starts the workflow. */
export function isWanted(run: Run, chosen: string[]): boolean {
	return isChosen(chosen, getShownStatus(run), isTerminal(run.status));
}

/** The public ID of a change, the same for every observation. */
function toChangeId(run: Run): string {
	return toEventId('run', run.id, getShownStatus(run));
}

/** The service's time of the current status. */
export function getChangeTime(run: Run): string | undefined {
	const time = isTerminal(run.status)
		? run.completeTime
		: run.status === 'RUNNING'
			? run.startTime
			: run.status === 'PENDING'
				? run.createTime
				: undefined;
	return time ?? run.updateTime ?? run.createTime;
}

/** Why runs failed, as far as the time of a poll allows. A log that cannot be read holds back no item. */
async function explainRuns(
	client: Client,
	runs: readonly Run[],
	lines: number,
): Promise<Map<Run, IDataObject>> {
	const causes = new Map<Run, IDataObject>();
	await runInParallel(runs.length, LOGS_AT_ONCE, async (index) => {
		const options = { lines, quietMs: QUIET_MS, maxLength: MAX_EXCERPT };
		const explanation = await explainRun(client, runs[index], options);
		causes.set(runs[index], toExplanationFields(explanation));
	});
	return causes;
}

/** What job runs are filtered by on the service's side. */
export function readJobRunFilter(input: Input): Record<string, string | undefined> {
	const filters = input.within(jobRunFilters);
	return {
		region: filters.optionalText(runRegionFilter),
		name: filters.optionalText(runNameFilter),
	};
}

/** The fields of a job run, with its name first. */
export function toRecord(run: Run, simplify: boolean, now: number): IDataObject {
	return { name: run.name, ...(simplify ? simplifyRun(run, now) : run) };
}

/** A poll of runs from where the last one ended. */
export async function pollRunsFrom<R>(
	{ scope, state, since }: PollStart,
	source: RunSource<R>,
	budget: Budget,
	keepsShown = false,
): Promise<RunPollResult<R>> {
	const stored = state?.kind === 'runs' ? state : undefined;
	const known = since === undefined ? stored : createRunState(scope, since);
	return await pollRuns(known, scope, source, budget, keepsShown);
}

/** Whether the status of a run was chosen; choosing none means all of them. */
function isChosen(chosen: string[], status: string, isFinished: boolean): boolean {
	if (chosen.length === 0 || (isFinished && chosen.includes(FINISHED))) return true;
	return chosen.includes(status);
}

/** Changes in order of the service's times. */
export function sortByTime<R>(
	changes: ReadonlyArray<RunChange<R>>,
	timeOf: (run: R) => string | null | undefined,
): Array<RunChange<R>> {
	const at = ({ run }: RunChange<R>) => parseServiceTime(timeOf(run)) ?? 0;
	const timed = changes.map((change) => ({ change, at: at(change) }));
	return timed.sort((a, b) => a.at - b.at).map(({ change }) => change);
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { taskFilter } from '../../form/address';
import {
	defineFilters,
	includeCostField,
	includeOutputField,
	logLinesField,
	defineOptions,
	runNameFilter,
	runRegionFilter,
	runSourceFilter,
	simplifyField,
	stateOptions,
	statusOptions,
} from '../../form/fields';
import type { Input } from '../../form/input';
import { toItem } from '../../form/output';
import { jobRuns, type JobRun } from '../../service/records/jobRun';
import type { RunKind, RunRecord } from '../../service/records/kind';
import { TaskRun, taskRuns } from '../../service/records/taskRun';
import type { Client } from '../../transport/client';
import { runInParallel, READS_AT_ONCE } from '../../transport/concurrency';
import { hasStatus, settle } from '../../transport/failure';
import { fetchPage, fetchRecord } from '../../transport/records';
import { toExplanationFields } from '../../useCases/runs/explainRun';
import { fetchCostFields } from '../../useCases/runs/costs';
import { type Budget, type RunState, toEventId } from '../core/cursor';
import { pollRuns, type RunPollResult, type RunSource } from '../core/runPoll';
import type { RunChange } from '../core/runs';
import { createTimeSource, type PollStart, type TriggerEvent } from '../event';
import { explainEndedRun } from './endedRuns';

/** The choice for all final statuses. */
const FINISHED = 'finished';

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

const optionsField = defineOptions(includeCostField, includeOutputField, logLinesField);

const jobRunFilters = defineFilters(runNameFilter, runRegionFilter);

export const runStatusChanged: TriggerEvent = {
	name: 'Job Run Status Changed',
	description: 'Starts the workflow when a job run changes status',
	record: jobRuns.noun,
	fields: [statusesField, simplifyField, jobRunFilters, optionsField],
	read(input) {
		const options = input.within(optionsField);
		const filter = readFilter(input, jobRunFilters);
		const statuses = input.list(statusesField);
		const simplify = input.flag(simplifyField);
		const includeCost = options.flag(includeCostField);
		const includeOutput = options.flag(includeOutputField);
		const lines = options.integer(logLinesField);
		return {
			scope: filter,
			async poll(client, start, budget) {
				const source = createRunSource(client, jobRuns, filter);
				const { changes, state, notes } = await pollRunsFrom(start, source, budget);
				const wanted = changes.filter(({ run }) => isWanted(run, statuses));
				const newest = sortByTime(wanted).slice(-start.limit);
				const ended = newest.map(({ run }) => run).filter(({ isOver }) => isOver);
				const costs = includeCost ? await fetchCostFields(client, ended) : undefined;
				const found = await readLogs(client, ended, lines, includeOutput);
				for (const [{ name }, { outputProblem: problem }] of found) {
					if (problem) notes.push(`output of job run "${name}": ${String(problem)}`);
				}
				const items = newest.map(({ run, previousStatus }) =>
					toItem({
						...toRecord(run, simplify, client.serviceNow()),
						previousStatus,
						changeTime: run.changeTime ?? null,
						eventId: toEventId(watchedJobRuns.subject, run.id, run.shownStatus),
						...found.get(run),
						...costs?.get(run),
					}),
				);
				return { items, state, notes, others: listStatuses(changes) };
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
	record: taskRuns.noun,
	fields: [statesField, simplifyField, taskRunFilters],
	read(input) {
		const filter = readFilter(input, taskRunFilters);
		const states = input.list(statesField);
		const simplify = input.flag(simplifyField);
		return {
			scope: filter,
			async poll(client, start, budget) {
				const source = createRunSource(client, taskRuns, filter);
				const { changes, state, notes } = await pollRunsFrom(start, source, budget);
				const wanted = changes.filter(({ run }) => isWanted(run, states));
				const items = sortByTime(wanted).map(({ run, previousStatus }) =>
					toItem({
						...toTaskRecord(run, simplify),
						previousState: previousStatus,
						eventId: toEventId(watchedTaskRuns.subject, run.id, run.status),
					}),
				);
				return { items: items.slice(-start.limit), state, notes, others: listStatuses(changes) };
			},
		};
	},
};

const listStatuses = (changes: ReadonlyArray<RunChange<RunRecord>>): string[] =>
	[...new Set(changes.map(({ run }) => run.shownStatus))].sort();

/** Whether a run's current status starts the workflow. */
function isWanted({ isOver, shownStatus }: RunRecord, chosen: string[]): boolean {
	// Choosing none means all of them.
	if (chosen.length === 0 || (isOver && chosen.includes(FINISHED))) return true;
	return chosen.includes(shownStatus);
}

/** What logs say of runs, as far as the time of a poll allows. One that cannot be read holds back no item. */
async function readLogs(
	client: Client,
	ended: readonly JobRun[],
	lines: number,
	includeOutput: boolean,
): Promise<Map<JobRun, IDataObject>> {
	const isFailed = ({ status }: JobRun) => ['FAILED', 'TIMED_OUT'].includes(status);
	const runs = [...ended].sort((a, b) => Number(isFailed(b)) - Number(isFailed(a)));
	const found = new Map<JobRun, IDataObject>();
	await runInParallel(runs.length, READS_AT_ONCE, async (index) => {
		const run = runs[index];
		const shown = isFailed(run) ? lines : 0;
		const options = { lines: shown, quietMs: QUIET_MS, maxLength: MAX_EXCERPT, includeOutput };
		const explanation = await explainEndedRun(client, run, options);
		found.set(run, isFailed(run) ? toExplanationFields(explanation) : { ...explanation.output });
	});
	return found;
}

/** What runs are filtered by on the service's side. The fields have the names of its query. */
export function readFilter(
	input: Input,
	filters: INodeProperties,
): Record<string, string | undefined> {
	const chosen = input.within(filters);
	const fields = filters.options as INodeProperties[];
	return Object.fromEntries(fields.map((field) => [field.name, chosen.optionalText(field)]));
}

/** The fields of a task run. A list does not have results. */
function toTaskRecord({ raw }: TaskRun, simplify: boolean): IDataObject {
	return simplify ? new TaskRun({ ...raw, results: undefined }).simplify() : raw;
}

/** The fields of a job run, with its name first. */
function toRecord(run: JobRun, simplify: boolean, now: number): IDataObject {
	return { name: run.name, ...(simplify ? run.simplify(now) : run.raw) };
}

/** A kind of run that events watch. */
export interface WatchedRuns<R extends RunRecord> {
	kind: RunKind<R>;
	/** What the IDs of its events begin with. */
	subject: string;
	filters: INodeProperties;
	toRecord(run: R, simplify: boolean, now: number): IDataObject;
}

export const watchedJobRuns: WatchedRuns<JobRun> = {
	kind: jobRuns,
	subject: 'run',
	filters: jobRunFilters,
	toRecord,
};

export const watchedTaskRuns: WatchedRuns<TaskRun> = {
	kind: taskRuns,
	subject: 'taskRun',
	filters: taskRunFilters,
	toRecord: toTaskRecord,
};

/** Runs of the service (interface, "Job runs"; vendor's pages on task runs). */
export function createRunSource<R extends RunRecord>(
	client: Client,
	kind: RunKind<R>,
	filter: IDataObject,
): RunSource<R> {
	return {
		kind,
		...createTimeSource(client),
		isCrowded: () => client.isCrowded,
		async runs(asked, cursor) {
			const which =
				'statuses' in asked
					? { [kind.statusName]: [...asked.statuses] }
					: kind.createdFrom(asked.createdFrom);
			return await fetchPage(client, kind, { query: { ...filter, ...which }, cursor });
		},
		async run(id) {
			const path = { [kind.idInPath]: id };
			const found = await settle(fetchRecord(client, kind.get, { path }));
			if (found.ok) return kind.of(found.value);
			if (hasStatus(found.error, 404)) return undefined;
			throw found.error;
		},
	};
}

/** A poll of runs from where the last one ended. */
export async function pollRunsFrom<R extends RunRecord>(
	{ scope, state, since }: PollStart,
	source: RunSource<R>,
	budget: Budget,
	keepsShown = false,
): Promise<RunPollResult<R>> {
	const stored = state as RunState | undefined;
	const known = since === undefined ? stored : { scope, watermark: since, runs: [] };
	return await pollRuns(known, scope, source, budget, keepsShown);
}

/** Changes in order of the service's times. */
export function sortByTime<R extends RunRecord>(
	changes: ReadonlyArray<RunChange<R>>,
): Array<RunChange<R>> {
	const timed = changes.map((change) => ({ change, at: change.run.changed ?? 0 }));
	return timed.sort((a, b) => a.at - b.at).map(({ change }) => change);
}

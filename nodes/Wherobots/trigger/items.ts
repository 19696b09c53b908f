import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { item, items } from '../parameters/items';
import type { Cost } from '../service/jobRuns/costs';
import { outcomeOf, simplifyRun } from '../service/jobRuns/runs';
import { formatTime } from '../service/time/time';
import { isOver, simplifyTaskRun, type TaskRun } from '../service/taskRuns';
import type { Run } from '../service/types';
import type { NewAuditEvent } from './core/audit/events';
import { eventId } from './core/ids';
import { MINUTE } from './core/watermark';
import type { ExceededDuration } from './core/runs/runDurations';
import type { RunChange } from './core/runs/trackedRuns';

/** Changes in the order of the service's times. */
export function inTimeOrder<R>(
	changes: ReadonlyArray<RunChange<R>>,
	timeOf: (run: R) => string | null | undefined,
): Array<RunChange<R>> {
	const keyed = changes.map((change) => ({ change, at: Date.parse(timeOf(change.run) ?? '') }));
	keyed.sort((a, b) => (a.at || 0) - (b.at || 0));
	return keyed.map(({ change }) => change);
}

/**
 * The item of a change.
 *
 * @param now milliseconds since the epoch, for the duration of an active run
 */
export function changeItem(
	{ run, previousStatus }: RunChange<Run>,
	simplify: boolean,
	now: number,
): INodeExecutionData {
	return item({
		...recordOf(run, simplify, now),
		previousStatus,
		changeTime: changeTime(run) ?? null,
		eventId: changeId(run),
	});
}

/** The public ID of a change, the same for every observation. */
export function changeId(run: Run): string {
	return eventId('run', run.id, run.status);
}

/** The item of a run that has been pending or running for too long. */
export function exceededItem(
	{ run, status, since, duration, limit }: ExceededDuration<Run>,
	simplify: boolean,
	now: number,
): INodeExecutionData {
	return item({
		...recordOf(run, simplify, now),
		exceededStatus: status,
		since: formatTime(since),
		minutes: Math.floor(duration / MINUTE),
		limitMinutes: limit / MINUTE,
		eventId: eventId('run', run.id, 'exceeded', status),
	});
}

/** The item of a run that has cost more than it may. */
export function costItem(
	run: Run,
	cost: Cost,
	limit: string,
	simplify: boolean,
	now: number,
): INodeExecutionData {
	return item({
		...recordOf(run, simplify, now),
		...cost,
		costLimit: limit,
		eventId: eventId('run', run.id, 'cost'),
	});
}

/** The item of a task run in another state, without results: a list does not have them. */
export function taskRunItem(
	{ run, previousStatus }: RunChange<TaskRun>,
	simplify: boolean,
): INodeExecutionData {
	return item({
		...(simplify ? simplifyTaskRun({ ...run, results: undefined }) : run),
		previousState: previousStatus,
		changeTime: stateTime(run) ?? null,
		eventId: eventId('taskRun', run.taskRunId, run.state),
	});
}

/** When a task run came into its state, if the service says so. */
export function stateTime(run: TaskRun): string | null | undefined {
	if (isOver(run)) return run.endedAt;
	if (run.state === 'RUNNING') return run.startedAt;
	return run.state === 'PENDING' ? run.submittedAt : undefined;
}

/** The fields of a run, with its name first. */
function recordOf(run: Run, simplify: boolean, now: number): IDataObject {
	return { name: run.name, ...(simplify ? simplifyRun(run, now) : run) };
}

/** The service's time of the current status. */
export function changeTime(run: Run): string | undefined {
	const time =
		outcomeOf(run) !== undefined
			? run.completeTime
			: run.status === 'RUNNING'
				? run.startTime
				: run.status === 'PENDING'
					? run.createTime
					: undefined;
	return time ?? run.updateTime ?? run.createTime;
}

/** One item per event, or one with all of them, in the order of their times. */
export function auditItems(
	events: readonly NewAuditEvent[],
	output: 'perEvent' | 'perPoll',
): INodeExecutionData[] {
	const records = [...events]
		.sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
		.map(({ id, event }): IDataObject => Object.assign({ eventId: id }, event, { eventId: id }));
	if (output === 'perEvent') return items(records);
	return records.length === 0 ? [] : [item({ count: records.length, events: records })];
}

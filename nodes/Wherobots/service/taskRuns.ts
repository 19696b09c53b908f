/** Source: the vendor's pages on tasks and task runs; docs/tasks.md lists what they do not say. */
import type { IDataObject } from 'n8n-workflow';

import { removeCodes } from './logLines';
import { isRecord, pick } from './records';
import { findFirstOther } from './rules';

/** A run of a task. Times are ISO 8601 strings; lists omit inputs and results. */
export interface TaskRun extends IDataObject {
	taskRunId: string;
	state: string;
	taskName?: string;
	submittedAt?: string;
	/** The label given to the run at its start. */
	name?: string | null;
	/** `scripttask`, whose runs never have results, or `uniontask`. */
	type?: string | null;
	startedAt?: string | null;
	/** Null for some runs that have ended. */
	endedAt?: string | null;
	results?: IDataObject | null;
	errorMessage?: string | null;
	inputs?: IDataObject | null;
}

/** States of a run that has not ended, in the order of its life cycle. */
export const ACTIVE_STATES = ['PENDING', 'SUBMITTED', 'RUNNING', 'CANCELLING'];

/** Final states. An unknown state is not one of them. */
export const FINAL_STATES = [
	...['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'CANCELLED'],
	...['REJECTED', 'MISSED', 'SKIPPED', 'UNKNOWN'],
];

/** Whether a run's state is final. One in an unknown state may still be active. */
export function isOver({ state }: TaskRun): boolean {
	return FINAL_STATES.includes(state);
}

/** A line of a log. `timestamp` is ISO 8601 with nanoseconds. */
export interface TaskLogLine extends IDataObject {
	timestamp?: string;
	level?: string;
	message?: string;
}

/** The name of a task, or the beginning of one before an asterisk (vendor's page "List task runs"). */
export function checkTaskNamePattern(value: string): string | undefined {
	if (value.length > 255) return `must be at most 255 characters long, not ${value.length}`;
	if (/^[A-Za-z0-9_.-]+\*?$/.test(value)) return undefined;
	const other = findFirstOther(value, /[A-Za-z0-9_.*-]/);
	return `may contain only letters, digits, underscores, hyphens, periods and one asterisk at the end${other ? `, not ${other}` : ''}`;
}

/** The service's explanation of a failure; empty when there is none. */
export const getErrorMessage = ({ errorMessage }: TaskRun): string =>
	removeCodes(typeof errorMessage === 'object' ? '' : String(errorMessage ?? ''));

const FIELDS = [
	...['taskRunId', 'name', 'taskName', 'state', 'runSource', 'submittedAt', 'endedAt'],
	...['durationSeconds', 'errorMessage'],
];

/**
 * The fields of a task run that people need. `state` lags behind by up to two minutes, and `results`
 * is null until they can be read; a list does not have them.
 */
export function simplifyTaskRun(run: TaskRun): IDataObject {
	return {
		...pick(run, FIELDS),
		...(run.errorMessage && { errorMessage: getErrorMessage(run) }),
		...(run.results === undefined ? {} : { results: run.results }),
	};
}

/**
 * Addresses of results that the service may delete: what RasterFlow writes to its default location, after
 * seven days (vendor's page on RasterFlow and storage integrations). Where that is, it does not say;
 * the input `bucket` chooses another location.
 */
export function listTemporaryResults({ inputs, results }: TaskRun): string[] {
	if (inputs?.bucket) return [];
	return Object.values(results ?? {})
		.flat()
		.filter((result) => typeof result === 'string' && result.startsWith('s3://')) as string[];
}

/** The two paths that the vendor's pages suggest. */
const RUN_PATH = /^\/tasks\/\{\w+\}\/runs?$/;

/**
 * The path to run a task at, with `{taskName}` or `{taskId}`, from a deployment's OpenAPI description;
 * undefined if it has none. One that is deprecated is only used where there is no other.
 */
export function findRunPath({ paths }: IDataObject): string | undefined {
	const found = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
		RUN_PATH.test(path) && isRecord(methods) && isRecord(methods.post)
			? [{ path, isDeprecated: methods.post.deprecated === true }]
			: [],
	);
	const { path } = found.find(({ isDeprecated }) => !isDeprecated) ?? found[0] ?? {};
	return path?.replace(/\{(\w+)\}/, (_, name) =>
		/^(task_?)?id$/i.test(name as string) ? '{taskId}' : '{taskName}',
	);
}

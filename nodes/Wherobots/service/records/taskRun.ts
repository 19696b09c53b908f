/** Source: the vendor's pages on tasks and task runs; docs/tasks.md lists what they do not say. */
import type { IDataObject } from 'n8n-workflow';

import { removeCodes } from '../runs/logLines';
import { isRecord, toPlainText, pick, toExactText } from './index';
import { formatTime, MICROS_PER_SECOND, parseTime, type Micros } from '../time';
import { type RunKind, RunRecord } from './kind';

/** States of a run that has not ended, in the order of its life cycle. */
const ACTIVE_STATES = ['PENDING', 'SUBMITTED', 'RUNNING', 'CANCELLING'];

/** Final states. An unknown state is not one of them. */
const FINAL_STATES = [
	...['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'CANCELLED'],
	...['REJECTED', 'MISSED', 'SKIPPED', 'UNKNOWN'],
];

export const TASK_RUN_STATES = [...ACTIVE_STATES, ...FINAL_STATES];

const FIELDS = {
	id: 'taskRunId',
	statusName: 'state',
	times: ['submittedAt', 'startedAt', 'endedAt'],
	active: ACTIVE_STATES,
	terminal: FINAL_STATES,
} as const;

const SHOWN = [
	...['taskRunId', 'name', 'taskName', 'state', 'runSource', 'submittedAt', 'endedAt'],
	...['durationSeconds', 'errorMessage'],
];

/** A run of a task. Lists omit inputs and results. This file alone knows what the service calls its fields. */
export class TaskRun extends RunRecord {
	protected get fields() {
		return FIELDS;
	}

	/** The label given to it at its start, otherwise the name of its task. */
	get name(): string {
		return toExactText(this.raw.name) || toExactText(this.raw.taskName);
	}

	get taskName(): string {
		return toExactText(this.raw.taskName);
	}

	override get isCached(): boolean {
		return this.raw.cached === true;
	}

	get changed(): Micros | undefined {
		const { endedAt, startedAt, submittedAt } = this.raw;
		return parseTime(endedAt ?? startedAt ?? submittedAt);
	}

	/** Whether it has results that can be read, or never will: those of type `scripttask` have none. */
	get hasAllResults(): boolean {
		return this.raw.type === 'scripttask' || isRecord(this.raw.results);
	}

	/** The service's explanation of a failure; empty when there is none. */
	get message(): string {
		return removeCodes(toExactText(this.raw.errorMessage));
	}

	get facts(): IDataObject {
		return { taskRunId: this.id, taskName: this.taskName, state: this.status };
	}

	/**
	 * Addresses of results that the service may delete: what RasterFlow writes to its default location, after
	 * seven days (vendor's page on RasterFlow and storage integrations). Where that is, it does not say;
	 * the input `bucket` chooses another location.
	 */
	get temporaryResults(): string[] {
		const { inputs, results } = this.raw;
		if (isRecord(inputs) && inputs.bucket) return [];
		return Object.values(isRecord(results) ? results : {})
			.flat()
			.map(toPlainText)
			.filter((result) => result.startsWith('s3://'));
	}

	/**
	 * The fields that people need. `state` lags behind by up to two minutes, and `results` is null until
	 * they can be read; a list does not have them.
	 */
	simplify(): IDataObject {
		const { errorMessage, results } = this.raw;
		return {
			...pick(this.raw, SHOWN),
			taskRunId: this.id,
			...(errorMessage && { errorMessage: this.message }),
			...(results === undefined ? {} : { results }),
		};
	}
}

/** Runs of tasks: newest first, in pages by offset, which can only repeat runs when others are added. */
export const taskRuns: RunKind<TaskRun> = {
	...FIELDS,
	noun: 'task run',
	list: 'listTaskRuns',
	of: (raw) => new TaskRun(raw),
	get: 'getTaskRun',
	cancel: 'cancelTaskRun',
	idInPath: 'taskRunId',
	idLabel: 'Task run ID',
	completed: 'SUCCEEDED',
	toWork: ({ taskName }) => taskName,
	ofWork: (taskName) => ({ taskName }),
	// A run that a schedule missed is recorded some time later, and may have the time it was due.
	overlap: 3_600 * MICROS_PER_SECOND,
	createdFrom: (time) => ({ createdAfter: formatTime(time) }),
};

/** A line of a log. `timestamp` is ISO 8601 with nanoseconds. */
export interface TaskLogLine extends IDataObject {
	timestamp?: string;
	level?: string;
	message?: string;
}

/** The two paths that the vendor's pages suggest: with the name of a task, not with its ID. */
const RUN_PATH = /^\/tasks\/\{(?!(?:task_?)?id\})\w+\}\/runs?$/i;

/** The path to run a task at, from a deployment's OpenAPI description; undefined if it has none. */
export function findRunPath({ paths }: IDataObject): string | undefined {
	const [path] =
		Object.entries(paths ?? {}).find(
			([each, methods]) => RUN_PATH.test(each) && isRecord(methods) && isRecord(methods.post),
		) ?? [];
	return path?.replace(/\{\w+\}/, '{taskName}');
}

/** Tasks and their runs, according to the vendor's pages about them. */
import { recordTime } from '../time';
import type { StoreParts } from './records';

export interface TaskRecord {
	name: string;
	displayName: string;
	taskId: string;
	description: string | null;
	regions: string[];
	/** A JSON schema. */
	inputSchema: object;
}

export interface TaskRunRecord {
	/** Its results are those of an earlier run. */
	cached?: boolean;
	/** In dollars, once it is settled. */
	cost?: string;
	taskRunId: string;
	taskName: string;
	type: 'uniontask' | 'scripttask' | null;
	runSource: 'manual' | 'schedule' | 'rerun';
	name: string | null;
	region: string;
	submittedAt: number;
	inputs: object | null;
	/** What a successful run results in. */
	results: object | null;
	/** In order of time. */
	transitions: Array<{ state: string; at: number }>;
	cancelRequested?: boolean;
	log: TaskLogLine[];
	/** How often the run has been read since it succeeded. */
	reads: number;
}

interface TaskLogLine {
	/** With nanoseconds. */
	timestamp: string;
	level: string;
	message: string;
}

/** A run with a `state` is kept in it; one without runs its course. */
export type TaskRunDraft = Partial<Omit<TaskRunRecord, 'transitions' | 'reads' | 'log'>> & {
	state?: string;
};

const ACTIVE_STATES = ['PENDING', 'SUBMITTED', 'RUNNING', 'CANCELLING'];

export class TaskStore {
	readonly tasks = new Map<string, TaskRecord>();

	/** Newest first. */
	readonly runs: TaskRunRecord[] = [];

	constructor(private readonly parts: StoreParts) {}

	createTask(name: string, more: Partial<TaskRecord> = {}): TaskRecord {
		const task: TaskRecord = {
			name,
			displayName: name,
			taskId: this.parts.ids.next('task', 14),
			description: null,
			regions: ['aws-us-west-2'],
			inputSchema: { type: 'object', properties: {} },
			...more,
		};
		this.tasks.set(name, task);
		return task;
	}

	createRun({ state, ...draft }: TaskRunDraft = {}): TaskRunRecord {
		const submittedAt = draft.submittedAt ?? this.parts.clock.now();
		const { pendingMs, runningMs } = this.parts.timings;
		const runningAt = submittedAt + pendingMs;
		const run: TaskRunRecord = {
			taskRunId: this.parts.ids.next('taskRun', 14),
			taskName: 'predict_mosaic_geometries_recipe',
			type: 'uniontask',
			runSource: 'manual',
			name: null,
			region: 'aws-us-west-2',
			inputs: {},
			results: { o0: 's3://sandbox-bucket/predictions.parquet' },
			...draft,
			submittedAt,
			transitions: state
				? [{ state, at: -Infinity }]
				: [
						{ state: 'PENDING', at: submittedAt },
						{ state: 'RUNNING', at: runningAt },
						{ state: 'SUCCEEDED', at: runningAt + runningMs },
					],
			log: [],
			reads: 0,
		};
		const older = this.runs.findIndex((each) => each.submittedAt <= submittedAt);
		this.runs.splice(older < 0 ? this.runs.length : older, 0, run);
		return run;
	}

	/** Records that a scheduled run did not start when it was due. */
	missRun(dueAt: number, draft: TaskRunDraft = {}): TaskRunRecord {
		const submittedAt =
			this.parts.variants.taskMissedTime === 'due' ? dueAt : this.parts.clock.now();
		return this.createRun({ runSource: 'schedule', state: 'MISSED', ...draft, submittedAt });
	}

	get(id: string): TaskRunRecord | undefined {
		return this.runs.find(({ taskRunId }) => taskRunId === id);
	}

	/** Adds lines to a log, one nanosecond apart. */
	appendLog(run: TaskRunRecord, messages: string[]): void {
		const second = new Date(this.parts.clock.now()).toISOString().slice(0, 19);
		const lines = messages.map((message, index) => ({
			timestamp: `${second}.${String(run.log.length + index + 1).padStart(9, '0')}Z`,
			level: 'INFO',
			message,
		}));
		run.log.push(...lines);
	}

	/** What a run has cost: nothing while that is settling, and its price from then on. */
	costOf(run: TaskRunRecord): Record<string, unknown> {
		const endedAt = this.hasEnded(run) ? (run.transitions.at(-1)?.at ?? Infinity) : Infinity;
		const isSettling = endedAt + this.parts.timings.costSettlingMs > this.parts.clock.now();
		return {
			taskRunId: run.taskRunId,
			totalCostUsd: isSettling ? '0' : (run.cost ?? '1.234567890123456789'),
			units: isSettling ? 0 : 2.5,
			unitType: 'SPATIAL_UNIT_HOUR',
			isSettling,
		};
	}

	/** Puts a run into a state, now or at another time, and keeps it there. */
	move(run: TaskRunRecord, state: string, at = this.parts.clock.now()): void {
		run.transitions = [...run.transitions.filter((step) => step.at < at), { state, at }];
	}

	/** Accepts a cancellation, even repeatedly; false when the run had ended before the first. */
	cancel(run: TaskRunRecord): boolean {
		if (run.cancelRequested) return true;
		const state = this.trueState(run);
		if (!ACTIVE_STATES.includes(state)) return false;
		run.cancelRequested = true;
		if (state !== 'PENDING') this.move(run, 'CANCELLING');
		this.move(
			run,
			'CANCELLED',
			this.parts.clock.now() + (state === 'PENDING' ? 0 : this.parts.timings.cancelMs),
		);
		return true;
	}

	hasEnded(run: TaskRunRecord): boolean {
		return !ACTIVE_STATES.includes(this.trueState(run));
	}

	/** The state as the service shows it. */
	stateOf(run: TaskRunRecord): string {
		return this.trueState(run, this.parts.clock.now() - this.parts.variants.taskStateLagMs);
	}

	/** The fields of a run in a list. */
	summary(run: TaskRunRecord): Record<string, unknown> {
		const { taskRunId, taskName, type, runSource, name, region, transitions } = run;
		const state = this.stateOf(run);
		const startedAt = transitions.find((step) => step.state === 'RUNNING')?.at;
		const endedAt = ACTIVE_STATES.includes(state) ? undefined : transitions.at(-1)?.at;
		const timeOf = (at?: number) => (at !== undefined && at > 0 ? recordTime(at) : null);
		const showsEnd = state !== 'SUCCEEDED' || this.parts.variants.taskEndedAt === 'present';
		return {
			...{ taskRunId, taskName, type, runSource, name, region },
			taskId: this.tasks.get(run.taskName)?.taskId ?? null,
			state,
			submittedAt: recordTime(run.submittedAt),
			startedAt: timeOf(startedAt),
			endedAt: showsEnd ? timeOf(endedAt) : null,
			durationSeconds: null,
			cached: run.cached ?? false,
			errorMessage: state === 'FAILED' ? 'The model could not be loaded.' : null,
		};
	}

	/** A run as it is read by its ID. */
	detail(run: TaskRunRecord): Record<string, unknown> {
		const hasResults = this.stateOf(run) === 'SUCCEEDED' && run.type !== 'scripttask';
		if (hasResults) run.reads += 1;
		const isReadable = run.reads > this.parts.variants.taskReadsWithoutResults;
		return {
			...this.summary(run),
			inputs: run.inputs,
			results: hasResults && isReadable ? run.results : null,
		};
	}

	private trueState({ transitions }: TaskRunRecord, at = this.parts.clock.now()): string {
		return (transitions.filter((step) => step.at <= at).at(-1) ?? transitions[0]).state;
	}
}

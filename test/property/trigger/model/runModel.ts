import { JobRun, jobRuns } from '../../../../nodes/Wherobots/service/records/jobRun';
import type { RunKind, RunRecord } from '../../../../nodes/Wherobots/service/records/kind';
import { TaskRun, taskRuns } from '../../../../nodes/Wherobots/service/records/taskRun';
import type { RunSource } from '../../../../nodes/Wherobots/trigger/core/runPoll';
import type { Calls } from './calls';
import { pageOf, type ListStyle } from './pages';
import { SECOND, ServiceClock, type ClockStep, type ServiceHabits } from './serviceClock';

export interface ModelRun {
	key: string;
	/** Creation time in microseconds. */
	time: number;
	createTime: string;
	/** Its current status, then all of its statuses with their times. */
	status: string;
	statuses: Array<[since: number, status: string]>;
	/** The run appears when the service has written up to this time. */
	appearAt: number;
}

export interface RunHabits extends ServiceHabits {
	/** Lists are in order of update instead of creation. */
	byUpdate: boolean;
	/** Lists contain every run, whenever it was created. */
	ignoresCreatedAfter: boolean;
}

/** What the runs of a model are called, and how their records look. */
export interface ModelKind<R extends RunRecord> {
	kind: RunKind<R>;
	/** The statuses in which active runs end; runs that ended long ago have the first. */
	ends: string[];
	show(run: ModelRun, status: string): R;
}

export const JOB_RUNS: ModelKind<JobRun> = {
	kind: jobRuns,
	ends: ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'],
	show: ({ key, createTime }, status) => {
		// Longer than any history, because a run in an unknown status is not tracked for ever.
		const payload = { timeoutSeconds: 365 * 86_400 };
		const kubeApp = { id: `app-${key}` };
		return new JobRun({ id: key, name: key, status, createTime, payload, kubeApp });
	},
};

/** Needs no timeout: a task run in an unknown state is tracked for longer than any history lasts. */
export const TASK_RUNS: ModelKind<TaskRun> = {
	kind: taskRuns,
	ends: ['SUCCEEDED', 'FAILED', 'CANCELLED', 'UNKNOWN'],
	show: ({ key, createTime }, state) =>
		new TaskRun({ taskRunId: key, state, submittedAt: createTime }),
};

/** How often existing runs are not found when read; a run that is not found for longer is given up. */
const MAX_FLAPS = 4;

/** Runs as the service knows them. */
export class RunModel<R extends RunRecord = JobRun> extends ServiceClock {
	readonly runs: ModelRun[] = [];

	private count = 0;

	private flaps = 0;

	constructor(
		readonly style: ListStyle,
		readonly habit: RunHabits,
		readonly words: ModelKind<R>,
	) {
		super(habit);
	}

	/** Lists do not stand still while replicas disagree, since the replicas would then disagree for ever. */
	override apply(step: ClockStep): void {
		if (this.habit.replicaLagSeconds === 0) super.apply(step);
	}

	create(lateness = 0, inFuture = 0, status = 'PENDING'): ModelRun {
		return this.add(this.now + inFuture, this.now, this.now + lateness, status);
	}

	hasEnded({ status }: Pick<ModelRun, 'status'>): boolean {
		return this.words.kind.terminal.includes(status);
	}

	private add(time: number, since: number, appearAt: number, status: string): ModelRun {
		const run: ModelRun = {
			key: `run-${this.count++}`,
			time,
			createTime: isoMicros(time),
			status,
			statuses: [[since, status]],
			appearAt,
		};
		this.runs.push(run);
		return run;
	}

	/** Moves one of the runs that have not ended to another status. */
	move(pick: number, unusual: boolean): void {
		const open = this.runs.filter((run) => !this.hasEnded(run));
		const run = open[pick % Math.max(1, open.length)];
		if (!run) return;
		const { ends } = this.words;
		if (unusual && run.status !== 'SUSPENDED') run.status = 'SUSPENDED';
		else if (run.status === 'PENDING' && pick % 3 > 0) run.status = 'RUNNING';
		else run.status = ends[pick % ends.length];
		run.statuses.push([this.now, run.status]);
	}

	/** The service as a poll sees it. */
	source(calls: Calls): RunSource<R> {
		const { kind, show } = this.words;
		const seen = (written: number) =>
			this.runs
				.filter(({ appearAt }) => appearAt <= written)
				.map((run) => {
					const [updated, status] =
						[...run.statuses].reverse().find(([since]) => since <= written) ?? run.statuses[0];
					return { run, key: run.key, status, time: this.habit.byUpdate ? updated : run.time };
				});
		return {
			kind,
			...this.sourceOfTime(calls),
			isCrowded: () => calls.isCrowded,
			runs: async (query, cursor) => {
				const page = await calls.list(cursor, (real) => {
					const matching = seen(this.next()).filter(({ run, status }) =>
						'statuses' in query
							? query.statuses.includes(status)
							: this.habit.ignoresCreatedAfter ||
								run.time > Math.floor(query.createdFrom / SECOND) * SECOND,
					);
					return pageOf(matching, this.style, real);
				});
				return { ...page, items: page.items.map(({ run, status }) => show(run, status)) };
			},
			run: async (id) => {
				await calls.next();
				if (calls.isMissing && this.flaps < MAX_FLAPS) {
					this.flaps += 1;
					return undefined;
				}
				const run = seen(this.next()).find(({ key }) => key === id);
				return run && show(run.run, run.status);
			},
		};
	}
}

/** ISO 8601 with microseconds. */
export function isoMicros(time: number): string {
	const millis = new Date(Math.floor(time / 1000)).toISOString().slice(0, -1);
	return `${millis}${String(time % 1000).padStart(3, '0')}Z`;
}

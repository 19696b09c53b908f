import * as fc from 'fast-check';

import { JobRun, jobRuns } from '../../../../nodes/Wherobots/service/records/jobRun';
import type { RunKind, RunRecord } from '../../../../nodes/Wherobots/service/records/kind';
import { TaskRun, taskRuns } from '../../../../nodes/Wherobots/service/records/taskRun';
import type { Budget, RunState } from '../../../../nodes/Wherobots/trigger/core/cursor';
import type * as RunPolling from '../../../../nodes/Wherobots/trigger/core/runPoll';
import type { RunSource } from '../../../../nodes/Wherobots/trigger/core/runPoll';
import type { Calls } from './calls';
import type { Polled } from './engine';
import { type ListStyle, pageOf } from './pages';
import {
	type ClockStep,
	SECOND,
	ServiceClock,
	type ServiceHabits,
	isoMicros,
} from './serviceClock';
import { type History, engine, habits, listStyle, rarely, step, stepsOf } from './steps';
import { Trial } from './trial';

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

interface RunHabits extends ServiceHabits {
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
class RunModel<R extends RunRecord = JobRun> extends ServiceClock {
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

	create(lateness: number, inFuture: number, status: string): void {
		const time = this.now + inFuture;
		this.runs.push({
			...{ key: `run-${this.count++}`, time, createTime: isoMicros(time) },
			...{ status, statuses: [[this.now, status]], appearAt: this.now + lateness },
		});
	}

	hasEnded({ status }: Pick<ModelRun, 'status'>): boolean {
		return this.words.kind.terminal.includes(status);
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

type RunStep =
	| { kind: 'create'; count: number; lateness: number; future: number; isMissed?: boolean }
	| { kind: 'move'; pick: number; unusual: boolean };

export interface RunHistory extends History<RunHabits, RunStep> {
	style: ListStyle;
}

/**
 * Histories of this many steps.
 *
 * @param latest how many seconds late a run may appear
 * @param misses whether some runs are MISSED from the start
 */
export function runHistories(
	length: number,
	{ latest = 200, misses = false } = {},
): fc.Arbitrary<RunHistory> {
	const change: fc.Arbitrary<RunStep> = fc.oneof(
		step(2, 'create', {
			count: rarely(4, 1, fc.integer({ min: 2, max: 9 })),
			lateness: rarely(2, 0, fc.integer({ min: 1, max: latest })),
			future: rarely(12, 0, fc.integer({ min: 1, max: 900 })),
			isMissed: misses ? rarely(3, false, fc.constant(true)) : fc.constant(false),
		}),
		step(4, 'move', { pick: fc.nat(50), unusual: rarely(10, false, fc.constant(true)) }),
	);
	return fc.record({
		style: listStyle,
		engine,
		habits: fc
			.tuple(habits(90), fc.boolean(), rarely(6, false, fc.constant(true)))
			.map(([common, byUpdate, ignoresCreatedAfter]) => ({
				...common,
				byUpdate,
				ignoresCreatedAfter,
				replicaLagSeconds: common.tellsTime ? common.replicaLagSeconds : 0,
				// Left out, because docs/trigger.md promises nothing for them: first polls that are cut short
				// while n8n's clock is ahead.
				requestSeconds: common.tellsTime ? common.requestSeconds : 0,
			})),
		steps: stepsOf(length, change),
	});
}

/** Runs of any kind; job runs unless told otherwise. */
export class RunTrial<R extends RunRecord = JobRun> extends Trial<RunState, RunStep> {
	protected readonly runs: RunModel<R>;

	/** What the first poll has remembered: the statuses of each run. */
	private seenFirst = new Map<string, string[]>();

	private activeSince = Infinity;

	/** Whether the event reads all runs that the service has shown, not only the changed ones. */
	protected readonly keepsShown: boolean = false;

	constructor(
		private readonly core: Pick<typeof RunPolling, 'pollRuns'>,
		history: RunHistory,
		words = JOB_RUNS as unknown as ModelKind<R>,
	) {
		const model = new RunModel(history.style, { ...history.habits }, words);
		super(model, history.engine, history.steps);
		this.runs = model;
	}

	protected change(step: RunStep): void {
		if (step.kind === 'move') return this.runs.move(step.pick, step.unusual);
		for (let made = 0; made < step.count; made++) {
			const future = this.runs.datesAhead ? step.future : 0;
			const status = step.isMissed ? 'MISSED' : 'PENDING';
			this.runs.create(step.lateness * SECOND, future * SECOND, status);
		}
	}

	protected async poll(state: RunState | undefined, calls: Calls): Promise<Polled<RunState>> {
		const source = this.runs.source(calls);
		const budget = this.timeFor(calls);
		const result = await this.core.pollRuns(state, 'scope', source, budget, this.keepsShown);
		// docs/trigger.md promises nothing for lists in order of update that take several polls.
		this.mayMiss ||= this.runs.habit.byUpdate && result.state.resume !== undefined;
		return await this.eventsOf(result, state, { calls, source });
	}

	/** The part of a poll's time that the core has. */
	protected timeFor(calls: Calls): Budget {
		return calls;
	}

	/** The events for what the core has found, and the state to keep. */
	protected async eventsOf(
		{ state, notes, changes }: RunPolling.RunPollResult<R>,
		_from: RunState | undefined,
		{ source }: Polling<R>,
	): Promise<Polled<RunState>> {
		const { active } = source.kind;
		const events = changes.map(({ run, previousStatus }) => {
			const { id, status } = run;
			const hasGoneBack = active.indexOf(status) < active.indexOf(previousStatus ?? '');
			if (active.includes(status) && hasGoneBack) throw new Error(`${id} went back to ${status}`);
			return eventOf(id, status);
		});
		return await Promise.resolve({ state, notes, events });
	}

	protected override begun(state: RunState): void {
		this.activeSince = this.runs.now;
		this.seenFirst = statusesIn(state);
	}

	protected armed(state: RunState): void {
		this.activeSince = Math.min(this.activeSince, this.runs.now);
		// An ended run that is dated ahead may be forgotten before the first poll is finished.
		this.seenFirst = new Map([...this.seenFirst, ...statusesIn(state)]);
	}

	protected override reopened(state: RunState): void {
		this.seenFirst = statusesIn(state);
	}

	protected disarmed(): void {
		this.activeSince = Infinity;
		this.seenFirst = new Map();
	}

	protected missing(): Array<[string, string]> {
		const missing: Array<[string, string]> = [];
		for (const run of this.runs.runs) {
			const first = this.firstSeen(run);
			// Neither active at the first poll nor created since.
			if (first === undefined && run.time <= this.activeSince) continue;
			// Each status comes once, and the end comes last.
			if (first?.some((status) => this.runs.hasEnded({ status }))) continue;
			const id = this.eventDue(run, first);
			if (id !== undefined && !this.hasCome(id)) missing.push([run.key, id]);
		}
		return missing;
	}

	protected unknown(state: RunState): string[] {
		const known = new Set(state.runs.map(([id]) => id));
		const passed = this.runs.runs.filter(({ time }) => time < state.watermark);
		return passed.map(({ key }) => key).filter((key) => !known.has(key));
	}

	/** The event that must have come for a run, given the statuses that the first poll remembered. */
	protected eventDue({ key, status }: ModelRun, first: string[] | undefined): string | undefined {
		return first?.includes(status) ? undefined : eventOf(key, status);
	}

	/** What the first poll has remembered of a run. */
	private firstSeen({ key, statuses: [[created]] }: ModelRun): string[] | undefined {
		return created > this.activeSince ? undefined : this.seenFirst.get(key);
	}
}

/** What a poll works with. */
export interface Polling<R extends RunRecord> {
	calls: Calls;
	source: RunSource<R>;
}

const statusesIn = ({ runs }: RunState) =>
	new Map(runs.map(([id, , statuses]) => [id, statuses] as const));

const eventOf = (id: string, status: string) => `${id}/${status}`;

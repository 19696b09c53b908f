/** All job runs, in the orders in which they can be listed. */
import { bisector } from 'd3-array';

import type { Variants } from '../variants';
import { people, type Customer } from './people';
import { Records, type StoreParts } from './records';
import { plannedTransitions, type RunPlans } from './runPlans';
import { isTerminal, statusAt, type RunPayload, type RunPlan, type RunRecord } from './runTypes';

/** What a test says to create a run; everything has a default. */
export interface RunDraft {
	id?: string;
	name?: string;
	region?: string;
	runtime?: string;
	payload?: Partial<RunPayload>;
	/** In milliseconds or as ISO text. */
	createTime?: number | string;
	/** Keeps the run in this status until it is moved. Without it, the run follows its plan. */
	status?: string;
	plan?: Partial<RunPlan>;
	triggeredBy?: Customer;
}

/** Positions by creation time. */
const byCreation = bisector(({ createTime }: RunRecord) => createTime);

function ms(time: number | string): number {
	return typeof time === 'number' ? time : Date.parse(time);
}

export class RunStore extends Records<RunRecord> {
	/** By creation time, then sequence. */
	private readonly ascending: RunRecord[] = [];

	private sequence = 0;

	constructor(
		parts: StoreParts,
		private readonly plans: RunPlans,
	) {
		super(parts, 'Run');
	}

	get size(): number {
		return this.ascending.length;
	}

	/** In order of creation. */
	override all(): RunRecord[] {
		return [...this.ascending];
	}

	create(draft: RunDraft = {}): RunRecord {
		this.sequence += 1;
		const now = this.parts.clock.now();
		const createTime = draft.createTime === undefined ? now : ms(draft.createTime);
		const payload: RunPayload = {
			runtime: draft.runtime ?? 'tiny',
			name: draft.name ?? `sandbox-run-${this.sequence}`,
			version: 'latest',
			timeoutSeconds: 3600,
			...draft.payload,
			environment: draft.payload?.environment ?? { sparkConfigs: {}, dependencies: [] },
		};
		if (!payload.runPython && !payload.runJar) {
			payload.runPython = { uri: `s3://sandbox-bucket/jobs/${payload.name}.py`, args: [] };
		}
		const plan: RunPlan = { ...this.plans.for(payload), ...draft.plan };
		const run: RunRecord = {
			id: draft.id ?? this.parts.ids.next('run'),
			region: draft.region ?? 'aws-us-west-2',
			createTime,
			sequence: this.sequence,
			triggeredBy: draft.triggeredBy ?? people.admin,
			payload,
			plan,
			transitions:
				draft.status === undefined
					? plannedTransitions(createTime, plan, payload.timeoutSeconds)
					: [{ status: 'PENDING', at: createTime }],
			addedLines: [],
		};
		this.insert(run);
		if (draft.status !== undefined) this.hold(run, draft.status, createTime, plan);
		return run;
	}

	/** Puts a run into a status at a time (default: now) and keeps it there. */
	move(id: string, status: string, at: number = this.parts.clock.now()): RunRecord {
		const run = this.existing(id);
		run.transitions = run.transitions.filter((transition) => transition.at <= at);
		if (run.transitions.at(-1)?.status !== status) run.transitions.push({ status, at });
		run.serialised = undefined;
		return run;
	}

	/** Accepts a cancellation, which takes a while; false when the run has already ended. */
	cancel(run: RunRecord): boolean {
		const now = this.parts.clock.now();
		if (isTerminal(statusAt(run, now))) return false;
		if (run.cancelRequestedAt === undefined) {
			run.cancelRequestedAt = now;
			const at = now + this.parts.timings.cancelMs;
			// A run that ends by itself before then keeps its own end.
			if (!run.transitions.some((step) => isTerminal(step.status) && step.at <= at)) {
				this.move(run.id, 'CANCELLED', at);
			}
		}
		return true;
	}

	/** Adds log lines; `visibleAt` later than `at` makes them late. */
	appendLog(id: string, lines: string[], times: { at?: number; visibleAt?: number } = {}): void {
		const at = times.at ?? this.parts.clock.now();
		const added = lines.map((raw) => ({ raw, at, visibleAt: times.visibleAt ?? at }));
		this.get(id)?.addedLines.push(...added);
	}

	/** Every run in list order. */
	inOrder(order: Variants['runOrder']): RunRecord[] {
		return order === 'newestFirst' ? this.all().reverse() : this.all();
	}

	private insert(run: RunRecord): void {
		if (this.get(run.id)) throw new Error(`Run '${run.id}' exists already`);
		this.add(run);
		const at = byCreation.right(this.ascending, run.createTime);
		this.ascending.splice(at, 0, run);
	}

	/** Gives a run that starts out in `status` a plausible past. */
	private hold(run: RunRecord, status: string, createTime: number, plan: RunPlan): void {
		if (status === 'PENDING') return;
		const now = Math.max(createTime, this.parts.clock.now());
		const startAt = Math.min(now, createTime + plan.pendingMs);
		if (status !== 'CANCELLED') run.transitions.push({ status: 'RUNNING', at: startAt });
		if (status !== 'RUNNING') {
			run.transitions.push({ status, at: Math.min(now, startAt + plan.runningMs) });
		}
	}
}

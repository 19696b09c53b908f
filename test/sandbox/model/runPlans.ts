/** How runs behave: according to rules, or to the name of their file. */
import type { Timings } from '../timings';
import type { RunPayload, RunPlan, Transition } from './runTypes';

/** An exact name or URI, or a pattern for either. */
export type PlanMatcher = string | RegExp;

/** The running time of a run whose file name contains "slow". */
const SLOW_MS = 600_000;

function uriOf(payload: RunPayload): string {
	return payload.runPython?.uri ?? payload.runJar?.uri ?? '';
}

function matches(matcher: PlanMatcher, payload: RunPayload): boolean {
	return [payload.name, uriOf(payload)].some((text) =>
		typeof matcher === 'string' ? matcher === text : matcher.test(text),
	);
}

export class RunPlans {
	private rules: Array<{ matcher: PlanMatcher; plan: Partial<RunPlan> }> = [];

	constructor(private readonly timings: Timings) {}

	/** Later rules win over earlier ones, field by field. They apply to runs created afterwards. */
	set(matcher: PlanMatcher, plan: Partial<RunPlan>): void {
		this.rules.push({ matcher, plan });
	}

	clear(): void {
		this.rules = [];
	}

	/** The plan of a new run. */
	for(payload: RunPayload): RunPlan {
		const plan = this.byFileName(uriOf(payload));
		for (const rule of this.rules) {
			if (matches(rule.matcher, payload)) Object.assign(plan, rule.plan);
		}
		return plan;
	}

	/** A file whose name contains "fail", "timeout" or "slow" does what it says. */
	private byFileName(uri: string): RunPlan {
		const file = uri.slice(uri.lastIndexOf('/') + 1).toLowerCase();
		const { pendingMs, runningMs, logDelayMs } = this.timings;
		const plan: RunPlan = { pendingMs, runningMs, outcome: 'COMPLETED', logDelayMs };
		if (file.includes('slow')) plan.runningMs = SLOW_MS;
		if (file.includes('timeout')) plan.outcome = 'TIMED_OUT';
		if (file.includes('fail')) {
			plan.outcome = 'FAILED';
			plan.message = 'Job failed: ValueError: column "geometry" not found in s3 source';
		}
		return plan;
	}
}

/** The course of a run that nobody interferes with. It never outlives `timeoutSeconds`. */
export function plannedTransitions(
	createTime: number,
	plan: RunPlan,
	timeoutSeconds: number,
): Transition[] {
	const startAt = createTime + plan.pendingMs;
	const limitMs = timeoutSeconds * 1000;
	const outcome = plan.outcome === 'FAILED_TIMEOUT' ? 'FAILED' : plan.outcome;
	return [
		{ status: 'PENDING', at: createTime },
		{ status: 'RUNNING', at: startAt },
		plan.runningMs > limitMs
			? { status: 'TIMED_OUT', at: startAt + limitMs }
			: { status: outcome, at: startAt + plan.runningMs },
	];
}

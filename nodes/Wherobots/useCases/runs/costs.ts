import type { IDataObject } from 'n8n-workflow';

import {
	type Cost,
	type RunCost,
	computeCost,
	formatCost,
	isFinal,
	isRunMetrics,
	MAX_COST_IDS,
	toNoCost,
	parseCostEntry,
} from '../../service/runs/costs';
import { isRecord } from '../../service/records';
import { jobRuns, type JobRun } from '../../service/records/jobRun';
import type { Client } from '../../transport/client';
import { clock } from '../../transport/clock';
import { pollUntil, runInParallel, READS_AT_ONCE } from '../../transport/concurrency';
import { Failure, isTemporary, settle } from '../../transport/failure';
import { fetchRecord, fetchRun, toUnexpectedFailure } from '../../transport/records';
import { formatMinutes } from '../../transport/text';

/** What a run has cost, or why that is not known; `isRequest` when a request failed. */
export type CostResult<C extends RunCost = Cost> =
	| { cost: C }
	| { failure: Failure; isRequest?: true };

/** How long the billing system may not know a run yet, in milliseconds. */
const UNKNOWN_MS = 120_000;

/** Longest interval while waiting for a final cost, which takes about an hour. */
const MAX_INTERVAL_MS = 300_000;

/**
 * The costs so far by the IDs that the service bills, with one request per hundred.
 *
 * @throws CancelledError when the execution is cancelled
 */
export async function fetchCosts(
	client: Client,
	appIds: readonly string[],
): Promise<Map<string, CostResult>> {
	// In one order, so that triggers can share what they ask for.
	const ids = [...new Set(appIds)].sort();
	const results = new Map<string, CostResult>();
	for (let begin = 0; begin < ids.length; begin += MAX_COST_IDS) {
		const asked = ids.slice(begin, begin + MAX_COST_IDS);
		const read = await settle(client.call('getCosts', { body: { kubeAppIds: asked } }));
		if (!read.ok && !(read.error instanceof Failure)) throw read.error;
		const body = read.ok && isRecord(read.value) ? read.value.costs : undefined;
		const costs = isRecord(body) ? body : undefined;
		// One entry that cannot be read must not hide the others; nothing but such ones is an error.
		const isReadable = costs && asked.some((id) => !(id in costs) || parseCostEntry(costs[id]));
		const failure = read.ok ? !isReadable && UNREADABLE : (read.error as Failure);
		for (const id of asked) {
			results.set(id, failure ? { failure, isRequest: true } : parseResult(costs?.[id]));
		}
	}
	return results;
}

/**
 * The costs of job runs so far, in their order. A missing cost or any other failure is that of the
 * runs affected.
 *
 * @throws CancelledError when the execution is cancelled
 */
export async function fetchRunCosts(
	client: Client,
	runs: readonly JobRun[],
): Promise<CostResult[]> {
	const ids = runs.map((run) => run.appId ?? '');
	const results = await fetchCosts(client, ids.filter(Boolean));
	return await runInParallel(runs.length, READS_AT_ONCE, async (index) => {
		const run = runs[index];
		const billed = results.get(ids[index]) ?? { failure: toNoComputeFailure(run) };
		return await fallBackToMetrics(client, run, billed);
	});
}

/** Whether the service refused the request for a cost. */
export function isRefused(result: CostResult<RunCost>): boolean {
	return 'failure' in result && /^4/.test(result.failure.httpCode ?? '');
}

/** Whether the billing system does not know the cost of a run, or refuses: the run itself may tell it. */
export function isUnknownToBilling(
	billed: CostResult<RunCost>,
): billed is Extract<CostResult, { failure: Failure }> {
	if ('cost' in billed || billed.failure.parts.temporary) return false;
	return isRefused(billed) || (!billed.isRequest && billed.failure !== UNREADABLE);
}

/**
 * What the billing system says about a run, or the metrics of the run, where it does not know the run
 * or refuses. Any other failure stays.
 *
 * @returns without `isRequest` when the metrics could be read, and have no cost either
 * @throws CancelledError when the execution is cancelled
 */
export async function fallBackToMetrics(
	client: Client,
	run: Pick<JobRun, 'id' | 'isOver'>,
	billed: CostResult,
): Promise<CostResult> {
	if (!isUnknownToBilling(billed)) return billed;
	const read = await settle(fetchRecord(client, 'getRunMetrics', { path: { run_id: run.id } }));
	if (!read.ok && !(read.error instanceof Failure)) throw read.error;
	if (!read.ok || !isRunMetrics(read.value)) return billed;
	const cost = computeCost(run, read.value);
	if (cost) return { cost };
	const after = run.isOver ? 'Its metrics have no cost either.' : 'Its metrics have no cost yet.';
	return { failure: billed.failure.withContext({ after }) };
}

/** What helps where a cost is not final, in the words of the form. */
interface CostAdvice {
	/** To get the cost so far. */
	now: string;
	/** To wait longer. */
	longer: string;
}

/**
 * The cost of a job run.
 *
 * @param run as just read; read again while the cost is waited for
 * @param waitMs how long to wait until it is final, in milliseconds; 0 for the cost so far
 * @returns the cost, and the run as last read
 * @throws Failure when there is none, or it is not final by then
 * @throws CancelledError when the execution is cancelled
 */
export async function fetchRunCost(
	client: Client,
	run: JobRun,
	waitMs: number,
	advice: CostAdvice,
): Promise<{ run: JobRun; cost: Cost }> {
	const startedAt = clock.monotonic();
	let current = run;
	const ofRun = (failure: Failure) =>
		failure.withContext({
			after: `Run ID: ${run.id}`,
			facts: current.facts,
		});
	const check = async (): Promise<Cost> => {
		if (waitMs > 0 && !current.isOver) current = await fetchRun(client, jobRuns, run.id);
		const [result] = await fetchRunCosts(client, [current]);
		if ('cost' in result) return result.cost;
		throw ofRun(result.failure);
	};
	if (waitMs === 0) return { run, cost: await check() };
	const isUnsaid = ({ costStatus }: Cost) =>
		costStatus === null && clock.monotonic() - startedAt >= UNKNOWN_MS;
	const isUnknownYet = (error: unknown) =>
		error instanceof Failure &&
		error.facts.costReason === 'not_found' &&
		clock.monotonic() - startedAt < UNKNOWN_MS;
	const isOver = (cost: Cost) => isFinal(cost) || isUnsaid(cost);
	const polled = await pollUntil(client, check, isOver, {
		maxWaitMs: waitMs,
		maxIntervalMs: MAX_INTERVAL_MS,
		continueAfter: (error) => isTemporary(error) || isUnknownYet(error),
	});
	if (polled.done && isFinal(polled.value)) return { run: current, cost: polled.value };
	const last = polled.done ? polled.value : polled.last;
	if (last instanceof Error) throw last;
	const soFar = `So far, it is ${formatCost(last)}.`;
	if (polled.done) {
		throw ofRun(
			new Failure({
				message: 'The service does not say when this cost is final',
				description: `${soFar} The billing system does not know the run, or this account is not allowed to see its cost. ${advice.now}`,
				facts: { ...last },
			}),
		);
	}
	throw ofRun(
		new Failure({
			message: `The cost was not final within ${formatMinutes(waitMs)}`,
			description: `${soFar} ${advice.longer}`,
			temporary: true,
			facts: { ...last },
		}),
	);
}

/**
 * The costs of runs as additional output fields. Where there is none, `costProblem` says why: a
 * missing cost never holds back an output.
 *
 * @throws CancelledError when the execution is cancelled
 */
export async function fetchCostFields(
	client: Client,
	runs: readonly JobRun[],
): Promise<Map<JobRun, IDataObject>> {
	const results = await fetchRunCosts(client, runs);
	return new Map(
		results.map((result, index): [JobRun, IDataObject] => [
			runs[index],
			'cost' in result ? { ...result.cost } : toNoCost(result.failure.message),
		]),
	);
}

/** What a response says about an ID. */
function parseResult(value: unknown): CostResult {
	const entry = parseCostEntry(value);
	if (entry && 'cost' in entry) return entry;
	return { failure: entry ? toUnavailable(entry.reason) : UNREADABLE };
}

const UNREADABLE = toUnexpectedFailure('It does not contain the cost of the job run.', {});

function toNoComputeFailure({ status, isOver }: JobRun): Failure {
	return new Failure({
		message: 'The job run has no cost because no compute resources were assigned to it',
		description: isOver
			? `It ended without any; its status is ${status}.`
			: `Its status is ${status}; resources may still be assigned.`,
		temporary: !isOver,
	});
}

/** Why a successful response has no cost; failures of the billing system are temporary. */
function toUnavailable(reason: string): Failure {
	const facts = { costReason: reason };
	if (reason === 'upstream_error' || reason === 'upstream_rate_limit') {
		const what =
			reason === 'upstream_error' ? 'failed or timed out' : 'is receiving too many requests';
		return new Failure({
			message: 'The cost of the job run is not available at the moment',
			description: `The billing system of Wherobots Cloud ${what}. Try again later.`,
			temporary: true,
			facts,
		});
	}
	return new Failure({
		message: 'Wherobots Cloud has no cost for this job run',
		description:
			reason === 'not_found'
				? 'Its billing system does not know the run yet, or this account is not allowed to see the cost: the service does not say which. Try again an hour after the run has ended; after that, use the key of an organization admin.'
				: `Reason: ${reason}`,
		facts,
	});
}

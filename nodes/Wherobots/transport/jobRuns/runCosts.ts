import { NodeApiError, type IDataObject } from 'n8n-workflow';

import {
	isFinal,
	MAX_COST_IDS,
	noCost,
	readCostEntry,
	type Cost,
} from '../../service/jobRuns/costs';
import { isTerminal } from '../../service/jobRuns/runs';
import { isRecord, type Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { factsOf, failureOf, isTemporary } from '../failures/errors';
import type { Failure } from '../failures/failure';
import { minutes } from '../failures/plainText';
import { pollUntil } from '../polling';
import { readRun } from '../records';
import { toResult } from '../toResult';

/** The fields of a run that are needed to find its cost. */
export type CostedRun = Pick<Run, 'id' | 'name' | 'status' | 'kubeApp'>;

/** What a run has cost, or why that is not known; `error` is that of a request that failed. */
export type CostResult = { cost: Cost } | { failure: Failure; error?: NodeApiError };

/** How long the billing system may not know a run yet, in milliseconds. */
const UNKNOWN_MS = 120_000;

/** Longest interval while waiting for a final cost, which takes about an hour. */
const MAX_INTERVAL_MS = 300_000;

/**
 * The costs so far by the IDs that the service bills, with one request per hundred.
 *
 * @throws CancelledError when the execution is cancelled
 */
export async function readCosts(
	client: Client,
	appIds: readonly string[],
): Promise<Map<string, CostResult>> {
	const ids = [...new Set(appIds)];
	const results = new Map<string, CostResult>();
	for (let begin = 0; begin < ids.length; begin += MAX_COST_IDS) {
		const asked = ids.slice(begin, begin + MAX_COST_IDS);
		const read = await toResult(client.call('getCosts', { body: { kubeAppIds: asked } }));
		if (!read.ok && !(read.error instanceof NodeApiError)) throw read.error;
		const body = read.ok && isRecord(read.value) ? read.value.costs : undefined;
		const costs = isRecord(body) ? body : undefined;
		// One entry that cannot be read must not hide the others; nothing but such ones is an error.
		const isReadable = costs && asked.some((id) => !(id in costs) || readCostEntry(costs[id]));
		let error: NodeApiError | undefined;
		if (!read.ok) error = read.error as NodeApiError;
		else if (!isReadable) error = client.error(UNREADABLE);
		for (const id of asked) {
			results.set(id, error ? { failure: failureOf(error), error } : resultIn(costs?.[id]));
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
export async function readRunCosts(
	client: Client,
	runs: readonly CostedRun[],
): Promise<CostResult[]> {
	const ids = runs.map((run) => appIdOf(run) ?? '');
	const results = await readCosts(client, ids.filter(Boolean));
	return runs.map(
		({ status }, index) => results.get(ids[index]) ?? { failure: withoutCompute(status) },
	);
}

/**
 * The cost of a job run.
 *
 * @param run as just read; read again while the cost is waited for
 * @param waitMs how long to wait until it is final, in milliseconds; 0 for the cost so far
 * @returns the cost, and the run as last read
 * @throws NodeApiError when there is none, or it is not final by then
 * @throws CancelledError when the execution is cancelled
 */
export async function readRunCost(
	client: Client,
	run: CostedRun,
	waitMs: number,
): Promise<{ run: CostedRun; cost: Cost }> {
	const startedAt = clock.monotonic();
	let current = run;
	const problem = (failure: Failure) =>
		client.error({
			...failure,
			description: `${failure.description}\nRun ID: ${run.id}`,
			facts: { ...failure.facts, runId: run.id, runName: run.name, status: current.status },
		});
	const check = async (): Promise<Cost> => {
		if (waitMs > 0 && !isTerminal(current.status)) current = await readRun(client, run.id);
		const [result] = await readRunCosts(client, [current]);
		if ('cost' in result) return result.cost;
		throw problem(result.failure);
	};
	if (waitMs === 0) return { run, cost: await check() };
	const isUnknownYet = (error: unknown) =>
		error instanceof NodeApiError &&
		factsOf(error).costReason === 'not_found' &&
		clock.monotonic() - startedAt < UNKNOWN_MS;
	const polled = await pollUntil(client, check, isFinal, {
		maxWaitMs: waitMs,
		maxIntervalMs: MAX_INTERVAL_MS,
		continueAfter: (error) => isTemporary(error) || isUnknownYet(error),
	});
	if (polled.done) return { run: current, cost: polled.value };
	if (polled.last instanceof Error) throw polled.last;
	const { cost, currency, costStatus } = polled.last;
	throw problem({
		message: `The cost was not final within ${minutes(waitMs)}`,
		description: `So far, it is ${cost} ${currency} (${costStatus}). Wait longer, or get it again later.`,
		temporary: true,
		facts: { ...polled.last },
	});
}

/**
 * The costs of runs as additional output fields. Where there is none, `costProblem` says why: a
 * missing cost never holds back an output.
 *
 * @throws CancelledError when the execution is cancelled
 */
export async function costFields(
	client: Client,
	runs: readonly Run[],
): Promise<Map<Run, IDataObject>> {
	const results = await readRunCosts(client, runs);
	return new Map(
		results.map((result, index): [Run, IDataObject] => [
			runs[index],
			'cost' in result ? { ...result.cost } : noCost(result.failure.message),
		]),
	);
}

/** The ID under which the service bills a run; undefined until it has compute resources. */
export function appIdOf({ kubeApp }: CostedRun): string | undefined {
	const id = kubeApp?.id;
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** What a response says about an ID. */
function resultIn(value: unknown): CostResult {
	const entry = readCostEntry(value);
	if (entry && 'cost' in entry) return entry;
	return { failure: entry ? unavailable(entry.reason) : UNREADABLE };
}

const UNREADABLE: Failure = {
	message: 'Wherobots Cloud returned an unexpected response',
	description:
		"It does not contain the cost of the job run. Check 'Base URL' in the credential, and whether a newer version of this package is available.",
};

function withoutCompute(status: string): Failure {
	return {
		message: 'The job run has no cost because no compute resources were assigned to it',
		description: isTerminal(status)
			? `It ended without any; its status is ${status}.`
			: `Its status is ${status}; it may still get some.`,
		temporary: !isTerminal(status),
	};
}

/** Why a successful response has no cost; failures of the billing system are temporary. */
function unavailable(reason: string): Failure {
	const facts = { costReason: reason };
	if (reason === 'upstream_error' || reason === 'upstream_rate_limit') {
		const what =
			reason === 'upstream_error' ? 'failed or timed out' : 'is receiving too many requests';
		return {
			message: 'The cost of the job run is not available at the moment',
			description: `The billing system of Wherobots Cloud ${what}. Try again later.`,
			temporary: true,
			facts,
		};
	}
	return {
		message: 'Wherobots Cloud has no cost for this job run',
		description:
			reason === 'not_found'
				? 'Either its billing system does not know the run, or this account may not see the cost. The service does not say which.'
				: `Reason: ${reason}`,
		facts,
	};
}

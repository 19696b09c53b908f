import { NodeApiError, type IDataObject } from 'n8n-workflow';

import {
	isFinal,
	MAX_COST_IDS,
	noCost,
	readCostEntry,
	type Cost,
	type CostEntry,
} from '../../service/jobRuns/costs';
import { isTerminal } from '../../service/jobRuns/runs';
import { isRecord, type Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { failureOf, isTemporary } from '../failures/errors';
import type { Failure } from '../failures/failure';
import { inParallel } from '../inParallel';
import { pollUntil } from '../polling';
import { toResult } from '../toResult';
import { readRun } from './readRun';

/** The fields of a run that are needed to find its cost. */
export type CostedRun = Pick<Run, 'id' | 'name' | 'status' | 'kubeApp'>;

export interface CostRequest {
	run: CostedRun;
	/** How long to wait until the cost is final, in milliseconds; 0 for the cost so far. */
	waitMs: number;
}

/** `run` is as last read. */
export type CostResult = { run: CostedRun; cost: Cost } | { failure: NodeApiError };

/** How long to retry failures of the billing system without a wait for the final cost, in milliseconds. */
const RETRY_MS = 15_000;

/** How long the billing system may not know a run yet, in milliseconds. */
const UNKNOWN_MS = 120_000;

/** Longest interval while waiting for final costs, which take about an hour. */
const MAX_INTERVAL_MS = 300_000;

const REQUESTS_AT_ONCE = 10;

/**
 * The costs of job runs, in the order of the requests, with one request to the service per hundred. A
 * missing cost or any other failure becomes the failure of the runs affected, each with its own error.
 *
 * @param retryMs how long to retry after a failure of the billing system
 * @throws CancelledError when the execution is cancelled
 */
export async function readRunCosts(
	client: Client,
	requests: readonly CostRequest[],
	retryMs = RETRY_MS,
): Promise<CostResult[]> {
	const startedAt = clock.monotonic();
	const searches = requests.map((request): Search => {
		return { ...request, outcome: withoutCompute(request.run), retryForMs: 0 };
	});
	let pending = searches;
	const check = async () => {
		await checkCosts(client, pending, retryMs);
		const elapsed = clock.monotonic() - startedAt;
		pending = pending.filter(({ retryForMs }) => retryForMs > elapsed);
	};
	await pollUntil(client, check, () => pending.length === 0, {
		maxWaitMs: requests.reduce((longest, { waitMs }) => Math.max(longest, waitMs), retryMs),
		maxIntervalMs: MAX_INTERVAL_MS,
	});
	return searches.map(({ run, outcome }) => {
		if ('cost' in outcome) return { run, cost: outcome.cost };
		const facts = { ...outcome.facts, runId: run.id, runName: run.name, status: run.status };
		const description = `${outcome.description}\nRun ID: ${run.id}`;
		return { failure: client.error({ ...outcome, description, facts }) };
	});
}

/**
 * The costs of runs as additional output fields. Where there is none, `costProblem` says why: a
 * missing cost never holds back an output.
 *
 * @param retryMs as for `readRunCosts`
 * @throws CancelledError when the execution is cancelled
 */
export async function costFields(
	client: Client,
	runs: readonly Run[],
	retryMs?: number,
): Promise<Map<Run, IDataObject>> {
	const requests = runs.map((run) => ({ run, waitMs: 0 }));
	const results = await readRunCosts(client, requests, retryMs);
	return new Map(
		results.map((result, index): [Run, IDataObject] => [
			runs[index],
			'cost' in result ? { ...result.cost } : noCost(result.failure.message),
		]),
	);
}

/** The result of the last check of a run's cost. */
interface Finding {
	outcome: { cost: Cost } | Failure;
	/** How long to keep checking, from the first check on, in milliseconds; 0 when the outcome is final. */
	retryForMs: number;
}

type Search = CostRequest & Finding;

/** Checks all pending costs. */
async function checkCosts(
	client: Client,
	searches: readonly Search[],
	retryMs: number,
): Promise<void> {
	await inParallel(searches.length, REQUESTS_AT_ONCE, async (index) => {
		await refreshRun(client, searches[index]);
	});
	const ids = [...new Set(searches.flatMap(({ run }) => appIdOf(run) ?? []))];
	await inParallel(Math.ceil(ids.length / MAX_COST_IDS), REQUESTS_AT_ONCE, async (batch) => {
		const asked = ids.slice(batch * MAX_COST_IDS, (batch + 1) * MAX_COST_IDS);
		const read = await toResult(readEntries(client, asked));
		for (const search of searches) {
			const id = appIdOf(search.run) ?? '';
			if (!asked.includes(id)) continue;
			const entry = read.ok ? read.value.get(id) : undefined;
			Object.assign(
				search,
				read.ok ? findingFor(entry, search.waitMs, retryMs) : failed(read.error, search.waitMs),
			);
		}
	});
}

/** Reads a run again while waiting for its cost: an active one may get compute resources, or end. */
async function refreshRun(client: Client, search: Search): Promise<void> {
	if (search.waitMs === 0 || isTerminal(search.run.status)) return;
	const read = await toResult(readRun(client, search.run.id));
	if (!read.ok) return void Object.assign(search, failed(read.error, search.waitMs));
	search.run = read.value;
	search.outcome = withoutCompute(search.run);
	search.retryForMs = isTerminal(search.run.status) ? 0 : search.waitMs;
}

/** The finding for a request that failed after its retries. */
function failed(error: unknown, waitMs: number): Finding {
	if (!(error instanceof NodeApiError)) throw error;
	return { outcome: failureOf(error), retryForMs: isTemporary(error) ? waitMs : 0 };
}

/** The finding for an entry of a response. */
function findingFor(entry: CostEntry | undefined, waitMs: number, retryMs: number): Finding {
	if (entry === undefined) return { outcome: UNREADABLE, retryForMs: 0 };
	if ('cost' in entry) {
		return waitMs > 0 && !isFinal(entry.cost)
			? { outcome: notFinal(entry.cost, waitMs), retryForMs: waitMs }
			: { outcome: entry, retryForMs: 0 };
	}
	const outcome = unavailable(entry.reason);
	if (outcome.temporary) return { outcome, retryForMs: Math.max(waitMs, retryMs) };
	return { outcome, retryForMs: entry.reason === 'not_found' ? Math.min(waitMs, UNKNOWN_MS) : 0 };
}

/** The ID under which the service bills a run; undefined until it has compute resources. */
function appIdOf({ kubeApp }: CostedRun): string | undefined {
	const id = kubeApp?.id;
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The service's entries for up to a hundred IDs. */
async function readEntries(
	client: Client,
	ids: string[],
): Promise<Map<string, CostEntry | undefined>> {
	const body = await client.call('getCosts', { body: { kubeAppIds: ids } });
	const costs = isRecord(body) ? body.costs : undefined;
	if (!isRecord(costs)) {
		throw client.error({
			message: 'Wherobots Cloud returned an unexpected response',
			description:
				"It does not contain costs. Check 'Base URL' in the credential, and whether a newer version of this package is available.",
		});
	}
	return new Map(
		ids.map((id) => [id, Object.hasOwn(costs, id) ? readCostEntry(costs[id]) : undefined]),
	);
}

const UNREADABLE: Failure = {
	message: 'Wherobots Cloud returned an unexpected response',
	description:
		'It does not contain the cost of the job run. Check whether a newer version of this package is available.',
};

function withoutCompute({ status }: CostedRun): Failure {
	return {
		message: 'The job run has no cost because no compute resources were assigned to it',
		description: isTerminal(status)
			? `It ended without any; its status is ${status}.`
			: `Its status is ${status}; it may still get some.`,
	};
}

/** Why a successful response has no cost; failures of the billing system are temporary. */
function unavailable(reason: string): Failure {
	const facts = { costReason: reason };
	if (reason === 'upstream_error' || reason === 'upstream_rate_limit') {
		return {
			message: 'The cost of the job run is not available at the moment',
			description:
				reason === 'upstream_error'
					? 'The billing system of Wherobots Cloud failed or timed out. Try again later.'
					: 'The billing system of Wherobots Cloud is receiving too many requests. Try again later.',
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

function notFinal(cost: Cost, waitMs: number): Failure {
	const minutes = Math.round(waitMs / 60_000);
	return {
		message: `The cost of the job run was not final within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
		description: `So far, it is ${cost.cost} ${cost.currency} (${cost.costStatus}). Wait longer, or get it again later.`,
		temporary: true,
		facts: { ...cost },
	};
}

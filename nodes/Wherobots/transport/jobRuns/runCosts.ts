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
import { CancelledError, clock } from '../clock';
import { failureBehind, mayPass } from '../failures/errors';
import type { Failure } from '../failures/failure';
import { inParallel } from '../inParallel';
import { pollUntil } from '../polling';
import { toResult, type Result } from '../toResult';
import { readRun } from './readRun';

/** What is needed of a run to find its cost. */
export type CostedRun = Pick<Run, 'id' | 'name' | 'status' | 'kubeApp'>;

export interface CostRequest {
	run: CostedRun;
	/** How long to wait until the cost is final, in milliseconds; 0: the cost as it is now. */
	waitMs: number;
}

/** `run` is the run as it was last read. */
export type CostResult = { run: CostedRun; cost: Cost } | { failure: NodeApiError };

/** How long a failure of the billing system is given to pass when nobody waits, in milliseconds. */
const RETRY_MS = 15_000;

/** As long as this, a run that is waited for may not be known to the billing system yet. */
const UNKNOWN_MS = 120_000;

/** Longest time between two looks at costs that are waited for: they settle within an hour or so. */
const MAX_INTERVAL_MS = 300_000;

const REQUESTS_AT_ONCE = 10;

/** Failures of the billing system that come inside a successful response, and may pass. */
const PASSING_REASONS: Record<string, string> = {
	upstream_error: 'The billing system of Wherobots Cloud failed or timed out. Try again later.',
	upstream_rate_limit:
		'The billing system of Wherobots Cloud is receiving too many requests. Try again later.',
};

/**
 * The costs of job runs, in the order of the requests, with one request to the service for each
 * hundred of them. What the service says it has no cost for, and whatever else fails, becomes the
 * failure of the runs that it is about, with an error of its own for each.
 *
 * @param retryMs how long a failure of the billing system is given to pass
 * @throws CancelledError when the execution is cancelled
 */
export async function readRunCosts(
	client: Client,
	requests: readonly CostRequest[],
	retryMs = RETRY_MS,
): Promise<CostResult[]> {
	const startedAt = clock.monotonic();
	const searches = requests.map((request) => new Search(client, request, retryMs));
	let open = searches;
	const check = async () => {
		await look(client, open);
		const elapsed = clock.monotonic() - startedAt;
		open = open.filter((search) => search.goesOnUntil > elapsed);
	};
	await pollUntil(client, check, () => open.length === 0, {
		maxWaitMs: requests.reduce((longest, { waitMs }) => Math.max(longest, waitMs), retryMs),
		maxIntervalMs: MAX_INTERVAL_MS,
	});
	await inParallel(searches.length, REQUESTS_AT_ONCE, async (i) => await searches[i].refreshRun());
	return searches.map(({ result }) => result);
}

/**
 * The costs of runs as fields to put beside what else an output says of them. Where there is none,
 * `costProblem` says why: a cost never holds back what it was to be added to.
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

/** One look at all costs that are still open. */
async function look(client: Client, searches: readonly Search[]): Promise<void> {
	await inParallel(searches.length, REQUESTS_AT_ONCE, async (i) => await searches[i].findApp());
	const ids = [...new Set(searches.flatMap(({ appId }) => appId ?? []))];
	const batches = Math.ceil(ids.length / MAX_COST_IDS);
	const entries = new Map<string, Result<CostEntry | undefined>>();
	await inParallel(batches, REQUESTS_AT_ONCE, async (batch) => {
		const asked = ids.slice(batch * MAX_COST_IDS, (batch + 1) * MAX_COST_IDS);
		const read = await toResult(readEntries(client, asked));
		for (const id of asked) {
			const entry = read.ok ? { ok: true as const, value: read.value.get(id) } : read;
			entries.set(id, entry);
		}
	});
	for (const search of searches) {
		const entry = entries.get(search.appId ?? '');
		if (entry) search.take(entry);
	}
}

/** What the service says about each of up to a hundred IDs. */
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

/** What is known of the cost of one run, and how long it is worth to look again. */
class Search {
	/** Counted from the first look, in milliseconds; 0 when the outcome stands. */
	goesOnUntil = 0;

	private run: CostedRun;

	/** What the last look gave. */
	private outcome: { cost: Cost } | { why: Failure };

	constructor(
		private readonly client: Client,
		private readonly request: CostRequest,
		private readonly retryMs: number,
	) {
		this.run = request.run;
		this.outcome = { why: noApp(this.run) };
	}

	/** The ID under which the service bills the run; undefined until it has compute resources. */
	get appId(): string | undefined {
		const id = this.run.kubeApp?.id;
		return typeof id === 'string' && id !== '' ? id : undefined;
	}

	get result(): CostResult {
		if ('cost' in this.outcome) return { run: this.run, ...this.outcome };
		const { why } = this.outcome;
		const { id, name, status } = this.run;
		return {
			failure: this.client.error({
				...why,
				description: `${why.description}\nRun ID: ${id}`,
				facts: { ...why.facts, runId: id, runName: name, status },
			}),
		};
	}

	/** Reads a run again that had no compute resources, where it may still get some. */
	async findApp(): Promise<void> {
		const { waitMs } = this.request;
		if (this.appId !== undefined || waitMs === 0) return;
		if (!isTerminal(this.run.status)) {
			const read = await toResult(readRun(this.client, this.run.id));
			if (!read.ok) return this.take(read);
			this.run = read.value;
		}
		if (this.appId === undefined) {
			this.failed(noApp(this.run), isTerminal(this.run.status) ? 0 : waitMs);
		}
	}

	/** Reads a run again that was going before its cost was waited for: it has ended since then. */
	async refreshRun(): Promise<void> {
		const isStale = this.request.waitMs > 0 && !isTerminal(this.run.status);
		if (!isStale || !('cost' in this.outcome)) return;
		const read = await toResult(readRun(this.client, this.run.id));
		if (read.ok) this.run = read.value;
		else if (read.error instanceof CancelledError) throw read.error;
	}

	/** Takes what a look gave. */
	take(read: Result<CostEntry | undefined>): void {
		const { waitMs } = this.request;
		if (!read.ok) {
			if (!(read.error instanceof NodeApiError)) throw read.error;
			// The client has repeated the request already.
			this.failed(failureBehind(read.error), mayPass(read.error) ? waitMs : 0);
		} else if (read.value === undefined) {
			this.failed(UNREADABLE, 0);
		} else if ('reason' in read.value) {
			const { reason } = read.value;
			this.failed(unavailable(reason), this.patienceWith(reason));
		} else if (waitMs > 0 && !isFinal(read.value.cost)) {
			this.failed(notFinal(read.value.cost, waitMs), waitMs);
		} else {
			this.outcome = read.value;
			this.goesOnUntil = 0;
		}
	}

	/** How long the service is asked again that has no cost for this reason, in milliseconds. */
	private patienceWith(reason: string): number {
		const { waitMs } = this.request;
		if (Object.hasOwn(PASSING_REASONS, reason)) return Math.max(waitMs, this.retryMs);
		return reason === 'not_found' ? Math.min(waitMs, UNKNOWN_MS) : 0;
	}

	private failed(why: Failure, goesOnUntil: number): void {
		this.outcome = { why };
		this.goesOnUntil = goesOnUntil;
	}
}

const UNREADABLE: Failure = {
	message: 'Wherobots Cloud returned an unexpected response',
	description:
		'It does not contain the cost of the job run. Check whether a newer version of this package is available.',
};

function noApp({ status }: CostedRun): Failure {
	return {
		message: 'The job run has no cost because no compute resources were assigned to it',
		description: isTerminal(status)
			? `It ended without any; its status is ${status}.`
			: `Its status is ${status}; it may still get some.`,
	};
}

function unavailable(reason: string): Failure {
	const facts = { costReason: reason };
	if (Object.hasOwn(PASSING_REASONS, reason)) {
		return {
			message: 'The cost of the job run is not available at the moment',
			description: PASSING_REASONS[reason],
			passing: true,
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
		passing: true,
		facts: { ...cost },
	};
}

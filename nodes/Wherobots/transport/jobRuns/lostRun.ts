import type { NodeApiError } from 'n8n-workflow';

import { isRunOf, type RunRequest } from '../../service/jobRuns/runRequests';
import { parseServiceTime } from '../../service/time/time';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { failureOf, hasStatus } from '../failures/errors';
import type { ErrorFacts } from '../failures/facts';
import { lines } from '../failures/plainText';
import { collect } from '../pagination';
import { toResult } from '../toResult';
import { wholeSecondBefore } from './findByName';
import { isOwn } from './ownRuns';
import { readRun } from './readRun';

/**
 * Waits before each search of the service's list, in milliseconds. A list may lag; a run that it does
 * not show by then is reported as not found.
 */
const WAITS_MS = [0, 2_000, 4_000, 8_000];

/** Times in records may be truncated to whole seconds, as the `Date` of a response is. */
const TIME_STEP_MS = 1_000;

/** A run created later than this after the lost response more likely belongs to another request. */
const MAX_DELAY_MS = 5_000;

/** Maximum number of runs of one name to list, and to compare in full. */
const MAX_LISTED = 500;
const MAX_COMPARED = 20;

/** A submission whose response was lost. */
export interface LostSubmission {
	/** The error that the request failed with. */
	error: NodeApiError;
	/** When it was sent, on the monotonic clock. */
	sentAt: number;
	/** When it failed, on the same clock. */
	lostAt: number;
}

/**
 * The run that a submission with a lost response created: the only one of its name and content created
 * at that moment (docs/adr/0006-lost-responses.md). When the execution is stopped during the search,
 * it is searched for once more, without a wait.
 *
 * @throws NodeApiError the error of the request with the candidates, unless one is certain
 */
export async function findLost(
	client: Client,
	request: RunRequest,
	lost: LostSubmission,
): Promise<Run> {
	for (const waitMs of WAITS_MS) {
		await clock.pause(waitMs, client.signal).catch(() => undefined);
		const searched = await toResult(search(client.evenWhenCancelled(), request, lost));
		if (!searched.ok) {
			throw unresolved(
				client,
				lost,
				`The search for it failed: ${(searched.error as Error).message}.`,
			);
		}
		const { found, isCertain } = searched.value;
		if (isCertain) return found[0];
		if (found.length > 0) throw ambiguous(client, lost, found);
		if (client.signal?.aborted) {
			throw unresolved(client, lost, 'The execution was stopped during the search for it.');
		}
	}
	const seconds = Math.round(WAITS_MS.reduce((sum, ms) => sum + ms) / 1000);
	throw unresolved(client, lost, `A search of ${seconds} seconds did not find it.`);
}

/** The runs that match the request, and whether one is certain to be its own. */
async function search(client: Client, request: RunRequest, { sentAt, lostAt }: LostSubmission) {
	// A `Date` is truncated to whole seconds: the service's time is at least this and at most a second
	// more.
	const serviceTimeAt = (at: number) => client.serviceNow() - (clock.monotonic() - at);
	const since = serviceTimeAt(sentAt) - TIME_STEP_MS;
	const { name } = request.payload;
	const listed = await collect<Run>(client, 'listRuns', {
		query: { name, created_after: client.knowsServiceTime ? wholeSecondBefore(since) : undefined },
		limit: MAX_LISTED,
	});
	// The list may have been the first response with the service's time.
	const begin = client.knowsServiceTime ? serviceTimeAt(sentAt) : -Infinity;
	const recent = listed.filter(
		(run) =>
			run.name === name &&
			!isOwn(client, run) &&
			(createdAt(run) ?? Infinity) >= begin - TIME_STEP_MS,
	);
	const found: Run[] = [];
	for (const run of recent.slice(0, MAX_COMPARED)) {
		const read = await toResult(readRun(client, run.id));
		if (!read.ok && !hasStatus(read.error, 404)) throw read.error;
		// A list may show a run before it can be read.
		const whole = read.ok ? read.value : run;
		if (isRunOf(whole, request)) found.push(whole);
	}
	const created = found.length === 1 ? createdAt(found[0]) : undefined;
	const isCertain =
		created !== undefined &&
		recent.length <= MAX_COMPARED &&
		client.knowsServiceTime &&
		created >= begin &&
		created <= serviceTimeAt(lostAt) + MAX_DELAY_MS;
	return { found, isCertain };
}

/** The error of the request with the candidates: a new one, because a retry searches again. */
function unresolved(
	client: Client,
	{ error }: LostSubmission,
	note: string,
	candidates?: ErrorFacts['candidates'],
): NodeApiError {
	const failure = failureOf(error);
	return client.error({
		...failure,
		description: lines(failure.description, note),
		facts: { ...failure.facts, ...(candidates ? { candidates } : {}) },
	});
}

function ambiguous(client: Client, lost: LostSubmission, found: Run[]): NodeApiError {
	const candidates = found.map(({ id, name, status, createTime }) => ({
		id,
		name,
		status,
		createTime,
	}));
	const ids = candidates.map(({ id }) => id).join(', ');
	const note =
		found.length > 1
			? `A search found ${found.length} candidates: ${ids}.`
			: `A search found this job run: ${ids}. It is not certain that this request created it.`;
	return unresolved(client, lost, note, candidates);
}

/** Milliseconds since the epoch. */
function createdAt({ createTime }: Run): number | undefined {
	const micros = parseServiceTime(createTime);
	return micros === undefined ? undefined : micros / 1000;
}

import type { NodeApiError } from 'n8n-workflow';

import { isRunOf, type RunRequest } from '../../service/jobRuns/runRequests';
import { parseServiceTime } from '../../service/time/time';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { failureOf, hasStatus } from '../failures/errors';
import type { RecordFacts } from '../failures/facts';
import { lines } from '../failures/plainText';
import { collect } from '../pagination';
import { toResult } from '../toResult';
import { isOwn, wholeSecondBefore } from './findByName';
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

/** What a search for the run of a lost submission found. */
export interface Found<T> {
	runs: T[];
	/** Whether there is one, and it is certain that the submission created it. */
	isCertain: boolean;
	/** Whether the runs are listed, but cannot be read yet. */
	isUnread?: boolean;
}

/**
 * The run that a submission with a lost response created, when it is certain
 * (docs/adr/0006-lost-responses.md). When the execution is stopped during the search, it is searched
 * for once more, without a wait.
 *
 * @param noun `job run`
 * @param search one search of the service's list
 * @param factsOf what identifies a candidate
 * @throws NodeApiError the error of the request with the candidates, unless one is certain
 */
export async function findLost<T>(
	client: Client,
	lost: LostSubmission,
	noun: string,
	search: (client: Client) => Promise<Found<T>>,
	factsOf: (run: T) => RecordFacts,
): Promise<T> {
	let unread: T[] = [];
	const notFound = (note: string) =>
		unread.length > 0
			? ambiguous(client, lost, noun, unread.map(factsOf))
			: unresolved(client, lost, note);
	for (const waitMs of WAITS_MS) {
		await clock.pause(waitMs, client.signal).catch(() => undefined);
		const searched = await toResult(search(client.evenWhenCancelled()));
		if (!searched.ok) {
			throw unresolved(
				client,
				lost,
				`The search for it failed: ${(searched.error as Error).message}.`,
			);
		}
		const { runs, isCertain, isUnread } = searched.value;
		if (isCertain) return runs[0];
		unread = runs;
		if (runs.length > 0 && !isUnread) throw ambiguous(client, lost, noun, runs.map(factsOf));
		if (client.signal?.aborted) {
			throw notFound('The execution was stopped during the search for it.');
		}
	}
	const seconds = Math.round(WAITS_MS.reduce((sum, ms) => sum + ms) / 1000);
	throw notFound(`A search of ${seconds} seconds did not find it.`);
}

/**
 * The times between which the run of a lost submission was created if it was, in milliseconds by the
 * service's clock, which has to be known. A `Date` is truncated to whole seconds: the service's time is
 * at least this and at most a second more.
 */
export function momentOf(client: Client, { sentAt, lostAt }: LostSubmission): [number, number] {
	const serviceTimeAt = (at: number) => client.serviceNow() - (clock.monotonic() - at);
	return [serviceTimeAt(sentAt), serviceTimeAt(lostAt) + MAX_DELAY_MS];
}

/** The time after which lists show the run of a lost submission; undefined when it is not known. */
export function listedAfter(client: Client, lost: LostSubmission): string | undefined {
	if (!client.knowsServiceTime) return undefined;
	return wholeSecondBefore(momentOf(client, lost)[0] - TIME_STEP_MS);
}

/** The job run of a lost submission: the only one of its name and content created at that moment. */
export async function findLostRun(
	client: Client,
	request: RunRequest,
	lost: LostSubmission,
): Promise<Run> {
	return await findLost(
		client,
		lost,
		'job run',
		async (searching) => await search(searching, request, lost),
		({ id, name, status, createTime }) => ({ id, name, status, createTime }),
	);
}

/** The runs that match the request, and whether one is certain to be its own. */
async function search(
	client: Client,
	request: RunRequest,
	lost: LostSubmission,
): Promise<Found<Run>> {
	const { name } = request.payload;
	const listed = await collect<Run>(client, 'listRuns', {
		query: { name, created_after: listedAfter(client, lost) },
		limit: MAX_LISTED,
	});
	// The list may have been the first response with the service's time.
	const [begin, end] = client.knowsServiceTime ? momentOf(client, lost) : [-Infinity, -Infinity];
	const recent = listed.filter(
		(run) =>
			run.name === name &&
			!isOwn(client, run) &&
			(createdAt(run) ?? Infinity) >= begin - TIME_STEP_MS,
	);
	const runs: Run[] = [];
	const unread: Run[] = [];
	for (const run of recent.slice(0, MAX_COMPARED)) {
		const read = await toResult(readRun(client, run.id));
		if (!read.ok && !hasStatus(read.error, 404)) throw read.error;
		// A list may show a run before it can be read.
		const whole = read.ok ? read.value : run;
		if (isRunOf(whole, request)) runs.push(whole);
		else if (!read.ok) unread.push(run);
	}
	if (runs.length === 0) return { runs: unread, isCertain: false, isUnread: true };
	const created = runs.length === 1 ? createdAt(runs[0]) : undefined;
	const isCertain =
		created !== undefined && recent.length <= MAX_COMPARED && created >= begin && created <= end;
	return { runs, isCertain };
}

/** The error of the request with the candidates: a new one, because a retry searches again. */
function unresolved(
	client: Client,
	{ error }: LostSubmission,
	note: string,
	candidates?: RecordFacts[],
): NodeApiError {
	const failure = failureOf(error);
	return client.error({
		...failure,
		description: lines(failure.description, note),
		facts: { ...failure.facts, ...(candidates ? { candidates } : {}) },
	});
}

function ambiguous(
	client: Client,
	lost: LostSubmission,
	noun: string,
	candidates: RecordFacts[],
): NodeApiError {
	const ids = candidates.map(({ id }) => id).join(', ');
	const note =
		candidates.length > 1
			? `A search found ${candidates.length} candidates: ${ids}.`
			: `A search found this ${noun}: ${ids}. It is not certain that this request created it.`;
	return unresolved(client, lost, note, candidates);
}

/** Milliseconds since the epoch. */
function createdAt({ createTime }: Run): number | undefined {
	const micros = parseServiceTime(createTime);
	return micros === undefined ? undefined : micros / 1000;
}

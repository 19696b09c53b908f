import { isRunOf, type RunRequest } from '../../service/jobRuns/runRequests';
import { parseServiceTime } from '../../service/time/time';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { hasStatus, settle, type Failure, type RecordFacts } from '../failure';
import { seconds } from '../text';
import { collect } from '../pagination';
import { readRun } from '../records';
import { wholeSecondBefore } from './findByName';

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
	/** Why its response was lost. */
	failure: Failure;
	/** When it was sent, on the monotonic clock. */
	sentAt: number;
	/** When it failed, on the same clock. */
	lostAt: number;
}

/** What a search for the run of a lost submission found. */
interface Found {
	/** Runs that the submission may have created. */
	runs: Run[];
	/** Whether there is one, and it is certain that the submission created it. */
	isCertain: boolean;
	/** Why the search could not be completed; the runs are then those that it has not ruled out. */
	problem?: unknown;
}

/**
 * The job run that a submission with a lost response created, when it is certain: the only one of its
 * name and content created at that moment (docs/adr/0006-lost-responses.md). When the execution is
 * stopped during the search, it is searched for once more, without a wait.
 *
 * @param isOwn whether another submission of this process created the run
 * @throws Failure the error of the request with the candidates, unless one is certain
 */
export async function findLostRun(
	client: Client,
	request: RunRequest,
	lost: LostSubmission,
	isOwn: (run: Run) => boolean,
): Promise<Run> {
	let candidates: RecordFacts[] = [];
	let waitedMs = 0;
	for (const waitMs of WAITS_MS) {
		await clock.pause(waitMs, client.signal).catch(() => undefined);
		const searched = await settle(search(client.evenWhenCancelled(), request, lost, isOwn));
		const { runs, isCertain, problem }: Found = searched.ok
			? searched.value
			: { runs: [], isCertain: false, problem: searched.error };
		if (isCertain) return runs[0];
		if (searched.ok) {
			candidates = runs.map(({ id, name, status, createTime }) => ({
				id,
				name,
				status,
				createTime,
			}));
		}
		if (problem) {
			const ids = candidates.map(({ id }) => id).join(', ');
			const note = `The search for it failed: ${(problem as Error).message}.`;
			throw unresolved(lost, `${note}${ids && ` It had found ${ids}.`}`, candidates);
		}
		waitedMs += waitMs;
		// Of several, a later search could at most hide some.
		if (client.signal?.aborted || runs.length > 1) break;
	}
	const stopped = client.signal?.aborted
		? 'The execution was stopped during the search for it.'
		: '';
	throw unresolved(
		lost,
		candidates.length > 0
			? `A search found ${candidates.map(({ id }) => id).join(', ')}. It is not certain that this request created ${candidates.length > 1 ? 'one of them' : 'it'}.`
			: stopped || `A search of ${seconds(waitedMs)} did not find it.`,
		candidates,
	);
}

/**
 * One search of the service's list.
 *
 * @returns the runs that the submission may have created; `isCertain` when there is one, and it did
 */
async function search(
	client: Client,
	request: RunRequest,
	lost: LostSubmission,
	isOwn: (run: Run) => boolean,
): Promise<Found> {
	const { name } = request.payload;
	const begunAt = client.knowsServiceTime ? momentOf(client, lost)[0] - TIME_STEP_MS : undefined;
	const listed = await collect<Run>(client, 'listRuns', {
		query: { name, created_after: begunAt && wholeSecondBefore(begunAt) },
		limit: MAX_LISTED,
	});
	// The list may have been the first response with the service's time.
	const [begin, end] = client.knowsServiceTime ? momentOf(client, lost) : [-Infinity, -Infinity];
	const recent = listed.filter(
		(run) => run.name === name && !isOwn(run) && !(createdAt(run) < begin - TIME_STEP_MS),
	);
	const runs: Run[] = [];
	let isCertain = recent.length <= MAX_COMPARED;
	for (const [index, run] of recent.slice(0, MAX_COMPARED).entries()) {
		const read = await settle(readRun(client, run.id));
		if (!read.ok && !hasStatus(read.error, 404)) {
			return { runs: [...runs, ...recent.slice(index)], isCertain: false, problem: read.error };
		}
		// A list may show a run before it can be read, and may omit parts of it.
		const whole = read.ok ? read.value : run;
		const isSame = isRunOf(whole, request);
		isCertain &&= read.ok || isSame;
		if (isSame || !read.ok) runs.push(whole);
	}
	isCertain &&= runs.length === 1 && createdAt(runs[0]) >= begin && createdAt(runs[0]) <= end;
	return { runs, isCertain };
}

/**
 * The times between which the run of a lost submission was created if it was, in milliseconds by the
 * service's clock, which has to be known. A `Date` is truncated to whole seconds: the service's time is
 * at least this and at most a second more.
 */
function momentOf(client: Client, { sentAt, lostAt }: LostSubmission): [number, number] {
	const serviceTimeAt = (at: number) => client.serviceNow() - (clock.monotonic() - at);
	return [serviceTimeAt(sentAt), serviceTimeAt(lostAt) + MAX_DELAY_MS];
}

/** The failure of the request with the candidates. */
function unresolved({ failure }: LostSubmission, note: string, candidates: RecordFacts[]): Failure {
	return failure.withContext({ after: note, facts: candidates.length > 0 ? { candidates } : {} });
}

/** Milliseconds since the epoch; NaN when unknown. */
function createdAt({ createTime }: Run): number {
	return Number(parseServiceTime(createTime)) / 1000;
}

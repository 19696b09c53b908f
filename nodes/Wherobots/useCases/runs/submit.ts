/** Tested by test/engine/actions/runs/create.lost.test.ts and create.exists.test.ts. */
import { jobRuns, type JobRun } from '../../service/records/jobRun';
import { isRunOf, type RunRequest } from '../../service/runs/runRequests';
import type { Client } from '../../transport/client';
import { clock } from '../../transport/clock';
import { runLocked } from '../../transport/concurrency';
import { Failure, hasStatus, isAmbiguous, type RecordFacts, settle } from '../../transport/failure';
import {
	fetchList,
	type PageOptions,
	fetchRecord,
	fetchRun,
	toUnexpectedFailure,
} from '../../transport/records';
import { formatSeconds } from '../../transport/text';
import {
	findByName,
	type OwnRun,
	type Reuse,
	formatSecondBefore,
	yieldToEarlierRun,
} from './findByName';

/** A run, and where it comes from. */
interface Submission {
	run: JobRun;
	/** Whether it already existed and was found by its name. */
	reused: boolean;
	/** Whether the response to its submission was lost, and it was found in the service's list. */
	recovered: boolean;
}

interface SubmitOptions {
	/** Which run of the same name to use instead of a new one. */
	reuse?: Reuse;
	/** Completes the request when a new run is about to be submitted. */
	complete(request: RunRequest): Promise<RunRequest>;
	/** Called when the list of runs with this name may lack some. */
	onShort?: PageOptions['onShort'];
}

/**
 * The submission of a run, in all attempts at it: a request that may have been handled is never sent
 * again, its run is searched for.
 */
export class RunSubmission {
	private done?: Submission;

	private lost?: LostSubmission;

	constructor(readonly request: RunRequest) {}

	/**
	 * The run that an earlier attempt submitted or found, one of the same name if wanted, or a new one.
	 *
	 * @throws Failure, CancelledError as the client does
	 */
	async submit(client: Client, { reuse, complete, onShort }: SubmitOptions): Promise<Submission> {
		if (this.done) return this.done;
		const { name } = this.request.payload;
		this.done = await runLocked(client, `job run ${name}`, async (): Promise<Submission> => {
			let run: JobRun;
			if (this.lost) run = await findLostRun(client, this.lost);
			else {
				const existing =
					reuse && (await findByName(client, name, reuse, getOwnRuns(client), onShort));
				if (existing) return { run: existing, reused: true, recovered: false };
				run = await this.send(client, await complete(this.request));
			}
			own = [...own, { run, account: client.account, at: clock.monotonic() }].filter(isRecent);
			const earlier = reuse && (await yieldToEarlierRun(client, run, reuse));
			if (earlier) return { run: earlier, reused: true, recovered: false };
			return { run, reused: false, recovered: this.lost !== undefined };
		});
		return this.done;
	}

	/**
	 * A request in progress is finished even when the execution is stopped: only the response has the ID
	 * needed to cancel the run.
	 */
	private async send(client: Client, request: RunRequest): Promise<JobRun> {
		const { region, payload } = request;
		const recoveryHint = `a job run named "${payload.name}" (Job Run: Get Many with this name)`;
		let sentAt = clock.monotonic();
		const sent = await settle(
			fetchRecord(client, 'createRun', {
				query: { region },
				body: payload,
				recoveryHint,
				onSend: () => (sentAt = clock.monotonic()),
			}),
		);
		const run = sent.ok ? jobRuns.of(sent.value) : undefined;
		if (run?.id) return run;
		const error = sent.ok ? toUnexpectedFailure('It has no ID.', { recoveryHint }) : sent.error;
		if (!isAmbiguous(error)) throw error;
		const failure = error.withContext({ facts: { runName: payload.name } });
		this.lost = { request, failure, sentAt, lostAt: clock.monotonic() };
		return await findLostRun(client, this.lost);
	}
}

/** Maximum lag of the service's lists and of reading a run by its ID, in milliseconds. */
const MAX_LAG_MS = 600_000;

/** Runs that this process submitted recently, which lists may not show yet; `at` is monotonic. */
let own: Array<OwnRun & { account: string; at: number }> = [];

const isRecent = ({ at }: { at: number }) => clock.monotonic() - at < MAX_LAG_MS;

/** Those of this base URL and credential, the newest first. */
function getOwnRuns({ account }: Client): OwnRun[] {
	return own.filter((each) => each.account === account && isRecent(each)).reverse();
}

/** Forgets everything, as a restart of n8n does. */
export function forgetOwnRuns(): void {
	own = [];
}

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
interface LostSubmission {
	request: RunRequest;
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
	runs: JobRun[];
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
 * @throws Failure the error of the request with the candidates, unless one is certain
 */
export async function findLostRun(client: Client, lost: LostSubmission): Promise<JobRun> {
	let candidates: RecordFacts[] = [];
	let waitedMs = 0;
	for (const waitMs of WAITS_MS) {
		await clock.pause(waitMs, client.signal).catch(() => undefined);
		const searched = await settle(searchRun(client.evenWhenCancelled(), lost));
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
			const note = `The search for the run failed: ${(problem as Error).message}.`;
			throw toUnresolvedFailure(lost, `${note}${ids && ` It had found ${ids}.`}`, candidates);
		}
		waitedMs += waitMs;
		// Of several, a later search could at most hide some.
		if (client.signal?.aborted || runs.length > 1) break;
	}
	const stopped = client.signal?.aborted
		? 'The execution was stopped during the search for the run.'
		: '';
	throw toUnresolvedFailure(
		lost,
		candidates.length > 0
			? `A search found ${candidates.map(({ id }) => id).join(', ')}. It is not certain that this request created ${candidates.length > 1 ? 'one of them' : 'it'}.`
			: stopped || `A search of ${formatSeconds(waitedMs)} did not find the run.`,
		candidates,
	);
}

/**
 * One search of the service's list.
 *
 * @returns the runs that the submission may have created; `isCertain` when there is one, and it did
 */
async function searchRun(client: Client, lost: LostSubmission): Promise<Found> {
	// Another submission of this process created these.
	const isOwn = ({ id }: JobRun) => getOwnRuns(client).some(({ run }) => run.id === id);
	const { request } = lost;
	const { name } = request.payload;
	const begunAt = client.knowsServiceTime
		? estimateMoment(client, lost)[0] - TIME_STEP_MS
		: undefined;
	const listed = await fetchList(client, jobRuns, {
		query: { name, created_after: begunAt && formatSecondBefore(begunAt) },
		limit: MAX_LISTED,
	});
	// The list may have been the first response with the service's time.
	const [begin, end] = client.knowsServiceTime
		? estimateMoment(client, lost)
		: [-Infinity, -Infinity];
	const recent = listed.filter(
		(run) => run.name === name && !isOwn(run) && !(getCreatedAt(run) < begin - TIME_STEP_MS),
	);
	const runs: JobRun[] = [];
	let isCertain = recent.length <= MAX_COMPARED;
	for (const [index, run] of recent.slice(0, MAX_COMPARED).entries()) {
		const read = await settle(fetchRun(client, jobRuns, run.id));
		if (!read.ok && !hasStatus(read.error, 404)) {
			return { runs: [...runs, ...recent.slice(index)], isCertain: false, problem: read.error };
		}
		// A list may show a run before it can be read, and may omit parts of it.
		const whole = read.ok ? read.value : run;
		const isSame = isRunOf(whole, request);
		isCertain &&= read.ok || isSame;
		if (isSame || !read.ok) runs.push(whole);
	}
	isCertain &&= runs.length === 1 && getCreatedAt(runs[0]) >= begin && getCreatedAt(runs[0]) <= end;
	return { runs, isCertain };
}

/**
 * The times between which the run of a lost submission was created if it was, in milliseconds by the
 * service's clock, which has to be known. A `Date` is truncated to whole seconds: the service's time is
 * at least this and at most a second more.
 */
function estimateMoment(client: Client, { sentAt, lostAt }: LostSubmission): [number, number] {
	const serviceTimeAt = (at: number) => client.serviceNow() - (clock.monotonic() - at);
	return [serviceTimeAt(sentAt), serviceTimeAt(lostAt) + MAX_DELAY_MS];
}

/** The failure of the request with the candidates. */
function toUnresolvedFailure(
	{ failure }: LostSubmission,
	note: string,
	candidates: RecordFacts[],
): Failure {
	return failure.withContext({ after: note, facts: candidates.length > 0 ? { candidates } : {} });
}

/** Milliseconds since the epoch; NaN when unknown. */
function getCreatedAt({ created = NaN }: JobRun): number {
	return created / 1000;
}

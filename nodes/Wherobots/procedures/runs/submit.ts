/** Tested by test/engine/actions/jobRun/create.lost.test.ts and create.exists.test.ts. */
import type { IDataObject } from 'n8n-workflow';

import { isRunOf, type RunRequest } from '../../service/jobRuns';
import type { Run } from '../../service/records';
import { parseServiceTime } from '../../service/time';
import type { Client } from '../../transport/client';
import { clock, runLocked } from '../../transport/clock';
import { Failure, hasStatus, isAmbiguous, type RecordFacts, settle } from '../../transport/failure';
import {
	fetchList,
	type PageOptions,
	fetchRecord,
	fetchRun,
	toUnexpectedFailure,
} from '../../transport/records';
import { formatSeconds, toText } from '../../transport/text';
import type { StoredFile } from '../storage';
import {
	findByName,
	type OwnRun,
	type Reuse,
	formatSecondBefore,
	yieldToEarlierRun,
} from './findByName';

/** A run, and where it comes from. */
export interface Submission {
	run: Run;
	/** Whether it already existed and was found by its name. */
	reused: boolean;
	/** Whether the response to its submission was lost, and it was found in the service's list. */
	recovered: boolean;
}

/** Kept by the caller while the same request may be repeated. */
export interface SubmissionState {
	/** What is submitted, the same in each attempt. */
	request?: RunRequest;
	/** Set when it is unclear whether the request was handled. */
	lost?: LostSubmission;
	/** What was uploaded for it: its program, then its dependencies. */
	uploads?: StoredFile[];
}

/**
 * The run for a request: one of the same name if wanted, or a new one. A request that may have been
 * handled is never sent again: its run is searched for.
 *
 * @param state of the same request; updated
 * @param prepare completes the request when a new run is about to be submitted
 * @param onShort called when the list of runs with this name may lack some
 * @throws Failure, CancelledError as the client does
 */
export async function submitOnce(
	client: Client,
	request: RunRequest,
	reuse: Reuse | undefined,
	state: SubmissionState,
	{ prepare, onShort }: { prepare?: () => Promise<void>; onShort?: PageOptions['onShort'] } = {},
): Promise<Submission> {
	const { name } = request.payload;
	return await runLocked(client, `job run ${name}`, async (): Promise<Submission> => {
		let run: Run;
		if (state.lost) run = await findLostRun(client, request, state.lost);
		else {
			const existing =
				reuse && (await findByName(client, name, reuse, getOwnRuns(client), onShort));
			if (existing) return { run: existing, reused: true, recovered: false };
			await prepare?.();
			run = await submit(client, request, state);
		}
		own = [...own, { run, account: client.account, at: clock.monotonic() }].filter(isRecent);
		const earlier = reuse && (await yieldToEarlierRun(client, run, reuse));
		const recovered = state.lost !== undefined;
		state.lost = undefined;
		if (earlier) return { run: earlier, reused: true, recovered: false };
		return { run, reused: false, recovered };
	});
}

/** Submits a run, with the organization's default where the service requires what was left out. */
async function submit(client: Client, request: RunRequest, state: SubmissionState): Promise<Run> {
	const sent = await settle(send(client, request, state));
	if (sent.ok) return sent.value;
	const complete = await addDefaults(client, request, sent.error);
	if (!complete) throw sent.error;
	return await submit(client, complete, state);
}

/** What may be left out of a request, and the organization's field with its default. */
const DEFAULTS = { region: 'defaultRegion', runtime: 'defaultRuntime' } as const;

/**
 * The request with the organization's default for what was left out, where a refusal names it: the
 * service's own clients leave region and runtime out, but the interface requires both. A request that
 * was refused for its values created nothing.
 *
 * @returns undefined when the refusal is about something else
 * @throws Failure the refusal, when the organization has no default that this account can read
 * @throws CancelledError when the execution is cancelled
 */
async function addDefaults(
	client: Client,
	{ region, payload }: RunRequest,
	refusal: unknown,
): Promise<RunRequest | undefined> {
	if (!hasStatus(refusal, 422, 400)) return undefined;
	const { message, description } = refusal;
	const { places = [] } = refusal.parts;
	const said = [message, description, ...places].join('\n');
	const sent: IDataObject = { region, runtime: payload.runtime };
	const missing = (['region', 'runtime'] as const).filter(
		(name) => sent[name] === undefined && new RegExp(name, 'i').test(said),
	);
	if (missing.length === 0) return undefined;

	const read = await settle(client.call<IDataObject | undefined>('getOrganization'));
	if (!read.ok && !(read.error instanceof Failure)) throw read.error;
	const known = Object.fromEntries(
		missing.map((name) => [name, read.ok ? toText(read.value?.[DEFAULTS[name]]) : '']),
	);
	const unknown = missing.filter((name) => !known[name]);
	if (unknown.length > 0) {
		const why = read.ok
			? `The organization has no default ${unknown.join(' and ')} that this account can read.`
			: `The organization's defaults could not be read: ${(read.error as Error).message}.`;
		throw refusal.with({ places: [...places, ...unknown] }).withContext({ after: why });
	}
	const { region: ownRegion = region, ...rest } = known;
	return { region: ownRegion, payload: { ...payload, ...rest } };
}

/**
 * Sends a submission, and searches for its run when the response is lost. A request in progress is
 * finished even when the execution is stopped: only the response has the ID needed to cancel the run.
 */
async function send(client: Client, request: RunRequest, state: SubmissionState): Promise<Run> {
	const { region, payload } = request;
	const recoveryHint = `a job run named "${payload.name}" (Job Run: Get Many with this name)`;
	let sentAt = clock.monotonic();
	const sent = await settle(
		fetchRecord<Run>(client, 'createRun', {
			query: { region },
			body: payload,
			recoveryHint,
			onSend: () => (sentAt = clock.monotonic()),
		}),
	);
	if (sent.ok && toText(sent.value.id) !== '') return sent.value;
	const error = sent.ok ? toUnexpectedFailure('It has no ID.', { recoveryHint }) : sent.error;
	if (!isAmbiguous(error)) throw error;
	state.lost = {
		failure: error.withContext({ facts: { runName: payload.name } }),
		sentAt,
		lostAt: clock.monotonic(),
	};
	return await findLostRun(client, request, state.lost);
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
 * @throws Failure the error of the request with the candidates, unless one is certain
 */
export async function findLostRun(
	client: Client,
	request: RunRequest,
	lost: LostSubmission,
): Promise<Run> {
	let candidates: RecordFacts[] = [];
	let waitedMs = 0;
	for (const waitMs of WAITS_MS) {
		await clock.pause(waitMs, client.signal).catch(() => undefined);
		const searched = await settle(searchRun(client.evenWhenCancelled(), request, lost));
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
			throw toUnresolvedFailure(lost, `${note}${ids && ` It had found ${ids}.`}`, candidates);
		}
		waitedMs += waitMs;
		// Of several, a later search could at most hide some.
		if (client.signal?.aborted || runs.length > 1) break;
	}
	const stopped = client.signal?.aborted
		? 'The execution was stopped during the search for it.'
		: '';
	throw toUnresolvedFailure(
		lost,
		candidates.length > 0
			? `A search found ${candidates.map(({ id }) => id).join(', ')}. It is not certain that this request created ${candidates.length > 1 ? 'one of them' : 'it'}.`
			: stopped || `A search of ${formatSeconds(waitedMs)} did not find it.`,
		candidates,
	);
}

/**
 * One search of the service's list.
 *
 * @returns the runs that the submission may have created; `isCertain` when there is one, and it did
 */
async function searchRun(
	client: Client,
	request: RunRequest,
	lost: LostSubmission,
): Promise<Found> {
	// Another submission of this process created these.
	const isOwn = ({ id }: Run) => getOwnRuns(client).some(({ run }) => run.id === id);
	const { name } = request.payload;
	const begunAt = client.knowsServiceTime
		? estimateMoment(client, lost)[0] - TIME_STEP_MS
		: undefined;
	const listed = await fetchList<Run>(client, 'listRuns', {
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
	const runs: Run[] = [];
	let isCertain = recent.length <= MAX_COMPARED;
	for (const [index, run] of recent.slice(0, MAX_COMPARED).entries()) {
		const read = await settle(fetchRun(client, run.id));
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
function getCreatedAt({ createTime }: Run): number {
	return Number(parseServiceTime(createTime)) / 1000;
}

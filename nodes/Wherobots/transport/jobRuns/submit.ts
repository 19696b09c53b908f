import type { IDataObject } from 'n8n-workflow';

import type { RunRequest } from '../../service/jobRuns/runRequests';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { clock, withLock } from '../clock';
import { Failure, hasStatus, isAmbiguous, settle } from '../failure';
import type { StoredFile } from '../files/storage';
import { unexpected } from '../records';
import type { PageOptions } from '../pagination';
import { text } from '../text';
import { findByName, yieldToEarlierRun, type OwnRun, type Reuse } from './findByName';
import { findLostRun, type LostSubmission } from './lostRun';

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
	return await withLock(client, `job run ${name}`, async (): Promise<Submission> => {
		let run: Run;
		if (state.lost) run = await recover(client, request, state.lost);
		else {
			const existing = reuse && (await findByName(client, name, reuse, ownRuns(client), onShort));
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
	const complete = await withDefaults(client, request, sent.error);
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
async function withDefaults(
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
		missing.map((name) => [name, read.ok ? text(read.value?.[DEFAULTS[name]]) : '']),
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
		client.call<Run | undefined>('createRun', {
			query: { region },
			body: payload,
			recoveryHint,
			finishOnceSent: true,
			onSend: () => (sentAt = clock.monotonic()),
		}),
	);
	if (sent.ok && typeof sent.value?.id === 'string' && sent.value.id !== '') return sent.value;
	const error = sent.ok ? unexpected('', { recoveryHint }) : sent.error;
	if (!isAmbiguous(error)) throw error;
	state.lost = {
		failure: error.withContext({ facts: { runName: payload.name } }),
		sentAt,
		lostAt: clock.monotonic(),
	};
	return await recover(client, request, state.lost);
}

async function recover(client: Client, request: RunRequest, lost: LostSubmission): Promise<Run> {
	const isOwn = ({ id }: Run) => ownRuns(client).some(({ run }) => run.id === id);
	return await findLostRun(client, request, lost, isOwn);
}

/** Maximum lag of the service's lists and of reading a run by its ID, in milliseconds. */
const MAX_LAG_MS = 600_000;

/** Runs that this process submitted recently, which lists may not show yet; `at` is monotonic. */
let own: Array<OwnRun & { account: string; at: number }> = [];

const isRecent = ({ at }: { at: number }) => clock.monotonic() - at < MAX_LAG_MS;

/** Those of this base URL and credential, the newest first. */
function ownRuns({ account }: Client): OwnRun[] {
	return own.filter((each) => each.account === account && isRecent(each)).reverse();
}

/** Forgets everything, as a restart of n8n does. */
export function forgetOwnRuns(): void {
	own = [];
}

import { isRunOf, type RunRequest } from '../../service/jobRuns/runRequests';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { addFacts, hasStatus, isAmbiguous } from '../failures/errors';
import { inTurn } from '../creation/inTurn';
import type { StoredFile } from '../files/storeFile';
import { createOnce, findLost, type LostResponse, type Search } from '../creation/lostResponse';
import { collect } from '../pagination';
import { toResult } from '../toResult';
import { findByName, isUsable, wholeSecondBefore, type Reuse } from './findByName';
import { foundMeanwhile, noteFound, noteOpen, openSubmission } from './openSubmissions';
import { readRun } from './readRun';
import { yieldToEarlierRun } from './sameMoment';
import { remember } from './submissions';

/** A run to go on with, and where it comes from. */
export interface Submission {
	run: Run;
	/** It existed before: it was found by its name. */
	reused: boolean;
	/** The response to its submission was lost, and it was found in the service's list. */
	recovered: boolean;
}

/** What became of a request so far, kept by the caller while the same request may come again. */
export interface SubmissionState {
	submission?: Submission;
	/** Its run was waited for and did not complete, so that another is wanted. */
	endedBadly?: boolean;
	/** It is uncertain whether it was carried out. */
	lost?: LostResponse;
	/** The program that was uploaded for it. */
	program?: StoredFile;
}

/** Most runs of one name that are listed to find the one whose response was lost. */
const MAX_LISTED = 500;

/**
 * The run for a request: the one that it has led to before, one of its name where that is
 * wanted, or a new one. A request that may have been carried out is never sent again.
 *
 * @param state what became of the same request before; brought up to date
 * @param prepare completes the request when a new run is about to be submitted
 * @throws NodeApiError, CancelledError as the client does
 */
export async function submitOnce(
	client: Client,
	request: RunRequest,
	reuse: Reuse | undefined,
	state: SubmissionState,
	prepare?: () => Promise<void>,
): Promise<Submission> {
	if (state.submission && !state.endedBadly) return state.submission;
	const { name } = request.payload;
	const submission = await inTurn(client, `job run ${name}`, async (): Promise<Submission> => {
		const search = searchFor(request);
		if (state.lost) {
			const run = foundMeanwhile(state.lost) ?? (await findLost(client, state.lost, search));
			noteFound(state.lost);
			remember(client, run);
			return { run, reused: false, recovered: true };
		}
		const existing =
			reuse &&
			((await findByName(client, name, reuse)) ?? (await findOpen(client, request, reuse)));
		if (existing) return { run: existing, reused: true, recovered: false };
		await prepare?.();
		const { record: run, recovered } = await createOnce(
			client,
			async (onSend) => await submit(client, request, onSend),
			search,
			(lost) => {
				state.lost = lost;
				noteOpen(client, { request, lost });
			},
		);
		if (state.lost) noteFound(state.lost);
		const earlier = reuse && (await yieldToEarlierRun(client, run, reuse));
		if (earlier) return { run: earlier, reused: true, recovered: false };
		remember(client, run);
		return { run, reused: false, recovered };
	});
	state.submission = submission;
	state.endedBadly = false;
	state.lost = undefined;
	return submission;
}

/**
 * The run that another request of this name has led to whose response was lost, when it appears and
 * is to be used; undefined when there is no such request. While it is open whether there is a run,
 * another must not be submitted.
 *
 * @throws NodeApiError when the run has not appeared, though it still may
 */
async function findOpen(
	client: Client,
	request: RunRequest,
	reuse: Reuse,
): Promise<Run | undefined> {
	const { payload } = request;
	const open = openSubmission(client, request);
	if (!open) return undefined;
	const error = client.error({
		message: `An earlier submission of "${payload.name}" may have gone through`,
		description: [
			'Its response was lost, and its run does not appear in the list. Nothing was submitted now, because that could run the work twice.',
			`Try again in a few minutes, or look for ${lookFor(payload.name)}.`,
		].join('\n'),
		codes: [],
		ambiguous: true,
		facts: { runName: payload.name },
	});
	const run = await findLost(client, { ...open.lost, error }, searchFor(open.request));
	noteFound(open.lost, run);
	remember(client, run);
	return isUsable(run, reuse, client) ? run : undefined;
}

/** What a person looks for when it is uncertain whether a run was created. */
function lookFor(name: string): string {
	return `a job run named "${name}" (Job Run: Get Many with this name)`;
}

/**
 * Submits a run. What has been sent is finished even when the execution is stopped meanwhile: only
 * the response tells the ID, and without it the run could not be cancelled.
 */
async function submit(client: Client, request: RunRequest, onSend: () => void): Promise<Run> {
	const { region, payload } = request;
	const sent = await toResult(
		client.call<Run | undefined>('createRun', {
			query: { region },
			body: payload,
			lookFor: lookFor(payload.name),
			finishOnceSent: true,
			onSend,
		}),
	);
	if (!sent.ok) {
		if (isAmbiguous(sent.error)) addFacts(sent.error, { runName: payload.name });
		throw sent.error;
	}
	const run = sent.value;
	if (typeof run?.id === 'string' && run.id !== '') return run;
	throw client.error({
		message: 'The response to the submission does not identify a job run',
		description: `Before you try again, look for ${lookFor(payload.name)}.`,
		codes: [],
		ambiguous: true,
		facts: { runName: payload.name },
	});
}

function searchFor(request: RunRequest): Search<Run> {
	const { name } = request.payload;
	const listedPart: RunRequest = { ...request, payload: { ...request.payload } };
	delete listedPart.payload.runJar;
	return {
		kind: 'job run',
		canAdopt: true,
		list: async (reader, since) => {
			const created_after = since === undefined ? undefined : wholeSecondBefore(since);
			const runs = await collect<Run>(reader, 'listRuns', {
				query: { name, created_after },
				limit: MAX_LISTED,
			});
			return runs.filter((run) => run.name === name);
		},
		createdAt: (run) => run.createTime,
		creatorOf: (run) => run.triggeredBy,
		compare: async (reader, listed) => {
			const read = await toResult(readRun(reader, listed.id));
			if (!read.ok && !hasStatus(read.error, 404)) throw read.error;
			// A list may show a run before it can be read, without its JAR (interface, "Run").
			const record = read.ok ? read.value : listed;
			if (isRunOf(record, request)) return { record, isWhole: true };
			return !read.ok && isRunOf(listed, listedPart) ? { record, isWhole: false } : undefined;
		},
		facts: ({ id, name: runName, status, createTime }) => ({
			id,
			name: runName,
			status,
			createTime,
		}),
	};
}

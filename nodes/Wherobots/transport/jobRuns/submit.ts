import { isRunOf, type RunRequest } from '../../service/runRequests';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { hasStatus } from '../errors';
import { inTurn } from '../creation/inTurn';
import { createOnce, findLost, type LostResponse, type Search } from '../creation/lostResponse';
import { collect } from '../pagination';
import { settled } from '../settled';
import { findByName, wholeSecondBefore, type Reuse } from './findByName';
import { readRun } from './readRun';
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
}

/** Most runs of one name that are listed to find the one whose response was lost. */
const MAX_LISTED = 500;

/**
 * The run for a request: the one that it has led to before, one of its name where that is
 * wanted, or a new one. A request that may have been carried out is never sent again.
 *
 * @param state what became of the same request before; brought up to date
 * @throws NodeApiError, CancelledError as the client does
 */
export async function submitOnce(
	client: Client,
	request: RunRequest,
	reuse: Reuse | undefined,
	state: SubmissionState,
): Promise<Submission> {
	if (state.submission && !state.endedBadly) return state.submission;
	const { name } = request.payload;
	const submission = await inTurn(client, `job run ${name}`, async (): Promise<Submission> => {
		const search = searchFor(request);
		if (state.lost) {
			const run = await findLost(client, state.lost, search);
			remember(client, run);
			return { run, reused: false, recovered: true };
		}
		const existing = reuse && (await findByName(client, name, reuse));
		if (existing) return { run: existing, reused: true, recovered: false };
		const { record: run, recovered } = await createOnce(
			client,
			async (onSend) => await submit(client, request, onSend),
			search,
			(lost) => (state.lost = lost),
		);
		remember(client, run);
		return { run, reused: false, recovered };
	});
	state.submission = submission;
	state.endedBadly = false;
	state.lost = undefined;
	return submission;
}

/**
 * Submits a run. What has been sent is finished even when the execution is stopped meanwhile: only
 * the response tells the ID, and without it the run could not be cancelled.
 */
async function submit(client: Client, request: RunRequest, onSend: () => void): Promise<Run> {
	const { region, payload } = request;
	const lookFor = `a job run named "${payload.name}" (Job Run: Get Many with this name)`;
	const run = await client.call<Run | undefined>('createRun', {
		query: { region },
		body: payload,
		lookFor,
		finishOnceSent: true,
		onSend,
	});
	if (typeof run?.id === 'string' && run.id !== '') return run;
	throw client.error({
		message: 'The response to the submission names no job run',
		description: `Before you repeat it, look for ${lookFor}.`,
		codes: [],
		ambiguous: true,
	});
}

function searchFor(request: RunRequest): Search<Run> {
	const { name } = request.payload;
	const listedPart: RunRequest = { ...request, payload: { ...request.payload } };
	delete listedPart.payload.runJar;
	return {
		kind: 'job run',
		canGoOn: true,
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
			const read = await settled(readRun(reader, listed.id));
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

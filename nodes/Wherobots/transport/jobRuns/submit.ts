import type { RunRequest } from '../../service/jobRuns/runRequests';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { amend, isAmbiguous } from '../failures/errors';
import { inTurn } from '../inTurn';
import type { StoredFile } from '../files/uploadFile';
import { toResult } from '../toResult';
import { findByName, remember, yieldToEarlierRun, type Reuse } from './findByName';
import { findLostRun, type LostSubmission } from './lostRun';

/** A run, and where it comes from. */
export interface Submission {
	run: Run;
	/** Whether it already existed and was found by its name. */
	reused: boolean;
	/** Whether the response to its submission was lost, and it was found in the service's list. */
	recovered: boolean;
}

/** The progress of a request, kept by the caller while the same request may be repeated. */
export interface SubmissionState {
	submission?: Submission;
	/** Whether its run was waited for and did not complete, so that a retry submits another. */
	didNotComplete?: boolean;
	/** Set when it is unclear whether the request was handled. */
	lost?: LostSubmission;
	/** The program that was uploaded for it. */
	program?: StoredFile;
}

/**
 * The run for a request: the one that it led to before, one of the same name if wanted, or a new one.
 * A request that may have been handled is never sent again.
 *
 * @param state the progress of the same request so far; updated
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
	if (state.submission && !state.didNotComplete) return state.submission;
	const { name } = request.payload;
	const submission = await inTurn(client, `job run ${name}`, async (): Promise<Submission> => {
		if (!state.lost) {
			const existing = reuse && (await findByName(client, name, reuse));
			if (existing) return { run: existing, reused: true, recovered: false };
			await prepare?.();
		}
		const run = state.lost
			? await findLostRun(client, request, state.lost)
			: await submit(client, request, state);
		remember(client, run);
		const earlier = reuse && (await yieldToEarlierRun(client, run, reuse));
		if (earlier) return { run: earlier, reused: true, recovered: false };
		return { run, reused: false, recovered: state.lost !== undefined };
	});
	Object.assign(state, { submission, didNotComplete: false, lost: undefined });
	return submission;
}

/**
 * Submits a run, and searches for it when the response is lost. A request in progress is finished even
 * when the execution is stopped: only the response has the ID needed to cancel the run.
 */
async function submit(client: Client, request: RunRequest, state: SubmissionState): Promise<Run> {
	const { region, payload } = request;
	const lookFor = `a job run named "${payload.name}" (Job Run: Get Many with this name)`;
	let sentAt = clock.monotonic();
	const sent = await toResult(
		client.call<Run | undefined>('createRun', {
			query: { region },
			body: payload,
			lookFor,
			finishOnceSent: true,
			onSend: () => (sentAt = clock.monotonic()),
		}),
	);
	if (sent.ok && typeof sent.value?.id === 'string' && sent.value.id !== '') return sent.value;
	const error = sent.ok
		? client.error({
				message: 'The response to the submission does not identify a job run',
				description: `Before you try again, look for ${lookFor}.`,
				ambiguous: true,
			})
		: sent.error;
	if (!isAmbiguous(error)) throw error;
	amend(error, { facts: { runName: payload.name } });
	state.lost = { error, sentAt, lostAt: clock.monotonic() };
	return await findLostRun(client, request, state.lost);
}

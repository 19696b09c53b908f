/**
 * Submissions of this process whose responses were lost and whose runs were not found yet. Several
 * processes do not share them.
 */
import type { RunRequest } from '../../service/jobRuns/runRequests';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import type { LostResponse } from '../creation/lostResponse';

/** As long as this after it was sent, a run may still appear in lists. */
const MAX_LAG_MS = 300_000;

export interface OpenSubmission {
	request: RunRequest;
	lost: LostResponse;
}

/** By address, credential and name, the last one. */
const open = new Map<string, OpenSubmission>();

/** Runs that were found for another request of their name than the one that had led to them. */
const foundForAnother = new WeakMap<LostResponse, Run>();

/** Remembers a submission whose response was lost. */
export function noteOpen(client: Client, submission: OpenSubmission): void {
	open.set(keyOf(client, submission.request), submission);
	for (const [key, each] of open) {
		if (hasAppeared(each)) open.delete(key);
	}
}

/** The submission of this name whose run may still appear; undefined when there is none. */
export function openSubmission(client: Client, request: RunRequest): OpenSubmission | undefined {
	const found = open.get(keyOf(client, request));
	return found && !hasAppeared(found) ? found : undefined;
}

/**
 * Forgets the submission that has lost this response, because its run was found.
 *
 * @param run given when it was found for another request, for the one that submitted it
 */
export function noteFound(lost: LostResponse, run?: Run): void {
	if (run) foundForAnother.set(lost, run);
	for (const [key, each] of open) {
		if (each.lost === lost) open.delete(key);
	}
}

/** The run that this request has led to, when it was found for another one. */
export function foundMeanwhile(lost: LostResponse): Run | undefined {
	return foundForAnother.get(lost);
}

/** Forgets everything, as a restart of n8n does. */
export function forgetOpenSubmissions(): void {
	open.clear();
}

/** Whether lists would show its run by now, had it been created. */
function hasAppeared({ lost }: OpenSubmission): boolean {
	return clock.monotonic() - lost.sentAt >= MAX_LAG_MS;
}

function keyOf(client: Client, { payload }: RunRequest): string {
	return [client.baseUrl, client.account, payload.name].join('\n');
}

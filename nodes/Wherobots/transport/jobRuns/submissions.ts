/**
 * What this process has submitted lately, for as long as the service's lists may not show it.
 * Several processes do not share it.
 */
import { isTerminal } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { hasStatus } from '../failures/errors';
import { toResult } from '../toResult';
import { forgetOpenSubmissions } from './openSubmissions';
import { readRun } from './readRun';

/** More submissions than this are not remembered: the oldest are forgotten. */
const MAX_REMEMBERED = 2_000;

/** No list lags this long, in milliseconds. */
const MAX_AGE_MS = 24 * 3_600_000;

/** As long as this after its submission, a run that the service cannot find yet counts as pending. */
const MAX_LAG_MS = 600_000;

interface Submission {
	run: Run;
	/** The address and credential that it was submitted with. */
	account: string;
	/** When, on the monotonic clock. */
	at: number;
}

/** By address and run ID, the oldest first. */
const submissions = new Map<string, Submission>();

/** Remembers a run that was submitted just now. */
export function remember(client: Client, run: Run): void {
	submissions.set(keyOf(client, run.id), { run, account: client.account, at: clock.monotonic() });
	for (const [key, { at }] of submissions) {
		if (submissions.size <= MAX_REMEMBERED && clock.monotonic() - at < MAX_AGE_MS) break;
		submissions.delete(key);
	}
}

/**
 * The remembered runs of this name as they are now, the newest first, each read when it is asked
 * for. A run that the service does not show to this credential is left out.
 *
 * @throws NodeApiError when a run cannot be read
 */
export async function* rememberedRuns(client: Client, name: string): AsyncGenerator<Run> {
	const prefix = keyOf(client, '');
	const own = [...submissions].filter(
		([key, { run }]) => key.startsWith(prefix) && run.name === name,
	);
	for (const [, submission] of own.reverse()) {
		// A status that a run keeps need not be read again.
		if (submission.account === client.account && isTerminal(submission.run.status)) {
			yield submission.run;
			continue;
		}
		const read = await toResult(readRun(client, submission.run.id));
		if (read.ok) {
			submission.run = read.value;
			yield read.value;
		} else if (!hasStatus(read.error, 404) && !hasStatus(read.error, 403)) {
			throw read.error;
		} else if (
			submission.account === client.account &&
			clock.monotonic() - submission.at < MAX_LAG_MS
		) {
			yield submission.run;
		}
	}
}

/** Forgets everything, as a restart of n8n does. */
export function forgetSubmissions(): void {
	submissions.clear();
	forgetOpenSubmissions();
}

function keyOf({ baseUrl }: Pick<Client, 'baseUrl'>, text: string): string {
	return `${baseUrl}\n${text}`;
}

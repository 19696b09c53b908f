/**
 * What this process knows of submissions beyond what the service's lists show: who is submitting a
 * run of some name right now, and what was submitted lately. Several processes do not share it.
 */
import { isTerminal } from '../../service/runs';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { clock, untilAborted } from '../clock';
import { hasStatus } from '../errors';
import { settled } from '../settled';
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

type Scope = Pick<Client, 'baseUrl' | 'signal'>;

/** By address and run ID, the oldest first. */
const submissions = new Map<string, Submission>();

/** By address and run name: settled when whoever holds the name, and all who wait for it, are done. */
const turns = new Map<string, Promise<unknown>>();

/** Remembers a run that was submitted just now. */
export function remember(client: Client, run: Run): void {
	submissions.set(keyOf(client, run.id), { run, account: client.account, at: clock.monotonic() });
	for (const [key, { at }] of submissions) {
		if (submissions.size <= MAX_REMEMBERED && clock.monotonic() - at < MAX_AGE_MS) break;
		submissions.delete(key);
	}
}

/** Whether this process has submitted the run and knows for whom. */
export function isRemembered(client: Client, runId: string): boolean {
	return submissions.has(keyOf(client, runId));
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
		const read = await settled(readRun(client, submission.run.id));
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

/**
 * Runs `work` when nobody else in this process submits a run of this name at this address: between
 * looking for a run and submitting one, another must not do the same.
 *
 * @throws CancelledError when the execution is cancelled before its turn
 */
export async function inTurn<T>(client: Scope, name: string, work: () => Promise<T>): Promise<T> {
	const key = keyOf(client, name);
	const before = turns.get(key) ?? Promise.resolve();
	const mine = untilAborted(before, client.signal).then(work);
	// Whoever gives up waiting does not let the next one pass those who are still at work.
	const all = Promise.allSettled([before, mine]);
	turns.set(key, all);
	try {
		return await mine;
	} finally {
		if (turns.get(key) === all) turns.delete(key);
	}
}

/** Forgets everything, as a restart of n8n does. */
export function forgetSubmissions(): void {
	submissions.clear();
}

function keyOf({ baseUrl }: Pick<Client, 'baseUrl'>, text: string): string {
	return `${baseUrl}\n${text}`;
}

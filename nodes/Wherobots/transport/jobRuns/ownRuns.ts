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
import { readRun } from './readRun';

/** No list lags longer than this, and no run takes longer to be found by its ID, in milliseconds. */
const MAX_LAG_MS = 600_000;

/** By address, credential and run ID, the oldest first; `at` is on the monotonic clock. */
const own = new Map<string, { run: Run; at: number }>();

/** Remembers a run that was submitted just now. */
export function remember(client: Client, run: Run): void {
	own.set(keyOf(client, run.id), { run, at: clock.monotonic() });
	for (const [key, { at }] of own) {
		if (clock.monotonic() - at < MAX_LAG_MS) break;
		own.delete(key);
	}
}

/** Whether this process has submitted the run lately. */
export function isOwn(client: Client, { id }: Run): boolean {
	return own.has(keyOf(client, id));
}

/**
 * The remembered runs of this name as they are now, the newest first, each read when it is asked for.
 *
 * @throws NodeApiError when a run cannot be read
 */
export async function* rememberedRuns(client: Client, name: string): AsyncGenerator<Run> {
	const prefix = keyOf(client, '');
	for (const [key, known] of [...own].reverse()) {
		const { run, at } = known;
		if (!key.startsWith(prefix) || run.name !== name) continue;
		// A status that a run keeps need not be read again.
		const read = isTerminal(run.status) ? undefined : await toResult(readRun(client, run.id));
		if (read?.ok) known.run = read.value;
		else if (read && !hasStatus(read.error, 404)) throw read.error;
		if (clock.monotonic() - at < MAX_LAG_MS) yield known.run;
	}
}

/** Forgets everything, as a restart of n8n does. */
export function forgetOwnRuns(): void {
	own.clear();
}

function keyOf({ account }: Pick<Client, 'account'>, id: string): string {
	return `${account}\n${id}`;
}

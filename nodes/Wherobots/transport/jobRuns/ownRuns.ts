/**
 */
import { isTerminal } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { clock } from '../clock';
import { hasStatus } from '../failures/errors';
import { toResult } from '../toResult';
import { readRun } from './readRun';

/** Maximum lag of the service's lists and of reading a run by its ID, in milliseconds. */
const MAX_LAG_MS = 600_000;

/**
 * Runs that this process has recently submitted, while lists may not show them: by base URL,
 * credential and run ID, the oldest first. `at` is on the monotonic clock.
 */
const own = new Map<string, { run: Run; at: number }>();

/** Remembers a run that was just submitted. */
export function remember(client: Client, run: Run): void {
	own.set(keyOf(client, run.id), { run, at: clock.monotonic() });
	for (const [key, { at }] of own) {
		if (clock.monotonic() - at < MAX_LAG_MS) break;
		own.delete(key);
	}
}

/** Whether this process recently submitted the run. */
export function isOwn(client: Client, { id }: Run): boolean {
	return own.has(keyOf(client, id));
}

/**
 * The current state of the remembered runs of this name, newest first, each read on demand.
 *
 * @throws NodeApiError when a run cannot be read
 */
export async function* rememberedRuns(client: Client, name: string): AsyncGenerator<Run> {
	const prefix = keyOf(client, '');
	for (const [key, known] of [...own].reverse()) {
		const { run, at } = known;
		if (!key.startsWith(prefix) || run.name !== name) continue;
		// A final status need not be read again.
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

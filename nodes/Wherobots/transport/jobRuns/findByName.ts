import { ACTIVE_STATUSES, isTerminal, outcomeOf } from '../../service/jobRuns/runs';
import {
	formatTime,
	MICROS_PER_MS,
	MICROS_PER_SECOND,
	parseServiceTime,
} from '../../service/time/time';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { collect } from '../pagination';
import { toResult } from '../toResult';
import { rememberedRuns } from './ownRuns';

/** Which run of the same name to use instead of submitting another. */
export type Reuse =
	/** One that is pending or running. */
	| { which: 'active' }
	/** Any that was created in this period; one that did not complete only with `evenFailed`. */
	| { which: 'any'; withinMs: number; evenFailed: boolean };

/**
 * The run of exactly this name to use, in any region; undefined when there is none. Preferred in this
 * order: active, completed, failed, cancelled. Of several active runs it is the earliest, because a
 * later one may be about to yield to it; of others the newest. Runs that this process submitted count
 * before lists show them; these no longer yield, so the newest active one is used.
 *
 * @throws NodeApiError, CancelledError as the client does
 */
export async function findByName(
	client: Client,
	name: string,
	reuse: Reuse,
): Promise<Run | undefined> {
	const isWanted = (run: Run) => run.name === name && isUsable(run, reuse, client);
	const listed = await listByName(client, name, reuse);
	const usable = listed.filter(isWanted);
	if (!usable.some(isActive)) {
		const known = new Set(listed.map(({ id }) => id));
		for await (const run of rememberedRuns(client, name)) {
			if (known.has(run.id) || !isWanted(run)) continue;
			usable.push(run);
			if (isActive(run)) break;
		}
	}
	return usable.sort((a, b) => rank(a) - rank(b) || (isActive(a) ? 1 : -1) * byTime(a, b))[0];
}

/**
 * Yields to a run of the same name that another process submitted at the same moment: the later of the
 * two is cancelled. Both processes decide alike, so the earlier one stays. When the search or the
 * cancellation fails, both stay.
 *
 * @param own the run just submitted
 * @returns the earlier run, once our own is cancelled; undefined when our own stays
 */
export async function yieldToEarlierRun(
	client: Client,
	own: Run,
	reuse: Reuse,
): Promise<Run | undefined> {
	// A run that did not complete is not a reason to cancel one that may.
	const wanted: Reuse = reuse.which === 'any' ? { ...reuse, evenFailed: false } : reuse;
	const listed = await toResult(listByName(client, own.name, wanted));
	if (!listed.ok) return undefined;
	const usable = listed.value.filter(
		(run) => run.name === own.name && isUsable(run, wanted, client),
	);
	// Times in lists may be truncated differently from those in the response to the submission.
	const mine = usable.find(({ id }) => id === own.id) ?? own;
	if (parseServiceTime(mine.createTime) === undefined) return undefined;
	const [earliest] = [mine, ...usable].sort(byTime);
	if (earliest.id === own.id) return undefined;
	const cancelling = client.evenWhenCancelled().call('cancelRun', { path: { run_id: own.id } });
	const cancelled = await toResult(cancelling);
	return cancelled.ok ? earliest : undefined;
}

/** The service's list for this name, which may include longer names. */
async function listByName(client: Client, name: string, reuse: Reuse): Promise<Run[]> {
	return await collect<Run>(client, 'listRuns', {
		query:
			reuse.which === 'active'
				? { name, status: [...ACTIVE_STATUSES] }
				: { name, created_after: wholeSecondBefore(client.serviceNow() - reuse.withinMs) },
	});
}

/** Whether a run of the name may be used in its current state. */
function isUsable(run: Run, reuse: Reuse, client: Client): boolean {
	if (reuse.which === 'active') return isActive(run);
	const created = parseServiceTime(run.createTime);
	const begin = (client.serviceNow() - reuse.withinMs) * MICROS_PER_MS;
	if (created === undefined || created < begin) return false;
	return reuse.evenFailed || !hasFailed(run);
}

/** An unknown status does not count as active. */
function isActive({ status }: Run): boolean {
	return (ACTIVE_STATUSES as readonly string[]).includes(status);
}

function hasFailed(run: Run): boolean {
	return isTerminal(run.status) && outcomeOf(run) !== 'COMPLETED';
}

function rank(run: Run): number {
	if (run.status === 'CANCELLED') return 3;
	return hasFailed(run) ? 2 : isTerminal(run.status) ? 1 : 0;
}

/** Negative when `a` was created first; of two at the same time, the one with the lower ID was. */
function byTime(a: Run, b: Run): number {
	const [first, second] = [a, b].map((run) => parseServiceTime(run.createTime) ?? Infinity);
	return first - second || (a.id < b.id ? -1 : 1);
}

/** A time for `created_after`, which is documented in whole seconds and is exclusive. */
export function wholeSecondBefore(ms: number): string {
	const seconds = Math.ceil(ms / 1000) - 1;
	return formatTime(seconds * MICROS_PER_SECOND);
}

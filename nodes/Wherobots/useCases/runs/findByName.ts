import { formatTime, MICROS_PER_MS, MICROS_PER_SECOND } from '../../service/time';
import { ACTIVE_STATUSES, jobRuns, type JobRun } from '../../service/records/jobRun';
import type { Client } from '../../transport/client';
import { hasStatus, settle } from '../../transport/failure';
import { fetchList, type PageOptions, fetchRun } from '../../transport/records';

/** Which run of the same name to use instead of submitting another. */
export type Reuse =
	/** One that is pending or running. */
	| { which: 'active' }
	/** Any that was created in this period; one that did not complete only with `evenFailed`. */
	| { which: 'any'; withinMs: number; evenFailed: boolean };

/** A run that this process submitted, as last read. */
export interface OwnRun {
	run: JobRun;
}

/**
 * The run of exactly this name to use, in any region; undefined when there is none. Preferred in this
 * order: active, completed, failed, cancelled. Of several active runs it is the earliest, because a
 * later one may be about to yield to it; of others the newest.
 *
 * @param own recent submissions, newest first: they count before lists show them. They no longer
 * yield, so the newest active one is used. Their state is updated
 * @param onShort called when the list may lack runs
 * @throws Failure, CancelledError as the client does
 */
export async function findByName(
	client: Client,
	name: string,
	reuse: Reuse,
	own: OwnRun[],
	onShort?: PageOptions['onShort'],
): Promise<JobRun | undefined> {
	const listed = await fetchByName(client, name, reuse, onShort);
	const usable = listed.filter((run) => isUsable(run, name, reuse, client));
	for (const known of own) {
		if (usable.some((run) => run.isActive)) break;
		const { id, isOver } = known.run;
		if (known.run.name !== name || listed.some((run) => run.id === id)) continue;
		// A final status need not be read again.
		const read = isOver ? undefined : await settle(fetchRun(client, jobRuns, id));
		if (read?.ok) known.run = read.value;
		else if (read && !hasStatus(read.error, 404)) throw read.error;
		if (isUsable(known.run, name, reuse, client)) usable.push(known.run);
	}
	return usable.sort((a, b) => rank(a) - rank(b) || (a.isActive ? 1 : -1) * compareTimes(a, b))[0];
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
	own: JobRun,
	reuse: Reuse,
): Promise<JobRun | undefined> {
	// A run that did not complete is not a reason to cancel one that may.
	const wanted: Reuse = reuse.which === 'any' ? { ...reuse, evenFailed: false } : reuse;
	const listed = await settle(fetchByName(client, own.name, wanted));
	if (!listed.ok) return undefined;
	const usable = listed.value.filter((run) => isUsable(run, own.name, wanted, client));
	// Times in lists may be truncated differently from those in the response to the submission.
	const mine = usable.find(({ id }) => id === own.id) ?? own;
	const [earliest] = [mine, ...usable].sort(compareTimes);
	if (earliest.id === own.id || mine.created === undefined) return undefined;
	const cancelling = client.evenWhenCancelled().call('cancelRun', { path: { run_id: own.id } });
	return (await settle(cancelling)).ok ? earliest : undefined;
}

/** The service's list for this name, which may include longer names. */
async function fetchByName(
	client: Client,
	name: string,
	reuse: Reuse,
	onShort?: PageOptions['onShort'],
): Promise<JobRun[]> {
	return await fetchList(client, jobRuns, {
		onShort,
		query:
			reuse.which === 'active'
				? { name, status: [...ACTIVE_STATUSES] }
				: { name, created_after: formatSecondBefore(client.serviceNow() - reuse.withinMs) },
	});
}

/** Whether a run has the name and may be used in its current state. */
function isUsable(run: JobRun, name: string, reuse: Reuse, client: Client): boolean {
	if (run.name !== name) return false;
	if (reuse.which === 'active') return run.isActive;
	const { created } = run;
	const begin = (client.serviceNow() - reuse.withinMs) * MICROS_PER_MS;
	if (created === undefined || created < begin) return false;
	return reuse.evenFailed || !hasFailed(run);
}

function hasFailed({ isOver, outcome }: JobRun): boolean {
	return isOver && outcome !== 'COMPLETED';
}

function rank(run: JobRun): number {
	if (run.status === 'CANCELLED') return 3;
	return hasFailed(run) ? 2 : run.isOver ? 1 : 0;
}

/** Negative when `a` was created first; of two at the same time, the one with the lower ID was. */
function compareTimes(a: JobRun, b: JobRun): number {
	const [first, second] = [a, b].map(({ created = Infinity }) => created);
	return first - second || (a.id < b.id ? -1 : 1);
}

/** A time for `created_after`, which is documented in whole seconds and is exclusive. */
export function formatSecondBefore(ms: number): string {
	const seconds = Math.ceil(ms / 1000) - 1;
	return formatTime(seconds * MICROS_PER_SECOND);
}

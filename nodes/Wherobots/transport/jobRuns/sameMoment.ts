import { parseServiceTime } from '../../service/time/time';
import type { Run } from '../../service/types';
import type { Client } from '../client';
import { toResult } from '../toResult';
import { byTime, usableRuns, type Reuse } from './findByName';

/**
 * Gives way to a run of the same name that another process submitted at the same moment, too late to
 * be seen before: the later one of the two is cancelled. Both processes decide in the same way, so
 * the earlier one stays. When that cannot be found out, or the cancellation fails, both stay.
 *
 * @param own the run that was submitted just now
 * @returns the earlier run, once the own one is cancelled; undefined when the own one stays
 */
export async function yieldToEarlierRun(
	client: Client,
	own: Run,
	reuse: Reuse,
): Promise<Run | undefined> {
	// A run that did not complete is no reason to cancel one that may.
	const wanted: Reuse = reuse.which === 'any' ? { ...reuse, evenFailed: false } : reuse;
	const found = await toResult(usableRuns(client, own.name, wanted));
	if (!found.ok) return undefined;
	// Times in lists may be cut differently from those in the response to the submission.
	const mine = found.value.find(({ id }) => id === own.id) ?? own;
	if (parseServiceTime(mine.createTime) === undefined) return undefined;
	const [earliest] = [mine, ...found.value].sort(byTime);
	if (earliest.id === own.id) return undefined;
	const path = { run_id: own.id };
	const cancelled = await toResult(client.call('cancelRun', { path, evenWhenCancelled: true }));
	return cancelled.ok ? earliest : undefined;
}

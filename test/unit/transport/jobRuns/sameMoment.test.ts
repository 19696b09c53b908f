import type { Run } from '../../../../nodes/Wherobots/service/types';
import type { CallOptions } from '../../../../nodes/Wherobots/transport/calls';
import type { Client } from '../../../../nodes/Wherobots/transport/client';
import type { Reuse } from '../../../../nodes/Wherobots/transport/jobRuns/findByName';
import { yieldToEarlierRun } from '../../../../nodes/Wherobots/transport/jobRuns/sameMoment';

const runOf = (id: string, second: number | string, status = 'PENDING') =>
	({
		id,
		name: 'nightly',
		status,
		createTime: typeof second === 'string' ? second : `2026-11-21T12:00:0${second}Z`,
	}) as Run;

const active: Reuse = { which: 'active' };
const any: Reuse = { which: 'any', withinMs: 3_600_000, evenFailed: true };

/** Gives way to the runs of a list, and notes what was cancelled. */
async function givingWay(own: Run, listed: Run[] | Error, reuse = active, cancels = true) {
	const cancelled: unknown[] = [];
	const client = {
		serviceNow: () => Date.parse('2026-11-21T12:01:00Z'),
		call: async (id: string, options: CallOptions) => {
			if (id === 'listRuns') {
				if (listed instanceof Error) return await Promise.reject(listed);
				return await Promise.resolve({ items: listed });
			}
			cancelled.push([id, options]);
			return await (cancels ? Promise.resolve() : Promise.reject(new Error('no')));
		},
	} as unknown as Client;
	return { earlier: await yieldToEarlierRun(client, own, reuse), cancelled };
}

it('the later run is cancelled, whatever becomes of the execution', async () => {
	const first = runOf('b', 1);
	const { earlier, cancelled } = await givingWay(runOf('a', 2), [runOf('c', 3), first]);
	expect(earlier).toEqual(first);
	const options = { path: { run_id: 'a' }, evenWhenCancelled: true };
	expect(cancelled).toEqual([['cancelRun', options]]);
});

it('the run that is the later one as lists have it is cancelled', async () => {
	const listed = [runOf('a', 3), runOf('b', 2)];
	expect((await givingWay(runOf('a', 1), listed)).earlier).toEqual(listed[1]);
});

it.each<[string, Run, Run[] | Error]>([
	['it is the earlier one', runOf('a', 1), [runOf('b', 2)]],
	['it is alone', runOf('a', 1), []],
	['it is the earlier one as lists have it', runOf('a', 3), [runOf('a', 1), runOf('b', 2)]],
	['nobody knows when it was created', runOf('a', 'then'), [runOf('b', 1)]],
	['the list cannot be read', runOf('a', 2), new Error('down')],
])('a run stays where %s', async (_, own, listed) => {
	expect(await givingWay(own, listed)).toEqual({ earlier: undefined, cancelled: [] });
});

it('a run stays where it cannot be cancelled', async () => {
	const { earlier } = await givingWay(runOf('a', 2), [runOf('b', 1)], active, false);
	expect(earlier).toBeUndefined();
});

it('a run that has failed is no reason to cancel one that may not', async () => {
	const failed = runOf('b', 1, 'FAILED');
	expect((await givingWay(runOf('a', 2), [failed], any)).earlier).toBeUndefined();
	const completed = runOf('b', 1, 'COMPLETED');
	expect((await givingWay(runOf('a', 2), [completed], any)).earlier).toEqual(completed);
});

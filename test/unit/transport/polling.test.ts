import { Failure } from '../../../nodes/Wherobots/transport/failure';
import type { Client } from '../../../nodes/Wherobots/transport/client';
import { type PollOptions, pollUntil } from '../../../nodes/Wherobots/transport/concurrency';
import { suiteWithInstantPauses } from '../../support/virtualTime';

const time = suiteWithInstantPauses(5_000);

const failure = (temporary: boolean) => new Failure({ message: 'm', description: '', temporary });

/** Polls until a check gives `done`; an error among the outcomes is thrown, the last one stays. */
function polling(outcomes: unknown[], options: Partial<PollOptions> = {}, signal?: AbortSignal) {
	let count = 0;
	const check = async () => {
		const outcome = outcomes[Math.min(count++, outcomes.length - 1)];
		if (outcome instanceof Error) throw outcome;
		return await Promise.resolve(outcome);
	};
	const limits = { maxWaitMs: 60_000, maxIntervalMs: 5_000, ...options };
	return pollUntil({ signal } as Client, check, (value) => value === 'done', limits);
}

it('checks are further and further apart, up to the longest interval', async () => {
	expect(await polling([1, 2, 3, 4, 5, 'done'])).toEqual({ done: true, value: 'done' });
	expect(time.pauses).toEqual([2_000, 3_000, 4_500, 5_000, 5_000]);
});

it('a short longest interval holds from the beginning', async () => {
	await polling([1, 2, 'done'], { maxIntervalMs: 700 });
	expect(time.pauses).toEqual([700, 700]);
});

it('the last check is at the deadline, and what it gave is the result', async () => {
	expect(await polling(['going'], { maxWaitMs: 6_000 })).toEqual({ done: false, last: 'going' });
	expect(time.pauses).toEqual([2_000, 3_000, 1_000]);
	expect(await polling(['going'], { maxWaitMs: 0 })).toEqual({ done: false, last: 'going' });
	expect(time.pauses).toHaveLength(3);
});

it('a failure that time does not mend ends it, unless the caller knows better', async () => {
	const lasting = failure(false);
	await expect(polling([1, lasting, 'done'])).rejects.toBe(lasting);
	const continueAfter = jest.fn(() => true);
	expect(await polling([lasting, 'done'], { continueAfter })).toMatchObject({ done: true });
	expect(continueAfter).toHaveBeenCalledWith(lasting);
});

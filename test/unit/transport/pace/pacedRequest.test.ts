import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import type { SendResult } from '../../../../nodes/Wherobots/transport/http';
import { RateLimiter } from '../../../../nodes/Wherobots/transport/pace/rateLimit';
import { placeOf } from '../../../support/placeOf';
import { lost, ok, sendingIn, status } from '../../../support/transport/pacedRequest';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

const sending = sendingIn(time);

it.each<[string, SendResult]>([
	['JSON', ok],
	['a stream', { kind: 'stream', status: 200, headers: {}, body: {} as never }],
])('%s is a success after one attempt', async (_, result) => {
	const { done, sentAt } = sending([result]);
	expect(await done).toEqual(result);
	expect(sentAt).toEqual([1_000]);
});

it('is sent again after failures that pass, at most five times', async () => {
	const { done, sentAt } = sending([lost, status(503), ok]);
	expect(await done).toEqual(ok);
	expect(sentAt).toHaveLength(3);
	const always = sending([lost]);
	expect(await always.done).toEqual(lost);
	expect(always.sentAt).toHaveLength(5);
	const down = sending([status(503)]);
	expect(await down.done).toEqual(status(503));
	expect(down.sentAt).toHaveLength(5);
});

it('is sent five times beside those that were refused with 429', async () => {
	const { done, sentAt } = sending([status(429), status(429), lost]);
	expect(await done).toEqual(lost);
	expect(sentAt).toHaveLength(2 + 5);
});

it('is not sent again after a refusal, nor when its effect could come twice', async () => {
	const refused = sending([status(404)]);
	expect(await refused.done).toEqual(status(404));
	expect(refused.sentAt).toHaveLength(1);
	const once = sending([lost], { endpoint: { retry: 'once' } });
	expect(await once.done).toEqual(lost);
	expect(once.sentAt).toHaveLength(1);
});

it('waits after 429 for as long as the service asks, however often, within a minute', async () => {
	const { done, sentAt } = sending([...Array<SendResult>(8).fill(status(429, '5')), ok], {
		endpoint: { retry: 'once' },
	});
	expect(await done).toEqual(ok);
	expect(sentAt).toHaveLength(9);
	for (const [index, at] of sentAt.entries()) {
		if (index > 0) expect(at - sentAt[index - 1]).toBeGreaterThanOrEqual(5_000);
	}
	const long = sending([status(429, '61')]);
	expect(await long.done).toEqual(status(429, '61'));
	expect(long.sentAt).toHaveLength(1);
});

it('is sent less and less often while it is refused without being told how long to wait', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	const { done, sentAt } = sending([status(429)], { endpoint: { retry: 'once' } });
	expect(await done).toEqual(status(429));
	const waits = sentAt.slice(1).map((at, index) => at - sentAt[index]);
	expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 7_500, 7_500, 7_500, 7_500, 7_500, 7_500]);
	expect(sentAt[sentAt.length - 1]).toBeLessThanOrEqual(61_000);
});

describe('what it tells the limiter', () => {
	it.each([
		[429, 6_000],
		[503, 1_100],
	])('of a response with %i lets the next request go at %i', async (code, at) => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const limiter = new RateLimiter(10, 5_000);
		const first = sending([status(code, '5'), ok], { limiter: () => limiter });
		const next = time.pause(100).then(() => sending([ok], { limiter: () => limiter }));
		expect(await first.done).toEqual(ok);
		const { done, sentAt } = await next;
		expect(await done).toEqual(ok);
		expect(sentAt).toEqual([at]);
	});

	it.each<[string, SendResult, boolean]>([
		['a success', ok, true],
		['an error of the service', status(404), true],
		['no response', lost, false],
	])('of %s after a 429 lets two go at once: %s, %s', async (_, result, isAccepted) => {
		const limiter = new RateLimiter(10, 1);
		(await placeOf(limiter)).refused(3_000);
		const endpoint = { retry: 'once' } as const;
		await sending([result], { endpoint, limiter: () => limiter }).done;
		await placeOf(limiter);
		const second = await time.during(limiter.acquire({ withinMs: 1 }));
		expect(second.admitted).toBe(isAccepted);
	});
});

it('that was done by an attempt whose response was lost, is done', async () => {
	const endpoint = { retry: 'repeatable', doneBefore: 404 } as const;
	const done = sending([lost, status(404)], { endpoint });
	expect(await done.done).toEqual({ kind: 'json', body: undefined });
	const never = sending([status(404)], { endpoint });
	expect(await never.done).toEqual(status(404));
	const refused = sending([status(429), status(404)], { endpoint });
	expect(await refused.done).toEqual(status(404));
	// A later refusal says nothing of the attempt whose response was lost.
	const lostBefore = sending([status(504), status(429), status(404)], { endpoint });
	expect(await lostBefore.done).toMatchObject({ kind: 'json' });
	const other = sending([lost, status(409)], { endpoint });
	expect(await other.done).toEqual(status(409));
});

describe('the time', () => {
	it('in which the rate limit holds a request back does not count against its attempts', async () => {
		const limiter = new RateLimiter(1, 55_000);
		const first = await limiter.acquire();
		if (first.admitted) first.place.release(true);
		const { done, sentAt } = sending([lost, ok], { limiter: () => limiter });
		expect(await done).toEqual(ok);
		expect(sentAt[0]).toBe(56_000);
	});

	it.each([
		[60_000, 2],
		[60_001, 1],
	])(
		'that the attempts themselves take does: of %i ms each there are %i',
		async (takesMs, count) => {
			jest.spyOn(Math, 'random').mockReturnValue(0);
			const { done, sentAt } = sending([lost], { takesMs });
			expect(await done).toEqual(lost);
			expect(sentAt).toHaveLength(count);
		},
	);
});

describe('a signal', () => {
	it('ends the wait for the next attempt', async () => {
		const stop = new AbortController();
		const { done, sentAt } = sending([status(429, '30')], { signal: stop.signal });
		void time.pause(500).then(() => stop.abort());
		await expect(done).rejects.toBeInstanceOf(CancelledError);
		expect(sentAt).toHaveLength(1);
	});

	it('for attempts in progress makes their failure a cancellation, and no success one', async () => {
		const sendSignal = AbortSignal.abort();
		await expect(sending([lost], { sendSignal }).done).rejects.toBeInstanceOf(CancelledError);
		expect(await sending([ok], { sendSignal }).done).toEqual(ok);
	});
});

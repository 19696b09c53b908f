import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import type { SendResult } from '../../../../nodes/Wherobots/transport/http';
import {
	sendPaced,
	type PacedRequest,
} from '../../../../nodes/Wherobots/transport/pace/pacedRequest';
import { RateLimiter } from '../../../../nodes/Wherobots/transport/pace/rateLimit';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

const ok: SendResult = { kind: 'json', body: { a: 1 } };
const status = (code: number, retryAfter?: string): SendResult => ({
	kind: 'response',
	status: code,
	text: '',
	contentType: '',
	retryAfter,
});
const lost: SendResult = { kind: 'network', code: 'ECONNRESET', detail: '' };

/** Sends a request whose attempts end like this, the last one again and again. */
function sending(results: SendResult[], change: Partial<PacedRequest> & { takesMs?: number } = {}) {
	const sentAt: number[] = [];
	const leftAt: number[] = [];
	const limiter = new RateLimiter(100, 5_000);
	const request: PacedRequest = {
		endpoint: { retry: 'repeatable' },
		limiter: () => limiter,
		deadline: Infinity,
		send: async (leftMs) => {
			sentAt.push(time.now);
			leftAt.push(leftMs);
			if (change.takesMs) await time.pause(change.takesMs);
			return results[Math.min(sentAt.length, results.length) - 1];
		},
		...change,
	};
	return { done: time.during(sendPaced(request)), sentAt, leftAt, limiter };
}

it.each<[string, SendResult]>([
	['JSON', ok],
	['a stream', { kind: 'stream', status: 200, headers: {}, body: {} as never }],
])('%s is a success after one attempt', async (_, result) => {
	const { done, sentAt } = sending([result]);
	expect(await done).toEqual({ kind: 'success', result });
	expect(sentAt).toEqual([1_000]);
});

it('is sent again after failures that pass, at most five times', async () => {
	const { done, sentAt } = sending([lost, status(503), ok]);
	expect(await done).toEqual({ kind: 'success', result: ok });
	expect(sentAt).toHaveLength(3);
	const always = sending([lost]);
	expect(await always.done).toMatchObject({
		kind: 'failed',
		result: lost,
		attempt: { kind: 'network', code: 'ECONNRESET' },
		ambiguous: true,
		passing: true,
	});
	expect(always.sentAt).toHaveLength(5);
});

it('is not sent again after a refusal, nor when its effect could come twice', async () => {
	const refused = sending([status(404)]);
	expect(await refused.done).toMatchObject({
		kind: 'failed',
		attempt: { kind: 'status', status: 404 },
		ambiguous: false,
		passing: false,
	});
	expect(refused.sentAt).toHaveLength(1);
	const once = sending([lost], { endpoint: { retry: 'once' } });
	expect(await once.done).toMatchObject({ kind: 'failed', ambiguous: true });
	expect(once.sentAt).toHaveLength(1);
});

it('waits after 429 for as long as the service asks, however often, within a minute', async () => {
	const { done, sentAt } = sending([...Array<SendResult>(8).fill(status(429, '5')), ok], {
		endpoint: { retry: 'once' },
	});
	expect(await done).toEqual({ kind: 'success', result: ok });
	expect(sentAt).toHaveLength(9);
	for (const [index, at] of sentAt.entries()) {
		if (index > 0) expect(at - sentAt[index - 1]).toBeGreaterThanOrEqual(5_000);
	}
	const long = sending([status(429, '61')]);
	expect(await long.done).toMatchObject({ kind: 'failed', passing: true, askedToWaitMs: 61_000 });
	expect(long.sentAt).toHaveLength(1);
});

it('that was done by an attempt whose response was lost, is done', async () => {
	const endpoint = { retry: 'repeatable', doneBefore: 404 } as const;
	const done = sending([lost, status(404)], { endpoint });
	expect(await done.done).toEqual({ kind: 'success', result: { kind: 'json', body: undefined } });
	const never = sending([status(404)], { endpoint });
	expect(await never.done).toMatchObject({ kind: 'failed' });
	const refused = sending([status(429), status(404)], { endpoint });
	expect(await refused.done).toMatchObject({ kind: 'failed' });
	const other = sending([lost, status(409)], { endpoint });
	expect(await other.done).toMatchObject({ kind: 'failed' });
});

describe('a deadline', () => {
	it('is told to each attempt, and none begins after it', async () => {
		const { done, sentAt, leftAt } = sending([status(503)], { deadline: 1_300, takesMs: 100 });
		expect(await done).toMatchObject({ kind: 'failed' });
		expect(sentAt.every((at) => at < 1_300)).toBe(true);
		expect(leftAt[0]).toBe(300);
		expect(leftAt).toEqual(sentAt.map((at) => 1_300 - at));
	});

	it('that has passed keeps the request from being sent, and its place free', async () => {
		const limiter = new RateLimiter(1, 5_000);
		const { done, sentAt } = sending([ok], { deadline: 1_000, limiter: () => limiter });
		expect(await done).toEqual({ kind: 'noTime' });
		expect(sentAt).toEqual([]);
		await time.during(time.pause(5_000));
		expect(limiter.isIdle).toBe(true);
	});

	it('that comes before the service allows a request says how long that takes', async () => {
		const limiter = new RateLimiter(100, 5_000);
		const first = await limiter.acquire();
		if (first.admitted) first.place.refused(30_000);
		const { done, sentAt } = sending([ok], { deadline: 11_000, limiter: () => limiter });
		expect(await done).toEqual({ kind: 'noTime', retryAfterMs: expect.any(Number) });
		expect(sentAt).toEqual([]);
	});
});

describe('the time', () => {
	it('in which the rate limit holds a request back does not count against its attempts', async () => {
		const limiter = new RateLimiter(1, 55_000);
		const first = await limiter.acquire();
		if (first.admitted) first.place.release(true);
		const { done, sentAt } = sending([lost, ok], { limiter: () => limiter });
		expect(await done).toEqual({ kind: 'success', result: ok });
		expect(sentAt[0]).toBe(56_000);
	});

	it('that the attempts themselves take does', async () => {
		const { done, sentAt } = sending([lost], { takesMs: 30_000 });
		expect(await done).toMatchObject({ kind: 'failed' });
		expect(sentAt).toHaveLength(2);
	});
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
		expect(await sending([ok], { sendSignal }).done).toEqual({ kind: 'success', result: ok });
	});
});

it('ends with its failure when a pause takes it past the deadline', async () => {
	const { done, sentAt } = sending([lost], { deadline: 9_000 });
	const { pause } = time;
	// As a real timer, which is late on a busy machine.
	time.pause = async (ms, signal) => await pause.call(time, ms + 9_000, signal);
	expect(await done).toMatchObject({
		kind: 'failed',
		result: lost,
		ambiguous: true,
		passing: true,
	});
	expect(sentAt).toHaveLength(1);
});

it('is not sent again within a second of the deadline', async () => {
	for (const leftMs of [900, 1_000, 2_000, 6_000]) {
		const { done, leftAt } = sending([lost], { deadline: time.now + leftMs });
		expect(await done).toMatchObject({ kind: 'failed', result: lost });
		expect(leftAt.slice(1).filter((left) => left < 1_000)).toEqual([]);
	}
});

import fc from 'fast-check';

import { CancelledError } from '../../../nodes/Wherobots/transport/clock';
import { Throttle } from '../../../nodes/Wherobots/transport/throttle';
import { forAll } from '../../support/forAll';
import { ACCEPTED, slotOf } from '../../support/slotOf';
import { suiteInVirtualTime } from '../../support/virtualTime';

const time = suiteInVirtualTime();

interface Trip {
	/** Since the request before was asked for. */
	gap: number;
	/** Time to the service, and back. */
	there: number;
	back: number;
}

const ms = (max: number) => fc.integer({ min: 0, max });
const trips = fc.array(fc.record({ gap: ms(300), there: ms(900), back: ms(900) }), {
	minLength: 1,
	maxLength: 80,
});

/** When each request was sent and when it reached the service. */
async function travel(limiter: Throttle, all: Trip[]) {
	const sent: number[] = [];
	const arrived: number[] = [];
	const order: number[] = [];
	const start = time.now;
	let asked = 0;
	await time.during(
		Promise.all(
			all.map(async ({ gap, there, back }, index) => {
				asked += gap;
				if (start + asked > time.now) await time.pause(start + asked - time.now);
				const slot = await slotOf(limiter);
				order.push(index);
				sent[index] = time.now;
				await time.pause(there);
				arrived.push(time.now);
				await time.pause(back);
				slot.end(ACCEPTED);
			}),
		),
	);
	return { sent, arrived: arrived.sort((a, b) => a - b), order };
}

describe('Throttle', () => {
	it('never lets more than the limit reach the service in any window, whatever the delays', async () =>
		await forAll(
			[trips, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 2_000 })],
			60,
			async (all, requests, windowMs) => {
				time.restart();
				const { arrived, order } = await travel(new Throttle(requests, windowMs), all);
				for (let i = requests; i < arrived.length; i++) {
					expect(arrived[i] - arrived[i - requests]).toBeGreaterThanOrEqual(windowMs);
				}
				expect(order).toEqual(all.map((_, index) => index));
			},
		));

	it('gives the slot of a cancelled request to the next one', async () => {
		const limiter = new Throttle(1, 1_000);
		(await slotOf(limiter)).end(ACCEPTED);
		const stop = new AbortController();
		const stopped = limiter.acquire({ signal: stop.signal });
		const next = slotOf(limiter);
		stop.abort();
		await expect(stopped).rejects.toThrow(CancelledError);
		(await time.during(next)).end(ACCEPTED);
		expect(time.now).toBe(2_000);
	});

	it('refuses at once when it is cancelled already, in the queue too', async () => {
		const limiter = new Throttle(1, 1_000);
		const slot = await slotOf(limiter);
		const cancelled = limiter.acquire({ signal: AbortSignal.abort() });
		await expect(cancelled).rejects.toThrow(CancelledError);
		slot.end(ACCEPTED);
		await time.during(slotOf(limiter));
		expect(time.now).toBe(2_000);
	});

	it('gives up when there is no slot in time, and serves the others', async () => {
		const limiter = new Throttle(1, 1_000);
		(await slotOf(limiter)).end(ACCEPTED);
		const late = limiter.acquire({ deadline: time.now + 400 });
		const next = slotOf(limiter);
		expect(await time.during(late)).toEqual({});
		expect(time.now).toBe(1_400);
		await time.during(next);
		expect(time.now).toBe(2_000);
	});
});

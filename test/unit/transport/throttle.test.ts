import { CancelledError, clock } from '../../../nodes/Wherobots/transport/clock';
import { Throttle, getThrottle } from '../../../nodes/Wherobots/transport/throttle';
import { ACCEPTED, refuse, slotOf } from '../../support/slotOf';
import { suiteInVirtualTime } from '../../support/virtualTime';

const time = suiteInVirtualTime();

/** The shortest waits that chance allows: those that the service asked for. */
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));

const wait = async (ms: number) => await time.during(time.pause(ms));

/** A limiter that has just been refused and may send again, one request at a time. */
async function afterRefusal(requests: number): Promise<Throttle> {
	const limiter = new Throttle(requests, 1);
	refuse(await slotOf(limiter), 3_000);
	await wait(3_000);
	return limiter;
}

/** Whether a request gets its slot without waiting. */
async function isFree(limiter: Throttle): Promise<boolean> {
	const { slot } = await time.during(limiter.acquire({ deadline: time.now + 1 }));
	return slot !== undefined;
}

describe('a request', () => {
	it('that has no time gets no slot, though one is free', async () => {
		expect(await new Throttle(1, 1_000).acquire({ deadline: time.now + 0 })).toEqual({});
	});

	it('that has exactly as long as the hold lasts comes too late, and is not told so before', async () => {
		const limiter = new Throttle(1, 1_000);
		refuse(await slotOf(limiter), 30_000);
		const late = await time.during(limiter.acquire({ deadline: time.now + 30_000 }));
		expect([late, time.now]).toEqual([{}, 31_000]);
	});

	it('that is held back beyond its time learns how long that is', async () => {
		const limiter = new Throttle(1, 1_000);
		refuse(await slotOf(limiter), 30_000);
		await wait(10_000);
		const late = await limiter.acquire({ deadline: time.now + 19_999 });
		expect([late, time.now]).toEqual([{ retryAfterMs: 20_000 }, 11_000]);
	});

	it('that nobody waits for sets no timer, which would keep n8n from ending', async () => {
		const pause = jest.spyOn(clock, 'pause');
		const limiter = new Throttle(1, 1_000);
		(await slotOf(limiter)).end(ACCEPTED);
		expect(pause).not.toHaveBeenCalled();
	});
});

it('a request that waits goes in the place of when it was first asked for', async () => {
	const limiter = new Throttle(1, 1_000);
	(await slotOf(limiter)).end(ACCEPTED);
	const order: string[] = [];
	const ask = async (name: string, since: number) => {
		const { slot } = await limiter.acquire({ since });
		order.push(name);
		slot?.end(ACCEPTED);
	};
	const asked = [
		ask('young', time.now),
		ask('refused', time.now - 5_000),
		ask('poll', time.now + 5_000),
	];
	await time.during(Promise.all([...asked, ask('younger', time.now + 1)]));
	expect(order).toEqual(['refused', 'young', 'younger', 'poll']);
});

it('a request of an execution finds a slot, however many polls have just begun', async () => {
	const limiter = new Throttle(100, 5_000);
	const got: number[] = [];
	const poll = async () => {
		const { slot } = await limiter.acquire({ since: time.now + 5_000 });
		got.push(time.now);
		slot?.end(ACCEPTED);
	};
	const began = time.now;
	const polls = Promise.all(Array.from({ length: 150 }, poll));
	await wait(1_000);
	for (let request = 0; request < 10; request++) (await slotOf(limiter)).end(ACCEPTED);
	expect(time.now).toBe(began + 1_000);
	await time.during(polls);
	// What executions have not used in time is for all.
	expect(got.map((at) => at - began).at(-1)).toBeLessThan(6_000);
});

it('after a refusal, a response that takes longer makes no room in a full window', async () => {
	const limiter = await afterRefusal(1);
	await slotOf(limiter);
	const next = await time.during(limiter.acquire({ deadline: time.now + 5_000 }));
	expect(next.slot).toBeUndefined();
});

it('an idle limiter is dropped when another one is needed, one in use is kept', async () => {
	const [idle, used] = [getThrottle('idle'), getThrottle('used')];
	const slot = await slotOf(used);
	getThrottle('another');
	expect(getThrottle('used')).toBe(used);
	expect(getThrottle('idle')).not.toBe(idle);

	slot.end(ACCEPTED);
	getThrottle('one more');
	expect(getThrottle('used')).toBe(used);
	await time.during(time.pause(60_000));
	getThrottle('the last');
	expect(getThrottle('used')).not.toBe(used);
});

it('a request that is cancelled as it gets its slot counts as not accepted', async () => {
	const limiter = await afterRefusal(10);
	const stop = new AbortController();
	const cancelled = limiter.acquire({ signal: stop.signal });
	stop.abort();
	await expect(cancelled).rejects.toBeInstanceOf(CancelledError);
	expect([await isFree(limiter), await isFree(limiter)]).toEqual([true, false]);
});

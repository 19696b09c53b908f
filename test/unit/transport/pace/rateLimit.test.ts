import { clock } from '../../../../nodes/Wherobots/transport/clock';
import { RateLimiter } from '../../../../nodes/Wherobots/transport/pace/rateLimit';
import { liveInVirtualTime } from '../../../support/virtualTime';

const real = { ...clock };

afterAll(() => {
	Object.assign(clock, real);
});

/** A place of an idle limiter. */
async function placeOf(limiter: RateLimiter) {
	const admission = await limiter.acquire();
	if (!admission.admitted) throw new Error('The limiter was not idle');
	return admission.place;
}

describe('an idle limiter', () => {
	it('is one without requests, places in use and a hold', async () => {
		const time = liveInVirtualTime();
		const limiter = new RateLimiter(1, 1_000);
		expect(limiter.isIdle).toBe(true);
		const place = await placeOf(limiter);
		expect(limiter.isIdle).toBe(false);
		place.release(true);
		expect(limiter.isIdle).toBe(false);
		await time.during(time.pause(1_000));
		expect(limiter.isIdle).toBe(true);
		(await placeOf(limiter)).refused(5_000);
		await time.during(time.pause(4_000));
		expect(limiter.isIdle).toBe(false);
		await time.during(time.pause(2_000));
		expect(limiter.isIdle).toBe(true);
	});
});

import { RateLimiter } from '../../../../nodes/Wherobots/transport/pace/rateLimit';
import { placeOf } from '../../../support/placeOf';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

describe('an idle limiter', () => {
	it('is one without requests, places in use and a hold', async () => {
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

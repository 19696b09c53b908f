import { forgetLimiters, limiterFor } from '../../../../nodes/Wherobots/transport/pace/rateLimit';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

it('there is one limiter for each key', () => {
	const limiter = limiterFor('one');
	expect(limiterFor('one')).toBe(limiter);
	expect(limiterFor('two')).not.toBe(limiter);
});

it('an idle limiter is dropped when another one is needed, one in use is kept', async () => {
	const [idle, used] = [limiterFor('idle'), limiterFor('used')];
	const admission = await used.acquire();
	limiterFor('another');
	expect(limiterFor('used')).toBe(used);
	expect(limiterFor('idle')).not.toBe(idle);

	if (admission.admitted) admission.place.release(true);
	limiterFor('one more');
	expect(limiterFor('used')).toBe(used);
	await time.during(time.pause(60_000));
	limiterFor('the last');
	expect(limiterFor('used')).not.toBe(used);
});

it('one in use is forgotten on request only', async () => {
	const limiter = limiterFor('used');
	await limiter.acquire();
	limiterFor('another');
	expect(limiterFor('used')).toBe(limiter);
	forgetLimiters();
	expect(limiterFor('used')).not.toBe(limiter);
});

import {
	forgetLimiters,
	limiterFor,
	limiterKey,
} from '../../../../nodes/Wherobots/transport/pace/limiters';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

it('there is one limiter for each base URL and secret', () => {
	const limiter = limiterFor(limiterKey('https://a', 'secret one'));
	expect(limiterFor(limiterKey('https://a', 'secret one'))).toBe(limiter);
	expect(limiterFor(limiterKey('https://a', 'secret two'))).not.toBe(limiter);
	expect(limiterFor(limiterKey('https://b', 'secret one'))).not.toBe(limiter);
});

it('the key of a limiter does not reveal the secret', () => {
	expect(limiterKey('https://a', 'sk-0123456789')).not.toContain('0123456789');
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

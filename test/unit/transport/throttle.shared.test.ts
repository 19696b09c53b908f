import { throttleFor } from '../../../nodes/Wherobots/transport/throttle';
import { suiteInVirtualTime } from '../../support/virtualTime';

const time = suiteInVirtualTime();

it('an idle limiter is dropped when another one is needed, one in use is kept', async () => {
	const [idle, used] = [throttleFor('idle'), throttleFor('used')];
	const admission = await used.acquire();
	throttleFor('another');
	expect(throttleFor('used')).toBe(used);
	expect(throttleFor('idle')).not.toBe(idle);

	if (admission.admitted) admission.slot.release(true);
	throttleFor('one more');
	expect(throttleFor('used')).toBe(used);
	await time.during(time.pause(60_000));
	throttleFor('the last');
	expect(throttleFor('used')).not.toBe(used);
});

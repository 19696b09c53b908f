/** n8n starts triggers one after the other: those of the classic engine take lists that are up to a minute old. */
import { suiteWithTrigger } from '../harness/polling';

const { suite, active, pass } = suiteWithTrigger({
	...{ event: 'runStatusChanged', statuses: ['FAILED'], simplify: true },
});

test.each([
	['classic', 30_000, true],
	['classic', 90_000, false],
	// Another process may have polled since.
	['durable', 30_000, false],
] as const)('on the %s engine, of %i ms ago: %s', async (engine, ms, isShared) => {
	const [one, other] = [await active({}, { engine }), await active({}, { engine })];
	const third = await active({ filters: { name: 'other-*' } }, { engine });
	pass();
	await one.restart();
	await one.poll();
	pass(ms / 2);
	// What others read meanwhile takes no place of what has been read.
	await third.poll();
	pass(ms / 2);
	suite.requests.clear();
	await other.poll();
	expect(suite.requests.of('listRuns').length === 0).toBe(isShared);
});

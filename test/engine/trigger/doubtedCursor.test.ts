import { ActiveTrigger } from '../harness/polling';
import { suiteWithSandbox } from '../harness/suite';

const suite = suiteWithSandbox({ seed: 'empty' }, '2026-03-01T12:00:00Z');

const pass = (ms = 60_000) => suite.sandbox.clock.advance(ms);

test('a new key gets through although requests with the cursor of its list get no response', async () => {
	const { store, requests, credentials, faults } = suite.sandbox;
	store.createRun({ status: 'COMPLETED' });
	const parameters = { event: 'runStatusChanged', statuses: [] };
	const options = { engine: 'durable', budgetMs: 15_000 } as const;
	const trigger = new ActiveTrigger(suite.sandbox, parameters, options);
	await trigger.activate();
	await trigger.poll();
	pass();
	for (let made = 0; made < 500; made++) store.createRun({ status: 'COMPLETED' });
	pass(120_000);
	const { bearerToken } = credentials.admin;
	Object.assign(trigger.credentials, { authentication: 'bearerToken', bearerToken });
	// Each response takes five seconds: the list takes more than a poll.
	const stop = requests.listen(() => pass(5_000));
	await trigger.poll();
	const doubt = () =>
		(trigger.stored.state as { doubt?: { resume?: { cursor: string } } } | undefined)?.doubt;
	const cursor = doubt()?.resume?.cursor;
	expect(cursor).toBeDefined();
	// Until the list is begun anew.
	const stopRefusing = requests.listen(({ path, query }) => {
		if (path.endsWith('/runs') && query.cursor === undefined) stopRefusing();
		else if (query.cursor === cursor) faults.add({ fault: { kind: 'reset' }, times: 1 });
	});
	for (let polls = 0; polls < 12 && doubt(); polls++) {
		pass();
		await trigger.poll();
	}
	stop();
	expect(doubt()).toBeUndefined();
});

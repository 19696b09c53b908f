import { suiteWithTrigger } from '../harness/polling';

const { suite, pass, active, polls } = suiteWithTrigger({
	...{ event: 'runStatusChanged', statuses: [], simplify: true },
});

describe.each(['classic', 'durable'] as const)('on the %s engine', (engine) => {
	const start = async (parameters = {}) => await active(parameters, { engine });

	test('old runs do not come, but changes of active ones do', async () => {
		const { store } = suite;
		store.createRun({ status: 'COMPLETED', createTime: '2026-03-01T11:59:00Z' });
		const followed = store.createRun({ status: 'RUNNING', createTime: '2026-02-28T09:00:00Z' });
		const trigger = await start();
		expect(trigger.take()).toEqual([]);

		pass();
		store.moveRun(followed.id, 'FAILED');
		await trigger.poll();

		expect(trigger.take()).toMatchObject([
			{
				eventId: `run/${followed.id}/FAILED`,
				id: followed.id,
				name: followed.payload.name,
				status: 'FAILED',
				previousStatus: 'RUNNING',
			},
		]);
		expect(await polls(trigger)).toEqual([]);
	});

	test('"finished" fires for every outcome and nothing else', async () => {
		const trigger = await start({ statuses: ['finished'] });
		const ids = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'].map((status) => {
			const { id } = suite.store.createRun({ status: 'PENDING' });
			return { id, status };
		});
		expect(await polls(trigger)).toEqual([]);
		for (const { id, status } of ids) suite.store.moveRun(id, status);
		pass();
		await trigger.poll();
		expect(trigger.take().map(({ status }) => status)).toHaveLength(4);
	});

	test('a timeout that the service calls a failure counts as what is shown, in its event ID, too', async () => {
		const plan = { pendingMs: 1_000, runningMs: 1_000, outcome: 'FAILED_TIMEOUT' as const };
		const timedOut = await start({ statuses: ['TIMED_OUT'] });
		const failed = await start({ statuses: ['FAILED'] });
		const { id } = suite.store.createRun({ plan });
		pass();
		await timedOut.poll();
		await failed.poll();
		expect(timedOut.take()).toMatchObject([
			{ status: 'TIMED_OUT', eventId: `run/${id}/TIMED_OUT` },
		]);
		expect(failed.take()).toEqual([]);
	});

	test('filters are applied by the service, and a new one starts afresh, unlike new statuses', async () => {
		const trigger = await start({ filters: { name: 'etl-*', region: 'aws-us-west-2' } });
		const etl = suite.store.createRun({ name: 'etl-daily', status: 'PENDING' });
		suite.store.createRun({ name: 'other-run', status: 'PENDING' });
		suite.store.createRun({ name: 'etl-far', region: 'aws-eu-west-1', status: 'PENDING' });
		expect(await polls(trigger)).toMatchObject([{ eventId: `run/${etl.id}/PENDING` }]);

		trigger.parameters = { ...trigger.parameters, statuses: ['finished'] };
		await trigger.restart();
		suite.store.moveRun(etl.id, 'COMPLETED');
		expect(await polls(trigger)).toMatchObject([
			{ eventId: `run/${etl.id}/COMPLETED`, previousStatus: 'PENDING' },
		]);

		trigger.parameters = { ...trigger.parameters, statuses: [], filters: {} };
		await trigger.restart();
		await trigger.poll();
		expect(trigger.take()).toEqual([]);
	});

	test('a run that failed comes with its cause, place and traceback', async () => {
		const trigger = await start({ simplify: false });
		suite.store.createRun({
			payload: { runPython: { uri: 's3://bucket/jobs/fail.py', args: [] } },
			plan: { pendingMs: 1_000, runningMs: 1_000 },
		});
		suite.store.createRun({ plan: { pendingMs: 1_000, runningMs: 1_000 } });
		const items = await polls(trigger);
		const failed = items.find(({ status }) => status === 'FAILED');
		expect(failed).toMatchObject({
			cause: 'ValueError: column "geometry" not found in s3 source',
			location: 'fail.py:31',
			returnCode: 1,
		});
		expect(failed?.excerpt).toMatch(/^Traceback[^]*transform\(frame\)\nValueError: [^\n]*$/);
		expect(failed).toHaveProperty('payload.runPython.uri');
		expect(items.find(({ status }) => status === 'COMPLETED')).not.toHaveProperty('cause');
	});

	test("no log is read when none is wanted, and the cause is the service's message", async () => {
		const trigger = await start({ options: { logLines: 0 } });
		const plan = { pendingMs: 1, runningMs: 1, outcome: 'FAILED', message: 'No space' } as const;
		suite.store.createRun({ plan });
		expect(await polls(trigger)).toMatchObject([
			{ cause: 'No space', location: null, excerpt: '', returnCode: null },
		]);
		expect(suite.requests.of('getRunLogs')).toEqual([]);
	});
});

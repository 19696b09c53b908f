import { closeAll, open, PAYLOAD } from './open';

afterEach(closeAll);

const CREATE = '/runs?region=aws-us-west-2';

describe('a job run', () => {
	it('goes from PENDING through RUNNING to its end as the clock moves', async () => {
		const { admin, clock, sandbox } = await open();
		const created = await admin.post(CREATE, PAYLOAD);
		expect(created.status).toBe(200);
		expect(created.data).toMatchObject({
			name: 'hello-world',
			status: 'PENDING',
			startTime: null,
			completeTime: null,
			payload: { version: 'latest', timeoutSeconds: 3600, runPython: { args: [] } },
			triggeredBy: { email: 'ada@example.com' },
		});
		const read = async () => (await admin.get(`/runs/${created.data.id}`)).data;
		clock.advance(sandbox.timings.pendingMs);
		expect(await read()).toMatchObject({
			status: 'RUNNING',
			startTime: '2026-11-20T12:00:05.000000Z',
			kubeApp: { appMeta: { resolved_version: '2.0.3' } },
		});
		clock.advance(sandbox.timings.runningMs);
		expect(await read()).toMatchObject({
			status: 'COMPLETED',
			completeTime: '2026-11-20T12:00:25.000000Z',
			updateTime: '2026-11-20T12:00:25.000000Z',
		});
		clock.advance(-1);
		expect((await read()).status).toBe('RUNNING');
	});

	it.each([
		['s3://b/will-fail.py', 'FAILED'],
		['s3://b/timeout.py', 'TIMED_OUT'],
		['s3://b/slow.py', 'RUNNING'],
		['s3://fail/fine.py', 'COMPLETED'],
	])('%s does what its file name says', async (uri, status) => {
		const { admin, clock } = await open();
		const { data } = await admin.post(CREATE, { ...PAYLOAD, runPython: { uri } });
		clock.advance(60_000);
		expect((await admin.get(`/runs/${data.id}`)).data.status).toBe(status);
	});

	it('never outlives timeoutSeconds, which is capped', async () => {
		const { admin, clock } = await open({ variants: { maxWorkloadAliveHours: 1 } });
		const slow = { ...PAYLOAD, runPython: { uri: 's3://b/slow.py' } };
		const short = (await admin.post(CREATE, { ...slow, timeoutSeconds: 60 })).data;
		const long = (await admin.post(CREATE, { ...slow, timeoutSeconds: 99_999 })).data;
		expect(long.payload.timeoutSeconds).toBe(3600);
		clock.advance(65_000);
		expect((await admin.get(`/runs/${short.id}`)).data.status).toBe('TIMED_OUT');
	});

	it('can be planned: FAILED with an event that says timeout', async () => {
		const { admin, clock, sandbox } = await open();
		sandbox.plans.set('hello-world', { outcome: 'FAILED_TIMEOUT', pendingMs: 0, runningMs: 10 });
		const { data } = await admin.post(CREATE, PAYLOAD);
		clock.advance(10);
		const run = (await admin.get(`/runs/${data.id}`)).data;
		expect(run.status).toBe('FAILED');
		const failure = run.kubeApp.events.find(
			({ code }: { code: string }) => code === 'RUN_FAIL_EXEC',
		);
		expect(failure.message).toMatch(/timeout/);
	});

	it('takes about a minute to be cancelled, and refuses once it has ended', async () => {
		const { admin, clock, sandbox } = await open();
		const { data } = await admin.post(CREATE, { ...PAYLOAD, runPython: { uri: 's3://b/slow.py' } });
		clock.advance(20_000);
		expect((await admin.post(`/runs/${data.id}/cancel`)).status).toBe(200);
		expect((await admin.post(`/runs/${data.id}/cancel`)).status).toBe(200);
		clock.advance(sandbox.timings.cancelMs - 1);
		expect((await admin.get(`/runs/${data.id}`)).data.status).toBe('RUNNING');
		clock.advance(1);
		expect((await admin.get(`/runs/${data.id}`)).data.status).toBe('CANCELLED');
		const again = await admin.post(`/runs/${data.id}/cancel`);
		expect(again.status).toBe(409);
		expect(again.data.errors[0].code).toBe('CONFLICT_ERROR');
	});

	it('that ends before the cancellation takes effect has ended by itself', async () => {
		const { admin, clock } = await open();
		const { data } = await admin.post(CREATE, PAYLOAD);
		clock.advance(20_000);
		await admin.post(`/runs/${data.id}/cancel`);
		clock.advance(120_000);
		expect((await admin.get(`/runs/${data.id}`)).data.status).toBe('COMPLETED');
	});

	it('stays in the status that a test gives it', async () => {
		const { admin, clock, sandbox } = await open();
		const { id } = sandbox.store.createRun({ status: 'RUNNING' });
		clock.advance(86_400_000);
		expect((await admin.get(`/runs/${id}`)).data.status).toBe('RUNNING');
		sandbox.store.moveRun(id, 'MARTIAN');
		expect((await admin.get(`/runs/${id}`)).data.status).toBe('MARTIAN');
	});

	it('is not there until it is visible', async () => {
		const { admin, clock, sandbox } = await open();
		const later = clock.now() + 1_000;
		const { id } = sandbox.store.createRun({ visibleAt: later });
		expect((await admin.get(`/runs/${id}`)).status).toBe(404);
		expect((await admin.get('/runs')).data.items).toEqual([]);
		clock.advance(1_000);
		expect((await admin.get('/runs')).data.items).toHaveLength(1);
	});
});

describe('responses may differ', () => {
	it('in status, body and fields', async () => {
		const { admin, sandbox } = await open();
		sandbox.variants.successStatus = { createRun: 201, cancelRun: 204 };
		const created = await admin.post(CREATE, PAYLOAD);
		expect(created.status).toBe(201);
		const cancelled = await admin.post(`/runs/${created.data.id}/cancel`);
		expect([cancelled.status, cancelled.data]).toEqual([204, '']);
		sandbox.variants.kubeApp = 'absent';
		expect((await admin.get(`/runs/${created.data.id}`)).data).not.toHaveProperty('kubeApp');
		const { name, runPython } = PAYLOAD;
		expect((await admin.post('/runs', { name, runPython })).data.payload.runtime).toBe('tiny');
	});
});

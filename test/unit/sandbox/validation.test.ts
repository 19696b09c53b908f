import { closeAll, fieldsOf, open, PAYLOAD, type Open } from './open';

let shared: Open;

// No test here depends on what another one changes, so one sandbox does for all.
beforeAll(async () => {
	shared = await open({ seed: 'demo' });
});

afterAll(closeAll);

const CREATE = '/runs?region=aws-us-west-2';
const { runtime, runPython } = PAYLOAD;

describe('creating a run is refused with 422', () => {
	it.each([
		['a short name', { ...PAYLOAD, name: 'seven77' }, 'name'],
		['no name', { runtime, runPython }, 'name'],
		['an unknown runtime', { ...PAYLOAD, runtime: 'gigantic' }, 'runtime'],
		['both files', { ...PAYLOAD, runJar: { uri: 's3://b/a.jar' } }, 'runPython'],
		['a number as text', { ...PAYLOAD, timeoutSeconds: '60' }, 'timeoutSeconds'],
		['an unknown field', { ...PAYLOAD, runtimes: 'tiny' }, 'runtimes'],
		[
			'a dependency without a library name',
			{ ...PAYLOAD, environment: { dependencies: [{ sourceType: 'PYPI' }] } },
			'libraryName',
		],
	])('%s', async (_what, body, field) => {
		const { admin, sandbox } = shared;
		const before = sandbox.store.runs.size;
		const { status, data } = await admin.post(CREATE, body);
		expect(status).toBe(422);
		expect(fieldsOf(data)).toContain(field);
		expect(data.errors[0].code).toBe('INVALID_INPUT_ERROR');
		expect(sandbox.store.runs.size).toBe(before);
	});

	it('names every problem at once', async () => {
		const { admin } = shared;
		const { data } = await admin.post('/runs?region=a&region=b', { name: 'x', extra: 1 });
		expect(fieldsOf(data).sort()).toEqual(['extra', 'name', 'region']);
	});

	it('in an unknown region, or in two', async () => {
		const { admin } = shared;
		for (const query of ['?region=moon-1', '?region=aws-us-west-2&region=aws-us-east-1']) {
			const { status, data } = await admin.post(`/runs${query}`, PAYLOAD);
			expect([status, fieldsOf(data)]).toEqual([422, ['region']]);
		}
	});

	it('when the body is not JSON, or not said to be', async () => {
		const { admin } = shared;
		const json = { headers: { 'Content-Type': 'application/json' } };
		const plain = { headers: { 'Content-Type': 'text/plain' } };
		const identity = { transformRequest: (data: string) => data };
		expect((await admin.post(CREATE, '{"name":', { ...json, ...identity })).status).toBe(422);
		const { status, data } = await admin.post(CREATE, JSON.stringify(PAYLOAD), {
			...plain,
			...identity,
		});
		expect([status, fieldsOf(data)]).toEqual([422, ['content-type']]);
		expect((await admin.post(CREATE)).status).toBe(422);
	});
});

describe('queries are refused with 422', () => {
	it.each([
		['/runs?size=101', 'size'],
		['/runs?size=1&size=2', 'size'],
		['/runs?name=a*b*', 'name'],
		['/runs?status=DONE', 'status'],
		['/runs?created_after=2026-11-01', 'created_after'],
		['/runs?created_after=2026-11-01T00:00:00+02:00', 'created_after'],
		['/audit-log?startTime=2026-11-01T00:00:00', 'startTime'],
		['/audit-log/export?endTime=2026-11-01T00:00:00Z', 'startTime'],
		['/cloud-connections/conn-new/cft/storage?access=read-only', 'bucket'],
		['/cloud-connections/conn-new/cft/storage?bucket=abc&access=read-only&prefix=a%26b', 'prefix'],
	])('%s', async (url, field) => {
		const { admin } = shared;
		const { status, data } = await admin.get(url);
		expect([status, fieldsOf(data)]).toEqual([422, [field]]);
	});

	it('but not for parameters that the service does not know', async () => {
		const { admin } = shared;
		for (const url of ['/runs?reuse_session=true', '/storage?include_external_providers=false']) {
			expect((await admin.get(url)).status).toBe(200);
		}
	});

	it('bodies where none is expected', async () => {
		const { admin, sandbox } = shared;
		const { id } = sandbox.store.createRun();
		expect((await admin.post(`/runs/${id}/cancel`, {})).status).toBe(422);
		expect((await admin.get('/runs', { data: { size: 1 } })).status).toBe(422);
		expect((await admin.get('/runs')).status).toBe(200);
	});
});

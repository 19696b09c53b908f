import { closeAll, open, type Open } from './open';

let shared: Open;

// No test here depends on what another one changes, so one sandbox does for all.
beforeAll(async () => {
	shared = await open({ seed: 'demo' });
});

afterAll(closeAll);

/** Status and fields that the error body of a response complains about. */
const refusal = ({ status, data }: { status: number; data: unknown }) => {
	const { errors } = data as { errors: Array<{ field: string | null }> };
	return [status, errors.map(({ field }) => field).sort()];
};

const CREATE = '/runs?region=aws-us-west-2';
const runPython = { uri: 's3://bucket/jobs/hello.py' };
/** A payload that the service accepts. */
const PAYLOAD = { name: 'hello-world', runtime: 'tiny', runPython };

const nameless = { environment: { dependencies: [{ sourceType: 'PYPI' }] } };

it.each<[string, object, string[], string?]>([
	['a short name', { ...PAYLOAD, name: 'seven77' }, ['name']],
	['no name', { runtime: 'tiny', runPython }, ['name']],
	['an unknown runtime', { ...PAYLOAD, runtime: 'gigantic' }, ['runtime']],
	['both files', { ...PAYLOAD, runJar: { uri: 's3://b/a.jar' } }, ['runPython']],
	['a number as text', { ...PAYLOAD, timeoutSeconds: '60' }, ['timeoutSeconds']],
	['an unknown field', { ...PAYLOAD, runtimes: 'tiny' }, ['runtimes']],
	['a dependency without a library name', { ...PAYLOAD, ...nameless }, ['libraryName']],
	[
		'several problems',
		{ name: 'x', extra: 1 },
		['extra', 'name', 'region'],
		'/runs?region=a&region=b',
	],
	['an unknown region', PAYLOAD, ['region'], '/runs?region=moon-1'],
])('a run with %s is refused with 422', async (...row) => {
	const [, body, fields, path = CREATE] = row;
	const { admin, sandbox } = shared;
	const before = sandbox.store.runs.size;
	const response = await admin.post(path, body);
	expect(refusal(response)).toEqual([422, fields]);
	expect(response.data.errors[0].code).toBe('INVALID_INPUT_ERROR');
	expect(sandbox.store.runs.size).toBe(before);
});

it.each([
	['is not JSON', '{"name":', 'application/json', ['body']],
	['is not said to be JSON', JSON.stringify(PAYLOAD), 'text/plain', ['content-type']],
	['is missing', undefined, 'application/json', ['body']],
])('a body that %s is refused with 422', async (_, body, type, fields) => {
	const options = { headers: { 'Content-Type': type }, transformRequest: (data: string) => data };
	expect(refusal(await shared.admin.post(CREATE, body, options))).toEqual([422, fields]);
});

it('a body where none is expected is refused with 422', async () => {
	const { admin, sandbox } = shared;
	const { id } = sandbox.store.createRun();
	expect((await admin.post(`/runs/${id}/cancel`, {})).status).toBe(422);
	expect((await admin.get('/runs', { data: { size: 1 } })).status).toBe(422);
	expect((await admin.get('/runs')).status).toBe(200);
});

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
])('the query of %s is refused with 422', async (url, field) => {
	expect(refusal(await shared.admin.get(url))).toEqual([422, [field]]);
});

it.each(['/runs?reuse_session=true', '/storage?include_external_providers=false'])(
	'a parameter that the service does not know is ignored: %s',
	async (url) => {
		expect((await shared.admin.get(url)).status).toBe(200);
	},
);

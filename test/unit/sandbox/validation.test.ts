/** What the stand-in refuses: without that, requests of the nodes that are wrong would pass. */
import axios, { type AxiosInstance } from 'axios';

import { startSandbox, type Sandbox } from '../../sandbox';

let sandbox: Sandbox;
let admin: AxiosInstance;

const validateStatus = () => true;

// No test here depends on what another one changes, so one sandbox does for all.
beforeAll(async () => {
	sandbox = await startSandbox({ seed: 'demo' });
	const headers = { 'X-API-Key': sandbox.credentials.admin.apiKey };
	admin = axios.create({ baseURL: sandbox.baseUrl, headers, validateStatus });
});

afterAll(async () => await sandbox.stop());

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
	expect(refusal(await admin.post(CREATE, body, options))).toEqual([422, fields]);
});

it('a body where none is expected is refused with 422', async () => {
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
	expect(refusal(await admin.get(url))).toEqual([422, [field]]);
});

it.each(['/runs?reuse_session=true', '/storage?include_external_providers=false'])(
	'a parameter that the service does not know is ignored: %s',
	async (url) => {
		expect((await admin.get(url)).status).toBe(200);
	},
);

it.each([
	['a key', { 'Content-Type': false, 'X-API-Key': 'k' }, 400],
	['a token', { 'Content-Type': false, Authorization: 'Bearer t' }, 400],
	['a content type', { 'Content-Type': 'text/plain' }, 403],
])('the address of a file is not used with %s', async (_, headers, status) => {
	const { data } = await admin.post('/storage/stor-acme/file-upload-url/jobs/new.py');
	const { uploadUrl } = data as { uploadUrl: string };
	const refused = await axios.put(uploadUrl, 'pass', { headers: headers as never, validateStatus });
	expect(refused.status).toBe(status);
});

import { callsOf } from '../harness/tools';
import { fieldsOf, pick } from '../harness/pickers';
import { credentialsFor, suiteWithSandbox } from '../harness/suite';

const suite = suiteWithSandbox();

const node = (apiRequest: string, more: object = {}) => ({
	...{ resource: 'api', operation: 'request', allowChanges: true, parametersFrom: 'json' },
	apiRequest: { __rl: true, mode: 'path', value: apiRequest },
	...more,
});
const withJson = (parameters: object) => ({ parametersJson: JSON.stringify(parameters) });
const run = async (apiRequest: string, more?: object, options?: object) =>
	await suite.run(node(apiRequest, more), options);

describe('a request', () => {
	it('returns what comes, one item for each record of a list', async () => {
		expect((await run('GET /organization')).json).toMatchObject([{ name: 'Acme Geospatial' }]);
		const listed = await run('GET /apikey');
		expect(listed.json.length).toBeGreaterThan(1);
		expect(listed.json[0]).toMatchObject({ id: expect.any(String), name: expect.any(String) });
	});

	it('has its values in path, query and body', async () => {
		const [{ id }] = suite.store.runs.all();
		const { json } = await run('GET /runs/{run_id}', withJson({ run_id: id }));
		expect(json).toMatchObject([{ id }]);
		const page = await run('GET /runs', withJson({ size: 2, status: ['FAILED', 'COMPLETED'] }));
		expect((page.json[0].items as unknown[]).length).toBe(2);
		const body = { name: 'from-api', expiresAt: '2026-12-24T00:00:00Z' };
		await run('POST /apikey', withJson({ body }));
		await run('POST /apikey', withJson({ 'body.name': 'other', 'body.expiresAt': body.expiresAt }));
		const names = suite.requests.of('createApiKey').map(({ body: sent }) => sent);
		expect(names).toMatchObject([body, { ...body, name: 'other' }]);
	});

	it('says what it needs where the key may not make it', async () => {
		const user = { credentials: credentialsFor(suite.sandbox, 'user') };
		const { error } = await run('GET /organization/apikeys', {}, user);
		expect(JSON.stringify([error?.message, error?.description])).toContain(
			'This needs the key of an organization admin',
		);
	});

	it.each([
		[
			'GET /runs',
			{ sise: 2, size: 2 },
			'sise',
			'region, name, created_after, status, cursor, size',
		],
		['DELETE /apikey/{api_key_id}', { api_key_id: 'x', force: true }, 'force', undefined],
		...[{ body: { nmae: 'a' } }, { 'body.nmae': 'a' }, { nmae: 'a' }].map((values) => [
			...['POST /apikey', values, 'body' in values || 'body.nmae' in values ? 'body.nmae' : 'nmae'],
			'body.name, body.expiresAt, body.ownedById',
		]),
	] as Array<[string, object, string, string]>)(
		'names the values that %s does not take, and those that it does: %j',
		async (apiRequest, values, unknown, known) => {
			const { error } = await run(apiRequest, withJson(values));
			expect(error?.message).toBe(`'Parameters (JSON)' has an unknown parameter: ${unknown}`);
			if (known) expect(error?.description).toBe(`Known parameters: ${known}.`);
			expect(suite.requests.all().map(({ path }) => path)).toEqual(['/openapi.json']);
		},
	);

	it.each([
		['GET /runs', { size: 'five' }, 'size'],
		['POST /runs', { region: 'x', body: { name: 'a-new-run', timeoutSeconds: '1h' } }, ''],
	])('refuses a text in the place of a number: %s %j', async (apiRequest, values, name) => {
		const what = name ? 'size, which must be a number, not "five"' : 'body.timeoutSeconds, which';
		const { error } = await run(apiRequest, withJson(values));
		expect(error?.message).toContain(`'Parameters (JSON)' has ${what}`);
		expect(suite.requests.all().map(({ path }) => path)).toEqual(['/openapi.json']);
		await suite.succeeds(node('GET /runs', withJson({ size: '5' })));
	});

	it('takes all values where the deployment does not describe it', async () => {
		suite.fails('getDescription', 404);
		await suite.succeeds(node('GET /apikey', withJson({ customerId: 'x' })));
		expect(suite.requests.of('listApiKeys')[0].query).toEqual({ customerId: 'x' });
	});

	it('reads the description once for all items', async () => {
		await suite.run(node('GET /runs', withJson({ size: 2 })), { input: [{}, {}, {}] });
		expect(suite.requests.of('getDescription')).toHaveLength(1);
	});

	it('reads all pages where the deployment describes them', async () => {
		const { json } = await run('GET /runs', { returnAllPages: true });
		expect(json.length).toBe(suite.store.runs.all().length);
		expect(json[0]).toHaveProperty('status');
		const tasks = await run('GET /task-runs', { returnAllPages: true });
		expect(tasks.json.length).toBe(suite.store.tasks.runs.length);
		const whole = await run('GET /organization', { returnAllPages: true });
		expect(whole.json).toHaveLength(1);
	});

	it('says what is missing where the deployment does not describe itself', async () => {
		suite.variants.description = 'missing';
		const { error } = await run('GET /runs', { returnAllPages: true });
		expect(error?.description).toContain('the description at /openapi.json');
		expect((await run('GET /runs')).error).toBeUndefined();
	});

	it('returns no secret', async () => {
		const body = { name: 'from-api', expiresAt: '2026-12-24T00:00:00Z' };
		const { json } = await run('POST /apikey', withJson({ body }));
		const [{ id, key }] = suite.store.apiKeys.all().slice(-1);
		expect(json).toMatchObject([{ id, key: expect.stringContaining('hidden') }]);
		expect(JSON.stringify(json)).not.toContain(key);
	});
});

describe('what changes something', () => {
	it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('needs a switch: %s', async (method) => {
		const { error } = await run(`${method} /apikey/x`, { allowChanges: false });
		expect(error?.message).toContain("because 'Allow Changes' is off");
		expect(suite.requests.count).toBe(0);
	});

	it('is not for agents, whatever is chosen', async () => {
		const call = callsOf(suite.sandbox, node('DELETE /apikey/x'), {});
		expect(String(await call().catch((error: Error) => error.message))).toContain(
			'must be a GET request, because an AI agent can only read',
		);
		expect(suite.requests.count).toBe(0);
	});

	it.each([
		['GET /management/quotas/all', 'reserved for Wherobots staff'],
		['GET /Management/quotas/all', 'reserved for Wherobots staff'],
		['POST /webhook/stripe/subscriptions', 'reserved for Wherobots staff'],
		['DELETE /organization', 'must not delete an organization'],
		['DELETE /organization/{organization_id}', 'must not delete an organization'],
		['POST /subscriptions/cancel', 'change its subscription'],
		['GET /subscriptions/portal', 'open its billing portal'],
		['GET /v1/management/quotas/all', 'reserved for Wherobots staff'],
		['GET /../admin', 'must be a path'],
		['GET /runs/./x', 'must be a path'],
		['GET //elsewhere.com/x', 'must be a path'],
		['GET /runs?x=1', 'must be a path'],
		['GET /%6danagement', 'must be a path'],
		['GET runs', 'must be a path'],
		['TRACE /runs', 'must be a method and a path'],
		['/runs', 'must be a method and a path'],
	])('is never %s', async (apiRequest, message) => {
		expect((await run(apiRequest)).error?.message).toContain(message);
		expect(suite.requests.count).toBe(0);
	});

	it('is not sent again by Retry On Fail when its response is lost', async () => {
		suite.fails('createApiKey', { kind: 'reset', when: 'after' });
		const body = { name: 'from-api', expiresAt: '2026-12-24T00:00:00Z' };
		const { error } = await run('POST /apikey', withJson({ body }), { maxTries: 3 });
		expect(suite.requests.of('createApiKey')).toHaveLength(1);
		expect(error?.description).toContain('POST /apikey');
	});
});

describe('the editor', () => {
	it('offers what the deployment describes, and changes only where they are allowed', async () => {
		const { results } = await pick(suite.sandbox, 'searchApiRequests', { filter: '/apikey' });
		expect(results.map(({ value }) => value)).toEqual(['GET /apikey', 'GET /organization/apikeys']);
		const parameters = { ...node(''), allowChanges: true };
		const all = await pick(suite.sandbox, 'searchApiRequests', { filter: 'apikey', parameters });
		expect(all.results.map(({ value }) => value)).toContain('DELETE /apikey/{api_key_id}');
		const files = await pick(suite.sandbox, 'searchApiRequests', { filter: 'export' });
		expect(files.results).toEqual([]);
	});

	it('says that a request has to be typed where the deployment describes none', async () => {
		suite.variants.description = 'missing';
		await expect(pick(suite.sandbox, 'searchApiRequests')).rejects.toMatchObject({
			message: expect.stringContaining('does not describe its requests'),
			description: expect.stringContaining('Enter the method and the path yourself'),
		});
		const form = await fieldsOf(suite.sandbox, 'getApiParameters', node('GET /runs/{run_id}'));
		expect(form).toEqual({
			fields: [],
			emptyFieldsNotice: expect.stringContaining("set 'Specify Parameters' to 'Using JSON'"),
		});
	});

	it.each(['POST', 'post'])('has a field for each value of %s', async (method) => {
		const { fields } = await fieldsOf(suite.sandbox, 'getApiParameters', node(`${method} /apikey`));
		expect(fields.map(({ id, type, required }) => [id, type, required])).toEqual([
			['body.name', 'string', true],
			['body.expiresAt', 'string', true],
			['body.ownedById', 'string', false],
		]);
	});
});

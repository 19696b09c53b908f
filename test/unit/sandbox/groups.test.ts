import { closeAll, fieldsOf, NOW, open, PAYLOAD } from './open';

afterEach(closeAll);

const YEAR_AHEAD = '2027-11-20T12:00:00+02:00';

describe('API keys', () => {
	it('are created with a secret that is shown once and works until revoked', async () => {
		const { admin } = await open();
		const created = await admin.post('/apikey', { name: 'ci', expiresAt: YEAR_AHEAD });
		expect(created.status).toBe(200);
		const { key, ...shown } = created.data;
		expect(shown).toMatchObject({
			name: 'ci',
			valid: true,
			revoked: false,
			expiresAt: '2027-11-20T10:00:00.000000Z',
		});
		expect((await admin.get('/apikey')).data).toEqual([shown]);
		const own = { headers: { 'X-API-Key': key } };
		expect((await admin.post('/runs?region=aws-us-west-2', PAYLOAD, own)).status).toBe(200);
		expect((await admin.delete(`/apikey/${shown.id}`)).status).toBe(200);
		expect((await admin.get('/runs', own)).status).toBe(401);
		expect((await admin.delete(`/apikey/${shown.id}`)).status).toBe(404);
		expect((await admin.get('/apikey')).data[0]).toMatchObject({ valid: false, revoked: true });
	});

	it('expire, unless their expiry is moved', async () => {
		const { admin, clock, sandbox } = await open();
		const { id } = sandbox.store.apiKeys.create({ expiresAt: NOW + 1_000 });
		const moved = await admin.post(`/apikey/${id}`, { expiresAt: '2026-11-20T12:00:05Z' });
		expect(moved.data.expiresAt).toBe('2026-11-20T12:00:05.000000Z');
		clock.advance(4_999);
		expect((await admin.get('/apikey')).data[0].valid).toBe(true);
		clock.advance(1);
		expect((await admin.get('/apikey')).data[0].valid).toBe(false);
	});

	it.each([
		[{ name: 'x'.repeat(51), expiresAt: YEAR_AHEAD }, 'name'],
		[{ name: 'x' }, 'expiresAt'],
		[{ name: 'x', expiresAt: '2026-11-20' }, 'expiresAt'],
		[{ name: 'x', expiresAt: '2026-11-20T12:00:00Z' }, 'expiresAt'],
	])('are refused: %j', async (body, field) => {
		const { admin } = await open();
		const { status, data } = await admin.post('/apikey', body);
		expect([status, fieldsOf(data)]).toEqual([422, [field]]);
	});

	it('of others are for an Admin only', async () => {
		const { admin, user, sandbox } = await open();
		const { id, ownedBy } = sandbox.store.apiKeys.create();
		expect((await user.get('/apikey')).data).toEqual([]);
		expect((await user.delete(`/apikey/${id}`)).status).toBe(403);
		const foreign = { name: 'x', expiresAt: YEAR_AHEAD, ownedById: ownedBy?.id };
		expect((await user.post('/apikey', foreign)).status).toBe(403);
		expect((await admin.get(`/apikey?customerId=${ownedBy?.id}`)).data).toHaveLength(1);
		expect((await admin.get('/apikey?customerId=nobody')).data).toEqual([]);
	});
});

describe('catalogs', () => {
	const NOAA = '/catalogs/cat-org/namespaces/noaa';

	it('are created with a numeric and a text ID, of which paths take the text', async () => {
		const { admin } = await open({ seed: 'demo' });
		const { status, data } = await admin.post('/catalogs', { name: 'fresh' });
		expect(status).toBe(201);
		expect(typeof data.id).toBe('number');
		expect((await admin.get(`/catalogs/${data.extId}/namespaces`)).data).toEqual({
			namespaces: [],
		});
		expect((await admin.get(`/catalogs/${data.id}/namespaces`)).status).toBe(404);
		expect((await admin.post('/catalogs', { name: 'fresh' })).status).toBe(409);
		const kinds = (await admin.get('/catalogs')).data.catalogs.map(
			({ type }: { type: string }) => type,
		);
		expect(kinds).toEqual(['MANAGED', 'FOREIGN_AWS_GLUE', 'FOREIGN_AWS_S3_TABLES', 'MANAGED']);
	});

	it('contain names that have to survive being part of a path', async () => {
		const { admin } = await open({ seed: 'demo' });
		let seen = 0;
		const { catalogs } = (await admin.get('/catalogs/hierarchy')).data;
		for (const { name: namespace, tables } of catalogs[0].databases) {
			const base = `/catalogs/cat-org/namespaces/${encodeURIComponent(namespace)}/tables`;
			expect((await admin.get(base)).data.tables).toHaveLength(tables.length);
			for (const { name, location } of tables.slice(0, 10)) {
				const { status, data } = await admin.get(`${base}/${encodeURIComponent(name)}`);
				if (status === 200) expect([data.name, data.location]).toEqual([name, location]);
				seen += status === 200 ? 1 : 0;
			}
		}
		expect(seen).toBeGreaterThan(15);
	});

	it('send 64-bit IDs with every digit', async () => {
		const { admin } = await open({ seed: 'demo' });
		const { data } = await admin.get(`${NOAA}/tables/hail`, { transformResponse: (text) => text });
		expect(data).toContain('"snapshot-id":9223372036854775807');
		expect(data).toContain('"parent-snapshot-id":3051729675574597004');
	});

	it('keep tables and views apart', async () => {
		const { admin } = await open({ seed: 'demo' });
		const { tables } = (await admin.get(`${NOAA}/tables`)).data;
		expect(tables.find(({ name }: { name: string }) => name === 'recent_hail').table_type).toBe(
			'VIEW',
		);
		expect((await admin.get(`${NOAA}/tables/recent_hail`)).status).toBe(404);
		expect((await admin.get(`${NOAA}/views/recent_hail`)).data.definition).toMatch(/^SELECT/);
		expect((await admin.get(`${NOAA}/views/hail`)).status).toBe(404);
	});

	it('delete a broken table only by force, and foreign ones never', async () => {
		const { admin } = await open({ seed: 'demo' });
		const broken = `${NOAA}/tables/broken_metadata`;
		expect((await admin.delete(broken)).status).toBe(400);
		expect((await admin.delete(`${broken}?force_delete_catalog_entry=yes`)).status).toBe(422);
		const deleted = await admin.delete(`${broken}?force_delete_catalog_entry=true`);
		expect([deleted.status, deleted.data]).toEqual([204, '']);
		const foreign = '/catalogs/cat-glue/namespaces/sales/tables/stores';
		expect((await admin.delete(`${foreign}?force_delete_catalog_entry=true`)).status).toBe(400);
	});

	it('lend credentials for a table', async () => {
		const { admin } = await open({ seed: 'demo' });
		const { data } = await admin.post(`${NOAA}/tables/hail/credentials`);
		expect(data).toMatchObject({ region: 'us-west-2', expiration: '2026-11-20T13:00:00.000000Z' });
		expect(Object.keys(data).sort()).toEqual(
			['accessKey', 'expiration', 'region', 'secretKey', 'sessionToken'].sort(),
		);
	});
});

describe('cloud connections', () => {
	it('pass verification once their stack is there', async () => {
		const { admin, clock, sandbox } = await open();
		const body = { name: 'customer', awsAccountId: '123456789012' };
		const { status, data } = await admin.post('/cloud-connections', body);
		expect(status).toBe(201);
		expect((await admin.get(`/cloud-connections/${data.id}`)).data).toEqual(data);
		const verify = async (request: object) =>
			(await admin.post(`/cloud-connections/${data.id}/verify`, request)).data;
		expect(await verify({})).toMatchObject({
			roleAssumption: { status: 'FAILED' },
			bindingAccess: null,
		});
		clock.advance(sandbox.timings.verifyMs);
		const binding = { type: 'storage', path: 's3://bucket/prefix', accessType: 'READ' };
		expect(await verify({ binding })).toMatchObject({
			roleAssumption: { status: 'OK' },
			bindingAccess: { status: 'OK', checks: { list: true, get: true, put: false, delete: false } },
		});
	});

	it('deny a bucket, fail for ever, and refuse other bindings', async () => {
		const { admin } = await open({ seed: 'demo' });
		const verify = async (id: string, body: object) =>
			await admin.post(`/cloud-connections/${id}/verify`, body);
		const binding = { type: 'storage', path: 's3://acme-private', accessType: 'READ_WRITE' };
		expect((await verify('conn-production', { binding })).data.bindingAccess).toMatchObject({
			status: 'DENIED',
			checks: { list: false, get: false, put: false, delete: false },
		});
		expect((await verify('conn-broken', {})).data.roleAssumption.status).toBe('FAILED');
		const glue = { binding: { ...binding, type: 'glue' } };
		expect((await verify('conn-production', glue)).status).toBe(422);
	});

	it('are deleted unless something uses them', async () => {
		const { admin } = await open({ seed: 'demo' });
		expect((await admin.delete('/cloud-connections/conn-production')).status).toBe(409);
		expect((await admin.delete('/cloud-connections/conn-broken')).status).toBe(200);
		expect((await admin.get('/cloud-connections/conn-broken')).status).toBe(404);
	});

	it.each([
		['connection', ''],
		['storage', 'bucket=my-bucket&access=read-only'],
		['glue', 'name=Lake&access=read-write&region=eu-west-1&awsAccountId=123456789012'],
		[
			's3tables',
			'access=read-only&tableBucketArn=arn:aws:s3tables:us-east-1:123456789012:bucket/tables-1',
		],
	])('have a link and a template for the %s stack', async (stack, query) => {
		const { admin } = await open({ seed: 'demo' });
		const base = '/cloud-connections/conn-new';
		const link = (await admin.get(`${base}/create-link/${stack}?${query}`)).data;
		expect(new URL(link.url).searchParams.get('stackName')).toBe(link.stackName);
		const template = await admin.get(`${base}/cft/${stack}?${query}`);
		expect(template.headers['content-type']).toBe('application/x-yaml');
		expect(template.data).toContain(`Stack ${link.stackName} (${stack})`);
	});
});

describe('environment override presets', () => {
	it('are created, and updated by name', async () => {
		const { admin } = await open();
		const path = '/environment-override-preset';
		const first = (await admin.put(path, { name: 'big', driverDiskSize: 100 })).data;
		const second = (await admin.put(path, { name: 'big', executorDiskSize: 200 })).data;
		expect(second).toMatchObject({ id: first.id, driverDiskSize: null, executorDiskSize: 200 });
		expect((await admin.get(path)).data).toEqual([second]);
		expect((await admin.put(path, { name: '' })).status).toBe(422);
	});

	it('are deleted by ID, unless they are protected', async () => {
		const { admin, sandbox } = await open();
		const own = sandbox.store.presets.upsert({ name: 'own' });
		const fixed = sandbox.store.presets.upsert({ name: 'fixed' }, { protected: true });
		const path = '/environment-override-preset';
		expect((await admin.delete(`${path}/${own.id}`)).status).toBe(200);
		expect((await admin.delete(`${path}/${own.id}`)).status).toBe(404);
		expect((await admin.delete(`${path}/${fixed.id}`)).status).toBe(403);
		expect((await admin.get(path)).data).toMatchObject([{ name: 'fixed' }]);
	});
});

describe('regions and runtimes', () => {
	it('can be read, refused, or not there', async () => {
		const { admin, sandbox } = await open();
		expect((await admin.get('/organization')).data).toMatchObject({
			allowedRegions: sandbox.variants.regions,
			defaultRegion: 'aws-us-west-2',
			defaultRuntime: 'tiny',
		});
		const { runtimes, regions } = (await admin.get('/me/jupyter/lab/config-hint')).data;
		expect(runtimes.hint.map(({ id }: { id: string }) => id)).toContain('2x-large-himem');
		expect(regions.hint.some(({ enabled }: { enabled: boolean }) => !enabled)).toBe(true);
		sandbox.variants.accountEndpoints = 'forbidden';
		expect((await admin.get('/organization')).status).toBe(403);
		sandbox.variants.accountEndpoints = 'missing';
		expect((await admin.get('/me/jupyter/lab/config-hint')).status).toBe(404);
	});
});

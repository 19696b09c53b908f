import { ORGANIZATION_ID } from '../../../sandbox/model/people';
import { closeAll, open } from '../open';

afterEach(closeAll);

describe('SQL sessions', () => {
	it('start step by step, and say where their socket is when they are ready', async () => {
		const { admin, clock } = await open();
		const created = await admin.post('/sql/session', {}, { maxRedirects: 0 });
		expect(created.status).toBe(303);
		const read = async () => (await admin.get(created.headers.location)).data;
		const seen: Array<[string, string | null]> = [];
		for (let step = 0; step <= 20; step++) {
			const { status, appMeta } = await read();
			if (seen.at(-1)?.[0] !== status)
				seen.push([status, appMeta && new URL(appMeta.url).pathname]);
			clock.advance(3_000);
		}
		expect(seen.map(([status]) => status)).toEqual([
			'PENDING',
			'PREPARING',
			'REQUESTED',
			'DEPLOYING',
			'DEPLOYED',
			'INITIALIZING',
			'READY',
		]);
		const [path, ...before] = seen.map(([, each]) => each).reverse();
		expect(before).toEqual(Array(6).fill(null));
		// Organization and session, as in the service.
		expect(path).toBe(`/sql/${ORGANIZATION_ID}/${created.headers.location.split('/').pop()}/ws`);
	});

	it('are the same for the same request when they are shared, and new otherwise', async () => {
		const { admin, user } = await open();
		const create = async (body: object, query = '', client = admin) =>
			(await client.post(`/sql/session${query}`, body)).data.id as string;
		const first = await create({ runtimeId: 'tiny' });
		expect(await create({ runtimeId: 'tiny', sessionType: 'multi', version: null })).toBe(first);
		const others = [
			await create({ runtimeId: 'small' }),
			await create({ runtimeId: 'tiny' }, '?region=aws-us-east-1'),
			await create({ runtimeId: 'tiny' }, '?force_new=true'),
			await create({ runtimeId: 'tiny', sessionType: 'single' }),
			await create({ runtimeId: 'tiny', sessionType: 'single' }),
			await create({ runtimeId: 'tiny', sessionKey: 'daily' }),
			await create({ runtimeId: 'tiny' }, '', user),
		];
		expect(new Set([first, ...others]).size).toBe(8);
		expect(await create({ runtimeId: 'tiny', sessionKey: 'daily' })).toBe(others[5]);
		// Older clients still send what means nothing any more.
		expect(await create({ runtimeId: 'tiny' }, '?reuse_session=false')).toBe(first);
		expect((await admin.get('/sql/sessions')).data).toHaveLength(7);
		expect((await admin.get('/sql/sessions?region=aws-us-east-1')).data).toHaveLength(1);
	});

	it('are shared beyond the quota, and the response says so', async () => {
		const { admin, sandbox } = await open();
		sandbox.variants.sqlSessionQuota = 1;
		const create = async (body: object) =>
			(await admin.post('/sql/session', body, { maxRedirects: 0 })).headers;
		const name = 'x-wherobots-sql-session-fallback';
		const first = await create({});
		expect(first).not.toHaveProperty(name);
		const other = await create({ sessionType: 'single' });
		expect(other).toMatchObject({ location: first.location, [name]: 'quota' });
		expect(await create({})).not.toHaveProperty(name);
	});

	it.each([
		['/sql/session', { runtimeId: 'gigantic' }, 422],
		['/sql/session', { sessionType: 'both' }, 422],
		['/sql/session', { name: 'x' }, 422],
		['/sql/session', undefined, 422],
		['/sql/session?region=mars', {}, 400],
	])('refuse %s %j', async (path, body, status) => {
		const { admin } = await open();
		expect((await admin.post(path, body)).status).toBe(status);
	});

	it('end when they are deleted', async () => {
		const { admin, user, clock, sandbox } = await open();
		const { id } = (await admin.post('/sql/session', {})).data;
		expect((await user.delete(`/sql/session/${id}`)).status).toBe(404);
		expect((await admin.delete(`/sql/session/${id}`)).status).toBe(200);
		const status = async () => (await admin.get(`/sql/session/${id}`)).data.status;
		expect(await status()).toBe('DESTROY_REQUESTED');
		clock.advance(sandbox.timings.sqlStopMs);
		expect(await status()).toBe('DESTROYED');
		expect((await admin.get('/sql/sessions')).data).toEqual([]);
		sandbox.variants.sqlListsEnded = true;
		expect((await admin.get('/sql/sessions')).data).toHaveLength(1);
	});

	it('end by themselves when nobody uses them', async () => {
		const { admin, clock, sandbox } = await open();
		const { id } = (await admin.post('/sql/session', { shutdownAfterInactiveSeconds: 30 })).data;
		const status = async () => (await admin.get(`/sql/session/${id}`)).data.status;
		clock.advance(sandbox.timings.sqlStartMs + 29_999);
		expect(await status()).toBe('READY');
		clock.advance(1);
		expect(await status()).toBe('DESTROY_REQUESTED');
		expect(
			(await admin.post('/sql/session', { shutdownAfterInactiveSeconds: 30 })).data.id,
		).not.toBe(id);
	});

	it('start as planned', async () => {
		const { admin, clock, sandbox } = await open();
		sandbox.sql.planSessions(
			{ outcome: 'DEPLOY_FAILED', message: 'No capacity' },
			{ outcome: 'never' },
			{ startMs: 0, url: 'https://elsewhere.example.com/sql' },
			{ startMs: 0, url: null },
		);
		const ids: string[] = [];
		for (let n = 0; n < 4; n++) {
			ids.push((await admin.post('/sql/session?force_new=true', {})).data.id as string);
		}
		clock.advance(3_600_000 / 6);
		const read = async (id: string) => (await admin.get(`/sql/session/${id}`)).data;
		expect(await read(ids[0])).toMatchObject({ status: 'DEPLOY_FAILED', message: 'No capacity' });
		expect(await read(ids[1])).toMatchObject({ status: 'DEPLOYING', message: null });
		expect((await read(ids[2])).appMeta.url).toBe('https://elsewhere.example.com/sql');
		expect((await read(ids[3])).appMeta).toBeNull();
	});

	it('are null, or not found, when there is no such session', async () => {
		const { admin, sandbox } = await open();
		const { status, data } = await admin.get('/sql/session/x');
		expect([status, data]).toEqual([200, null]);
		sandbox.variants.sqlUnknownSession = 'notFound';
		expect((await admin.get('/sql/session/x')).status).toBe(404);
	});
});

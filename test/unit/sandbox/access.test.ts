import axios from 'axios';

import { endpoints } from '../../sandbox';
import { closeAll, open, PAYLOAD, type Open } from './open';

let shared: Open;

beforeAll(async () => {
	shared = await open();
});

afterAll(closeAll);

const addresses = Object.values(endpoints).flatMap(({ method, paths }) =>
	paths.map((path) => [method, path]),
);

const call = (method: string, path: string) => ({
	method,
	url: path.replace(/\{\w+\}/g, 'x'),
	validateStatus: () => true,
});

describe('the table of endpoints', () => {
	it.each(addresses.filter(([, path]) => path !== '/openapi.json'))(
		'%s %s refuses unknown callers with the error body',
		async (method, path) => {
			const { sandbox } = shared;
			for (const headers of [{}, { 'X-API-Key': 'wrong' }, { Authorization: 'Bearer wrong' }]) {
				const { status, data } = await axios.request({
					...call(method, sandbox.baseUrl + path),
					headers,
				});
				expect(status).toBe(401);
				expect(data.errors[0]).toMatchObject({ code: 'UNAUTHORIZED_ERROR' });
				expect(data.requestId).toMatch(/^[0-9a-f-]{36}$/);
			}
		},
	);

	it.each(addresses.filter(([, path]) => path.includes('{')))(
		'%s %s responds with an error body when there is no such record',
		async (method, path) => {
			const { admin, sandbox } = shared;
			sandbox.variants.sqlUnknownSession = 'notFound';
			const { status, data } = await admin.request(call(method, path));
			// Some check the body or the parameters first.
			expect([404, 422]).toContain(status);
			expect(data.errors.length).toBeGreaterThan(0);
		},
	);
});

describe('roles and editions', () => {
	const EXPORT = '/audit-log/export?startTime=2026-11-01T00:00:00Z&endTime=2026-11-02T00:00:00Z';

	it('accept a bearer token as well as a key', async () => {
		const { sandbox } = await open();
		const headers = { Authorization: `Bearer ${sandbox.credentials.user.bearerToken}` };
		expect((await axios.get(`${sandbox.baseUrl}/runs`, { headers })).status).toBe(200);
	});

	it('let only an Admin export and delete tables', async () => {
		const { user, admin } = await open({ seed: 'demo' });
		const table = '/catalogs/cat-org/namespaces/noaa/tables/wind';
		expect((await user.get(EXPORT)).status).toBe(403);
		expect((await user.delete(table)).status).toBe(403);
		expect((await admin.get(EXPORT)).status).toBe(200);
		expect((await admin.delete(table)).status).toBe(204);
		expect((await admin.get(table)).status).toBe(404);
	});

	it('keep the community edition from running jobs and exporting', async () => {
		const { community } = await open();
		const { status, data } = await community.post('/runs?region=aws-us-west-2', PAYLOAD);
		expect([status, data.errors[0].code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS_ERROR']);
		expect((await community.get(EXPORT)).status).toBe(403);
		expect((await community.get('/runs')).status).toBe(200);
	});
});

describe('the published rate limit', () => {
	it('counts per credential, and says as a float when to come back', async () => {
		const { admin, user } = await open({ rateLimit: { requests: 3, windowMs: 1_500 } });
		const statuses = [];
		for (let index = 0; index < 4; index += 1) statuses.push((await admin.get('/catalogs')).status);
		expect(statuses).toEqual([200, 200, 200, 429]);
		const { status, headers } = await admin.get('/catalogs');
		expect(status).toBe(429);
		expect(headers['retry-after']).toMatch(/^[01]\.\d{3}$/);
		expect((await user.get('/catalogs')).status).toBe(200);
		await new Promise((resolve) => setTimeout(resolve, Number(headers['retry-after']) * 1000 + 5));
		expect((await admin.get('/catalogs')).status).toBe(200);
	});
});

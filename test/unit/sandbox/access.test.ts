import axios from 'axios';

import { endpoints } from '../../sandbox';
import { closeAll, open, type Open } from './open';

let shared: Open;

beforeAll(async () => {
	shared = await open();
});

afterAll(closeAll);

const addresses = Object.values(endpoints).flatMap(({ method, paths }) =>
	paths.map((path) => [method, path]),
);

const call = (method: string, path: string) => ({ method, url: path.replace(/\{\w+\}/g, 'x') });

describe('the table of endpoints', () => {
	it.each(addresses.filter(([, path]) => path !== '/openapi.json'))(
		'%s %s refuses unknown callers with the error body',
		async (method, path) => {
			const { baseUrl: baseURL } = shared.sandbox;
			const stranger = axios.create({ baseURL, validateStatus: () => true });
			for (const headers of [{}, { 'X-API-Key': 'wrong' }, { Authorization: 'Bearer wrong' }]) {
				const { status, data } = await stranger.request({ ...call(method, path), headers });
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

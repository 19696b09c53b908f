import { closeAll, failure, open, openWith, PAYLOAD, type Open } from './open';

afterEach(closeAll);

describe('rules', () => {
	it('select requests by endpoint, method and path, skip some, and hit a number of times', async () => {
		const { admin, sandbox } = await open();
		const handle = sandbox.faults.add({
			endpoint: 'listRuns',
			method: 'GET',
			path: /^\/runs$/,
			skip: 1,
			times: 2,
			fault: { kind: 'status', status: 503 },
		});
		const statuses = [];
		for (let index = 0; index < 5; index += 1) {
			statuses.push((await admin.get('/runs')).status, (await admin.get('/catalogs')).status);
		}
		expect(statuses).toEqual([200, 200, 503, 200, 503, 200, 200, 200, 200, 200]);
		expect(handle.hits).toBe(2);
	});

	it('can be removed one by one, and all at once', async () => {
		const { admin, sandbox } = await open();
		const first = sandbox.faults.add({ fault: { kind: 'status', status: 500 } });
		sandbox.faults.add({ fault: { kind: 'status', status: 502 } });
		expect((await admin.get('/runs')).status).toBe(500);
		first.remove();
		expect((await admin.get('/runs')).status).toBe(502);
		sandbox.faults.clear();
		expect((await admin.get('/runs')).status).toBe(200);
	});
});

describe('error responses', () => {
	it.each([2, 0.5, 'Fri, 20 Nov 2026 12:00:05 GMT', undefined])(
		'429 with Retry-After %s',
		async (retryAfter) => {
			const { admin } = await openWith({ kind: 'status', status: 429, retryAfter });
			const { status, headers, data } = await admin.get('/runs');
			expect([status, headers['retry-after']]).toEqual([429, retryAfter?.toString()]);
			expect(data.errors[0].code).toBe('RATE_LIMIT_ERROR');
		},
	);

	it.each([400, 401, 403, 404, 409, 422, 500])('%i with the error body', async (status) => {
		const { admin } = await openWith({
			kind: 'status',
			status,
			errors: [{ message: 'one', field: 'a' }, { message: 'two' }],
		});
		const response = await admin.get('/runs');
		expect(response.status).toBe(status);
		expect(response.data.errors).toMatchObject([
			{ message: 'one', field: 'a', details: '', path: '' },
			{ message: 'two', field: null },
		]);
	});

	it.each([
		['html', /^<!DOCTYPE html>/],
		['empty', /^$/],
		['plain', /^upstream error 502/],
		['detail', /^\{"detail":"Bad gateway"\}$/],
	] as const)('502 with a body that is %s', async (body, pattern) => {
		const { admin } = await openWith({ kind: 'status', status: 502, body });
		const { status, data } = await admin.get('/runs', { responseType: 'text' });
		expect(status).toBe(502);
		expect(typeof data === 'string' ? data : JSON.stringify(data)).toMatch(pattern);
	});

	it('HTML with status 200, bodies that echo the key, and huge ones', async () => {
		const { admin, sandbox } = await openWith({ kind: 'html' });
		expect((await admin.get('/runs')).headers['content-type']).toBe('text/html');
		sandbox.faults.clear();
		sandbox.faults.add({ fault: { kind: 'echoSecret' }, times: 1 });
		const echo = await admin.get('/runs');
		expect(JSON.stringify(echo.data)).toContain(sandbox.credentials.admin.apiKey);
		sandbox.faults.add({ fault: { kind: 'hugeError', bytes: 1_000_000 }, times: 1 });
		expect(JSON.stringify((await admin.get('/runs')).data).length).toBeGreaterThan(1_000_000);
	});
});

describe('lost responses', () => {
	it.each(['reset', 'status'] as const)('by %s, before or after handling', async (kind) => {
		for (const when of ['before', 'after'] as const) {
			const { admin, sandbox } = await open();
			sandbox.faults.add({
				fault: kind === 'reset' ? { kind, when } : { kind, when, status: 504 },
			});
			const outcome = await admin.post('/runs?region=aws-us-west-2', PAYLOAD).then(
				({ status }) => status,
				({ code }: { code: string }) => code,
			);
			expect(outcome).toBe(kind === 'reset' ? 'ECONNRESET' : 504);
			expect(sandbox.store.runs.size).toBe(when === 'after' ? 1 : 0);
			expect(sandbox.requests.of('createRun')).toHaveLength(1);
		}
	});

	it('that never come end with the sandbox', async () => {
		const { admin, sandbox } = await openWith({ kind: 'hang' });
		const pending = failure(admin, '/runs?size=1', 300);
		expect(await failure(admin, '/runs', 300)).toBe('ECONNABORTED');
		await pending;
		const open = admin.get('/runs').catch(({ code }: { code: string }) => code);
		await new Promise((resolve) => setTimeout(resolve, 50));
		const started = performance.now();
		await sandbox.stop();
		expect(await open).toBe('ECONNRESET');
		expect(performance.now() - started).toBeLessThan(10_000);
	});
});

describe('cursors that lead nowhere', () => {
	/** Follows up to six pages. */
	async function follow(opened: Open): Promise<Array<{ cursor?: string; items: number }>> {
		const pages: Array<{ cursor?: string; items: number }> = [];
		let cursor: string | undefined;
		while (pages.length < 6) {
			const { data } = await opened.admin.get('/runs', { params: { size: 2, cursor } });
			pages.push({ cursor, items: data.items.length });
			cursor = data.next_page ?? undefined;
			if (!cursor) break;
		}
		return pages;
	}

	it('repeat', async () => {
		const pages = await follow(await openWith({ kind: 'cursor', how: 'repeat' }));
		expect(new Set(pages.map(({ cursor }) => cursor)).size).toBe(2);
		expect(pages).toHaveLength(6);
	});

	it('come after an empty page', async () => {
		const pages = await follow(await openWith({ kind: 'cursor', how: 'emptyWithNext' }));
		expect(pages.map(({ items }) => items)).toEqual([0, 0, 0, 0, 0, 0]);
	});

	it('never end', async () => {
		const pages = await follow(await openWith({ kind: 'cursor', how: 'endless' }));
		expect(new Set(pages.map(({ cursor }) => cursor)).size).toBe(6);
	});

	it('are numbers for logs', async () => {
		const { admin, clock, sandbox } = await openWith({ kind: 'cursor', how: 'endless' });
		sandbox.variants.logCursorType = 'integer';
		clock.advance(60_000);
		const { id } = sandbox.store.runs.all()[0];
		const first = (await admin.get(`/runs/${id}/logs`)).data;
		const second = (await admin.get(`/runs/${id}/logs?cursor=${first.next_page}`)).data;
		expect(second.next_page).toBe(first.next_page + 1);
		expect(second.items).toEqual(first.items);
	});
});

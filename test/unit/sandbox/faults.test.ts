import { connect } from 'node:net';

import type { AxiosInstance } from 'axios';

import type { Fault } from '../../sandbox';
import { closeAll, open, PAYLOAD, type Open } from './open';

afterEach(closeAll);

async function openWith(fault: Fault): Promise<Open> {
	const opened = await open();
	for (let index = 0; index < 5; index += 1) opened.sandbox.store.createRun();
	opened.sandbox.faults.add({ fault });
	return opened;
}

/** The error code of a request that gets no whole response. */
async function failure(client: AxiosInstance, url: string, timeout = 5_000): Promise<string> {
	try {
		await client.get(url, { timeout });
		return 'none';
	} catch (error) {
		return (error as { code: string }).code;
	}
}

/** Everything that comes over the wire until the connection ends, however it ends. */
async function wire(opened: Open, path: string): Promise<string> {
	const { port } = new URL(opened.sandbox.baseUrl);
	const key = opened.sandbox.credentials.admin.apiKey;
	return await new Promise((resolve) => {
		let text = '';
		const socket = connect(Number(port), '127.0.0.1');
		socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
		socket.on('error', () => {});
		socket.on('close', () => resolve(text));
		socket.write(
			`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ${key}\r\n\r\n`,
		);
	});
}

const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4);

describe('rules', () => {
	it('hit by endpoint, method and path, after so many, so many times', async () => {
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

describe('broken bodies', () => {
	const whole = async (opened: Open) => {
		opened.sandbox.faults.clear();
		return bodyOf(await wire(opened, '/runs'));
	};

	it.each([
		// Which of the two the client names depends on what it reads first on a busy machine.
		['reset', ['ECONNRESET', 'ERR_BAD_RESPONSE']],
		['close', ['ERR_BAD_RESPONSE']],
	] as const)('cut by %s', async (how, codes) => {
		const opened = await openWith({ kind: 'cut', how, bytes: 321 });
		expect(codes).toContain(await failure(opened.admin, '/runs'));
		const body = bodyOf(await wire(opened, '/runs'));
		expect(body).toBe((await whole(opened)).slice(0, 321));
	});

	it('cut with an end that looks clean', async () => {
		const opened = await openWith({ kind: 'cut', how: 'end', bytes: 100 });
		const { status, data } = await opened.admin.get('/runs');
		expect(status).toBe(200);
		expect(data).toBe((await whole(opened)).slice(0, 100));
	});

	it('truncated, with a length that agrees', async () => {
		const opened = await openWith({ kind: 'truncate', bytes: 50 });
		const { headers, data } = await opened.admin.get('/runs');
		expect([headers['content-length'], data.length]).toEqual(['50', 50]);
	});

	it('stalled for ever, stalled for a while, in drops, and late', async () => {
		const { admin, sandbox } = await openWith({ kind: 'stall', bytes: 50 });
		// On a busy machine the time may be over before the headers are read.
		const codes = ['ERR_BAD_RESPONSE', 'ECONNABORTED'];
		expect(codes).toContain(await failure(admin, '/runs', 300));
		const timed = async (fault: Fault) => {
			sandbox.faults.clear();
			sandbox.faults.add({ fault });
			const started = performance.now();
			expect((await admin.get('/runs')).data.items).toHaveLength(5);
			return performance.now() - started;
		};
		expect(await timed({ kind: 'stall', bytes: 50, ms: 100 })).toBeGreaterThan(98);
		expect(await timed({ kind: 'trickle', bytes: 3_000, everyMs: 20 })).toBeGreaterThan(40);
		expect(await timed({ kind: 'delay', ms: 100 })).toBeGreaterThan(98);
	});

	it('changed by a test', async () => {
		const edit = ({ items }: { items: unknown[] }) => ({ items: items.slice(0, 1) });
		const { admin } = await openWith({ kind: 'edit', edit });
		expect(Object.keys((await admin.get('/runs')).data)).toEqual(['items']);
	});

	it('changed as text, under another status, with other headers', async () => {
		const rewritten = await openWith({ kind: 'rewrite', rewrite: () => '9007199254740993' });
		expect(bodyOf(await wire(rewritten, '/runs'))).toBe('9007199254740993');
		const date = 'Sat, 01 Jan 2022 00:00:00 GMT';
		const { admin } = await openWith({ kind: 'envelope', status: 206, headers: { date } });
		const { status, headers, data } = await admin.get('/runs');
		expect({ status, date: headers.date, items: data.items.length }).toEqual({
			status: 206,
			date,
			items: 5,
		});
	});

	it('left as they are by faults that need JSON', async () => {
		const edit = () => 'changed';
		const { admin, sandbox } = await openWith({ kind: 'edit', edit });
		const { id } = sandbox.store.cloudConnections.create({ name: 'acme' });
		const template = (await admin.get(`/cloud-connections/${id}/cft/connection`)).data;
		expect(template).toMatch(/AWSTemplateFormatVersion/);
	});

	it('behind white space, which gzip makes small', async () => {
		const { admin } = await openWith({ kind: 'padded', bytes: 100_000 });
		const plain = await admin.get('/runs');
		expect(Number(plain.headers['content-length'])).toBeGreaterThan(100_000);
		expect(plain.data.items).toHaveLength(5);
		const bomb = await openWith({ kind: 'padded', bytes: 100_000, gzip: true });
		expect((await bomb.admin.get('/runs')).data.items).toHaveLength(5);
		expect((await wire(bomb, '/runs')).length).toBeLessThan(10_000);
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

	it('follow an empty page', async () => {
		const pages = await follow(await openWith({ kind: 'cursor', how: 'emptyWithNext' }));
		expect(pages.map(({ items }) => items)).toEqual([0, 0, 0, 0, 0, 0]);
	});

	it('never end', async () => {
		const pages = await follow(await openWith({ kind: 'cursor', how: 'endless' }));
		expect(new Set(pages.map(({ cursor }) => cursor)).size).toBe(6);
	});

	it('are numbers for logs', async () => {
		const { admin, clock, sandbox } = await openWith({ kind: 'cursor', how: 'endless' });
		clock.advance(60_000);
		const { id } = sandbox.store.runs.all()[0];
		const first = (await admin.get(`/runs/${id}/logs`)).data;
		const second = (await admin.get(`/runs/${id}/logs?cursor=${first.next_page}`)).data;
		expect(second.next_page).toBe(first.next_page + 1);
		expect(second.items).toEqual(first.items);
	});
});

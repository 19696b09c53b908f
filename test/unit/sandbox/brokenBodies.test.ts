import { connect } from 'node:net';

import type { Fault } from '../../sandbox';
import { closeAll, failure, openWith, type Open } from './open';

afterEach(closeAll);

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

describe('broken bodies', () => {
	const whole = async (opened: Open) => {
		opened.sandbox.faults.clear();
		return bodyOf(await wire(opened, '/runs'));
	};

	it.each([
		// Which of the two the client reports depends on what it reads first.
		['reset', ['ECONNRESET', 'ERR_BAD_RESPONSE']],
		['close', ['ERR_BAD_RESPONSE']],
	] as const)('cut by %s', async (how, codes) => {
		const opened = await openWith({ kind: 'cut', how, bytes: 321 });
		expect(codes).toContain(await failure(opened.admin, '/runs'));
		const body = bodyOf(await wire(opened, '/runs'));
		expect(body).toBe((await whole(opened)).slice(0, 321));
	});

	it('cut, but with an end that looks clean', async () => {
		const opened = await openWith({ kind: 'cut', how: 'end', bytes: 100 });
		const { status, data } = await opened.admin.get('/runs');
		expect(status).toBe(200);
		expect(data).toBe((await whole(opened)).slice(0, 100));
	});

	it('truncated, with a matching length', async () => {
		const opened = await openWith({ kind: 'truncate', bytes: 50 });
		const { headers, data } = await opened.admin.get('/runs');
		expect([headers['content-length'], data.length]).toEqual(['50', 50]);
	});

	it('stalled for ever, stalled for a while, trickling, and late', async () => {
		const { admin, sandbox } = await openWith({ kind: 'stall', bytes: 50 });
		// On a busy machine, time may be up before the headers are read.
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

	it('changed as text, or in status and headers', async () => {
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

	it.each([false, true])('without an end (gzip: %s)', async (gzip) => {
		const { admin } = await openWith({ kind: 'endless', gzip });
		const limit = { maxContentLength: 2_000_000 };
		await expect(admin.get('/runs', limit)).rejects.toThrow(/maxContentLength/);
	});
});

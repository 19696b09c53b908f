import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import type { StreamResponse } from '../../../../nodes/Wherobots/transport/calls';
import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import {
	BodyReader,
	TRANSFER_LIMITS,
} from '../../../../nodes/Wherobots/transport/download/bodyReader';

const KIB = 1024;
const MIB = KIB * KIB;
const { stallMs } = TRANSFER_LIMITS;

afterEach(() => {
	TRANSFER_LIMITS.stallMs = stallMs;
});

function responseWith(
	body: Readable,
	headers: Record<string, string> = { 'transfer-encoding': 'chunked' },
	status = 200,
): StreamResponse {
	return { kind: 'stream', status, headers, body } as unknown as StreamResponse;
}

async function readAll(reader: BodyReader): Promise<Buffer[]> {
	const blocks: Buffer[] = [];
	for await (const block of reader) blocks.push(Buffer.from(block));
	return blocks;
}

/** A body as it comes from the socket: it knows whether it is complete. */
function bodyOf(chunks: Buffer[], complete = true): Readable {
	return Object.assign(Readable.from(chunks, { objectMode: false }), { complete });
}

describe('the body', () => {
	it('comes in the order of its bytes, small chunks together, a large one as it is', async () => {
		const chunks = Array.from({ length: 300 }, (_, index) => Buffer.alloc(10 * KIB, index % 256));
		const large = Buffer.alloc(700 * KIB, 7);
		const body = new PassThrough({ highWaterMark: 16 * MIB });
		for (const chunk of [...chunks, large]) body.write(chunk);
		body.end();
		const reader = new BodyReader(responseWith(body));
		const blocks = await readAll(reader);
		expect(Buffer.concat(blocks).equals(Buffer.concat([...chunks, large]))).toBe(true);
		for (const { length } of blocks) expect(length <= 128 * KIB || length === 700 * KIB).toBe(true);
		expect(blocks.length).toBeLessThan(40);
	});

	it('has V8 collect young objects while it arrives, and what has arrived with them', async () => {
		const collections: NodeGCPerformanceDetail[] = [];
		const observer = new PerformanceObserver((list) => {
			const entries = list.getEntries() as object[] as Array<{ detail: NodeGCPerformanceDetail }>;
			collections.push(...entries.map(({ detail }) => detail));
		});
		observer.observe({ entryTypes: ['gc'] });
		const chunk = Buffer.alloc(64 * KIB);
		const body = Readable.from(Array<Buffer>(1024).fill(chunk), { objectMode: false });
		let bytes = 0;
		for await (const block of new BodyReader(responseWith(body))) bytes += block.length;
		await sleep(50);
		observer.disconnect();
		const minor = collections.filter(({ kind }) => kind === constants.NODE_PERFORMANCE_GC_MINOR);
		expect(bytes).toBe(64 * MIB);
		// For 512 MiB of young objects, of which no process has room for more than 64 MiB.
		expect(minor.length).toBeGreaterThanOrEqual(4);
	});

	it('is read ahead by a bounded amount only, and read on as it is consumed', async () => {
		let given = 0;
		const body = new Readable({
			read() {
				given += 1;
				this.push(given > 400 ? null : Buffer.alloc(64 * KIB));
			},
		});
		const reader = new BodyReader(responseWith(body));
		await sleep(100);
		expect(given * 64 * KIB).toBeGreaterThanOrEqual(2 * MIB);
		expect(given * 64 * KIB).toBeLessThan(3 * MIB);
		const blocks = await readAll(reader);
		expect(blocks.reduce((sum, { length }) => sum + length, 0)).toBe(400 * 64 * KIB);
		expect(reader.failed).toBeUndefined();
	});
});

describe('a stall', () => {
	it('is when nothing arrives for too long while somebody waits for it', async () => {
		TRANSFER_LIMITS.stallMs = 60;
		const body = new PassThrough();
		body.write('begun');
		const reader = new BodyReader(responseWith(body));
		const began = performance.now();
		await expect(readAll(reader)).rejects.toMatchObject({ problem: 'stalled' });
		expect(performance.now() - began).toBeGreaterThanOrEqual(60);
		expect(body.destroyed).toBe(true);
	});

	it('says for how many seconds', async () => {
		TRANSFER_LIMITS.stallMs = 1_000;
		const reader = new BodyReader(responseWith(new PassThrough()));
		await expect(reader.next()).rejects.toThrow('No data arrived for 1 seconds');
	});

	it('is not a consumer that takes its time', async () => {
		TRANSFER_LIMITS.stallMs = 60;
		const body = new PassThrough();
		body.write('first');
		const reader = new BodyReader(responseWith(body));
		await reader.next();
		await sleep(300);
		expect(reader.failed).toBeUndefined();
		body.end('second');
		expect(Buffer.concat(await readAll(reader)).toString()).toBe('second');
	});

	it('is not a body that arrives slowly', async () => {
		TRANSFER_LIMITS.stallMs = 400;
		const body = new PassThrough();
		const reader = new BodyReader(responseWith(body));
		const reading = readAll(reader);
		for (let part = 0; part < 8; part++) {
			await sleep(100);
			body.write(String(part));
		}
		body.end();
		expect(Buffer.concat(await reading).toString()).toBe('01234567');
	});
});

describe('an early end', () => {
	it.each([
		['an error', (body: PassThrough) => body.destroy(new Error('ECONNRESET')), 'ECONNRESET'],
		['an error without words', (body: PassThrough) => body.destroy(new Error('')), 'closed'],
		['a close', (body: PassThrough) => body.destroy(), 'The connection was closed'],
	])('by %s is a broken transfer, and what was read ahead is dropped', async (_, end, message) => {
		const body = new PassThrough();
		const reader = new BodyReader(responseWith(body));
		body.write('begun');
		await sleep(20);
		end(body);
		await sleep(20);
		await expect(reader.next()).rejects.toThrow(message);
		expect(reader.failed).toMatchObject({ problem: 'broken' });
	});

	it.each([
		['fewer bytes than promised', '6', true, '5 of 6 bytes arrived'],
		['a message that is not complete', undefined, false, 'The connection was closed'],
	])('with %s is a broken transfer', async (_, length, complete, message) => {
		const headers = length ? { 'content-length': length } : undefined;
		const body = bodyOf([Buffer.from('hello')], complete);
		await expect(readAll(new BodyReader(responseWith(body, headers)))).rejects.toMatchObject({
			problem: 'broken',
			message,
		});
	});

	it('is no error when the execution is cancelled, but the cancellation', async () => {
		const cancel = new AbortController();
		const body = new PassThrough();
		const reader = new BodyReader(responseWith(body), cancel.signal);
		const next = reader.next();
		cancel.abort();
		await expect(next).rejects.toBeInstanceOf(CancelledError);
		expect(body.destroyed).toBe(true);
		const late = new BodyReader(responseWith(new PassThrough()), cancel.signal);
		await expect(late.next()).rejects.toBeInstanceOf(CancelledError);
	});
});

describe('the end', () => {
	it.each([
		['a length', { 'content-length': '5' }, 200],
		['chunks', { 'transfer-encoding': 'gzip, Chunked' }, 200],
		['a status without a body', {}, 204],
	])('is told by %s', async (_, headers, status) => {
		const response = responseWith(bodyOf([Buffer.from('hello')]), headers as never, status);
		const reader = new BodyReader(response);
		expect(Buffer.concat(await readAll(reader)).toString()).toBe('hello');
		expect(await reader.next()).toBeUndefined();
	});

	it.each([
		['the end of the connection alone', {}],
		['another encoding', { 'transfer-encoding': 'unchunked' }],
	])('is not told by %s, so nothing is read', async (_, headers) => {
		const body = bodyOf([Buffer.from('hello')]);
		const reader = new BodyReader(responseWith(body, headers as Record<string, string>));
		await expect(reader.next()).rejects.toMatchObject({
			problem: 'unproven',
			message: 'The response states neither its length nor its end',
		});
		expect(body.destroyed).toBe(true);
	});

	it('is not known of what was unpacked on the way', async () => {
		const headers = { 'content-length': '4' };
		const reader = new BodyReader(responseWith(bodyOf([Buffer.from('hello')]), headers));
		await expect(readAll(reader)).rejects.toMatchObject({
			problem: 'unproven',
			message: expect.stringMatching(/^5 of 4 bytes arrived: the response is compressed/),
		});
	});

	it('is not that of a part that nobody asked for', async () => {
		const headers = { 'content-length': '5', 'content-range': 'bytes 0-4/9' };
		const response = responseWith(bodyOf([Buffer.from('hello')]), headers, 206);
		await expect(new BodyReader(response).next()).rejects.toMatchObject({
			problem: 'incomplete',
			message: 'Only a part was sent (HTTP 206), and nobody asked for one',
		});
	});

	it('stays the end, whatever comes after it', async () => {
		const cancel = new AbortController();
		const reader = new BodyReader(responseWith(bodyOf([Buffer.from('hello')])), cancel.signal);
		await readAll(reader);
		cancel.abort();
		reader.stop();
		expect(reader.failed).toBeUndefined();
		expect(await reader.next()).toBeUndefined();
	});

	it('can be made early: the connection is released and nothing more comes', async () => {
		const body = new PassThrough();
		body.write('begun');
		const reader = new BodyReader(responseWith(body));
		await reader.next();
		reader.stop();
		expect(body.destroyed).toBe(true);
		await expect(reader.next()).rejects.toThrow('The transfer was stopped');
	});
});

import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import type { StreamResponse } from '../../../nodes/Wherobots/transport/http';
import { CancelledError } from '../../../nodes/Wherobots/transport/clock';
import { BodyReader, TRANSFER_LIMITS } from '../../../nodes/Wherobots/transport/transfer';

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

/** The next piece; undefined at the end. */
async function next(reader: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
	const read = await reader[Symbol.asyncIterator]().next();
	return read.done ? undefined : read.value;
}

function bodyOf(chunks: Buffer[]): Readable {
	return Readable.from(chunks, { objectMode: false });
}

describe('the body', () => {
	it('has V8 collect young objects while it arrives, and what has arrived with them', async () => {
		const collections: NodeGCPerformanceDetail[] = [];
		const note = (entries: object[]) => {
			const noted = entries as Array<{ detail: NodeGCPerformanceDetail }>;
			collections.push(...noted.map(({ detail }) => detail));
		};
		const observer = new PerformanceObserver((list) => note(list.getEntries()));
		observer.observe({ entryTypes: ['gc'] });
		const chunk = Buffer.alloc(64 * KIB);
		const body = Readable.from(Array<Buffer>(1024).fill(chunk), { objectMode: false });
		let bytes = 0;
		for await (const block of new BodyReader(responseWith(body))) bytes += block.length;
		await sleep(50);
		// On a busy machine, the last ones have not been passed on yet.
		note(observer.takeRecords());
		observer.disconnect();
		const minor = collections.filter(({ kind }) => kind === constants.NODE_PERFORMANCE_GC_MINOR);
		expect(bytes).toBe(64 * MIB);
		// For 512 MiB of young objects, of which no process has room for more than 64 MiB.
		expect(minor.length).toBeGreaterThanOrEqual(4);
	});
});

describe('a stall', () => {
	it('is when nothing arrives for too long while somebody waits for it', async () => {
		TRANSFER_LIMITS.stallMs = 60;
		const body = new PassThrough();
		body.write('begun');
		const reader = new BodyReader(responseWith(body));
		const began = performance.now();
		await expect(readAll(reader)).rejects.toMatchObject({
			message: expect.stringContaining('stalled'),
		});
		expect(performance.now() - began).toBeGreaterThanOrEqual(60);
		expect(body.destroyed).toBe(true);
	});

	it('says for how many seconds', async () => {
		TRANSFER_LIMITS.stallMs = 1_000;
		const reader = new BodyReader(responseWith(new PassThrough()));
		await expect(next(reader)).rejects.toMatchObject({
			description: 'No data arrived for 1 seconds.',
		});
	});

	it('is not a consumer that takes its time', async () => {
		TRANSFER_LIMITS.stallMs = 60;
		const body = new PassThrough();
		body.write('first');
		const pieces: string[] = [];
		for await (const piece of new BodyReader(responseWith(body))) {
			pieces.push(Buffer.from(piece).toString());
			if (pieces.length > 1) continue;
			await sleep(300);
			body.end('second');
		}
		expect(pieces).toEqual(['first', 'second']);
	});

	it('is not looked for any more once the transfer was stopped, though nobody reads on', async () => {
		TRANSFER_LIMITS.stallMs = 40;
		const body = new PassThrough();
		body.write('first');
		const reader = new BodyReader(responseWith(body));
		await next(reader);
		reader.stop();
		await sleep(60);
		const ticks = jest.spyOn(AbortSignal, 'timeout');
		await sleep(60);
		expect(ticks).not.toHaveBeenCalled();
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
		await expect(next(reader)).rejects.toMatchObject({
			message: 'The transfer from Wherobots Cloud was interrupted',
			description: expect.stringContaining(message),
		});
	});

	it('with fewer bytes than promised is a broken transfer', async () => {
		const response = responseWith(bodyOf([Buffer.from('hello')]), { 'content-length': '6' });
		await expect(readAll(new BodyReader(response))).rejects.toMatchObject({
			message: expect.stringContaining('was interrupted'),
			description: '5 of 6 bytes arrived.',
		});
	});

	it('is no error when the execution is cancelled, but the cancellation', async () => {
		const cancel = new AbortController();
		const body = new PassThrough();
		const reader = new BodyReader(responseWith(body), cancel.signal);
		const reading = next(reader);
		cancel.abort();
		await expect(reading).rejects.toBeInstanceOf(CancelledError);
		expect(body.destroyed).toBe(true);
		const late = new BodyReader(responseWith(new PassThrough()), cancel.signal);
		await expect(next(late)).rejects.toBeInstanceOf(CancelledError);
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
	});

	it.each([
		['the end of the connection alone', {}],
		['another encoding', { 'transfer-encoding': 'unchunked' }],
	])('is not told by %s, so nothing is read', async (_, headers) => {
		const body = bodyOf([Buffer.from('hello')]);
		const reader = new BodyReader(responseWith(body, headers as Record<string, string>));
		await expect(next(reader)).rejects.toMatchObject({
			message: expect.stringContaining('may be incomplete'),
			description: 'The response states neither its length nor its end.',
		});
		expect(body.destroyed).toBe(true);
	});

	it('is not known of what was unpacked on the way', async () => {
		const headers = { 'content-length': '4' };
		const reader = new BodyReader(responseWith(bodyOf([Buffer.from('hello')]), headers));
		await expect(readAll(reader)).rejects.toMatchObject({
			message: expect.stringContaining('may be incomplete'),
			description: expect.stringMatching(/^5 of 4 bytes arrived: the response is compressed/),
		});
	});

	it('is not that of a part that was not requested', async () => {
		const headers = { 'content-length': '5', 'content-range': 'bytes 0-4/9' };
		const response = responseWith(bodyOf([Buffer.from('hello')]), headers, 206);
		await expect(next(new BodyReader(response))).rejects.toMatchObject({
			message: expect.stringContaining('ended the response before'),
			description: 'Only a part was sent (HTTP 206), although the whole was requested.',
		});
	});

	it('stays the end, whatever comes after it', async () => {
		const cancel = new AbortController();
		const reader = new BodyReader(responseWith(bodyOf([Buffer.from('hello')])), cancel.signal);
		await readAll(reader);
		cancel.abort();
		reader.stop();
		expect(reader.failed).toBeUndefined();
	});

	it('can be made early: the connection is released and nothing more comes', async () => {
		const body = new PassThrough();
		body.write('begun');
		const reader = new BodyReader(responseWith(body));
		await next(reader);
		reader.stop();
		expect(body.destroyed).toBe(true);
		await expect(next(reader)).rejects.toThrow('The transfer was stopped');
	});
});

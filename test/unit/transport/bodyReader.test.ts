import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import type { StreamResponse } from '../../../nodes/Wherobots/transport/http';
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
		const minor = () =>
			collections.filter(({ kind }) => kind === constants.NODE_PERFORMANCE_GC_MINOR);
		// On a busy machine, the last ones are passed on late.
		for (let waits = 0; waits < 100 && minor().length < 4; waits += 1) {
			await sleep(50);
			note(observer.takeRecords());
		}
		observer.disconnect();
		expect(bytes).toBe(64 * MIB);
		// For 512 MiB of young objects, of which no process has room for more than 64 MiB.
		expect(minor().length).toBeGreaterThanOrEqual(4);
	});
});

describe('a stall', () => {
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
});

describe('the end', () => {
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

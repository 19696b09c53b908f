import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import type { StreamResponse } from '../../../nodes/Wherobots/transport/http';
import { BodyReader, TRANSFER_LIMITS } from '../../../nodes/Wherobots/transport/transfer';

const { stallMs } = TRANSFER_LIMITS;

afterEach(() => {
	TRANSFER_LIMITS.stallMs = stallMs;
});

function readerOf(body: Readable, signal?: AbortSignal): BodyReader {
	const framed = { kind: 'stream', status: 200, headers: { 'transfer-encoding': 'chunked' } };
	return new BodyReader({ ...framed, body } as unknown as StreamResponse, signal);
}

/** A reader whose body has begun. */
function begun() {
	const body = new PassThrough();
	body.write('begun');
	return { body, reader: readerOf(body) };
}

const next = async (reader: BodyReader) => await reader[Symbol.asyncIterator]().next();

describe('a stall', () => {
	it('is not a consumer that takes its time', async () => {
		TRANSFER_LIMITS.stallMs = 60;
		const { body, reader } = begun();
		const pieces: string[] = [];
		for await (const piece of reader) {
			pieces.push(Buffer.from(piece).toString());
			if (pieces.length > 1) continue;
			await sleep(300);
			body.end('ended');
		}
		expect(pieces).toEqual(['begun', 'ended']);
	});

	it('is not looked for any more once the transfer was stopped, though nobody reads on', async () => {
		TRANSFER_LIMITS.stallMs = 40;
		const { reader } = begun();
		await next(reader);
		reader.stop();
		await sleep(60);
		const ticks = jest.spyOn(AbortSignal, 'timeout');
		await sleep(60);
		expect(ticks).not.toHaveBeenCalled();
	});
});

describe('the end', () => {
	it('stays the end, whatever comes after it', async () => {
		const cancel = new AbortController();
		const reader = readerOf(Readable.from([Buffer.from('hello')]), cancel.signal);
		for await (const block of reader) expect(block).toHaveLength(5);
		cancel.abort();
		reader.stop();
		expect(reader.failed).toBeUndefined();
	});

	it('can be made early: the connection is released and nothing more comes', async () => {
		const { body, reader } = begun();
		await next(reader);
		reader.stop();
		expect(body.destroyed).toBe(true);
		await expect(next(reader)).rejects.toThrow('The transfer was stopped');
	});
});

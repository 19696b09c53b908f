import { EventEmitter, getEventListeners } from 'node:events';

import type { StreamResponse } from '../../../../nodes/Wherobots/transport/calls';
import {
	BodyReader,
	TransferError,
} from '../../../../nodes/Wherobots/transport/download/bodyReader';

const KIB = 1024;
const MIB = KIB * KIB;

/** A body that does what it is told, and the reader of it. */
function reading(
	headers: Record<string, string> = { 'transfer-encoding': 'chunked' },
	signal?: AbortSignal,
) {
	const body = Object.assign(new EventEmitter(), {
		pause: jest.fn(),
		resume: jest.fn(),
		destroy: jest.fn(),
	});
	const response = { kind: 'stream', status: 200, headers, body } as unknown as StreamResponse;
	const reader = new BodyReader(response, signal);
	const give = (bytes: number) => body.emit('data', Buffer.alloc(bytes));
	return { body, reader, give };
}

/** The quarters of the stall time, which end when they are told to. */
function manualTicks(): AbortController[] {
	const ticks: AbortController[] = [];
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const tick = new AbortController();
		ticks.push(tick);
		return tick.signal;
	});
	return ticks;
}

describe('the body', () => {
	it('comes in blocks of 128 KiB where its chunks allow', async () => {
		const { reader, give } = reading();
		for (let chunk = 0; chunk < 3; chunk++) give(64 * KIB);
		expect((await reader.next())?.length).toBe(128 * KIB);
		expect((await reader.next())?.length).toBe(64 * KIB);
	});

	it('rests once 2 MiB are read ahead, until less than half of that is left', async () => {
		const { body, reader, give } = reading();
		for (let chunk = 0; chunk < 15; chunk++) give(128 * KIB);
		expect(body.pause).not.toHaveBeenCalled();
		give(128 * KIB);
		expect(body.pause).toHaveBeenCalledTimes(1);
		for (let block = 0; block < 8; block++) await reader.next();
		expect(body.resume).not.toHaveBeenCalled();
		await reader.next();
		expect(body.resume).toHaveBeenCalledTimes(1);
	});

	it('goes on after a chunk that is larger than what is read ahead', async () => {
		const { body, reader, give } = reading();
		give(3 * MIB);
		expect(body.pause).toHaveBeenCalledTimes(1);
		expect((await reader.next())?.length).toBe(3 * MIB);
		expect(body.resume).toHaveBeenCalledTimes(1);
	});
});

describe('a stall', () => {
	it('is one only when that time has passed since somebody began to wait', async () => {
		const ticks = manualTicks();
		const { reader } = reading();
		const failed = expect(reader.next()).rejects.toBeInstanceOf(TransferError);
		// The first of the quarters began before the wait.
		for (let tick = 0; tick < 4; tick++) ticks[tick].abort();
		expect(reader.failed).toBeUndefined();
		ticks[4].abort();
		expect(reader.failed).toMatchObject({ name: 'TransferError', problem: 'stalled' });
		await failed;
	});

	it('is not looked for when the transfer is over', () => {
		const ticks = manualTicks();
		const [ended, stopped] = [reading(), reading()];
		ended.body.emit('end');
		stopped.reader.stop();
		for (const tick of [...ticks]) tick.abort();
		expect(ticks).toHaveLength(2);
	});
});

describe('the end', () => {
	it('does not depend on somebody who waits for it', async () => {
		const { body, reader } = reading({ 'content-length': '0' });
		body.emit('end');
		expect(await reader.next()).toBeUndefined();
	});

	it('that comes after a failure changes nothing, and no byte after it is kept', async () => {
		const { body, reader, give } = reading({ 'content-length': '5' });
		reader.stop();
		give(2 * MIB);
		body.emit('end');
		expect(body.pause).not.toHaveBeenCalled();
		await expect(reader.next()).rejects.toThrow('The transfer was stopped');
	});

	it('ends the watch for a cancellation', () => {
		const { signal } = new AbortController();
		const [ended, stopped] = [reading(undefined, signal), reading(undefined, signal)];
		expect(getEventListeners(signal, 'abort')).toHaveLength(2);
		ended.body.emit('end');
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		stopped.reader.stop();
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});

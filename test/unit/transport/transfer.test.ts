import { PassThrough, Readable } from 'node:stream';

import { asFailure } from '../../../nodes/Wherobots/transport/failure';
import type { StreamResponse } from '../../../nodes/Wherobots/transport/http';
import type { Client } from '../../../nodes/Wherobots/transport/client';
import { CancelledError, clock } from '../../../nodes/Wherobots/transport/clock';
import {
	type BodyReader,
	transfer,
	transferFailure,
} from '../../../nodes/Wherobots/transport/transfer';

const realClock = { ...clock };
const pauses: number[] = [];

beforeEach(() => {
	pauses.length = 0;
	clock.pause = async (ms) => void (await Promise.resolve(pauses.push(ms)));
});

afterEach(() => {
	Object.assign(clock, realClock);
});

const client = { deadline: Infinity, clean: asFailure } as unknown as Client;

const whole = () => Readable.from([Buffer.from('whole')]);

/** A body that breaks after its first bytes. */
function breaking(): Readable {
	const body = new PassThrough();
	body.write('begun');
	setImmediate(() => body.destroy(new Error('ECONNRESET')));
	return body;
}

/** Transfers bodies one after the other, the last one again and again. */
function transferring<T>(
	bodies: Array<() => Readable>,
	use: (reader: BodyReader) => Promise<T>,
	own = client,
	headers: Record<string, string> = { 'content-type': 'text/csv' },
) {
	const opened: Readable[] = [];
	const open = async () => {
		const body = (bodies[opened.length] ?? bodies[bodies.length - 1])();
		opened.push(body);
		return await Promise.resolve({
			kind: 'stream',
			status: 200,
			headers: { 'transfer-encoding': 'chunked', ...headers },
			body,
		} as unknown as StreamResponse);
	};
	const done = transfer(own, open, use);
	return { done, opened };
}

async function textOf(reader: BodyReader): Promise<string> {
	let text = '';
	for await (const block of reader) text += Buffer.from(block).toString();
	return text;
}

/** Reads like a store that has words of its own for whatever goes wrong. */
async function storing(reader: BodyReader, error: Error): Promise<string> {
	return await textOf(reader).catch(() => {
		throw error;
	});
}

it('begins anew when the transfer breaks, and gives what the whole one was', async () => {
	const { done, opened } = transferring([breaking, breaking, whole], textOf);
	expect(await done).toBe('whole');
	expect(opened).toHaveLength(3);
	expect(opened.every((body) => body.destroyed)).toBe(true);
	expect(pauses).toHaveLength(2);
});

it('begins anew although the store hides the cause behind an error of its own', async () => {
	const error = new Error('Stream closed before completing');
	const { done, opened } = transferring(
		[breaking, whole],
		async (reader) => await storing(reader, error),
	);
	expect(await done).toBe('whole');
	expect(opened).toHaveLength(2);
});

it('finds the cause inside the error of a store', async () => {
	const cause = transferFailure('incomplete', 'Row 4 is not complete');
	const error = new Error('The file could not be written', { cause });
	const { done, opened } = transferring([whole], async (reader) => {
		await textOf(reader);
		throw error;
	});
	await expect(done).rejects.toMatchObject({
		message: 'Wherobots Cloud ended the response before it was complete',
		description: expect.stringMatching(
			/^Row 4 is not complete\.\nTried 5 times from .*Try again later\.$/,
		),
	});
	expect(opened).toHaveLength(5);
});

it('says that it is not the file where there is nothing of it to show', async () => {
	const { done } = transferring([whole], async (): Promise<never> => {
		throw await Promise.resolve(transferFailure('foreign', 'An error was sent'));
	});
	await expect(done).rejects.toMatchObject({
		message: 'The response is not the file',
		description: expect.stringMatching(/^An error was sent\.\nTried 5 times from the start; /),
	});
});

it('does not begin anew when the store fails and the transfer does not', async () => {
	const full = new Error('No space left');
	const { done, opened } = transferring([whole], async (reader) => {
		await reader[Symbol.asyncIterator]().next();
		throw full;
	});
	await expect(done).rejects.toBe(full);
	expect(opened).toHaveLength(1);
	expect(opened[0].destroyed).toBe(true);
});

it('passes on the failure of a store that says nothing', async () => {
	const { done } = transferring([whole], jest.fn().mockRejectedValue(undefined));
	await expect(done).rejects.toBeUndefined();
});

it.each(['unproven', 'malformed'] as const)(
	'does not begin anew for what is %s',
	async (problem) => {
		const { done, opened } = transferring([whole], async () => {
			throw transferFailure(problem, 'It is wrong');
		});
		await expect(done).rejects.toMatchObject({
			description: 'It is wrong.\nNo partial file was kept.',
		});
		expect(opened).toHaveLength(1);
	},
);

it('is cancelled with the execution, at once', async () => {
	const { done, opened } = transferring([whole], async () => {
		throw new CancelledError();
	});
	await expect(done).rejects.toBeInstanceOf(CancelledError);
	expect(opened).toHaveLength(1);
});

it('says what went wrong when another transfer could only begin after the deadline', async () => {
	clock.now = () => 1_000 + pauses.reduce((sum, ms) => sum + ms, 0);
	for (const leftMs of [0, 1, 1_200]) {
		pauses.length = 0;
		const own = { ...client, deadline: 1_000 + leftMs } as unknown as Client;
		const { done } = transferring([breaking], textOf, own);
		await expect(done).rejects.toMatchObject({
			message: 'The transfer from Wherobots Cloud was interrupted',
		});
		expect(clock.now()).toBeLessThan(1_000 + Math.max(leftMs, 1));
	}
});

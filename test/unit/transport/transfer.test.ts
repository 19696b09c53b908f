import { PassThrough, Readable } from 'node:stream';

import { toFailure } from '../../../nodes/Wherobots/transport/failure';
import type { StreamResponse } from '../../../nodes/Wherobots/transport/http';
import type { Client } from '../../../nodes/Wherobots/transport/client';
import {
	type BodyReader,
	transfer,
	TransferError,
} from '../../../nodes/Wherobots/transport/transfer';
import { suiteWithInstantPauses } from '../../support/virtualTime';

const time = suiteWithInstantPauses(1_000);

const client = { deadline: Infinity, clean: toFailure } as unknown as Client;

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
) {
	const opened: Readable[] = [];
	const framed = { kind: 'stream', status: 200, headers: { 'transfer-encoding': 'chunked' } };
	const open = async () => {
		const body = (bodies[opened.length] ?? bodies[bodies.length - 1])();
		opened.push(body);
		const value = { ...framed, body } as unknown as StreamResponse;
		return await Promise.resolve({ value });
	};
	const done = transfer(own, open, use);
	return { done, opened };
}

async function textOf(reader: BodyReader): Promise<string> {
	let text = '';
	for await (const block of reader) text += Buffer.from(block).toString();
	return text;
}

it('begins anew although the store hides the cause behind an error of its own', async () => {
	const error = new Error('Stream closed before completing');
	const { done, opened } = transferring([breaking, whole], async (reader) => {
		return await textOf(reader).catch(() => {
			throw error;
		});
	});
	expect(await done).toBe('whole');
	expect(opened).toHaveLength(2);
});

it('finds the cause inside the error of a store', async () => {
	const cause = new TransferError('incomplete', 'Row 4 is not complete');
	const error = new Error('The file could not be written', { cause });
	const { done, opened } = transferring([whole], async (reader) => {
		await textOf(reader);
		throw error;
	});
	await expect(done).rejects.toMatchObject({
		message: 'Wherobots Cloud ended the response before it was complete',
		description: expect.stringMatching(
			/^Row 4 is not complete\.\nTried 5 times from .*\nTry again later\.$/,
		),
	});
	expect(opened).toHaveLength(5);
});

it('passes on the failure of a store that says nothing', async () => {
	const { done } = transferring([whole], jest.fn().mockRejectedValue(undefined));
	await expect(done).rejects.toBeUndefined();
});

it('says what went wrong when another transfer could only begin after the deadline', async () => {
	for (const leftMs of [0, 1, 1_200]) {
		time.now = 1_000;
		const own = { ...client, deadline: 1_000 + leftMs } as unknown as Client;
		const { done } = transferring([breaking], textOf, own);
		await expect(done).rejects.toMatchObject({
			message: 'The transfer from Wherobots Cloud was interrupted',
		});
		expect(time.now).toBeLessThan(1_000 + Math.max(leftMs, 1));
	}
});

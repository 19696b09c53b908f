import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';

import { storeDownload } from '../../../../nodes/Wherobots/actions/operations/itemFiles';
import { sha256 } from '../../../support/files';

async function* bytes() {
	yield await Promise.resolve(Buffer.from('ab'));
	yield Buffer.from('c');
}

/** Stores a download in a store that does this with its stream. */
async function stored(store: (stream: Readable) => Promise<unknown>) {
	const stop = jest.fn();
	const prepareBinaryData = jest.fn(
		async (stream: Readable, fileName: string, mimeType?: string) => {
			await store(stream);
			return { data: '', fileName, mimeType };
		},
	);
	const reader = { response: { body: new PassThrough() }, stop };
	const result = await storeDownload(
		{ helpers: { prepareBinaryData } } as never,
		reader as never,
		bytes(),
		'a.csv',
		'text/csv',
	).catch((error: Error) => error);
	return { result, stop };
}

it('streams a download into the store, counted and hashed', async () => {
	let kept: Buffer[] = [];
	const { result } = await stored(async (stream) => {
		kept = (await stream.toArray()) as Buffer[];
	});
	expect(Buffer.concat(kept).toString()).toBe('abc');
	expect(result).toEqual({
		binary: { data: '', fileName: 'a.csv', mimeType: 'text/csv' },
		tally: { bytes: 3, sha256: sha256('abc') },
	});
});

it('stops reading when the store gives up', async () => {
	const { result, stop } = await stored(async (stream) => {
		const closed = once(stream, 'close');
		stream.destroy();
		await closed;
		throw new Error('The disk is full');
	});
	expect(result).toEqual(new Error('The disk is full'));
	expect(stop).toHaveBeenCalledTimes(1);
});

import { Readable } from 'node:stream';

import type { FileSource } from '../../../../nodes/Wherobots/transport/files/uploadFile';
import type { PresignedResult } from '../../../../nodes/Wherobots/transport/files/presigned';
import { uploadFile } from '../../../../nodes/Wherobots/transport/files/uploadFile';
import { fileClient, refusal } from '../../../support/fileClient';
import { sha256 } from '../../../support/files';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

const place = { storageId: 's', path: 'a/f' };
const address = { destination: 's3://b/a/f', uploadUrl: 'https://b/put' };
const createUploadUrl = () => address;
const accepted = { kind: 'stream', status: 200, headers: {}, body: {} } as PresignedResult;

const inMemory = (text: string): FileSource => ({
	size: text.length,
	open: async () => await Promise.resolve(Buffer.from(text)),
});

/** A file that a store gives as a stream, and the streams that it gave. */
function asStream(size: number, ...blocks: string[]) {
	const opened: Readable[] = [];
	const open = async () => {
		const stream = Readable.from(blocks.map((block) => Buffer.from(block)));
		opened.push(stream);
		return await Promise.resolve(stream);
	};
	return { source: { size, open }, opened };
}

async function textOf(bytes: unknown): Promise<string> {
	let text = '';
	for await (const block of bytes as AsyncIterable<Uint8Array>) text += Buffer.from(block);
	return text;
}

describe('an upload', () => {
	it('of bytes goes to the address with its length', async () => {
		const { client, asked, sent } = fileClient({
			calls: { createUploadUrl },
			presigned: [accepted],
		});
		expect(await uploadFile(client, place, inMemory('abc'))).toEqual({
			destination: 's3://b/a/f',
			sha256: sha256('abc'),
		});
		expect(asked).toEqual(['createUploadUrl a/f']);
		expect(sent).toEqual([
			{ method: 'PUT', address: 'https://b/put', file: { body: Buffer.from('abc'), size: 3 } },
		]);
	});

	it('of nothing has no body', async () => {
		const { client, sent } = fileClient({ calls: { createUploadUrl }, presigned: [accepted] });
		await uploadFile(client, place, inMemory(''));
		expect(sent[0].file).toEqual({ body: undefined, size: 0 });
	});

	it('of a stream passes it on, and closes it', async () => {
		const { source, opened } = asStream(3, 'ab', 'c');
		const { client, sent } = fileClient({ calls: { createUploadUrl }, presigned: [accepted] });
		let text = '';
		client.sendPresigned = async (request) => {
			sent.push(request);
			text = await textOf(request.file?.body);
			return accepted;
		};
		expect(await uploadFile(client, place, source)).toMatchObject({ sha256: sha256('abc') });
		expect(text).toBe('abc');
		expect(sent[0]).toMatchObject({ method: 'PUT', address: 'https://b/put', file: { size: 3 } });
		expect(opened[0].destroyed).toBe(true);
	});

	it('that is refused early does not read the rest of the file', async () => {
		const { source, opened } = asStream(3, 'ab', 'c');
		const refused: PresignedResult = { kind: 'refused', status: 404 };
		const { client } = fileClient({ calls: { createUploadUrl }, presigned: [refused] });
		await expect(uploadFile(client, place, source)).rejects.toMatchObject({
			message: 'The storage rejected the file',
			httpCode: '404',
		});
		expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
	});

	it('that is accepted before all of the file has passed has no checksum', async () => {
		const { source } = asStream(3, 'ab', 'c');
		const { client } = fileClient({ calls: { createUploadUrl }, presigned: [accepted] });
		expect(await uploadFile(client, place, source)).toEqual({
			destination: 's3://b/a/f',
			sha256: '',
		});
	});

	it('that is sent again has a new address and reads the file from its start', async () => {
		const { source, opened } = asStream(1, 'a');
		const down: PresignedResult = { kind: 'refused', status: 503 };
		const { client, asked } = fileClient({
			calls: { createUploadUrl },
			presigned: [down, accepted],
		});
		await time.during(uploadFile(client, place, source));
		expect(asked).toHaveLength(2);
		expect(opened).toHaveLength(2);
	});

	it('of a file that is not as long as it should be says so', async () => {
		const { source } = asStream(2, 'abc');
		const { client } = fileClient({ calls: { createUploadUrl } });
		client.sendPresigned = async ({ file }) => {
			await textOf(file?.body).catch(() => undefined);
			return { kind: 'network', code: 'ECONNRESET' };
		};
		await expect(uploadFile(client, place, source)).rejects.toMatchObject({
			message: "The file could not be read from n8n's store",
			description: expect.stringMatching(/^more than 2 bytes arrived\..*Nothing was uploaded\.$/s),
		});
	});

	it('of a file that cannot be read to its end says so, after other attempts', async () => {
		const opened: Readable[] = [];
		const open = async () => {
			const stream = new Readable();
			stream.destroy(new Error('ENOENT: no such file'));
			opened.push(stream);
			return await Promise.resolve(stream);
		};
		const { client } = fileClient({ calls: { createUploadUrl } });
		client.sendPresigned = async ({ file }) => {
			await textOf(file?.body).catch(() => undefined);
			return { kind: 'network', code: 'ENOENT' };
		};
		await expect(time.during(uploadFile(client, place, { size: 2, open }))).rejects.toMatchObject({
			message: "The file could not be read from n8n's store",
			description: expect.stringMatching(/^ENOENT: no such file\..*Nothing was uploaded\.$/s),
		});
		expect(opened.length).toBeGreaterThan(1);
	});

	it('of a file that cannot be opened sends nothing', async () => {
		const open = async () => await Promise.reject(new Error('It was deleted'));
		const { client, sent } = fileClient({ calls: { createUploadUrl } });
		await expect(uploadFile(client, place, { size: 1, open })).rejects.toMatchObject({
			description: expect.stringMatching(/^It was deleted\./),
		});
		expect(sent).toEqual([]);
	});

	it.each([
		undefined,
		{},
		{ ...address, destination: '' },
		{ ...address, destination: 7 },
		{ ...address, uploadUrl: '' },
		{ destination: address.destination },
	])('has no address in %j', async (answer) => {
		const { client, sent } = fileClient({ calls: { createUploadUrl: () => answer } });
		await expect(uploadFile(client, place, inMemory('a'))).rejects.toMatchObject({
			message: 'Wherobots Cloud did not return a URL for the upload',
			description: expect.stringMatching(/'Base URL'.*Nothing was uploaded/),
			context: { facts: { storageId: 's', path: 'a/f' } },
		});
		expect(sent).toEqual([]);
	});

	it('to a storage that is not there says so', async () => {
		const { client } = fileClient({ calls: { createUploadUrl: () => refusal(404) } });
		await expect(uploadFile(client, place, inMemory('a'))).rejects.toMatchObject({
			description: expect.stringMatching(/^There is no storage with this ID/),
		});
	});
});

import { PassThrough, Readable } from 'node:stream';

import { BodyReader } from '../../../../nodes/Wherobots/transport/download/bodyReader';
import { downloadFile, wholeFile } from '../../../../nodes/Wherobots/transport/files/downloadFile';
import type { FileSource } from '../../../../nodes/Wherobots/transport/files/fileSource';
import type { PresignedResult } from '../../../../nodes/Wherobots/transport/files/presigned';
import { storeFile } from '../../../../nodes/Wherobots/transport/files/storeFile';
import { destinationOf, uploadFile } from '../../../../nodes/Wherobots/transport/files/uploadFile';
import { entries, fileClient, refusal } from '../../../support/fileClient';
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
		expect(sent[0].file?.size).toBe(3);
		expect(opened[0].destroyed).toBe(true);
	});

	it('that is refused early does not read the rest of the file', async () => {
		const { source, opened } = asStream(3, 'ab', 'c');
		const refused: PresignedResult = { kind: 'refused', status: 404 };
		const { client } = fileClient({ calls: { createUploadUrl }, presigned: [refused] });
		await expect(uploadFile(client, place, source)).rejects.toMatchObject({ httpCode: '404' });
		expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
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
			context: { codes: [] },
		});
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
			message: 'Wherobots Cloud returned no address for the upload',
			description: expect.stringMatching(/'Base URL'.*Nothing was uploaded/),
			context: { facts: { storageId: 's', path: 'a/f' } },
		});
		expect(sent).toEqual([]);
	});

	it('to a storage that is not there says so', async () => {
		const { client } = fileClient({ calls: { createUploadUrl: () => refusal(404) } });
		await expect(destinationOf(client, place)).rejects.toMatchObject({
			description: expect.stringMatching(/^There is no storage with this ID/),
		});
	});
});

describe('storing a file', () => {
	const stored = { ...place, destination: 's3://b/a/f' };
	const storage = (...paths: string[]) =>
		fileClient({
			calls: { createUploadUrl },
			folders: { 'a/': entries(...paths) },
			presigned: [accepted],
		});

	it('that is there replaces it without a look', async () => {
		const { client, asked } = storage('a/f');
		expect(await storeFile(client, place, inMemory('abc'), 'replace')).toEqual({
			...stored,
			size: 3,
			sha256: sha256('abc'),
			uploaded: true,
		});
		expect(asked).toEqual(['createUploadUrl a/f']);
	});

	it.each(['keep', 'fail'] as const)('that is not there uploads it (%s)', async (ifExists) => {
		const { client, asked } = storage('a/f/');
		expect(await storeFile(client, place, inMemory('abc'), ifExists)).toMatchObject({
			uploaded: true,
		});
		expect(asked).toEqual(['listDirectory a/', 'createUploadUrl a/f']);
	});

	it('that is there keeps it, and says how large that is', async () => {
		const { client, sent } = storage('a/f');
		expect(await storeFile(client, place, inMemory('abc'), 'keep')).toEqual({
			...stored,
			size: 7,
			uploaded: false,
		});
		expect(sent).toEqual([]);
		const unsized = fileClient({
			calls: { createUploadUrl },
			folders: { 'a/': [{ name: 'f', path: 'a/f', type: 'FILE' }] },
		});
		expect(await storeFile(unsized.client, place, inMemory('abc'), 'keep')).toMatchObject({
			size: 0,
		});
	});

	it('that is there and must not be fails', async () => {
		const { client, sent } = storage('a/f');
		await expect(storeFile(client, place, inMemory('abc'), 'fail')).rejects.toMatchObject({
			message: 'A file already exists at "a/f"',
			description: 'Nothing was uploaded.',
			context: { codes: [], facts: place },
		});
		expect(sent).toEqual([]);
	});

	it('waits for its turn, so that of two only one uploads', async () => {
		const files: string[] = [];
		const { client, sent } = fileClient({
			calls: {
				createUploadUrl,
				listDirectory: () => ({ items: entries(...files), next_page: null }),
			},
		});
		client.sendPresigned = async (request) => {
			sent.push(request);
			await new Promise((resolve) => setImmediate(resolve));
			files.push('a/f');
			return accepted;
		};
		const both = [1, 2].map(async () => await storeFile(client, place, inMemory('a'), 'keep'));
		expect((await Promise.all(both)).map(({ uploaded }) => uploaded)).toEqual([true, false]);
		expect(sent).toHaveLength(1);
	});
});

describe('a download', () => {
	const found = (text: string): PresignedResult => ({
		kind: 'stream',
		status: 200,
		headers: { 'content-length': String(text.length) },
		body: Readable.from([Buffer.from(text)]),
	});
	const redirect = { kind: 'redirect', headers: {}, location: 'https://b/get' };

	it('is fetched from the address to which the service redirects', async () => {
		const { client, asked, sent } = fileClient({
			calls: { downloadFile: () => redirect },
			presigned: [found('abc')],
		});
		expect(await downloadFile(client, place, textOf)).toBe('abc');
		expect(asked).toEqual(['downloadFile a/f']);
		expect(sent).toEqual([{ method: 'GET', address: 'https://b/get' }]);
	});

	it('may be in the response itself', async () => {
		const { client, sent } = fileClient({ calls: { downloadFile: () => found('abc') } });
		expect(await downloadFile(client, place, textOf)).toBe('abc');
		expect(sent).toEqual([]);
	});

	it('gives a reader that knows the response', async () => {
		const { client } = fileClient({ calls: { downloadFile: () => found('abc') } });
		const use = async (bytes: AsyncIterable<Uint8Array>, reader: BodyReader) => {
			await textOf(bytes);
			return reader.provenWhole;
		};
		expect(await downloadFile(client, place, use)).toBe(true);
	});

	it('that breaks off begins anew', async () => {
		const broken = Object.assign(Readable.from([Buffer.from('ab')]), { complete: false });
		const answers = [{ ...found(''), body: broken }, found('abc')];
		const { client, asked } = fileClient({ calls: { downloadFile: () => answers.shift() } });
		expect(await time.during(downloadFile(client, place, textOf))).toBe('abc');
		expect(asked).toHaveLength(2);
	});

	it('of what is not there says so', async () => {
		const { client } = fileClient({
			calls: { downloadFile: () => refusal(404) },
			folders: { '': [] },
		});
		await expect(downloadFile(client, place, textOf)).rejects.toMatchObject({
			description: expect.stringMatching(/^There is nothing at "a\/f" in this storage\./),
		});
	});

	it('that the storage refuses tells of the download', async () => {
		const { client } = fileClient({
			calls: { downloadFile: () => redirect },
			presigned: [{ kind: 'refused', status: 416 }],
		});
		await expect(downloadFile(client, place, textOf)).rejects.toMatchObject({
			message: 'The storage did not return the file',
		});
	});

	it('that nothing proves whole fails at its end', async () => {
		const body = new PassThrough();
		body.end('abc');
		const response = { kind: 'stream', status: 200, headers: {}, body } as never;
		await expect(textOf(wholeFile(new BodyReader(response)))).rejects.toMatchObject({
			problem: 'unproven',
			message: 'The storage did not state the length of the file',
		});
	});
});

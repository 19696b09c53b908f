import type { PresignedResult } from '../../../../nodes/Wherobots/transport/files/presigned';
import { storeFile, type FileSource } from '../../../../nodes/Wherobots/transport/files/uploadFile';
import { entries, fileClient } from '../../../support/fileClient';
import { sha256 } from '../../../support/files';

const place = { storageId: 's', path: 'a/f' };
const createUploadUrl = () => ({ destination: 's3://b/a/f', uploadUrl: 'https://b/put' });
const accepted = { kind: 'stream', status: 200, headers: {}, body: {} } as PresignedResult;

const inMemory = (text: string): FileSource => ({
	size: text.length,
	open: async () => await Promise.resolve(Buffer.from(text)),
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
			context: { facts: place },
		});
		expect(sent).toEqual([]);
	});

	it('does not wait for another file', async () => {
		const { client } = fileClient({ calls: { createUploadUrl } });
		let accept: (result: PresignedResult) => void = () => undefined;
		client.sendPresigned = async () => await new Promise((resolve) => (accept = resolve));
		const first = storeFile(client, place, inMemory('a'), 'replace');
		await new Promise((resolve) => setImmediate(resolve));
		const acceptFirst = accept;
		client.sendPresigned = async () => await Promise.resolve(accepted);
		for (const other of [
			{ ...place, path: 'a/g' },
			{ ...place, storageId: 't' },
		]) {
			expect(await storeFile(client, other, inMemory('b'), 'replace')).toMatchObject(other);
		}
		acceptFirst(accepted);
		expect(await first).toMatchObject({ uploaded: true });
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

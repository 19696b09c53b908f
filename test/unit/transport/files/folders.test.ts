import {
	createFolder,
	deleteFile,
	deleteFolder,
} from '../../../../nodes/Wherobots/transport/files/folders';
import { entries, fileClient, marker, refusal } from '../../../support/fileClient';

const place = { storageId: 's', folder: 'a/b/' };

describe('createFolder', () => {
	it('creates those that lead to it before it', async () => {
		const { client, asked } = fileClient({});
		expect(await createFolder(client, place)).toBe(true);
		expect(asked).toEqual(['createDirectory a/', 'createDirectory a/b/']);
	});

	it.each([409, 403])('passes over a level above that is refused with %i', async (status) => {
		const { client, asked } = fileClient({
			calls: { createDirectory: ({ path }) => (path?.path === 'a/' ? refusal(status) : {}) },
		});
		expect(await createFolder(client, place)).toBe(true);
		expect(asked).toHaveLength(2);
	});

	it('stops at a level above that fails otherwise, and says what is not there', async () => {
		const { client, asked } = fileClient({ calls: { createDirectory: () => refusal(404) } });
		await expect(createFolder(client, place)).rejects.toMatchObject({
			httpCode: '404',
			description: expect.stringMatching(/^There is no storage with this ID/),
			context: { facts: { storageId: 's', path: 'a/' } },
		});
		expect(asked).toEqual(['createDirectory a/', 'listDirectory']);
	});

	it('tells one that is there already from one that was created', async () => {
		const { client } = fileClient({
			calls: { createDirectory: () => refusal(409) },
			folders: { 'a/': entries('a/b/') },
		});
		expect(await createFolder(client, place)).toBe(false);
	});

	it('does not take a file of its name for it', async () => {
		const { client } = fileClient({
			calls: { createDirectory: () => refusal(409) },
			folders: { 'a/': entries('a/b') },
		});
		await expect(createFolder(client, place)).rejects.toMatchObject({
			description: expect.stringMatching(/^A file named "b" already exists there\./),
		});
	});

	it('fails with what the service said when there is neither', async () => {
		const { client, asked } = fileClient({ calls: { createDirectory: () => refusal(409) } });
		await expect(createFolder(client, place)).rejects.toMatchObject({ description: 'It said no.' });
		expect(asked.at(-1)).toBe('listDirectory a/');
	});

	it('fails when nobody may create it, without a look', async () => {
		const { client, asked } = fileClient({ calls: { createDirectory: () => refusal(403) } });
		await expect(createFolder(client, place)).rejects.toMatchObject({ httpCode: '403' });
		expect(asked).toEqual(['createDirectory a/', 'createDirectory a/b/']);
	});
});

describe('deleteFolder', () => {
	it('deletes an empty one, after a look', async () => {
		const { client, asked } = fileClient({ folders: { 'a/b/': [marker] } });
		await deleteFolder(client, place, false);
		expect(asked).toEqual(['listDirectory a/b/', 'deleteDirectory a/b/']);
	});

	it('deletes one with its contents without a look', async () => {
		const { client, asked } = fileClient({});
		await deleteFolder(client, place, true);
		expect(asked).toEqual(['deleteDirectory a/b/']);
	});

	it.each([
		[['a/b/1'], 'It contains 1. Nothing'],
		[['a/b/1', 'a/b/2', 'a/b/3'], 'It contains 1, 2, 3. Nothing'],
		[['a/b/1', 'a/b/2', 'a/b/3', 'a/b/4/'], 'It contains 1, 2, 3 and more. Nothing'],
	])('names what is in one that is not empty: %j', async (paths, text) => {
		const { client, asked } = fileClient({ folders: { 'a/b/': entries(...paths) } });
		await expect(deleteFolder(client, place, false)).rejects.toMatchObject({
			message: 'The folder "a/b/" is not empty',
			description: expect.stringContaining(text),
			context: { facts: { storageId: 's', path: 'a/b/' } },
		});
		expect(asked).toEqual(['listDirectory a/b/']);
	});

	it.each([
		[{ name: '', path: 'a/b/data.csv' }, 'data.csv'],
		[{ path: 'a/b/data.csv' }, 'data.csv'],
		[{ name: 'data.csv' }, 'data.csv'],
	])('does not delete one with %j in it', async (entry, named) => {
		const folders = { 'a/b/': [marker, { type: 'FILE', ...entry }] };
		const { client, asked } = fileClient({ folders: folders as never });
		await expect(deleteFolder(client, place, false)).rejects.toMatchObject({
			description: expect.stringMatching(new RegExp(`^It contains ${named}\\. Nothing`)),
		});
		expect(asked).toEqual(['listDirectory a/b/']);
	});

	it('says what is not there', async () => {
		const { client } = fileClient({
			calls: { deleteDirectory: () => refusal(404) },
			folders: { '': [] },
		});
		await expect(deleteFolder(client, place, true)).rejects.toMatchObject({
			description: expect.stringMatching(/^There is nothing at "a\/b\/" in this storage\./),
		});
	});
});

describe('deleteFile', () => {
	it('deletes it', async () => {
		const { client, asked } = fileClient({});
		await deleteFile(client, 's', 'a/f');
		expect(asked).toEqual(['deleteFile a/f']);
	});

	it('says what is not there', async () => {
		const { client } = fileClient({
			calls: { deleteFile: () => refusal(404) },
			folders: { '': [] },
		});
		await expect(deleteFile(client, 's', 'a/f')).rejects.toMatchObject({
			description: expect.stringMatching(/^There is nothing at "a\/f" in this storage\./),
			context: { facts: { storageId: 's', path: 'a/f' } },
		});
	});

	it('leaves other failures as they are', async () => {
		const { client, asked } = fileClient({ calls: { deleteFile: () => refusal(500) } });
		await expect(deleteFile(client, 's', 'a/f')).rejects.toMatchObject({
			description: 'It said no.',
		});
		expect(asked).toEqual(['deleteFile a/f']);
	});
});

import type { FileEntry } from '../../../../nodes/Wherobots/service/files';
import {
	explainMissing,
	listFolder,
	lookUp,
} from '../../../../nodes/Wherobots/transport/files/listing';
import { entries, fileClient, marker, refusal } from '../../../support/fileClient';

const place = { storageId: 's', folder: 'a/' };

/** A folder whose pages have these entries, and the queries for them. */
function paged(...pages: Array<Array<string | FileEntry>>) {
	const queries: unknown[] = [];
	const { client } = fileClient({
		calls: {
			listDirectory: ({ query }) => {
				queries.push(query);
				const at = Number(query?.cursor ?? 0);
				const items = pages[at].flatMap((one) => (typeof one === 'string' ? entries(one) : one));
				return { items, next_page: at + 1 < pages.length ? at + 1 : null };
			},
		},
	});
	return { client, queries };
}

describe('a folder', () => {
	it('is read page by page, a thousand at once, without its own marker', async () => {
		const { client, queries } = paged([marker, 'a/1'], ['a/2/']);
		expect(await listFolder(client, place, 9)).toEqual(entries('a/1', 'a/2/'));
		expect(queries).toEqual([{ limit: 1_000 }, { limit: 1_000, cursor: '1' }]);
	});

	it('may have a file and a folder of one name', async () => {
		const file = { name: 'b', path: 'a/b', type: 'FILE' };
		const { client } = fileClient({ folders: { 'a/': [file, { ...file, type: 'FOLDER' }, file] } });
		expect((await listFolder(client, place, 10)).map(({ path }) => path)).toEqual(['a/b', 'a/b/']);
	});

	it('is read up to a limit, and no further', async () => {
		const { client, queries } = paged(['a/1', 'a/2', 'a/3'], ['a/4']);
		expect(await listFolder(client, place, 2)).toEqual(entries('a/1', 'a/2'));
		expect(await listFolder(client, place, 3)).toHaveLength(3);
		expect(queries).toHaveLength(2);
		expect(await listFolder(client, place, 9)).toHaveLength(4);
	});

	it('is read for what is wanted', async () => {
		const { client } = paged(['a/1', 'a/2/'], ['a/3']);
		const files = await listFolder(client, place, 2, ({ type }) => type === 'FILE');
		expect(files).toEqual(entries('a/1', 'a/3'));
	});

	it.each([
		['of a storage that is there', { '': [] }, /^There is nothing at "a\/" in this storage\./],
		['of none', {}, /^There is no storage with this ID/],
	])('that is not there, %s, is told so', async (_, folders, text) => {
		const { client } = fileClient({ folders });
		await expect(listFolder(client, place, 9)).rejects.toMatchObject({
			description: expect.stringMatching(text),
			context: { facts: { storageId: 's', path: 'a/' } },
		});
	});
});

describe('what is at a path', () => {
	const look = async (path: string, ...paths: string[]) => {
		const { client } = fileClient({ folders: { 'a/': entries(...paths) } });
		const found = (['file', 'folder'] as const).map(
			async (kind) => (await lookUp(client, kind, { storageId: 's', path }))?.path,
		);
		return await Promise.all(found);
	};

	it('is a file, a folder, both or nothing', async () => {
		expect(await look('a/b', 'a/a', 'a/b', 'a/c/')).toEqual(['a/b', undefined]);
		expect(await look('a/b', 'a/b/')).toEqual([undefined, 'a/b/']);
		expect(await look('a/b/', 'a/b/', 'a/b')).toEqual(['a/b', 'a/b/']);
		expect(await look('a/b', 'a/B', 'a/bb')).toEqual([undefined, undefined]);
	});

	it('is nothing in a folder that is not there', async () => {
		expect(await look('z/b')).toEqual([undefined, undefined]);
	});

	it('is not known when the folder cannot be read', async () => {
		const { client } = fileClient({ calls: { listDirectory: () => refusal(500) } });
		await expect(lookUp(client, 'file', { storageId: 's', path: 'a/b' })).rejects.toMatchObject({
			httpCode: '500',
		});
	});

	it('is looked for until the file is found, not only the folder', async () => {
		const { client, queries } = paged(['a/b/'], ['a/b'], ['a/c']);
		const found = await lookUp(client, 'file', { storageId: 's', path: 'a/b' });
		expect(found?.path).toBe('a/b');
		expect(queries).toHaveLength(2);
	});
});

describe('a storage that is not there', () => {
	const why = async (storageId: string, root: number | undefined, status = 404) => {
		const { client, asked } = fileClient({
			calls: { listDirectory: () => (root === undefined ? { items: [] } : refusal(root)) },
		});
		const error = refusal(status);
		await expect(explainMissing(client, { storageId }, Promise.reject(error))).rejects.toBe(error);
		return [error.description, asked.length];
	};

	it('is one whose root is not there either', async () => {
		expect(await why('s', 404)).toEqual([expect.stringMatching(/^There is no storage/), 1]);
		expect(await why('s', undefined)).toEqual(['It said no.', 1]);
		expect(await why('s', 403)).toEqual(['It said no.', 1]);
	});

	it("may be somebody's own files, which are not switched on", async () => {
		expect(await why('user_files::r', 404)).toEqual([
			expect.stringMatching(/^'My Files' is not available/),
			1,
		]);
	});

	it('is not looked for after other refusals', async () => {
		expect(await why('s', 404, 403)).toEqual(['It said no.', 0]);
	});

	it('is asked for by its root, one entry of it', async () => {
		const options: unknown[] = [];
		const { client } = fileClient({
			calls: { listDirectory: (given) => (options.push(given), { items: [] }) },
		});
		const missing = explainMissing(client, { storageId: 's' }, Promise.reject(refusal(404)));
		await expect(missing).rejects.toMatchObject({ httpCode: '404' });
		expect(options).toEqual([{ path: { storage_id: 's', path: '' }, query: { limit: 1 } }]);
	});
});

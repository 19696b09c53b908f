import { isFolder, type FileEntry } from '../../../../nodes/Wherobots/service/files';
import { browse } from '../../../../nodes/Wherobots/transport/files/listing';
import { entries, fileClient, marker, refusal } from '../../../support/fileClient';

const root = { storageId: 's', folder: '' };
const everything = () => true;

/** All paths that come, part after part, and how many parts there were. */
async function browseAll(
	{ client }: ReturnType<typeof fileClient>,
	place = root,
	wanted: (entry: FileEntry) => boolean = everything,
) {
	const parts: string[][] = [];
	let token: string | undefined;
	do {
		const part = await browse(client, place, token, wanted);
		parts.push(part.entries.map(({ path }) => path));
		token = part.token;
	} while (token !== undefined && parts.length < 100);
	return parts;
}

it('returns what is near the top first, and no marker', async () => {
	const tree = fileClient({
		folders: {
			'': entries('a/', 'b/', '1'),
			'a/': [marker, ...entries('a/2', 'a/c/')],
			'b/': entries('b/3'),
			'a/c/': entries('a/c/4'),
		},
	});
	expect(await browseAll(tree)).toEqual([['a/', 'b/', '1', 'a/2', 'a/c/', 'b/3', 'a/c/4']]);
	expect(tree.asked).toEqual(
		['', 'a/', 'b/', 'a/c/'].map((path) => `listDirectory ${path}`.trim()),
	);
});

it('begins at a folder and gives what is wanted', async () => {
	const tree = fileClient({
		folders: { 'a/': entries('a/2', 'a/c/'), 'a/c/': entries('a/c/4', 'a/c/d/'), 'a/c/d/': [] },
	});
	expect(await browseAll(tree, { ...root, folder: 'a/' }, isFolder)).toEqual([['a/c/', 'a/c/d/']]);
});

it('passes over folders that cannot be read, but not the first', async () => {
	const tree = fileClient({ folders: { '': entries('a/', 'b/'), 'b/': entries('b/3') } });
	expect(await browseAll(tree)).toEqual([['a/', 'b/', 'b/3']]);
	const none = fileClient({ calls: { listDirectory: () => refusal(403) } });
	await expect(browseAll(none)).rejects.toMatchObject({ httpCode: '403' });
});

it('continues after a part that begins with a folder that cannot be read', async () => {
	const { client } = fileClient({ folders: { 'b/': entries('b/3') } });
	const part = await browse(client, root, JSON.stringify(['a/', 'b/']), everything);
	expect(part).toEqual({ entries: entries('b/3'), token: undefined });
});

it('ends a part after eight folders, and goes on from there', async () => {
	const names = Array.from({ length: 12 }, (_, n) => `${n + 10}/`);
	const folders = Object.fromEntries(names.map((name) => [name, entries(`${name}f`)]));
	const tree = fileClient({ folders: { ...folders, '': entries(...names) } });
	const parts = await browseAll(tree);
	expect(parts.map((part) => part.length)).toEqual([12 + 7, 5]);
	expect(tree.asked).toHaveLength(13);
});

it.each([
	[49, 1],
	[50, 2],
])('ends a part with %i entries or goes on, in %i parts', async (count, parts) => {
	const files = Array.from({ length: count - 1 }, (_, n) => `f${n}`);
	const tree = fileClient({ folders: { '': entries('a/', ...files), 'a/': entries('a/1') } });
	expect(await browseAll(tree)).toHaveLength(parts);
});

it('shows the first thousand entries of a folder, and reads no further', async () => {
	const queries: unknown[] = [];
	const files = Array.from({ length: 1_000 }, (_, n) => `f${n}`);
	const { client } = fileClient({
		calls: {
			listDirectory: ({ query }) => {
				queries.push(query);
				return { items: entries(...files), next_page: 'more' };
			},
		},
	});
	expect((await browse(client, root, undefined, everything)).entries).toHaveLength(1_000);
	expect(queries).toEqual([{ limit: 1_000 }]);
});

it('reads no more than eight folders at once where every folder has another', async () => {
	const tree = fileClient({ calls: { listDirectory: () => ({ items: entries('a/', 'b/') }) } });
	const { token } = await browse(tree.client, root, undefined, everything);
	expect(tree.asked).toHaveLength(8);
	expect((JSON.parse(token as string) as string[]).length).toBeLessThan(10);
});

it('keeps two hundred folders for later, no more', async () => {
	const many = Array.from({ length: 300 }, (_, n) => `${n}/`);
	const { client } = fileClient({ folders: { '': entries(...many) } });
	const { token } = await browse(client, root, undefined, everything);
	const kept = JSON.parse(token as string) as string[];
	expect(kept).toHaveLength(200);
	expect(kept[199]).toBe('199/');
});

it('keeps no more than that beside those that wait already', async () => {
	const many = Array.from({ length: 100 }, (_, n) => `0/${n}/`);
	const { client } = fileClient({ folders: { '0/': entries(...many) } });
	const waiting = Array.from({ length: 151 }, (_, n) => `${n}/`);
	const { token } = await browse(client, root, JSON.stringify(waiting), everything);
	const kept = JSON.parse(token as string) as string[];
	expect([kept.length, kept[149], kept[150], kept[199]]).toEqual([200, '150/', '0/0/', '0/49/']);
});

import { findOperation } from '../../../../nodes/Wherobots/actions';
import type { Variants } from '../../../sandbox';
import { by, fileNode, sha256 } from '../../../support/files';
import { pick, type Picker } from '../../harness/pickers';
import { ok, suiteWithSandbox, textOf } from '../../harness/suite';

const suite = suiteWithSandbox();
const put = (path: string, content = path) => suite.store.storages.put('stor-acme', path, content);
const lists = () => suite.requests.of('listDirectory');
const remove = async (folder: string, more: object = {}) =>
	await suite.run(
		fileNode('delete', { deleteWhat: 'folder', folder: by('path', folder), ...more }),
	);

describe('Get Many through subfolders', () => {
	const list = async (more: object = {}) =>
		await suite.run(
			fileNode('getAll', { folder: by('list', '/'), includeSubfolders: true, ...more }),
		);
	const paths = async (more?: object) => (await list(more)).json.map(({ path }) => path);

	it('lists everything below a folder, what is near it first', async () => {
		put('jobs/lib/deep/er/x.py');
		expect(await paths({ returnAll: true })).toEqual([
			'jobs/',
			'README.md',
			'jobs/lib/',
			'jobs/nightly_etl.py',
			'jobs/lib/deep/',
			'jobs/lib/helpers.py',
			'jobs/lib/deep/er/',
			'jobs/lib/deep/er/x.py',
		]);
		expect(await paths({ folder: by('path', 'jobs/lib'), includeEntries: 'files' })).toEqual([
			'jobs/lib/helpers.py',
			'jobs/lib/deep/er/x.py',
		]);
		expect(await paths({ includeEntries: 'folders', limit: 2 })).toEqual(['jobs/', 'jobs/lib/']);
	});

	it('reads no more folders than its limit needs', async () => {
		expect(await paths({ limit: 3 })).toEqual(['jobs/', 'README.md', 'jobs/lib/']);
		expect(lists()).toHaveLength(2);
	});

	it('ends with an error where folders do not end', async () => {
		suite.variants.missingFolder = 'empty';
		suite.edits('listDirectory', (page: object) => ({
			...page,
			items: [{ name: 'again', type: 'FOLDER' }],
		}));
		const { error, items } = await list({ returnAll: true });
		expect(error?.message).toBe('The list could not be read to the end');
		expect(items).toEqual([]);
		expect(lists().length).toBeLessThan(500);
	});
});

describe('Download of a folder', () => {
	const download = async (more: object = {}) =>
		await suite.run(
			fileNode('download', { downloadWhat: 'folder', folder: by('path', 'out'), ...more }),
		);

	beforeEach(() => {
		put('out/part-0.csv', 'a\n1\n');
		put('out/part-1.csv', 'a\n2\n');
		put('out/_SUCCESS', '');
		put('out/year=2026/part-0.csv', 'a\n3\n');
	});

	it('gives each of its files as an item', async () => {
		const { items } = ok(await download());
		expect(items.map(({ json }) => json.path)).toEqual([
			'out/_SUCCESS',
			'out/part-0.csv',
			'out/part-1.csv',
		]);
		expect(items[1].json).toEqual({
			storageId: 'stor-acme',
			path: 'out/part-0.csv',
			fileName: 'part-0.csv',
			bytes: 4,
			sha256: sha256('a\n1\n'),
		});
		expect(items.map((item) => textOf(item))).toEqual(['', 'a\n1\n', 'a\n2\n']);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array(3).fill({ item: 0 }));
	});

	it('goes through its subfolders where that is chosen', async () => {
		const options = { binaryPropertyName: 'file' };
		const { items } = await download({ includeSubfolders: true, options });
		expect(items.map(({ json }) => json.path)).toEqual([
			'out/_SUCCESS',
			'out/part-0.csv',
			'out/part-1.csv',
			'out/year=2026/part-0.csv',
		]);
		expect(items.every(({ binary }) => binary?.file)).toBe(true);
	});

	it('downloads nothing of a folder with more files than the limit', async () => {
		const { error, items } = await download({ maxFiles: 2 });
		expect(items).toEqual([]);
		expect(error?.message).toBe('The folder "out/" has more than 2 files');
		expect(error?.description).toMatch(/^Nothing was downloaded\. Raise 'Max Files'/);
		expect(suite.requests.of('downloadFile')).toEqual([]);
		expect((await download({ maxFiles: 3 })).items).toHaveLength(3);
	});

	it('fails as a whole when one of its files cannot be read', async () => {
		suite.fails('downloadFile', 403, { path: /part-1/ });
		const { error, items } = await download();
		expect(items).toEqual([]);
		expect(error?.httpCode).toBe('403');
	});

	it('says that there is nothing in it', async () => {
		suite.storage().folders.add('empty/');
		const { hints, items } = await download({ folder: by('path', 'empty') });
		expect([items, hints]).toEqual([[], ['There are no files in this folder.']]);
	});
});

describe('Delete of a folder', () => {
	it('begins without a folder, as the root cannot be deleted', () => {
		const folder = findOperation('file', 'delete')?.fields.find(({ name }) => name === 'folder');
		expect(folder).toMatchObject({ required: true, default: { mode: 'list', value: '' } });
	});

	it('leaves a folder that is not empty, and says what is in it', async () => {
		const { error } = await remove('jobs');
		expect(error?.message).toBe('The folder "jobs/" is not empty');
		expect(error?.description).toContain(
			'It contains lib, nightly_etl.py. Nothing was deleted. Delete its contents first',
		);
		expect(suite.requests.of('deleteDirectory')).toEqual([]);
	});

	it.each([{ name: '', path: 'empty/a.csv' }, { path: 'empty/a.csv' }, { name: 'a.csv' }])(
		'leaves a folder that has an entry such as %j',
		async (entry) => {
			suite.storage().folders.add('empty/');
			suite.edits('listDirectory', (page: object) => ({
				...page,
				items: [{ type: 'FILE', ...entry }],
			}));
			const { error } = await remove('empty');
			expect(error?.description).toMatch(/^It contains a\.csv\. Nothing was deleted/);
			expect(suite.requests.of('deleteDirectory')).toEqual([]);
		},
	);

	it('deletes it with its contents only when the switch says so', async () => {
		expect((await remove('jobs', { recursive: true })).json).toEqual([
			{ deleted: true, storageId: 'stor-acme', path: 'jobs/', recursive: true },
		]);
		expect([...suite.storage().files.keys()]).toEqual(['README.md']);
	});

	it.each([true, false])('deletes an empty folder (marker shown: %s)', async (folderMarkers) => {
		suite.variants.folderMarkers = folderMarkers;
		suite.storage().folders.add('empty/');
		expect((await remove('empty')).json[0]).toMatchObject({ deleted: true, recursive: false });
		expect(suite.storage().hasFolder('empty/')).toBe(false);
	});

	it.each(['/', '//'])('never deletes a root (%j)', async (root) => {
		const { error } = await remove(root, { recursive: true });
		expect(error?.message).toMatch(/^'Folder' must be a folder other than the root/);
		expect(suite.requests.count).toBe(0);
	});
});

/** What is in a folder is known by the folder and its name, whatever else the service says of it. */
const forms: Array<[string, Partial<Variants>]> = [
	['paths with a prefix', { entryPaths: 'prefixed' }],
	['no paths', { entryPaths: 'absent' }],
	['names of folders with a slash', { folderNames: 'slash' }],
	['no paths, and names with a slash', { entryPaths: 'absent', folderNames: 'slash' }],
];

describe.each(forms)('a listing with %s', (_, variants) => {
	beforeEach(() => {
		Object.assign(suite.variants, variants);
		suite.storage().folders.add('jobs/lib/');
	});

	const offered = async (picker: Picker, filter?: string) => {
		const parameters = fileNode('upload');
		const { results } = await pick(suite.sandbox, picker, { parameters, filter });
		return results.map(({ value }) => value);
	};

	it('offers every file and folder by a path that a request accepts', async () => {
		expect(await offered('searchFolders')).toEqual(['/', 'jobs/', 'jobs/lib/']);
		expect(await offered('searchFiles')).toEqual([
			'README.md',
			'jobs/nightly_etl.py',
			'jobs/lib/helpers.py',
		]);
		expect(await offered('searchFiles', 'jobs/lib/help')).toEqual(['jobs/lib/helpers.py']);
	});

	it('lets an empty folder be deleted, and no other', async () => {
		suite.storage().folders.add('empty/');
		expect((await remove('empty')).json).toMatchObject([{ deleted: true }]);
		expect((await remove('jobs')).error?.description).toContain(
			'It contains lib, nightly_etl.py. Nothing was deleted.',
		);
		expect(suite.storage().hasFolder('jobs/')).toBe(true);
	});
});

const aFolder = { filePath: by('path', 'jobs/lib') };
const aFile = { folder: by('path', 'jobs/nightly_etl.py') };

const CHECK_PATH =
	'Choose it from the list, or check the path: it is relative to the storage, and case-sensitive.';

it.each([
	['download', aFolder],
	['getLink', aFolder],
	['delete', aFolder],
	['rename', { ...aFolder, newName: 'other.py' }],
])('a folder is no file: %s', async (operation, more) => {
	const { error } = await suite.run(fileNode(operation, more));
	expect(error?.message).toBe('"jobs/lib/" is a folder, not a file');
	expect(error?.description).toBe(CHECK_PATH);
});

it.each([
	['getAll', aFile],
	['getAll', { ...aFile, includeSubfolders: true }],
	['download', { ...aFile, downloadWhat: 'folder' }],
	['delete', { ...aFile, deleteWhat: 'folder' }],
])('a file is no folder: %s %j', async (operation, more) => {
	const { error } = await suite.run(fileNode(operation, more));
	expect(error?.message).toBe('"jobs/nightly_etl.py" is a file, not a folder');
	expect(error?.description).toBe(CHECK_PATH);
	expect(suite.storage().files.has('jobs/nightly_etl.py')).toBe(true);
});

import { by, fileNode, inMemory, uploadNode } from '../../../support/files';
import { pick, type Picker } from '../../harness/pickers';
import { suiteWithSandbox } from '../../harness/suite';
import type { Variants } from '../../../sandbox';

const suite = suiteWithSandbox();
const storage = () => {
	const found = suite.sandbox.store.storages.get('stor-acme');
	if (!found) throw new Error('There is no storage');
	return found;
};

/** What is in a folder is known by the folder and its name, whatever else the service says of it. */
const forms: Array<[string, Partial<Variants>]> = [
	['paths with a prefix', { entryPaths: 'prefixed' }],
	['no paths', { entryPaths: 'absent' }],
	['names of folders with a slash', { folderNames: 'slash' }],
	['no paths, and names with a slash', { entryPaths: 'absent', folderNames: 'slash' }],
];

describe.each(forms)('a listing with %s', (_, variants) => {
	beforeEach(() => {
		Object.assign(suite.sandbox.variants, variants);
		storage().folders.add('jobs/lib/');
	});

	const offered = async (picker: Picker, filter?: string) => {
		const parameters = {
			resource: 'file',
			operation: 'upload',
			storageId: by('list', 'stor-acme'),
		};
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

	it('becomes items with such paths, without the marker of the folder', async () => {
		const { json } = await suite.run(fileNode('getAll', { folder: by('path', 'jobs') }));
		expect(json.map(({ name, path }) => [name, path])).toEqual([
			['lib', 'jobs/lib/'],
			['nightly_etl.py', 'jobs/nightly_etl.py'],
		]);
		const inner = fileNode('getAll', { folder: by('path', String(json[0].path)) });
		expect((await suite.run(inner)).json.map(({ path }) => path)).toEqual(['jobs/lib/helpers.py']);
	});

	const remove = async (folder: string) =>
		await suite.run(fileNode('delete', { deleteWhat: 'folder', folder: by('path', folder) }));

	it('lets an empty folder be deleted, and no other', async () => {
		storage().folders.add('empty/');
		expect((await remove('empty')).json).toMatchObject([{ deleted: true }]);
		expect((await remove('jobs')).error?.description).toContain(
			'It contains lib, nightly_etl.py. Nothing was deleted.',
		);
		expect(storage().hasFolder('jobs/')).toBe(true);
	});

	it('tells whether a file or a folder is there', async () => {
		const files = [inMemory('pass', 'nightly_etl.py')];
		const { error } = await suite.run(uploadNode(), { files });
		expect(error?.message).toBe('A file already exists at "jobs/nightly_etl.py"');
		const made = fileNode('createFolder', { folderPath: 'jobs/lib' });
		expect((await suite.run(made)).json[0]).toMatchObject({ created: false });
	});
});

describe('a path that begins with a slash', () => {
	it.each(['/jobs/nightly_etl.py', 'jobs/nightly_etl.py'])('is understood: %s', async (path) => {
		const down = await suite.run(fileNode('download', { filePath: by('path', path) }));
		expect(down.json[0]).toMatchObject({ path: 'jobs/nightly_etl.py' });
	});
});

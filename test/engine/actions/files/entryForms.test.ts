import { by, fileNode } from '../../../support/files';
import { pick, type Picker } from '../../harness/pickers';
import { suiteWithSandbox } from '../../harness/suite';
import type { Variants } from '../../../sandbox';

const suite = suiteWithSandbox();

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
		const { results } = await pick(suite.sandbox, picker, {
			parameters: fileNode('upload'),
			filter,
		});
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

	const remove = async (folder: string) =>
		await suite.run(fileNode('delete', { deleteWhat: 'folder', folder: by('path', folder) }));

	it('lets an empty folder be deleted, and no other', async () => {
		suite.storage().folders.add('empty/');
		expect((await remove('empty')).json).toMatchObject([{ deleted: true }]);
		expect((await remove('jobs')).error?.description).toContain(
			'It contains lib, nightly_etl.py. Nothing was deleted.',
		);
		expect(suite.storage().hasFolder('jobs/')).toBe(true);
	});
});

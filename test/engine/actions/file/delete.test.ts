import { by, fileNode } from '../../../support/files';
import { suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox();
const storage = (id = 'stor-acme') => {
	const found = suite.store.storages.get(id);
	if (!found) throw new Error(`There is no storage ${id}`);
	return found;
};

describe('Delete', () => {
	const remove = async (folder: string, more: object = {}) =>
		await suite.run(
			fileNode('delete', { deleteWhat: 'folder', folder: by('path', folder), ...more }),
		);

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
			storage().folders.add('empty/');
			const edit = (page: object) => ({ ...page, items: [{ type: 'FILE', ...entry }] });
			suite.fails('listDirectory', { kind: 'edit', edit });
			const { error } = await remove('empty');
			expect(error?.description).toMatch(/^It contains a\.csv\. Nothing was deleted/);
			expect(suite.requests.of('deleteDirectory')).toEqual([]);
		},
	);

	it('deletes it with its contents only when the switch says so', async () => {
		const { json } = await remove('jobs', { recursive: true });
		expect(json).toEqual([
			{ deleted: true, storageId: 'stor-acme', path: 'jobs/', recursive: true },
		]);
		expect([...storage().files.keys()]).toEqual(['README.md']);
	});

	it.each([true, false])('deletes an empty folder (marker shown: %s)', async (folderMarkers) => {
		suite.variants.folderMarkers = folderMarkers;
		storage().folders.add('empty/');
		expect((await remove('empty')).json[0]).toMatchObject({ deleted: true, recursive: false });
		expect(storage().hasFolder('empty/')).toBe(false);
	});

	it.each(['/', '//'])('never deletes a root (%j)', async (root) => {
		const { error } = await remove(root, { recursive: true });
		expect(error?.message).toMatch(/^'Folder' must be a folder other than the root/);
		expect(suite.requests.count).toBe(0);
	});
});

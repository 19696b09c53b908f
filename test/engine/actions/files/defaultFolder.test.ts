import { by, fileNode, inMemory, uploadNode } from '../../../support/files';
import { pick } from '../../harness/pickers';
import { suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox();
const files = [inMemory('pass', 'hello.py')];
const upload = async (storageId: string, more: object = {}) =>
	await suite.run(
		{ resource: 'file', operation: 'upload', storageId: by('id', storageId), ...more },
		{ files },
	);
const managed = () => suite.storage('stor-managed');

describe('the default folder', () => {
	it('is where a new node uploads to: scripts/ in the default directory of the storage', async () => {
		const { json, error } = await upload('stor-managed');
		expect(error).toBeUndefined();
		const { path, defaultDirectory } = managed().draft;
		expect(json[0]).toMatchObject({
			path: `${defaultDirectory}/scripts/hello.py`,
			destination: `${path}/${defaultDirectory}/scripts/hello.py`,
		});
		const again = fileNode('download', { filePath: by('path', String(json[0].path)) });
		const down = await suite.run({ ...again, storageId: by('id', 'stor-managed') });
		expect(down.error).toBeUndefined();
	});

	it('is the first that the list of folders offers, in that of an upload only', async () => {
		const names = async (picker: 'searchFolders' | 'searchUploadFolders', filter?: string) => {
			const { results } = await pick(suite.sandbox, picker, {
				parameters: fileNode('upload'),
				filter,
			});
			return results.map(({ name }) => name);
		};
		expect(await names('searchUploadFolders')).toEqual([
			'Default Folder',
			'/',
			'jobs/',
			'jobs/lib/',
		]);
		expect(await names('searchUploadFolders', 'lib')).toEqual(['jobs/lib/']);
		expect(await names('searchFolders')).not.toContain('Default Folder');
	});

	it.each([
		['getAll', {}],
		['download', { downloadWhat: 'folder' }],
		['delete', { deleteWhat: 'folder', recursive: true }],
	])('is no folder for %s, which n8n hands it on to', async (operation, more) => {
		const folder = by('list', 'defaultFolder');
		const node = fileNode(operation, { folder, ...more });
		expect((await suite.run(node)).error?.message).toBe("'Folder' must be chosen");
		expect(suite.requests.count).toBe(0);
	});

	it.each([
		['an integration without a default directory', 'stor-acme'],
		['My Files, which no list has', 'user_files::aws-us-west-2'],
	])('is scripts/ at the root of %s', async (_, id) => {
		expect((await upload(id)).json[0]).toMatchObject({ path: 'scripts/hello.py' });
	});

	it.each(['/org/data/own/', 'org/data/own'])('is understood as %j', async (defaultDirectory) => {
		const { id } = suite.store.storages.create({
			name: 's',
			path: 's3://b',
			defaultDirectory,
		});
		expect((await upload(id)).json[0]).toMatchObject({
			path: 'org/data/own/scripts/hello.py',
			destination: 's3://b/org/data/own/scripts/hello.py',
		});
	});

	it('is found before anything is uploaded, and checked like any other', async () => {
		suite.store.storages.put('stor-acme', 'scripts/hello.py', 'old');
		expect((await upload('stor-acme')).error?.message).toBe(
			'A file already exists at "scripts/hello.py"',
		);
	});
});

it('names with spaces at their ends are uploaded, listed, downloaded and deleted as they are', async () => {
	const name = ' odd name.py ';
	const up = await suite.run(uploadNode({ folder: by('path', ' odd/ in'), fileName: name }), {
		files,
	});
	expect(up.json[0]).toMatchObject({ path: ` odd/ in/${name}`, name });
	const list = await suite.run(fileNode('getAll', { folder: by('path', ' odd/ in') }));
	expect(list.json).toMatchObject([{ name, path: ` odd/ in/${name}` }]);
	const filePath = by('path', String(list.json[0].path));
	const down = await suite.run(fileNode('download', { filePath }));
	expect(down.error).toBeUndefined();
	expect((await suite.run(fileNode('delete', { filePath }))).error).toBeUndefined();
	expect([...suite.storage().files.keys()]).toHaveLength(3);
});

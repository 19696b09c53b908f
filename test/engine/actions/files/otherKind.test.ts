/** A folder where a file is wanted, and the reverse. */
import { by, fileNode } from '../../../support/files';
import { suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox();

const aFolder = { filePath: by('path', 'jobs/lib') };
const aFile = { folder: by('path', 'jobs/nightly_etl.py') };

it.each([
	['download', aFolder],
	['getLink', aFolder],
	['delete', aFolder],
	['rename', { ...aFolder, newName: 'other.py' }],
])('a folder is no file: %s', async (operation, more) => {
	const { error } = await suite.run(fileNode(operation, more));
	expect(error?.message).toBe('"jobs/lib/" is a folder, not a file');
	expect(error?.description).toBe('Check the path.');
});

it.each([
	['getAll', aFile],
	['getAll', { ...aFile, includeSubfolders: true }],
	['download', { ...aFile, downloadWhat: 'folder' }],
	['delete', { ...aFile, deleteWhat: 'folder' }],
])('a file is no folder: %s %j', async (operation, more) => {
	const { error } = await suite.run(fileNode(operation, more));
	expect(error?.message).toBe('"jobs/nightly_etl.py" is a file, not a folder');
	expect(error?.description).toBe('Check the path.');
	expect(suite.storage().files.has('jobs/nightly_etl.py')).toBe(true);
});

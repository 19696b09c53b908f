/** The uses of File, for cases.ts. */
import type { Sandbox } from '../../sandbox';
import { by } from '../../support/files';
import { noLimit, use, type OperationCase } from './operationCase';

const inStorage = { storageId: by('id', 'stor-acme') };
const nightly = { ...inStorage, filePath: by('path', 'jobs/nightly_etl.py') };
const aFile = ({ store }: Sandbox) => {
	const path = `jobs/${Math.random()}.py`;
	store.storages.put('stor-acme', path, 'pass');
	return { ...inStorage, filePath: by('path', path) };
};
const anEmptyFolder = ({ store }: Sandbox) => {
	store.storages.get('stor-acme')?.folders.add('empty/');
	return { ...inStorage, deleteWhat: 'folder', folder: by('path', 'empty') };
};

export const fileCases: Record<string, OperationCase> = {
	'file createFolder': use(
		'createDirectory',
		() => ({ ...inStorage, folderPath: `made-${Math.random()}` }),
		[{ folderPath: 'a/../b' }, '\'Folder\' must not contain ".."'],
	),
	'file delete': use(
		'deleteFile',
		aFile,
		[{ filePath: by('path', 'jobs/') }, "'File' must be a file: a slash at the end"],
		{ also: [anEmptyFolder] },
	),
	'file download': use(
		'downloadFile',
		nightly,
		[{ filePath: by('path', 's3://acme-jobs/x') }, "'File' must be a path in the storage"],
		{ also: [() => ({ ...inStorage, downloadWhat: 'folder', folder: by('path', 'jobs') })] },
	),
	'file getAll': use('listDirectory', { ...inStorage, limit: 5 }, noLimit, {
		also: [() => ({ ...inStorage, includeSubfolders: true, returnAll: true })],
	}),
	'file getLink': use(
		'createDownloadUrl',
		nightly,
		[{ filePath: by('path', 'a//b') }, "'File' must not begin with a slash"],
		{ instead: 'downloadFile' },
	),
	'file rename': use(
		'renameFile',
		(sandbox) => ({ ...aFile(sandbox), newName: `${Math.random()}.py` }),
		[{ newName: 'a/b.py' }, "'New Name' must be a name without a folder"],
	),
	'file upload': use(
		'createUploadUrl',
		() => ({
			...{ ...inStorage, folder: by('path', 'jobs') },
			...{ contentFrom: 'text', fileText: 'print(1)', fileName: `case-${Math.random()}.py` },
		}),
		[{ fileName: 'a/b.py' }, "'File Name' must be a name without a folder"],
	),
};

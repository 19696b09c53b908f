/** The uses of File, for cases.ts. */
import type { Sandbox } from '../../sandbox';
import { by } from '../../support/files';
import type { OperationCase } from './cases';

const inStorage = { storageId: by('id', 'stor-acme') };
const aFile = ({ store }: Sandbox) => {
	const path = `jobs/${Math.random()}.py`;
	store.storages.put('stor-acme', path, 'pass');
	return { ...inStorage, filePath: by('path', path) };
};

export const fileCases: Record<string, OperationCase> = {
	'file createFolder': {
		endpoint: 'createDirectory',
		good: () => ({ ...inStorage, folderPath: `made-${Math.random()}` }),
		bad: [{ folderPath: 'a/../b' }, '\'Folder\' must not be ".."'],
	},
	'file delete': {
		endpoint: 'deleteFile',
		good: aFile,
		also: [
			({ store }) => {
				store.storages.get('stor-acme')?.folders.add('empty/');
				return { ...inStorage, deleteWhat: 'folder', folder: by('path', 'empty') };
			},
		],
		bad: [{ filePath: by('path', 'jobs/') }, "'File' must not end with a slash"],
	},
	'file download': {
		endpoint: 'downloadFile',
		good: () => ({ ...inStorage, filePath: by('path', 'jobs/nightly_etl.py') }),
		also: [() => ({ ...inStorage, downloadWhat: 'folder', folder: by('path', 'jobs') })],
		bad: [{ filePath: by('path', 's3://acme-jobs/x') }, "'File' must be a path in the storage"],
	},
	'file getAll': {
		endpoint: 'listDirectory',
		good: () => ({ ...inStorage, limit: 5 }),
		also: [() => ({ ...inStorage, includeSubfolders: true, returnAll: true })],
		bad: [{ returnAll: false, limit: 0 }, "'Limit' must be at least 1"],
	},
	'file getLink': {
		endpoint: 'createDownloadUrl',
		instead: 'downloadFile',
		good: () => ({ ...inStorage, filePath: by('path', 'jobs/nightly_etl.py') }),
		bad: [{ filePath: by('path', 'a//b') }, "'File' must not begin with a slash"],
	},
	'file rename': {
		endpoint: 'renameFile',
		good: (sandbox) => ({ ...aFile(sandbox), newName: `${Math.random()}.py` }),
		bad: [{ newName: 'a/b.py' }, "'New Name' must not contain a slash"],
	},
	'file upload': {
		endpoint: 'createUploadUrl',
		good: () => ({
			...inStorage,
			folder: by('path', 'jobs'),
			contentFrom: 'text',
			fileText: 'print(1)',
			fileName: `case-${Math.random()}.py`,
		}),
		bad: [{ fileName: 'a/b.py' }, "'File Name' must not contain a slash"],
	},
};

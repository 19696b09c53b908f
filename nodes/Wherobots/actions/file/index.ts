import type { Resource } from '../operations/operation';
import { createFolderOperation } from './createFolder.operation';
import { deleteOperation } from './delete.operation';
import { download } from './download.operation';
import { getAll } from './getAll.operation';
import { getLink } from './getLink.operation';
import { rename } from './rename.operation';
import { upload } from './upload.operation';

export const file: Resource = {
	option: {
		name: 'File',
		value: 'file',
		description: 'Files in managed storage, in storage integrations and in My Files',
	},
	operations: [createFolderOperation, deleteOperation, download, getLink, getAll, rename, upload],
	defaultOperation: 'upload',
};

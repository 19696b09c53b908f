import { item } from '../../parameters/items';
import { nameOf } from '../../service/files';
import { folderFor } from '../../transport/files/files';
import { storeFile, type StoredFile } from '../../transport/files/storage';
import { workOf } from '../execution/once';
import type { Operation } from '../operations/operation';
import { readUploadFolder, storageField, uploadFolderField } from './fields';
import * as form from './uploadInput';

const ifExistsField = form.ifExistsField('fail');

export const upload: Operation = {
	option: {
		name: 'Upload',
		value: 'upload',
		action: 'Upload file',
		description: 'Upload a file to a storage, for example a script or data for a job run',
	},
	fields: [
		storageField,
		uploadFolderField,
		form.contentFromField,
		{ ...form.inputBinaryField, displayOptions: { show: { contentFrom: ['binary'] } } },
		{ ...form.contentTextField, displayOptions: { show: { contentFrom: ['text'] } } },
		form.fileNameField,
		ifExistsField,
	],
	kind: 'write',
	async execute(call) {
		const { client, input } = call;
		const target = readUploadFolder(input);
		const ifExists = input.choice(ifExistsField);
		const isText = input.choice(form.contentFromField) === 'text';
		const file = isText ? form.readTextFile(call) : await form.readBinaryFile(call);
		const store = async () => {
			const { storageId, folder } = await folderFor(client, target, 'scripts');
			const place = { storageId, path: folder + file.fileName };
			return await storeFile(client, place, file.source, ifExists);
		};
		// On Retry on Fail, the file of the first attempt would already be there.
		const work = workOf<StoredFile>(call, 'upload');
		const submit = async () => {
			const stored = await work.once(store);
			const { destination, path, uploaded } = stored;
			if (uploaded) call.noteCreated({ id: destination, name: path });
			return [item({ ...stored, name: nameOf(path) })];
		};
		return { submit };
	},
};

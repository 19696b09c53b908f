/** Files in storages. */
import type { INodeExecutionData } from 'n8n-workflow';

import {
	defineChoiceField,
	defineCountField,
	defineSwitchField,
	defineTextField,
} from '../../form/declarations';
import {
	binaryFieldOption,
	defineOptions,
	readLimit,
	returnAllFields,
	defineSecretNotice,
} from '../../form/fields';
import { toItem, toItems } from '../../form/output';
import * as files from '../../useCases/files/files';
import { downloadFile, fetchLink, type StoredFile, storeFile } from '../../useCases/files/storage';
import { toFolder, type Place, isFolder, getName } from '../../service/files';
import * as rules from '../../service/rules';
import { runInParallel } from '../../transport/concurrency';
import { Failure } from '../../transport/failure';
import * as form from '../operations/itemFiles';
import {
	type Call,
	addNoResultsHint,
	type Operation,
	type Resource,
} from '../operations/operation';
import {
	fileField,
	folderField,
	readFile,
	readFolder,
	readUploadFolder,
	storageField,
	subfoldersField,
	uploadFolderField,
} from './fields';

const whatField = defineChoiceField({
	displayName: 'What to Download',
	name: 'downloadWhat',
	options: {
		file: 'File',
		folder: ['Folder', 'Each file in a folder as an item'],
	},
	default: 'file',
	description: 'What to download: a single file, or the files in a folder',
});

const maxFilesField = defineCountField({
	displayName: 'Max Files',
	name: 'maxFiles',
	default: 100,
	description:
		'How many files the folder may have. If it has more, the node fails and downloads nothing.',
});

const fileNameField = defineTextField({
	displayName: 'File Name',
	name: 'fileName',
	placeholder: 'e.g. summary.csv',
	description: 'Name of the file in n8n. Defaults to its name in the storage.',
});

const optionsField = defineOptions(fileNameField, binaryFieldOption);
const folderOptionsField = defineOptions(binaryFieldOption);

const showFile = { downloadWhat: ['file'] };
const ofFile = { displayOptions: { show: showFile } };
const ofFolder = { displayOptions: { show: { downloadWhat: ['folder'] } } };

const download: Operation = {
	name: 'Download',
	value: 'download',
	action: 'Download file or folder',
	description: 'Download a file of any size, or the files in a folder, from storage',
	fields: [
		storageField,
		whatField,
		{ ...fileField, ...ofFile },
		{ ...folderField, required: true, ...ofFolder },
		{ ...subfoldersField, ...ofFolder },
		{ ...maxFilesField, ...ofFolder },
		...form.defineMapFields(showFile),
		{ ...optionsField, ...ofFile },
		{ ...folderOptionsField, ...ofFolder },
	],
	kind: 'read',
	async execute(call) {
		const { context, input } = call;
		if (input.choice(whatField) === 'folder') return await downloadFolder(call);
		const place = readFile(input);
		const options = input.within(optionsField);
		const fileName = options.optionalText(fileNameField) ?? getName(place.path);
		const field = options.text(binaryFieldOption);
		const wanted = form.readMapOptions(input, field, fileName);
		const file = await form.addMap(
			context,
			wanted,
			async (watch) => await downloadToItem(call, place, { fileName, field, watch }),
		);
		return [file];
	},
};

/** Number of files of a folder to download at once. */
const WIDTH = 5;

/** The files in a folder, or none: whoever wants them all must not miss one. */
async function downloadFolder(call: Call): Promise<INodeExecutionData[]> {
	const { client, input } = call;
	const place = readFolder(input);
	const list = input.flag(subfoldersField) ? files.fetchTree : files.fetchFolder;
	const limit = input.integer(maxFilesField);
	const field = input.within(folderOptionsField).text(binaryFieldOption);
	const found = await list(client, place, limit + 1, (entry) => !isFolder(entry));
	if (found.length > limit) {
		throw new Failure({
			message: `The folder "${place.path || '/'}" has more than ${limit} files`,
			description: `Nothing was downloaded. Raise '${maxFilesField.displayName}', or list the files with Get Many and download those that you need.`,
			facts: { ...place },
		});
	}
	if (found.length === 0) addNoResultsHint(call, 'files', [], 'in this folder');
	return await runInParallel(found.length, WIDTH, async (index) => {
		const { name, path } = found[index];
		return await downloadToItem(
			call,
			{ storageId: place.storageId, path },
			{ fileName: name, field },
		);
	});
}

type Bytes = AsyncIterable<Uint8Array>;

interface Download {
	/** In n8n. */
	fileName: string;
	/** The output field. */
	field: string;
	/** Sees the bytes as they pass. */
	watch?(bytes: Bytes): Bytes;
}

/** Types that say nothing about a file; n8n then goes by its name. */
const NO_TYPE = /^((application|binary)\/octet-stream|application\/x-www-form-urlencoded)?(;|$)/i;

/** A file as an item with its length and checksum. Throws as `downloadFile` does. */
async function downloadToItem(
	{ client, context }: Call,
	place: Place,
	{ fileName, field, watch = (bytes) => bytes }: Download,
): Promise<INodeExecutionData> {
	const { binary, tally } = await downloadFile(client, place, async (bytes, reader) => {
		const type = reader.response.headers['content-type'] ?? '';
		const mimeType = NO_TYPE.test(type) ? undefined : type.split(';')[0].trim();
		return await form.storeDownload(context, reader, watch(bytes), fileName, mimeType);
	});
	return { json: { ...place, fileName, ...tally }, binary: { [field]: binary } };
}

const includeField = defineChoiceField({
	displayName: 'Include',
	name: 'includeEntries',
	options: { all: 'Files and Folders', files: 'Files Only', folders: 'Folders Only' },
	default: 'all',
	description: 'What to list',
});

const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many files',
	description: 'List the files and folders in a storage folder',
	fields: [storageField, folderField, subfoldersField, includeField, ...returnAllFields],
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const place = readFolder(input);
		const include = input.choice(includeField);
		const limit = readLimit(input);
		const wanted = (folder: boolean) => include === 'all' || folder === (include === 'folders');
		const list = input.flag(subfoldersField) ? files.fetchTree : files.fetchFolder;
		const entries = await list(client, place, limit, (entry) => wanted(isFolder(entry)));
		if (entries.length === 0) {
			const what = include === 'all' ? 'files or folders' : include;
			addNoResultsHint(call, what, [], 'in this folder');
		}
		return toItems(entries.map((entry) => ({ storageId: place.storageId, ...entry })));
	},
};

const getLink: Operation = {
	name: 'Get Link',
	value: 'getLink',
	action: 'Get link to file',
	description: 'Get a shareable link from which the file can be downloaded for a short time',
	fields: [
		storageField,
		fileField,
		defineSecretNotice(
			'The output is a link from which anyone can download the file until it expires, usually after about a minute.',
		),
	],
	kind: 'read',
	async execute({ client, input }) {
		const place = readFile(input);
		return [toItem({ ...place, name: getName(place.path), ...(await fetchLink(client, place)) })];
	},
};

const ifExistsField = form.defineIfExistsField('fail');

const upload: Operation = {
	name: 'Upload',
	value: 'upload',
	action: 'Upload file',
	description: 'Upload a file to storage, for example a script or data for a job run',
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
		const existing = form.readExisting(input, ifExistsField);
		const isText = input.choice(form.contentFromField) === 'text';
		const file = isText ? form.readTextFile(call) : await form.readBinaryFile(call);
		const store = async () => {
			const folder = await files.resolveFolder(client, target, 'scripts');
			const place = { ...folder, path: folder.path + file.fileName };
			return await storeFile(client, place, file.source, existing);
		};
		// On Retry On Fail, the file of the first attempt would already be there.
		const work = call.memory.item<StoredFile>('upload');
		const submit = async () => {
			const stored = await work.once(store);
			const { destination, path, uploaded } = stored;
			if (uploaded) call.noteCreated({ id: destination, name: path });
			return [toItem({ ...stored, name: getName(path) })];
		};
		return { submit };
	},
};

const newFolderField = defineTextField({
	displayName: 'Folder',
	name: 'folderPath',
	required: true,
	placeholder: 'e.g. results/2026',
	description: 'Path of the folder in the storage. Missing parent folders are created as well.',
	rule: rules.checkFolderPath,
	exact: true,
});

const createFolder: Operation = {
	name: 'Create Folder',
	value: 'createFolder',
	action: 'Create folder',
	description: 'Create a folder in storage if it does not exist yet',
	fields: [storageField, newFolderField],
	kind: 'write',
	async execute({ client, input }) {
		const storageId = input.text(storageField);
		const path = toFolder(input.text(newFolderField));
		if (path === '') throw input.problem(newFolderField, 'must name a folder, not the root');
		const created = await files.createFolder(client, { storageId, path });
		return [toItem({ storageId, path, name: getName(path), created })];
	},
};

const newNameField = defineTextField({
	displayName: 'New Name',
	name: 'newName',
	required: true,
	placeholder: 'e.g. nightly_etl_v2.py',
	description: 'New name of the file, without folders',
	rule: rules.checkFileName,
	exact: true,
});

const rename: Operation = {
	name: 'Rename',
	value: 'rename',
	action: 'Rename file',
	description: 'Give a file another name in the same folder',
	fields: [storageField, fileField, newNameField],
	kind: 'write',
	async execute({ client, input, memory }) {
		const place = readFile(input);
		const newName = input.text(newNameField);
		// On Retry On Fail, the file would no longer be there.
		const work = memory.item<files.RenamedFile>('rename');
		const send = async () => await files.renameFile(client, place, newName);
		return { submit: async () => [toItem({ ...(await work.once(send)) })] };
	},
};

const whatToDeleteField = defineChoiceField({
	displayName: 'What to Delete',
	name: 'deleteWhat',
	options: { file: 'File', folder: 'Folder' },
	default: 'file',
	description: 'What to delete: a single file, or a folder',
});

const recursiveField = defineSwitchField({
	displayName: 'Delete Contents',
	name: 'recursive',
	description:
		'Whether to delete the folder even if it is not empty, with everything in it. Files uploaded to it in the meantime are deleted too.',
	hint: 'This cannot be undone',
	displayOptions: { show: { deleteWhat: ['folder'] } },
});

const deleteOperation: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete file or folder',
	description: 'Delete a file, an empty folder or, optionally, a folder with its contents',
	fields: [
		storageField,
		whatToDeleteField,
		{
			...fileField,
			hint: 'This cannot be undone',
			displayOptions: { show: { deleteWhat: ['file'] } },
		},
		{
			...folderField,
			default: { mode: 'list', value: '' },
			required: true,
			description: 'The folder in the storage, other than its root',
			hint: 'This cannot be undone',
			displayOptions: { show: { deleteWhat: ['folder'] } },
		},
		recursiveField,
	],
	kind: 'write',
	async execute({ client, input }) {
		if (input.choice(whatToDeleteField) === 'file') {
			const place = readFile(input);
			await files.deleteFile(client, place);
			return [toItem({ deleted: true, ...place })];
		}
		const place = readFolder(input);
		if (place.path === '') throw input.problem(folderField, 'must be a folder other than the root');
		const recursive = input.flag(recursiveField);
		const advice = `Delete its contents first, or use '${recursiveField.displayName}'.`;
		await files.deleteFolder(client, place, recursive, advice);
		return [toItem({ deleted: true, ...place, recursive })];
	},
};

export const file: Resource = {
	name: 'File',
	value: 'file',
	description: 'Files in managed storage, in storage integrations and in My Files',
	operations: [createFolder, deleteOperation, download, getLink, getAll, rename, upload],
	defaultOperation: upload,
	toolOperation: getAll,
};

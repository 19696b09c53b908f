import type { INodeExecutionData } from 'n8n-workflow';

import { choiceField, countField, textField } from '../../parameters/declarations';
import { binaryFieldOption, optionsOf } from '../../parameters/fields';
import { isFolder, nameOf, type FilePlace } from '../../service/files';
import { downloadFile } from '../../transport/files/storage';
import { listFolder, listTree } from '../../transport/files/files';
import { inParallel } from '../../transport/inParallel';
import { hintNoResults } from '../operations/hint';
import { mapOptions, readMapOptions, withMap } from '../operations/mapOutput';
import type { Call, Operation } from '../operations/operation';
import { storeDownload } from '../operations/storeDownload';
import {
	fileField,
	folderField,
	readFile,
	readFolder,
	storageField,
	subfoldersField,
} from './fields';
import { Failure } from '../../transport/failure';

const whatField = choiceField({
	displayName: 'What to Download',
	name: 'downloadWhat',
	options: [
		{ name: 'File', value: 'file' },
		{ name: 'Folder', value: 'folder', description: 'Each file in a folder as an item' },
	],
	default: 'file',
	description: 'Whether to download a single file or the files in a folder',
});

const maxFilesField = countField({
	displayName: 'Max Files',
	name: 'maxFiles',
	default: 100,
	description:
		'How many files the folder may have. If it has more, the node fails and downloads nothing.',
});

const fileNameField = textField({
	displayName: 'File Name',
	name: 'fileName',
	placeholder: 'e.g. summary.csv',
	description: 'Name of the file in n8n. Defaults to its name in the storage.',
});

const [drawMap, mapColumn, mapTitle] = mapOptions;
const optionsField = optionsOf(drawMap, fileNameField, mapColumn, mapTitle, binaryFieldOption);
const folderOptionsField = optionsOf(binaryFieldOption);

const ofFile = { displayOptions: { show: { downloadWhat: ['file'] } } };
const ofFolder = { displayOptions: { show: { downloadWhat: ['folder'] } } };

export const download: Operation = {
	option: {
		name: 'Download',
		value: 'download',
		action: 'Download file or folder',
		description: 'Download a file of any size, or the files in a folder, from a storage',
	},
	fields: [
		storageField,
		whatField,
		{ ...fileField, ...ofFile },
		{ ...folderField, required: true, ...ofFolder },
		{ ...subfoldersField, ...ofFolder },
		{ ...maxFilesField, ...ofFolder },
		{ ...optionsField, ...ofFile },
		{ ...folderOptionsField, ...ofFolder },
	],
	kind: 'read',
	async execute(call) {
		const { context, input } = call;
		if (input.choice(whatField) === 'folder') return await downloadFolder(call);
		const place = readFile(input);
		const options = input.within(optionsField);
		const fileName = options.optionalText(fileNameField) ?? nameOf(place.path);
		const field = options.text(binaryFieldOption);
		const wanted = readMapOptions(options, fileName);
		const file = await withMap(
			context,
			wanted,
			async (watch) => await downloaded(call, place, { fileName, field, watch }),
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
	const list = input.flag(subfoldersField) ? listTree : listFolder;
	const limit = input.integer(maxFilesField);
	const field = input.within(folderOptionsField).text(binaryFieldOption);
	const files = await list(client, place, limit + 1, (entry) => !isFolder(entry));
	if (files.length > limit) {
		throw new Failure({
			message: `The folder "${place.folder || '/'}" has more than ${limit} files`,
			description: `Nothing was downloaded. Raise '${maxFilesField.displayName}', or list the files with Get Many and download those that you need.`,
			facts: { storageId: place.storageId, path: place.folder },
		});
	}
	if (files.length === 0) hintNoResults(call, 'files', [], 'in this folder');
	return await inParallel(files.length, WIDTH, async (index) => {
		const { name, path } = files[index];
		return await downloaded(call, { storageId: place.storageId, path }, { fileName: name, field });
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
async function downloaded(
	{ client, context }: Call,
	place: FilePlace,
	{ fileName, field, watch = (bytes) => bytes }: Download,
): Promise<INodeExecutionData> {
	const { binary, tally } = await downloadFile(client, place, async (bytes, reader) => {
		const type = reader.response.headers['content-type'] ?? '';
		const mimeType = NO_TYPE.test(type) ? undefined : type.split(';')[0].trim();
		return await storeDownload(context, reader, watch(bytes), fileName, mimeType);
	});
	return { json: { ...place, fileName, ...tally }, binary: { [field]: binary } };
}

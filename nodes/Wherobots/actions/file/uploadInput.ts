import { NodeOperationError, type IBinaryData } from 'n8n-workflow';

import type { FilePlace, FolderPlace } from '../../service/files';
import * as rules from '../../service/rules';
import type { ByteStream } from '../../transport/bodies';
import type { FileSource } from '../../transport/files/uploadFile';
import { toResult } from '../../transport/toResult';
import { show } from '../../parameters/values';
import type { Call } from '../operation';
import { fileNameField, inputBinaryField, contentTextField } from './uploadFields';

/** A file to upload, and where to. */
export interface UploadRequest {
	place: FilePlace;
	source: FileSource;
}

/**
 * The file in a field of the input item. It is read as a stream where n8n keeps files outside its
 * memory and database, and so knows their size beforehand.
 *
 * @throws NodeOperationError when there is no such file, or it has no name
 */
export async function readBinaryFile(call: Call, folder: FolderPlace): Promise<UploadRequest> {
	const { context, input, itemIndex } = call;
	const field = input.text(inputBinaryField);
	const found = await toResult((async () => context.helpers.assertBinaryData(itemIndex, field))());
	// Names like `constructor` lead to something that is not a file.
	if (!found.ok || typeof found.value.mimeType !== 'string') {
		throw input.problem(
			inputBinaryField,
			`must name a field that holds a file: the input item has no file in ${show(field)}`,
		);
	}
	const binary = found.value;
	const given = input.optionalText(fileNameField, rules.fileName);
	const fileName = given ?? binary.fileName;
	const problem = fileName === undefined || fileName === '' || rules.fileName(fileName);
	if (problem || fileName === undefined) {
		throw input.problem(fileNameField, 'must be set: the input file has no name that can be used');
	}
	return { place: placeIn(folder, fileName), source: await sourceOf(call, binary, field) };
}

/** The text of a field as a file. @throws NodeOperationError when it has no name */
export function readTextFile({ input }: Call, folder: FolderPlace): UploadRequest {
	const bytes = Buffer.from(input.exactText(contentTextField), 'utf8');
	const fileName = input.text(fileNameField, rules.fileName);
	return {
		place: placeIn(folder, fileName),
		source: { size: bytes.length, open: async () => bytes },
	};
}

function placeIn({ storageId, folder }: FolderPlace, fileName: string): FilePlace {
	return { storageId, path: folder + fileName };
}

async function sourceOf(
	{ context, itemIndex }: Call,
	{ id }: IBinaryData,
	field: string,
): Promise<FileSource> {
	const { helpers } = context;
	if (id) {
		const { fileSize } = await helpers.getBinaryMetadata(id);
		if (Number.isSafeInteger(fileSize)) {
			const open = async () => (await helpers.getBinaryStream(id)) as unknown as ByteStream;
			return { size: fileSize, open };
		}
	}
	const bytes = await helpers.getBinaryDataBuffer(itemIndex, field);
	if (bytes instanceof Uint8Array) return { size: bytes.length, open: async () => bytes };
	throw new NodeOperationError(context.getNode(), 'n8n could not read the input file', {
		itemIndex,
	});
}

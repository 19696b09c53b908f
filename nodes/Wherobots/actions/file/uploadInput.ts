import type { IBinaryData, INodeProperties } from 'n8n-workflow';

import { choiceField, type ChoiceField, textField } from '../../parameters/declarations';
import { show } from '../../parameters/values';
import type { IfExists } from '../../service/files';
import * as rules from '../../service/rules';
import type { ByteStream } from '../../transport/bodies';
import type { FileSource } from '../../transport/files/storage';
import { Failure, settle } from '../../transport/failure';
import type { Call } from '../operations/operation';

export const contentFromField = choiceField({
	displayName: 'Content From',
	name: 'contentFrom',
	options: [
		{ name: 'Input Binary Field', value: 'binary', description: 'A file of any size' },
		{
			name: 'Text',
			value: 'text',
			description: 'Text that you enter or that comes from an expression',
		},
	],
	default: 'binary',
	description: 'Where the content of the file comes from',
});

export const inputBinaryField = textField({
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	default: 'data',
	required: true,
	description: 'Name of the field of the input item that holds the file to upload',
});

export const contentTextField = textField({
	displayName: 'Text',
	name: 'fileText',
	typeOptions: { rows: 5 },
	required: true,
	description: 'Content of the file, stored as UTF-8',
	exact: true,
});

export const fileNameField = textField({
	displayName: 'File Name',
	name: 'fileName',
	placeholder: 'e.g. nightly_etl.py',
	description: 'Name of the file in the storage. Leave empty to use the name of the input file.',
	rule: rules.fileName,
	exact: true,
});

/** @param initial what a new node does */
export function ifExistsField(initial: IfExists): ChoiceField<IfExists> {
	return choiceField({
		displayName: 'If the File Exists',
		name: 'ifFileExists',
		options: [
			{ name: 'Fail', value: 'fail', description: 'Leave the file as it is and fail the node' },
			{
				name: 'Keep It',
				value: 'keep',
				description: 'Upload nothing and continue with the existing file',
			},
			{ name: 'Replace It', value: 'replace', description: 'Overwrite its content' },
		],
		default: initial,
		description:
			"What to do when a file with this path already exists. 'Fail' and 'Keep It' check before the upload: a file that someone else uploads in between is replaced.",
	});
}

/** A file to upload. */
export interface NamedFile {
	fileName: string;
	source: FileSource;
}

/** The file in the chosen field of the input item, under the chosen name or its own. Throws as `readBinary` does. */
export async function readBinaryFile(call: Call): Promise<NamedFile> {
	const { input } = call;
	const given = input.optionalText(fileNameField);
	const { fileName, source } = await readBinary(
		call,
		inputBinaryField,
		input.text(inputBinaryField),
	);
	const named = given ?? fileName;
	if (named !== undefined) return { fileName: named, source };
	throw input.problem(fileNameField, 'must be set: the input file has no name that can be used');
}

/**
 * A file of the input item, with its own name where that can be used. It is read as a stream where n8n keeps files outside its
 * memory and database, and so knows their size beforehand.
 *
 * @param field the node's field that names it, for errors
 * @param property the field of the input item
 * @throws Failure when there is no such file
 */
export async function readBinary(
	call: Call,
	field: INodeProperties,
	property: string,
): Promise<Partial<NamedFile> & Pick<NamedFile, 'source'>> {
	const { context, input, itemIndex } = call;
	const found = await settle((async () => context.helpers.assertBinaryData(itemIndex, property))());
	// Names like `constructor` lead to something that is not a file.
	if (!found.ok || typeof found.value.mimeType !== 'string') {
		throw input.problem(
			field,
			`must name a field that holds a file: the input item has no file in ${show(property)}`,
		);
	}
	const binary = found.value;
	const { fileName } = binary;
	const isUsable = fileName && rules.fileName(fileName) === undefined;
	const source = await sourceOf(call, binary, property);
	return isUsable ? { fileName, source } : { source };
}

/** The text of a field as a file. @throws Failure when it has no name */
export function readTextFile({ input }: Call): NamedFile {
	const bytes = Buffer.from(input.text(contentTextField), 'utf8');
	const fileName = input.text(fileNameField);
	return { fileName, source: { size: bytes.length, open: async () => bytes } };
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
	throw new Failure({ message: 'n8n could not read the input file', isInput: true });
}

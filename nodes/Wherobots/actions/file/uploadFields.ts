import type { INodeProperties } from 'n8n-workflow';

import { choiceField, type ChoiceField, textField } from '../../parameters/declarations';
import type { IfExists } from '../../service/files';

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

export const inputBinaryField: INodeProperties = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	description: 'Name of the field of the input item that holds the file to upload',
};

export const contentTextField = textField({
	displayName: 'Text',
	name: 'fileText',
	typeOptions: { rows: 5 },
	required: true,
	description: 'Content of the file, stored as UTF-8',
});

export const fileNameField = textField({
	displayName: 'File Name',
	name: 'fileName',
	placeholder: 'e.g. nightly_etl.py',
	description: 'Name of the file in the storage. Leave empty to use the name of the input file.',
});

/** @param initial what a new node does */
export function ifExistsField(initial: IfExists): ChoiceField<IfExists> {
	return {
		displayName: 'If the File Exists',
		name: 'ifFileExists',
		type: 'options',
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
	};
}

import { textField } from '../../parameters/declarations';
import { STACK_ENDPOINTS } from '../../service/cloudConnections';
import { isErrorText, templateKind } from '../../service/templates';
import { readSmallFile } from '../../transport/download/smallFile';
import { binaryFieldOption, optionsOf } from '../../parameters/fields';
import { connectionPart, readAddress } from '../../parameters/address';
import type { Operation } from '../operation';
import { readStack, stackFields, stackRequestFields } from './stacks';

/** Templates are a few kilobytes; the provider takes none above one megabyte. */
const MAX_TEMPLATE_BYTES = 5 * 1024 * 1024;

const fileNameField = textField({
	displayName: 'File Name',
	name: 'fileName',
	placeholder: 'e.g. acme-storage.yaml',
	description: 'Name of the file. Defaults to the ID of the connection and the name of the stack.',
});

const optionsField = optionsOf(fileNameField, binaryFieldOption);

export const downloadTemplate: Operation = {
	option: {
		name: 'Download Template',
		value: 'downloadTemplate',
		action: 'Download cloud connection template',
		description: 'Download the CloudFormation template of a stack as a file',
	},
	fields: [connectionPart.field, ...stackFields, optionsField],
	requestFields: stackRequestFields,
	kind: 'read',
	async execute({ client, context, input }) {
		const { path, names } = readAddress(input, [connectionPart]);
		const { stack, query } = readStack(input);
		const options = input.within(optionsField);
		const wanted = options.optionalText(fileNameField);
		const field = options.text(binaryFieldOption);

		const endpoint = STACK_ENDPOINTS[stack].template;
		const { bytes } = await readSmallFile(client, endpoint, { path, query }, MAX_TEMPLATE_BYTES);
		const text = new TextDecoder().decode(bytes);
		if (isErrorText(text)) {
			const response = { status: 200, contentType: 'application/json', text };
			throw client.unreadable(endpoint, response);
		}
		const kind = templateKind(text);
		if (!kind || text === '') {
			throw client.error({
				message: 'Wherobots Cloud returned an unexpected response',
				description: `${text === '' ? 'The template is empty.' : 'It is a web page, not a template.'} Check 'Base URL' in the credential.`,
			});
		}
		const fileName = wanted ?? `${names.id}-${stack}${kind.extension}`;
		const file = await context.helpers.prepareBinaryData(bytes, fileName, kind.mimeType);
		const facts = { connectionId: names.id, stack, fileName, mimeType: kind.mimeType };
		return [{ json: { ...facts, fileSize: bytes.length }, binary: { [field]: file } }];
	},
};

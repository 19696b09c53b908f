import { textField } from '../../parameters/declarations';
import { MAX_API_KEY_NAME, simplifyApiKey } from '../../service/apiKeys';
import * as rules from '../../service/rules';
import { readRecord } from '../../transport/records';
import { optionsOf, secretNotice } from '../../parameters/fields';
import type { Operation } from '../operation';
import { shape, shapeFields } from '../../parameters/shape';
import { expiryField, expiryFields, readExpiry } from './expiry';

const nameField = textField({
	displayName: 'Name',
	name: 'name',
	required: true,
	placeholder: 'e.g. nightly-etl-2026',
	description: `Name of the key, up to ${MAX_API_KEY_NAME} characters. It cannot be changed later.`,
});

const ownerField = textField({
	displayName: 'Owner ID',
	name: 'ownedById',
	placeholder: 'e.g. 5b2f8a31c7',
	description:
		'ID of the user or service principal that the key acts as. Leave empty to own the key yourself. Only an admin can create keys for others.',
});

const optionsField = optionsOf(ownerField);

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create API key',
		description: 'Create an API key and output its secret, which cannot be read again',
	},
	fields: [
		secretNotice("The key's secret is output once, in the field 'key': store it in the next node."),
		nameField,
		...expiryFields,
		...shapeFields,
		optionsField,
	],
	requestFields: { name: nameField, expiresAt: expiryField, ownedById: ownerField },
	kind: 'write',
	async execute({ client, input, noteCreated }) {
		const name = input.text(nameField, rules.maxLength(MAX_API_KEY_NAME));
		const expiresAt = readExpiry(input);
		const ownedById = input.within(optionsField).optionalText(ownerField);
		const submit = async () => {
			const record = await readRecord(client, 'createApiKey', {
				body: { name, expiresAt, ownedById },
				lookFor: `an API key named "${name}" (API Key: Get Many), and revoke it: its secret is lost`,
			});
			noteCreated({ id: String(record.id), name });
			return shape(input, [record], simplifyApiKey);
		};
		return { submit };
	},
};

import { textField } from '../../parameters/declarations';
import { pathIdOf, withPathId, type ExplorerCatalog } from '../../service/catalogs';
import * as rules from '../../service/rules';
import type { Client } from '../../transport/client';
import { readRecord } from '../../transport/records';
import { optionsOf } from '../../parameters/fields';
import { item } from '../../parameters/items';
import type { Operation } from '../operation';
import { listedCatalogs } from '../table/catalogNames';

const nameField = textField({
	displayName: 'Name',
	name: 'name',
	required: true,
	placeholder: 'e.g. field_surveys',
	description: 'Name of the catalog, as it appears in SQL',
});

const locationField = textField({
	displayName: 'Location',
	name: 'location',
	placeholder: 'e.g. s3://my-bucket/catalogs/field_surveys',
	description: 'S3 location of the data. Leave empty to use managed storage.',
});

const organizationField = textField({
	displayName: 'Organization ID',
	name: 'organizationId',
	description: 'Organization to create the catalog in. Leave empty for your own.',
});

const optionsField = optionsOf(locationField, organizationField);

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create catalog',
		description: 'Create a managed catalog',
	},
	fields: [nameField, optionsField],
	requestFields: { name: nameField, location: locationField, organizationId: organizationField },
	kind: 'write',
	async execute({ client, input, noteCreated }) {
		const options = input.within(optionsField);
		const body = {
			name: input.text(nameField),
			location: options.optionalText(locationField, rules.s3Location),
			organizationId: options.optionalText(organizationField),
		};
		const submit = async () => {
			const catalog = await readRecord<ExplorerCatalog>(client, 'createCatalog', {
				body,
				lookFor: `a catalog named "${body.name}" (Catalog: Get Many)`,
			});
			const id = await listedId(client, catalog);
			noteCreated({ id, name: body.name });
			return [item(withPathId(catalog, id))];
		};
		return { submit };
	},
};

/**
 * A new catalog's ID in the list of catalogs. The response to its creation has two IDs, and the
 * interface does not say which of them paths take; the one in the list works.
 */
async function listedId(client: Client, catalog: ExplorerCatalog): Promise<string> {
	const listed = await listedCatalogs(client);
	const own = new Set([catalog.extId, String(catalog.id)]);
	const match =
		listed.find(({ id }) => own.has(String(id))) ??
		listed.find(({ name }) => name === catalog.name && name !== undefined);
	return match ? String(match.id) : pathIdOf(catalog);
}

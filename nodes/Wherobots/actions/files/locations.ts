/** Where files are that a SQL session reads or writes: a path in a storage, or an S3 URI. */
import type { INodeProperties } from 'n8n-workflow';

import { defineRecordField } from '../../form/declarations';
import { choose } from '../../form/fields';
import { toText } from '../../form/values';
import { toFolder, type Storage } from '../../service/files';
import { checkFolderPath, checkPathValue, checkS3Location } from '../../service/rules';
import { fetchList } from '../../transport/records';
import type { Call } from '../operations/operation';

export const sessionStorageField = defineRecordField({
	displayName: 'Storage',
	name: 'storageId',
	description: "Managed storage, a storage integration or 'My Files'. Not needed with an S3 URI.",
	rule: checkPathValue,
	...choose('searchStorages', 'ID', { placeholder: 'e.g. user_files::aws-us-west-2' }),
});

/**
 * The place that a field names, as statements do.
 *
 * @param isPattern whether an asterisk in a typed path stands for any text
 * @returns its storage, if it has one, and how to find out its address, for which storages are listed
 */
export function readLocation(
	{ client, context, input, itemIndex, memory }: Call,
	field: INodeProperties,
	isPattern: boolean,
) {
	const given = input.text(field);
	if (given.trim() === '') throw input.problem(field, 'must not be empty');
	const isUri = /^s3a?:/i.test(given);
	const path = given.replace(isUri ? /^$/ : /^\/+/, '');
	const isTyped =
		isPattern && context.getNodeParameter(`${field.name}.mode`, itemIndex, '') !== 'list';
	const [odd] = (isTyped ? /[{}[\]?\\$"\p{Cc}]/u : /[{}[\]?\\$"\p{Cc}*]/u).exec(path) ?? [];
	const problem =
		(isUri ? checkS3Location : checkFolderPath)(path) ??
		(odd && `must not contain ${odd}: Spark would not treat it as part of the name`);
	if (problem) throw input.problem(field, problem);
	const storageId = isUri ? undefined : input.text(sessionStorageField);
	const fetchAddress = async () => {
		if (storageId === undefined) return path;
		// Once for all items.
		const list = memory.attempt<Promise<Storage[]>>('storages');
		const storages = await list.get(async () => fetchList<Storage>(client, 'listStorages'));
		const root = toText(storages.find(({ id }) => String(id) === storageId)?.path);
		if (root && /^s3a?:/i.test(root)) return toFolder(root) + path;
		throw input.problem(
			sessionStorageField,
			'has no known S3 address: the list of storages lacks it',
			'Choose one from the list, or enter an S3 URI instead.',
		);
	};
	return { storageId, path, fetchAddress };
}

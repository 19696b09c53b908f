import { secretNotice } from '../../parameters/fields';
import { item } from '../../parameters/items';
import { nameOf } from '../../service/files';
import { linkTo } from '../../transport/files/storage';
import type { Operation } from '../operations/operation';
import { fileField, readFile, storageField } from './fields';

export const getLink: Operation = {
	option: {
		name: 'Get Link',
		value: 'getLink',
		action: 'Get link to file',
		description: 'Get a link to hand on, from which the file can be downloaded for a short time',
	},
	fields: [
		storageField,
		fileField,
		secretNotice(
			'The output is a link from which anyone can download the file until it expires, usually after about a minute.',
		),
	],
	kind: 'read',
	async execute({ client, input }) {
		const place = readFile(input);
		return [item({ ...place, name: nameOf(place.path), ...(await linkTo(client, place)) })];
	},
};

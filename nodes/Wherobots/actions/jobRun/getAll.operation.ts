import * as rules from '../../service/rules';
import type { Run } from '../../service/types';
import { collect } from '../../transport/pagination';
import { readLimit, returnAllFields, runFilterFields } from '../../parameters/fields';
import type { Operation } from '../operation';
import { statusOptions } from '../../parameters/statusOptions';
import { shapeFields } from '../../parameters/shape';
import { runItems } from './output';

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many job runs',
		description: 'List job runs, filtered by name, region, status or creation time',
	},
	fields: [
		...returnAllFields,
		...shapeFields,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				{
					displayName: 'Created After',
					name: 'createdAfter',
					type: 'dateTime',
					default: '',
					description: 'Only runs created after this time',
				},
				...runFilterFields,
				{
					displayName: 'Status',
					name: 'status',
					type: 'multiOptions',
					options: statusOptions,
					default: [],
					description: 'Only runs with one of these statuses',
				},
			],
		},
	],
	kind: 'read',
	async execute({ client, input }) {
		const status = input.list('filters.status', 'Status');
		const runs = await collect<Run>(client, 'listRuns', {
			limit: readLimit(input),
			query: {
				region: input.optionalText('filters.region', 'Region'),
				name: input.optionalText('filters.name', 'Name', rules.runNamePattern),
				created_after: input.optionalTime('filters.createdAfter', 'Created After'),
				status: status.length > 0 ? status : undefined,
			},
		});
		return runItems(input, runs);
	},
};

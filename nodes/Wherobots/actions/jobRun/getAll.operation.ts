import type { INodeProperties } from 'n8n-workflow';

import * as rules from '../../service/rules';
import { formatTime } from '../../service/time/time';
import type { Run } from '../../service/types';
import { collect } from '../../transport/pagination';
import {
	filtersOf,
	readLimit,
	returnAllFields,
	runNameFilter,
	runRegionFilter,
} from '../../parameters/fields';
import { hintNoResults } from '../hint';
import type { Operation } from '../operation';
import { statusOptions } from '../../parameters/statusOptions';
import { shapeFields } from '../../parameters/shape';
import { runItems } from './output';

const createdAfterFilter: INodeProperties = {
	displayName: 'Created After',
	name: 'createdAfter',
	type: 'dateTime',
	default: '',
	description: 'Only return runs created after this time',
};

const statusFilter: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'multiOptions',
	options: statusOptions,
	default: [],
	description: 'Only return runs with one of these statuses',
};

const filtersField = filtersOf(createdAfterFilter, runNameFilter, runRegionFilter, statusFilter);

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many job runs',
		description: 'List job runs, filtered by name, region, status or creation time',
	},
	fields: [...returnAllFields, ...shapeFields, filtersField],
	requestFields: {
		region: runRegionFilter,
		name: runNameFilter,
		created_after: createdAfterFilter,
		status: statusFilter,
	},
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const filters = input.within(filtersField);
		const createdAfter = filters.optionalTime(createdAfterFilter);
		const query = {
			region: filters.optionalText(runRegionFilter),
			name: filters.optionalText(runNameFilter, rules.runNamePattern),
			created_after: createdAfter === undefined ? undefined : formatTime(createdAfter),
			status: filters.list(statusFilter),
		};
		const runs = await collect<Run>(client, 'listRuns', { limit: readLimit(input), query });
		if (runs.length === 0) {
			hintNoResults(call, 'job runs', [
				[runNameFilter, query.name],
				[statusFilter, query.status],
				[runRegionFilter, query.region],
				[createdAfterFilter, query.created_after],
			]);
		}
		return runItems(call, runs);
	},
};

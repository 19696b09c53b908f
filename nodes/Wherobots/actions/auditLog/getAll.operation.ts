import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { beginsBeforeRetention, RETENTION_DAYS, simplifyAuditEvent } from '../../service/auditLog';
import { parseTime } from '../../service/time/time';
import { clock } from '../../transport/clock';
import { addFact, hasStatus } from '../../transport/errors';
import { collect } from '../../transport/pagination';
import { filtersOf, readLimit, returnAllFields } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import { addHint } from '../hint';
import type { Operation } from '../operation';
import { shape, shapeFields } from '../../parameters/shape';

const endTimeFilter: INodeProperties = {
	displayName: 'End Time',
	name: 'endTime',
	type: 'dateTime',
	default: '',
	description: 'Only events at or before this time',
};

const searchTermFilter: INodeProperties = {
	displayName: 'Search Term',
	name: 'searchTerm',
	type: 'string',
	default: '',
	placeholder: 'e.g. maria@example.com',
	description: 'Only events with this text in one of their fields',
};

const startTimeFilter: INodeProperties = {
	displayName: 'Start Time',
	name: 'startTime',
	type: 'dateTime',
	default: '',
	description: `Only events at or after this time. The service keeps events for ${RETENTION_DAYS} days.`,
};

const filtersField = filtersOf(endTimeFilter, searchTermFilter, startTimeFilter);

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many audit log events',
		description:
			'List audit log events, filtered by time or text. For whole days or more, Export is faster.',
	},
	fields: [...returnAllFields, ...shapeFields, filtersField],
	kind: 'read',
	async execute({ client, context, input }) {
		const query = readQuery(input);
		const limit = readLimit(input);
		if (beginsBeforeRetention(query.startTime, clock.now())) {
			addHint(context, {
				message: `'${startTimeFilter.displayName}' is more than ${RETENTION_DAYS} days ago: older audit events are no longer in the service.`,
			});
		}
		const events = await collect<IDataObject>(client, 'queryAuditLog', { query, limit }).catch(
			(error: Error) => {
				if (hasStatus(error, 404)) {
					addFact(
						error,
						'This deployment may not offer the list of audit events; then use the operation Export.',
					);
				}
				return Promise.reject(error);
			},
		);
		return shape(input, events, simplifyAuditEvent);
	},
};

function readQuery(input: Input): { startTime?: string; endTime?: string; searchTerm?: string } {
	const filters = input.within(filtersField);
	const startTime = filters.optionalTime(startTimeFilter);
	const endTime = filters.optionalTime(endTimeFilter);
	const start = startTime === undefined ? undefined : parseTime(startTime);
	const end = endTime === undefined ? undefined : parseTime(endTime);
	if (start !== undefined && end !== undefined && end < start) {
		throw filters.problem(
			endTimeFilter,
			`must not be before '${startTimeFilter.displayName}' (${startTime})`,
		);
	}
	return {
		startTime,
		endTime,
		searchTerm: filters.optionalText(searchTermFilter),
	};
}

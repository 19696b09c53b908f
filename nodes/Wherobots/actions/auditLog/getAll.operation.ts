import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { oldestKept, RETENTION_DAYS, simplifyAuditEvent } from '../../service/auditLog';
import { formatTime, type Micros } from '../../service/time/time';
import { clock } from '../../transport/clock';
import { amend, hasStatus } from '../../transport/failures/errors';
import { collect } from '../../transport/pagination';
import { filtersOf, readLimit, returnAllFields } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import { addHint, hintNoResults } from '../hint';
import type { Operation } from '../operation';
import { shape, shapeFields } from '../../parameters/shape';

const endTimeFilter: INodeProperties = {
	displayName: 'End Time',
	name: 'endTime',
	type: 'dateTime',
	default: '',
	description: 'Only return events at or before this time',
};

const searchTermFilter: INodeProperties = {
	displayName: 'Search Term',
	name: 'searchTerm',
	type: 'string',
	default: '',
	placeholder: 'e.g. maria@example.com',
	description: 'Only return events that contain this text in any field',
};

const startTimeFilter: INodeProperties = {
	displayName: 'Start Time',
	name: 'startTime',
	type: 'dateTime',
	default: '',
	description: `Only return events at or after this time. The service keeps events for ${RETENTION_DAYS} days.`,
};

const filtersField = filtersOf(endTimeFilter, searchTermFilter, startTimeFilter);

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many audit log events',
		description:
			'List audit log events, filtered by time or text. To get whole days or more, use Export.',
	},
	fields: [...returnAllFields, ...shapeFields, filtersField],
	requestFields: {
		startTime: startTimeFilter,
		endTime: endTimeFilter,
		searchTerm: searchTermFilter,
	},
	kind: 'read',
	async execute(call) {
		const { client, context, input } = call;
		const { startTime, endTime, searchTerm } = readFilters(input);
		const limit = readLimit(input);
		if (startTime !== undefined && startTime < oldestKept(clock.now())) {
			addHint(context, {
				message: `'${startTimeFilter.displayName}' is more than ${RETENTION_DAYS} days ago. Wherobots Cloud no longer has the events from before that.`,
			});
		}
		const events = await collect<IDataObject>(client, 'queryAuditLog', {
			limit,
			query: { startTime: formatted(startTime), endTime: formatted(endTime), searchTerm },
		}).catch((error: Error) => {
			if (hasStatus(error, 404)) {
				amend(error, {
					before:
						'This deployment may not offer the list of audit events. Use Audit Log: Export instead.',
				});
			}
			throw error;
		});
		if (events.length === 0) {
			hintNoResults(call, 'audit events', [
				[searchTermFilter, searchTerm],
				[startTimeFilter, formatted(startTime)],
				[endTimeFilter, formatted(endTime)],
			]);
		}
		return shape(input, events, simplifyAuditEvent);
	},
};

interface Filters {
	startTime?: Micros;
	endTime?: Micros;
	searchTerm?: string;
}

function readFilters(input: Input): Filters {
	const filters = input.within(filtersField);
	const startTime = filters.optionalTime(startTimeFilter);
	const endTime = filters.optionalTime(endTimeFilter);
	if (startTime !== undefined && endTime !== undefined && endTime < startTime) {
		throw filters.problem(
			endTimeFilter,
			`must not be before '${startTimeFilter.displayName}' (${formatTime(startTime)})`,
		);
	}
	return { startTime, endTime, searchTerm: filters.optionalText(searchTermFilter) };
}

function formatted(time: Micros | undefined): string | undefined {
	return time === undefined ? undefined : formatTime(time);
}

import type { IDataObject } from 'n8n-workflow';

import { textField, timeField } from '../../parameters/declarations';
import { oldestKept, RETENTION_DAYS, simplifyAuditEvent } from '../../service/auditLog';
import { formatTime } from '../../service/time/time';
import { clock } from '../../transport/clock';
import { explained, hasStatus } from '../../transport/failure';
import { readList } from '../../transport/records';
import { getManyOperation } from '../operations/declared';
import { addHint } from '../operations/hint';
import type { Resource } from '../operations/operation';
import { exportOperation } from './export.operation';

const endTimeFilter = timeField({
	displayName: 'End Time',
	name: 'endTime',
	description: 'Only return events at or before this time',
});

const searchTermFilter = textField({
	displayName: 'Search Term',
	name: 'searchTerm',
	placeholder: 'e.g. maria@example.com',
	description: 'Only return events that contain this text in any field',
});

const startTimeFilter = timeField({
	displayName: 'Start Time',
	name: 'startTime',
	description: `Only return events at or after this time. The service keeps events for ${RETENTION_DAYS} days.`,
});

const getAll = getManyOperation({
	option: {
		action: 'Get many audit log events',
		description:
			'List audit log events, filtered by time or text. To get whole days or more, use Export.',
	},
	endpoint: 'queryAuditLog',
	records: 'audit events',
	filters: { endTime: endTimeFilter, searchTerm: searchTermFilter, startTime: startTimeFilter },
	check({ context }, filters) {
		const startTime = filters.optionalTime(startTimeFilter);
		const endTime = filters.optionalTime(endTimeFilter);
		if (startTime === undefined) return;
		if (endTime !== undefined && endTime < startTime) {
			throw filters.problem(
				endTimeFilter,
				`must not be before '${startTimeFilter.displayName}' (${formatTime(startTime)})`,
			);
		}
		if (startTime < oldestKept(clock.now())) {
			addHint(context, {
				message: `'${startTimeFilter.displayName}' is more than ${RETENTION_DAYS} days ago. Wherobots Cloud no longer has the events from before that.`,
			});
		}
	},
	async read(client, endpoint, options) {
		const before =
			'This deployment may not offer the list of audit events. Use Audit Log: Export instead.';
		return await explained(readList<IDataObject>(client, endpoint, options), (failure) =>
			hasStatus(failure, 404) ? { before } : {},
		);
	},
	simplify: simplifyAuditEvent,
});

export const auditLog: Resource = {
	option: {
		name: 'Audit Log',
		value: 'auditLog',
		description: 'Who did what in the organization during the last 90 days',
	},
	operations: [exportOperation, getAll],
	defaultOperation: 'export',
};

import { defineTextField } from '../form/declarations';
import { actionNamesField } from '../form/fields';
import { createActionFilter, type AuditEvent } from '../service/records/auditEvent';
import { defineNewRecordEvent } from './newRecordEvent';
import { createAuditSource } from './sources';

const searchTermField = defineTextField({
	displayName: 'Search Term',
	name: 'searchTerm',
	placeholder: 'e.g. CREATE_JOB_RUN',
	description:
		'Only include events that contain this text in any field. Leave empty for all events.',
});

export const auditEvent = defineNewRecordEvent<AuditEvent>({
	name: 'Audit Event Recorded',
	description: 'Starts the workflow for each new audit log event',
	record: 'audit event',
	where: 'the audit log',
	fields: [searchTermField],
	options: [actionNamesField],
	read(input, options) {
		const searchTerm = input.optionalText(searchTermField);
		const isAction = createActionFilter(options.list(actionNamesField));
		return {
			scope: { searchTerm },
			createSource: (client, way) => createAuditSource(client, searchTerm, way),
			isWanted: isAction && (({ action }) => isAction(action)),
			getLabel: ({ action }) => action,
		};
	},
});

import type { INodeProperties } from 'n8n-workflow';

import {
	statusOptions,
	filtersOf,
	includeCostField,
	optionsOf,
	runNameFilter,
	runRegionFilter,
	simplifyField,
} from '../parameters/fields';
import type { ChoiceField } from '../parameters/declarations';

/** The choice under 'Statuses' for all final statuses. */
export const FINISHED = 'finished';

const forChanges = { show: { event: ['runStatusChanged'] } };
const forDurations = { show: { event: ['runExceededDuration'] } };
const forRuns = { show: { event: ['runStatusChanged', 'runExceededDuration'] } };
const forAudit = { show: { event: ['auditEvent'] } };

export const eventField: ChoiceField<'runStatusChanged' | 'runExceededDuration' | 'auditEvent'> = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Audit Event Recorded',
			value: 'auditEvent',
			description: 'Starts the workflow for each new audit log event',
		},
		{
			name: 'Job Run Exceeds Duration',
			value: 'runExceededDuration',
			description:
				'Starts the workflow once when a job run has been pending or running for too long',
		},
		{
			name: 'Job Run Status Changed',
			value: 'runStatusChanged',
			description: 'Starts the workflow when a job run changes status',
		},
	],
	default: 'runStatusChanged',
};

export const statusesField: INodeProperties = {
	displayName: 'Statuses',
	name: 'statuses',
	type: 'multiOptions',
	options: [
		{
			name: 'Finished (Any Outcome)',
			value: FINISHED,
			description: 'Completed, failed, cancelled or timed out',
		},
		...statusOptions,
	],
	default: [FINISHED],
	description: 'Statuses that start the workflow when a job run reaches them',
	hint: 'Select none to start on every status change',
	displayOptions: forChanges,
};

export const pendingMinutesField: INodeProperties = {
	displayName: 'Pending Longer Than (Minutes)',
	name: 'pendingMinutes',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 525_600 },
	default: 30,
	description: 'How long a job run may be pending, counted from its creation. 0 means no limit.',
	displayOptions: forDurations,
};

export const runningMinutesField: INodeProperties = {
	displayName: 'Running Longer Than (Minutes)',
	name: 'runningMinutes',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 525_600 },
	default: 120,
	description: 'How long a job run may be running, counted from its start. 0 means no limit.',
	displayOptions: forDurations,
};

export const logLinesField: INodeProperties = {
	displayName: 'Log Lines of Failed Runs',
	name: 'logLines',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1000 },
	default: 20,
	description: 'How many of the last log lines to include for runs that failed or timed out',
};

export const searchTermField: INodeProperties = {
	displayName: 'Search Term',
	name: 'searchTerm',
	type: 'string',
	default: '',
	placeholder: 'e.g. CREATE_JOB_RUN',
	description:
		'Only include events that contain this text in any field. Leave empty for all events.',
	displayOptions: forAudit,
};

export const outputField: ChoiceField<'perEvent' | 'perPoll'> = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'One Item per Event', value: 'perEvent' },
		{ name: 'One Item per Poll', value: 'perPoll' },
	],
	default: 'perEvent',
	description: 'Whether to output one item per event, or one item with all new events',
	displayOptions: forAudit,
};

export const actionNamesField: INodeProperties = {
	displayName: 'Action Names',
	name: 'actionNames',
	type: 'string',
	default: '',
	placeholder: 'e.g. CREATE_JOB_RUN, CANCEL_JOB_RUN',
	description: 'Only include events with one of these action names, separated by commas',
};

/** docs/trigger.md says why its default is what it is. */
export const overlapField: INodeProperties = {
	displayName: 'Overlap (Seconds)',
	name: 'overlapSeconds',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 86_400 },
	default: 300,
	description: 'How late an event may appear in the audit log and still be found',
};

/** docs/trigger.md says why its default is what it is. */
export const settleField: INodeProperties = {
	displayName: 'Settle Delay (Seconds)',
	name: 'settleSeconds',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 3600 },
	default: 60,
	description:
		'How old an event must be before it starts the workflow, so that events arrive in order',
};

export const runFiltersField: INodeProperties = {
	...filtersOf(runNameFilter, runRegionFilter),
	displayOptions: forRuns,
};

export const runOptionsField: INodeProperties = {
	...optionsOf(includeCostField, logLinesField),
	displayOptions: forChanges,
};

export const auditOptionsField: INodeProperties = {
	...optionsOf(actionNamesField, overlapField, settleField),
	displayOptions: forAudit,
};

/** The form of the trigger. n8n puts 'Poll Times' before it. */
export const properties: INodeProperties[] = [
	eventField,
	statusesField,
	pendingMinutesField,
	runningMinutesField,
	{ ...simplifyField, displayOptions: forRuns },
	runFiltersField,
	runOptionsField,
	searchTermField,
	outputField,
	auditOptionsField,
];

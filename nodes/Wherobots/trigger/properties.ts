import type { INodeProperties } from 'n8n-workflow';

import {
	filtersOf,
	optionsOf,
	runNameFilter,
	runRegionFilter,
	simplifyField,
} from '../parameters/fields';
import type { ChoiceField } from '../parameters/declarations';
import { statusOptions } from '../parameters/statusOptions';

/** The choice under 'Statuses' that stands for every status a run keeps. */
export const FINISHED = 'finished';

const forRuns = { show: { event: ['runStatusChanged'] } };
const forAudit = { show: { event: ['auditEvent'] } };

export const eventField: ChoiceField<'runStatusChanged' | 'auditEvent'> = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Audit Event Recorded',
			value: 'auditEvent',
			description: 'Starts the workflow for each new event of the audit log',
		},
		{
			name: 'Job Run Status Changed',
			value: 'runStatusChanged',
			description: 'Starts the workflow when a job run gets another status',
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
	default: [],
	description: 'New statuses to start the workflow for; leave empty for every change',
	displayOptions: forRuns,
};

export const logLinesField: INodeProperties = {
	displayName: 'Log Lines of Failed Runs',
	name: 'logLines',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1000 },
	default: 20,
	description: 'How many of the last log lines come with a run that failed or timed out',
};

export const searchTermField: INodeProperties = {
	displayName: 'Search Term',
	name: 'searchTerm',
	type: 'string',
	default: '',
	placeholder: 'e.g. CREATE_JOB_RUN',
	description: 'Only events in which any field contains this text; leave empty for all events',
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
	description: 'Whether each event is an item of its own or all new events come in one item',
	displayOptions: forAudit,
};

export const actionNamesField: INodeProperties = {
	displayName: 'Action Names',
	name: 'actionNames',
	type: 'string',
	default: '',
	placeholder: 'e.g. CREATE_JOB_RUN, CANCEL_JOB_RUN',
	description: 'Only events with one of these action names, separated by commas',
};

/** docs/trigger.md says why its default is what it is. */
export const overlapField: INodeProperties = {
	displayName: 'Overlap (Seconds)',
	name: 'overlapSeconds',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 86_400 },
	default: 300,
	description:
		'How late an event may appear in the audit log and still be found, counted from its time',
};

/** docs/trigger.md says why its default is what it is. */
export const settleField: INodeProperties = {
	displayName: 'Settle Delay (Seconds)',
	name: 'settleSeconds',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 3600 },
	default: 60,
	description:
		'How old an event must be before it starts the workflow, so that events come in order',
};

export const runFiltersField: INodeProperties = {
	...filtersOf(runNameFilter, runRegionFilter),
	displayOptions: forRuns,
};

export const runOptionsField: INodeProperties = {
	...optionsOf(logLinesField),
	displayOptions: forRuns,
};

export const auditOptionsField: INodeProperties = {
	...optionsOf(actionNamesField, overlapField, settleField),
	displayOptions: forAudit,
};

/** The form of the trigger. n8n puts 'Poll Times' before it. */
export const properties: INodeProperties[] = [
	eventField,
	statusesField,
	{ ...simplifyField, displayOptions: forRuns },
	runFiltersField,
	runOptionsField,
	searchTermField,
	outputField,
	auditOptionsField,
];

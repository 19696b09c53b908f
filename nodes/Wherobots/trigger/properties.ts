import type { INodeProperties } from 'n8n-workflow';

import { choiceField, textField } from '../parameters/declarations';
import {
	choose,
	filtersOf,
	includeCostField,
	optionsOf,
	runNameFilter,
	runRegionFilter,
	runSourceFilter,
	simplifyField,
	stateOptions,
	statusOptions,
} from '../parameters/fields';

/** The choice under 'Statuses' for all final statuses. */
export const FINISHED = 'finished';

const shownFor = (...event: TriggerEvent[]) => ({ displayOptions: { show: { event } } });

export type TriggerEvent =
	| 'auditEvent'
	| 'runExceededCost'
	| 'runExceededDuration'
	| 'runStatusChanged'
	| 'taskRunStateChanged';

export const eventField = choiceField<TriggerEvent>({
	displayName: 'Event',
	name: 'event',
	noDataExpression: true,
	options: [
		{
			name: 'Audit Event Recorded',
			value: 'auditEvent',
			description: 'Starts the workflow for each new audit log event',
		},
		{
			name: 'Job Run Exceeds Cost',
			value: 'runExceededCost',
			description: 'Starts the workflow once when a job run has cost more than an amount',
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
		{
			name: 'Task Run State Changed',
			value: 'taskRunStateChanged',
			description:
				'Starts the workflow when a run of a task, such as a scheduled one, fails, is missed or changes state in another way',
		},
	],
	default: 'runStatusChanged',
});

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
	...shownFor('runStatusChanged'),
};

export const statesField: INodeProperties = {
	displayName: 'States',
	name: 'states',
	type: 'multiOptions',
	options: [
		{
			name: 'Finished (Any Outcome)',
			value: FINISHED,
			description: 'All states of runs that have ended, including missed and skipped ones',
		},
		...stateOptions,
	],
	default: ['FAILED', 'MISSED', 'REJECTED', 'TIMED_OUT'],
	description: 'States that start the workflow when a task run reaches them',
	hint: 'Select none to start on every change of state',
	...shownFor('taskRunStateChanged'),
};

/** Text, as an amount of money keeps every digit in it. */
export const costLimitField = textField({
	displayName: 'Cost Limit (USD)',
	name: 'costLimit',
	required: true,
	placeholder: 'e.g. 25.00',
	description:
		'What a job run may cost. The figures of Wherobots Cloud lag behind, so the run can have cost more by then.',
	...shownFor('runExceededCost'),
});

export const pendingMinutesField: INodeProperties = {
	displayName: 'Pending Longer Than (Minutes)',
	name: 'pendingMinutes',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 525_600 },
	default: 30,
	description: 'How long a job run may be pending, counted from its creation. 0 means no limit.',
	...shownFor('runExceededDuration'),
};

export const runningMinutesField: INodeProperties = {
	displayName: 'Running Longer Than (Minutes)',
	name: 'runningMinutes',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 525_600 },
	default: 120,
	description: 'How long a job run may be running, counted from its start. 0 means no limit.',
	...shownFor('runExceededDuration'),
};

export const logLinesField: INodeProperties = {
	displayName: 'Log Lines of Failed Runs',
	name: 'logLines',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1000 },
	default: 20,
	description: 'How many of the last log lines to include for runs that failed or timed out',
};

export const searchTermField = textField({
	displayName: 'Search Term',
	name: 'searchTerm',
	placeholder: 'e.g. CREATE_JOB_RUN',
	description:
		'Only include events that contain this text in any field. Leave empty for all events.',
	...shownFor('auditEvent'),
});

export const outputField = choiceField<'perEvent' | 'perPoll'>({
	displayName: 'Output',
	name: 'output',
	options: [
		{ name: 'One Item per Event', value: 'perEvent' },
		{ name: 'One Item per Poll', value: 'perPoll' },
	],
	default: 'perEvent',
	description: 'Whether to output one item per event, or one item with all new events',
	...shownFor('auditEvent'),
});

export const actionNamesField = textField({
	displayName: 'Action Names',
	name: 'actionNames',
	placeholder: 'e.g. CREATE_JOB_RUN, CANCEL_JOB_RUN',
	description: 'Only include events with one of these action names, separated by commas',
});

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
	...shownFor('runStatusChanged', 'runExceededDuration', 'runExceededCost'),
};

/** Its beginning can be chosen by name: an asterisk at the end matches any text. */
export const taskFilter: INodeProperties = {
	displayName: 'Task',
	name: 'taskName',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'Only include runs of this task',
	...choose('searchTasks', 'Name', {
		placeholder: 'e.g. predict_*',
		hint: 'An asterisk at the end matches any text',
	}),
};

export const taskRunFiltersField: INodeProperties = {
	...filtersOf(runRegionFilter, runSourceFilter, taskFilter),
	...shownFor('taskRunStateChanged'),
};

export const runOptionsField: INodeProperties = {
	...optionsOf(includeCostField, logLinesField),
	...shownFor('runStatusChanged'),
};

export const auditOptionsField: INodeProperties = {
	...optionsOf(actionNamesField, overlapField, settleField),
	...shownFor('auditEvent'),
};

/** The form of the trigger. n8n puts 'Poll Times' before it. */
export const properties: INodeProperties[] = [
	eventField,
	statusesField,
	statesField,
	costLimitField,
	pendingMinutesField,
	runningMinutesField,
	{
		...simplifyField,
		displayOptions: { hide: { event: ['auditEvent'] } },
	},
	runFiltersField,
	taskRunFiltersField,
	runOptionsField,
	searchTermField,
	outputField,
	auditOptionsField,
];

import type { INodeProperties } from 'n8n-workflow';

import { runFilterFields, simplifyField } from '../parameters/fields';
import { statusOptions } from '../parameters/statusOptions';

/** The choice under 'Statuses' that stands for every status a run keeps. */
export const FINISHED = 'finished';

/** Defaults in seconds; docs/trigger.md says why they are what they are. */
export const DEFAULT_SETTLE_SECONDS = 60;
export const DEFAULT_OVERLAP_SECONDS = 300;

export const DEFAULT_LOG_LINES = 20;

const forRuns = { show: { event: ['runStatusChanged'] } };
const forAudit = { show: { event: ['auditEvent'] } };

/** The form of the trigger. n8n puts 'Poll Times' before it. */
export const properties: INodeProperties[] = [
	{
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
				name: 'Run Status Changed',
				value: 'runStatusChanged',
				description: 'Starts the workflow when a job run gets another status',
			},
		],
		default: 'runStatusChanged',
	},
	{
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
	},
	{ ...simplifyField, displayOptions: forRuns },
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		displayOptions: forRuns,
		options: [...runFilterFields],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: forRuns,
		options: [
			{
				displayName: 'Log Lines of Failed Runs',
				name: 'logLines',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 1000 },
				default: DEFAULT_LOG_LINES,
				description: 'How many of the last log lines come with a run that failed or timed out',
			},
		],
	},
	{
		displayName: 'Search Term',
		name: 'searchTerm',
		type: 'string',
		default: '',
		placeholder: 'e.g. CREATE_JOB_RUN',
		description: 'Only events in which any field contains this text; leave empty for all events',
		displayOptions: forAudit,
	},
	{
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
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: forAudit,
		options: [
			{
				displayName: 'Action Names',
				name: 'actionNames',
				type: 'string',
				default: '',
				placeholder: 'e.g. CREATE_JOB_RUN, CANCEL_JOB_RUN',
				description: 'Only events with one of these action names, separated by commas',
			},
			{
				displayName: 'Overlap (Seconds)',
				name: 'overlapSeconds',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 86_400 },
				default: DEFAULT_OVERLAP_SECONDS,
				description:
					'How late an event may appear in the audit log and still be found, counted from its time',
			},
			{
				displayName: 'Settle Delay (Seconds)',
				name: 'settleSeconds',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 3600 },
				default: DEFAULT_SETTLE_SECONDS,
				description:
					'How old an event must be before it starts the workflow, so that events come in order',
			},
		],
	},
];

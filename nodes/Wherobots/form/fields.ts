import type { INodeProperties } from 'n8n-workflow';

import { isAbove, toPlainDecimal } from '../service/json';
import { checkRegion, checkRunNamePattern } from '../service/rules';
import { RUN_STATUSES } from '../service/records/jobRun';
import { ORGANIZATION_DEFAULT } from '../service/deployment';
import { TASK_RUN_STATES } from '../service/records/taskRun';
import { formatTime } from '../service/time';
import {
	defineChoiceField,
	defineCollection,
	defineCountField,
	definePicker,
	defineRowsField,
	defineSwitchField,
	defineTextField,
	defineTimeField,
} from './declarations';
import { type Input, MAX_TOOL_ITEMS } from './input';

const returnAllField = defineSwitchField({
	displayName: 'Return All',
	name: 'returnAll',
	description: 'Whether to return all results or only up to a given limit',
});

export const limitField = defineCountField({
	displayName: 'Limit',
	name: 'limit',
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
	rule: (value) =>
		value >= 1 ? undefined : "must be at least 1; for all results, turn on 'Return All'",
});

export const returnAllFields: INodeProperties[] = [returnAllField, limitField];

/**
 * How many records a Get Many returns: Infinity for all. A model gets no more than it can read; one
 * more is requested, to know whether to note an omission.
 */
export function readLimit(input: Input): number {
	const limit = input.flag(returnAllField) ? Infinity : input.integer(limitField);
	return Math.min(limit, input.isToolUse ? MAX_TOOL_ITEMS + 1 : Infinity);
}

/** The collection of optional fields. */
export const defineOptions = (...options: INodeProperties[]) =>
	defineCollection('Options', options);

/** The collection of filters. */
export const defineFilters = (...filters: INodeProperties[]) =>
	defineCollection('Filters', filters, { placeholder: 'Add filter' });

/** The switch between a flat selection of fields and the record as the service sends it. */
export const simplifyField = defineSwitchField({
	displayName: 'Simplify',
	name: 'simplify',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const toStatusOptions = (statuses: readonly string[]) =>
	statuses.map((value) => ({
		name: value
			.split('_')
			.map((word) => word[0] + word.slice(1).toLowerCase())
			.join(' '),
		value,
	}));

/** The statuses of a run as options, in the order of its life cycle. */
export const statusOptions = toStatusOptions(RUN_STATUSES);

/** The states of a task run as options, in the order of its life cycle. */
export const stateOptions = toStatusOptions(TASK_RUN_STATES);

export const runNameFilter = defineTextField({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. nightly-*',
	description:
		'Only include runs with this name. It may contain one asterisk, which matches any text.',
	rule: checkRunNamePattern,
});

export const runRegionFilter = definePicker('searchRunRegions', 'Name', {
	displayName: 'Region',
	name: 'region',
	description: 'Only include runs in this compute region',
	placeholder: 'e.g. aws-us-west-2',
	rule: checkRegion,
});

export const createdAfterFilter = defineTimeField({
	displayName: 'Created After',
	name: 'createdAfter',
	description: 'Only include runs created after this time',
});

export const runSourceFilter = defineChoiceField({
	displayName: 'Source',
	name: 'runSource',
	options: {
		'': 'Any',
		manual: ['Manual', 'Started by a person or a program'],
		rerun: ['Rerun', 'A repetition of a scheduled run'],
		schedule: ['Schedule', 'Started by a schedule'],
	},
	default: '',
	description: 'Only include runs that were started this way',
});

/** The actions of audit events, which the editor lists; the description is n8n's. */
export const actionNamesField: INodeProperties = {
	displayName: 'Action Names or IDs',
	name: 'actionNames',
	type: 'multiOptions',
	default: [],
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	hint: 'Only include events with these actions. The list shows recent actions; choose Expression to enter others.',
	typeOptions: { loadOptionsMethod: 'getActionNames' },
	// One that has not been recorded lately is valid, too.
	allowArbitraryValues: true,
};

export const includeCostField = defineSwitchField({
	displayName: 'Include Cost',
	name: 'includeCost',
	description:
		'Whether to add what a finished run has cost so far. The field costStatus says whether that amount is final.',
});

export const includeOutputField = defineSwitchField({
	displayName: 'Include Output',
	name: 'includeOutput',
	description:
		"Whether to add the program's result: the JSON that it printed to its log after N8N_OUTPUT",
});

export const logLinesField = defineCountField({
	displayName: 'Log Lines of Failed Runs',
	name: 'logLines',
	typeOptions: { minValue: 0, maxValue: 200 },
	default: 20,
	description:
		"How many of the program's last log lines to include when the log does not say why a run failed. Enter 0 to skip the log.",
});

/** As in the service's own clients, which leave out what nobody has chosen. */
const organizationDefault = {
	mode: 'list',
	value: ORGANIZATION_DEFAULT,
	cachedResultName: 'Organization Default',
};

export const runtimeField = definePicker('searchRuntimes', 'Name', {
	displayName: 'Runtime',
	name: 'runtime',
	default: organizationDefault,
	description: "Size and type of the run's compute",
	placeholder: 'e.g. medium-himem',
});

export const regionField = definePicker('searchRegions', 'Name', {
	displayName: 'Region',
	name: 'region',
	default: organizationDefault,
	description: 'Compute region to execute the run in',
	placeholder: 'e.g. aws-us-west-2',
	rule: checkRegion,
});

/**
 * The value of a runtime or region field; undefined for the organization's default. An empty name more
 * likely comes from an expression without a result.
 */
export function readOrDefault(input: Input, field: INodeProperties): string | undefined {
	const value = input.optionalText(field);
	if (value === undefined) {
		throw input.problem(
			field,
			"must not be empty: choose one from the list, or 'Organization Default'",
		);
	}
	return value === ORGANIZATION_DEFAULT ? undefined : value;
}

/** Rows of a Spark configuration, for `input.keyValues`. */
export const defineSparkConfigurationField = (
	field: Pick<INodeProperties, 'name' | 'description' | 'displayOptions'>,
): INodeProperties =>
	defineRowsField({
		displayName: 'Spark Configuration',
		placeholder: 'Add property',
		...field,
		row: {
			displayName: 'Property',
			name: 'config',
			values: [
				defineTextField({
					displayName: 'Key',
					name: 'key',
					placeholder: 'e.g. spark.sql.shuffle.partitions',
				}),
				defineTextField({ displayName: 'Value', name: 'value', placeholder: 'e.g. 200' }),
			],
		},
	});

/** @throws Failure when the end of a range of time is before its start */
export function requireOrder(input: Input, startField: INodeProperties, endField: INodeProperties) {
	const start = input.optionalTime(startField);
	const end = input.optionalTime(endField);
	if (start === undefined || end === undefined || start <= end) return;
	const { displayName } = startField;
	const what = `must not be before '${displayName}' (${formatTime(start)}), but is ${formatTime(end)}`;
	throw input.problem(endField, what);
}

/** Name of the binary field for an output file. */
export const binaryFieldOption = defineTextField({
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
});

/** Warns that an output contains a secret, and how to keep it out of n8n's database. */
export function defineSecretNotice(where: string): INodeProperties {
	return {
		displayName: `${where} n8n saves it with the execution data. To prevent that, set all four 'Save …' options in the workflow settings to 'Do not save'.`,
		name: 'secretNotice',
		type: 'notice',
		default: '',
	};
}

/** An amount of money above zero, as text, so that it keeps every digit. */
export const defineAmountField = (field: Parameters<typeof defineTextField>[0]): INodeProperties =>
	defineTextField({ rule: checkAmount, ...field });

/** The rule for an amount of money above 0. */
export const checkAmount = (text: string): string | undefined =>
	isAbove(parseAmount(text), '0')
		? undefined
		: 'must be an amount above 0 in digits, with a period before the cents: 25.00';

/**
 * The amount as a decimal string. Nothing and an empty text are refused, so that no limit is dropped
 * because an expression found none.
 */
export function readAmount(input: Input, field: INodeProperties): string {
	return parseAmount(input.text(field));
}

function parseAmount(text: string): string {
	return toPlainDecimal(text.replace(/^\$\s*/, '')) ?? '0';
}

export const allowChangesField = defineSwitchField({
	displayName: 'Allow Changes',
	name: 'allowChanges',
	noDataExpression: true,
	description:
		'Whether to allow requests that create, change or delete something, not just GET. An AI agent can only read, whatever you choose here.',
});

export const apiRequestField = definePicker('searchApiRequests', 'Path', {
	displayName: 'API Request',
	name: 'apiRequest',
	required: true,
	description: 'The API request to send',
	placeholder: 'e.g. GET /storage/{storage_id}',
	hint: 'The method and the path, with a name in braces for each value',
});

import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { defineChoiceField, defineTextField } from './declarations';
import { simplifyField } from './fields';
import type { Input } from './input';
import { type EndpointId, listIdNames } from '../service/endpoints';

export function toItem(json: IDataObject): INodeExecutionData {
	return { json };
}

export function toItems(records: IDataObject[]): INodeExecutionData[] {
	return records.map(toItem);
}

/** The item with these facts added to its fields. */
export function addFacts(entry: INodeExecutionData, facts: IDataObject): INodeExecutionData {
	return { ...entry, json: { ...entry.json, ...facts } };
}

/** For agents; the form has a switch instead. */
const outputModeField = defineChoiceField({
	displayName: 'Output',
	name: 'outputMode',
	options: {
		raw: ['Raw', 'The record as the service returns it'],
		selected: ['Selected Fields', 'The ID and the fields named below'],
		simplified: ['Simplified', 'The ten most useful fields'],
	},
	default: 'simplified',
	description: 'How much of each record to return',
	displayOptions: { show: { '@tool': [true] } },
});

const selectedFieldsField = defineTextField({
	displayName: 'Fields',
	name: 'selectedFields',
	placeholder: 'e.g. name, status',
	description: 'Names of the fields to return, separated by commas. The ID is always included.',
	displayOptions: { show: { '@tool': [true], outputMode: ['selected'] } },
});

/** How much of each record to output, for operations whose records have more than ten fields. */
export const shapeFields: INodeProperties[] = [
	{ ...simplifyField, displayOptions: { hide: { '@tool': [true] } } },
	outputModeField,
	selectedFieldsField,
];

/**
 * One output item for each record, simplified, raw or with selected fields; the ID is always kept.
 *
 * @param endpoint where the records come from
 */
export function shapeItems<T extends IDataObject>(
	input: Input,
	endpoint: EndpointId,
	records: T[],
	simplify: (record: T) => IDataObject,
): INodeExecutionData[] {
	switch (readMode(input)) {
		case 'raw':
			return records.map(toItem);
		case 'simplified':
			return records.map((record) => toItem(simplify(record)));
		case 'selected': {
			const names = [...listIdNames(endpoint), ...input.list(selectedFieldsField)];
			return records.map((record) => {
				const all: IDataObject = { ...record, ...simplify(record) };
				const kept = names.filter((name) => Object.hasOwn(all, name));
				return toItem(Object.fromEntries(kept.map((name) => [name, all[name]])));
			});
		}
	}
}

/** Whether records are output as the service sends them. */
export function isRaw(input: Input): boolean {
	return readMode(input) === 'raw';
}

function readMode(input: Input): 'simplified' | 'raw' | 'selected' {
	if (input.isToolUse) return input.choice(outputModeField);
	return input.flag(simplifyField) ? 'simplified' : 'raw';
}

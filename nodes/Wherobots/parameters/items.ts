import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

export function item(json: IDataObject): INodeExecutionData {
	return { json };
}

export function items(records: IDataObject[]): INodeExecutionData[] {
	return records.map(item);
}

/** The item with these facts added to its fields. */
export function withFacts(entry: INodeExecutionData, facts: IDataObject): INodeExecutionData {
	return { ...entry, json: { ...entry.json, ...facts } };
}

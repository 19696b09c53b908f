import type { INodeProperties } from 'n8n-workflow';

import { listPathNames, type EndpointId, type PathValues } from '../service/endpoints';
import { checkPathValue, checkTaskNamePattern } from '../service/rules';
import { definePicker } from './declarations';
import type { Input } from './input';

/** A field whose value is part of a request's path and identifies or locates records. */
export interface PathParam {
	field: INodeProperties;
	/** The name of the value in the paths of endpoints. */
	name: string;
	/** Its name in output items; `id` unless it says otherwise. */
	output?: string;
}

/** The checked values of the fields that identify an operation's record. */
export interface Address {
	/** For the path of a request. */
	path: PathValues;
	/** For output items, by their names there. */
	names: Record<string, string>;
}

/**
 * Reads the fields that identify an operation's record.
 *
 * @throws Failure that names the field and the problem
 */
export function readAddress(input: Input, params: PathParam[]): Address {
	const address: Address = { path: {}, names: {} };
	for (const { field, name, output = 'id' } of params) {
		const value = input.text(field);
		address.path[name] = value;
		address.names[output] = value;
	}
	return address;
}

/** A record that is picked from a list or given by its ID or, if it has none, its name. */
function definePart(
	searchListMethod: string,
	name: string,
	{ output, by = 'ID', exact = by === 'Name', ...more }: PartField,
): PathParam {
	const kind = { required: true, rule: checkPathValue, exact };
	return { field: definePicker(searchListMethod, by, { ...kind, ...more }), name, output };
}

type PartField = Parameters<typeof definePicker>[2] &
	Pick<PathParam, 'output'> & { by?: 'ID' | 'Name' };

const apiKeyPart = definePart('searchApiKeys', 'api_key_id', {
	displayName: 'API Key',
	name: 'apiKeyId',
	description: 'API key whose expiry to change',
	placeholder: 'e.g. 7c9e6679f2b4',
});

export const connectionPart = definePart('searchCloudConnections', 'connection_id', {
	displayName: 'Cloud Connection',
	name: 'connectionId',
	description: 'Cloud connection from the list, or by its ID',
	placeholder: 'e.g. 4d0a8c77e1',
});

export const jobRunPart = definePart('searchJobRuns', 'run_id', {
	displayName: 'Job Run',
	name: 'runId',
	description: 'Job run from the list, or by its ID or URL',
	placeholder: 'e.g. 3f1c2a9b7d',
	hint: 'The ID, or the URL of the run in Wherobots Cloud',
	output: 'runId',
});

export const taskPart = definePart('searchTasks', 'taskName', {
	displayName: 'Task',
	name: 'taskName',
	description: 'Task from the list, or by its name',
	placeholder: 'e.g. predict_mosaic_geometries_recipe',
	output: 'name',
	by: 'Name',
	exact: false,
});

/** Selects runs by the name of their task, or by the beginning of it. */
export const taskFilter = definePicker('searchTasks', 'Name', {
	displayName: 'Task',
	name: 'taskName',
	description: 'Only include runs of this task',
	placeholder: 'e.g. predict_*',
	hint: 'An asterisk at the end matches any text',
	rule: checkTaskNamePattern,
});

export const taskRunPart = definePart('searchTaskRuns', 'taskRunId', {
	displayName: 'Task Run',
	name: 'taskRunId',
	description: 'Task run from the list, or by its ID',
	placeholder: 'e.g. npqy9q19q4wlm3',
	output: 'taskRunId',
});

const presetPart = definePart('searchPresets', 'environment_override_preset_id', {
	displayName: 'Environment Override Preset',
	name: 'presetId',
	description: 'The preset to delete',
	placeholder: 'e.g. 5b1f0c9de2a4',
});

export const catalogPart = definePart('searchCatalogs', 'catalog_id', {
	displayName: 'Catalog',
	name: 'catalogId',
	description: 'Catalog from the list, or by its ID',
	placeholder: 'e.g. 0f6c1f42a9',
	hint: "The 'id' that Catalog: Get Many returns",
	output: 'catalogId',
});

export const namespacePart = definePart('searchNamespaces', 'namespace_name', {
	displayName: 'Namespace',
	name: 'namespace',
	description: 'The namespace (database) in the catalog',
	placeholder: 'e.g. overture',
	output: 'namespace',
	by: 'Name',
});

export const tablePart = definePart('searchTables', 'table_name', {
	displayName: 'Table',
	name: 'table',
	description: 'Table from the list, or by its name',
	placeholder: 'e.g. buildings',
	output: 'name',
	by: 'Name',
});

const viewPart = definePart('searchViews', 'view_name', {
	displayName: 'View',
	name: 'view',
	description: 'The view to get',
	placeholder: 'e.g. recent_buildings',
	output: 'name',
	by: 'Name',
});

const sessionPart = definePart('searchSqlSessions', 'session_id', {
	displayName: 'SQL Session',
	name: 'sessionId',
	description: 'The session to shut down',
	placeholder: 'e.g. 8c1f0e6a-3d52-4f0b-9a57-2f1f5f0c7b11',
});

export const tableAddress = [catalogPart, namespacePart, tablePart];

const PATH_PARAMS = [
	...[apiKeyPart, connectionPart, jobRunPart, taskPart, taskRunPart, presetPart],
	...[...tableAddress, viewPart, sessionPart],
];

/** The fields for the values in the path of an endpoint, in their order. */
export function getPathParams(id: EndpointId): PathParam[] {
	return listPathNames(id).map((name) => {
		const found = PATH_PARAMS.find((param) => param.name === name);
		if (!found) throw new RangeError(`No field is declared for the path value '${name}'`);
		return found;
	});
}

/**
 * Forms and lists that depend on what is chosen: the columns and snapshots of a table, the inputs of a
 * task.
 */
import type {
	FieldType,
	IDataObject,
	ILoadOptionsFunctions,
	INodeProperties,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';

import { tablePart, taskPart } from '../form/address';
import { allowChangesField, apiRequestField } from '../form/fields';
import { Description, parseApiRequest } from '../service/apiDescription';
import { getSnapshots, getTags } from '../service/tables/catalogs';
import { isRecord } from '../service/records';
import { describeType, isGeometry, parseColumns } from '../service/sql/columns';
import { isKey } from '../service/tables/writeRows';
import { explainReading, hasStatus, settle } from '../transport/failure';
import { fetchRecord } from '../transport/records';
import { fetchApiRequests } from '../useCases/api/requests';
import {
	toChoices,
	readChosen,
	readChosenPath,
	type ListSearch,
	filterChoices,
	createPickerClient,
	formatShortTime,
} from './choices';

async function fetchChosenTable(context: ILoadOptionsFunctions): Promise<IDataObject> {
	const path = readChosenPath(context, 'getTable');
	return await fetchRecord(await createPickerClient(context), 'getTable', { path });
}

/** None before a table is chosen: n8n would show anything else as a failure. */
export async function getColumns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	if (!isChosen(this, tablePart.field)) return [];
	const columns = parseColumns(await fetchChosenTable(this));
	return columns.map((column) => ({
		name: column.name,
		value: column.name,
		description: describeType(column),
	}));
}

/** A field of a form. Without a schema its value has no type. */
const toField = (id: string, required: boolean, schema: IDataObject = {}) => ({
	...{ id, displayName: id, required, defaultMatch: false, display: true },
	type: toFieldType(schema),
});

/** The form for a row of the chosen table. Values have no type here: n8n would round long numbers. */
export async function getTableColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const columns = parseColumns(await fetchChosenTable(this));
	const fields = columns.map((column) => ({
		...toField(column.name, column.isRequired),
		displayName: `${column.name} (${isGeometry(column) ? 'WKT or GeoJSON' : describeType(column)})`,
		canBeUsedToMatch: isKey(column),
	}));
	return { fields };
}

/** Tags by their names, then snapshots, newest first. */
export const searchVersions: ListSearch = async function (filter) {
	const table = await fetchChosenTable(this);
	const snapshots = getSnapshots(table).map((snapshot) => ({
		id: snapshot['snapshot-id'],
		detail: [formatShortTime(snapshot['timestamp-ms']), snapshot.summary?.operation]
			.filter(Boolean)
			.join(', '),
	}));
	const tags = getTags(table).map((id) => ({ id, detail: 'tag' }));
	return filterChoices(toChoices([...tags, ...snapshots.reverse()]), filter);
};

/** Where a task may have the JSON schema of its inputs: no page of the vendor says. */
const SCHEMA_NAMES = ['inputSchema', 'input_schema', 'inputs', 'schema'];

/** The types that fields and schemas have in common. */
const TYPES: FieldType[] = ['array', 'boolean', 'number', 'object', 'string'];

const isChosen = (context: ILoadOptionsFunctions, { name }: INodeProperties) =>
	context.getCurrentNodeParameter(name, { extractValue: true }) !== '';

const chooseFirst = ({ displayName }: INodeProperties): ResourceMapperFields => ({
	fields: [],
	emptyFieldsNotice: `Choose a value for '${displayName}' first.`,
});

/** The requests of the deployment, by path; those that only read unless changes are allowed. */
export const searchApiRequests: ListSearch = async function (filter) {
	const mayChange = this.getCurrentNodeParameter(allowChangesField.name) === true;
	const before = 'Enter the method and the path yourself, such as GET /storage.';
	const all = await explainReading(fetchApiRequests(await createPickerClient(this)), (failure) =>
		hasStatus(failure, 404) ? { before } : {},
	);
	const offered = all.filter(({ method }) => mayChange || method === 'GET');
	const options = offered.map(({ method, path, summary }) => ({
		id: `${method} ${path}`,
		name: summary || `${method} ${path}`,
		detail: summary && `${method} ${path}`,
	}));
	return filterChoices(toChoices(options), filter);
};

/** The form for the values of the chosen request. */
export async function getApiParameters(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	if (!isChosen(this, apiRequestField)) return chooseFirst(apiRequestField);
	const chosen = parseApiRequest(readChosen(this, apiRequestField));
	const read = await settle(fetchApiRequests(await createPickerClient(this)));
	if (!read.ok && !hasStatus(read.error, 404)) throw read.error;
	const all = read.ok ? read.value : [];
	const found = all.find(({ method, path }) => method === chosen?.method && path === chosen.path);
	const parameters = found?.listParameters() ?? [];
	const fields = parameters.map(({ id, isRequired, schema }) => toField(id, isRequired, schema));
	return {
		fields,
		emptyFieldsNotice: found
			? 'This request takes no values.'
			: "The deployment does not describe this request. To give it values, set 'Specify Parameters' to 'Using JSON'.",
	};
}

/** The form for the inputs of the chosen task. */
export async function getTaskInputs(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	if (!isChosen(this, taskPart.field)) return chooseFirst(taskPart.field);
	const path = readChosenPath(this, 'getTask');
	const task = await fetchRecord(await createPickerClient(this), 'getTask', { path });
	const schemas = SCHEMA_NAMES.map((each) => task[each]).filter(isRecord);
	const schema = schemas.find(({ properties }) => isRecord(properties)) ?? {};
	const description = new Description(schema);
	const fields = description.entries(schema.properties).map(([id, property]) => {
		const isRequired = [schema.required].flat().includes(id);
		return toField(id, isRequired, description.flatten(property));
	});
	return {
		fields,
		emptyFieldsNotice:
			"This task describes no inputs. To give it some, set 'Specify Inputs' to 'Using JSON'.",
	};
}

/** The type of a value of this schema. One without a type of its own is sent as the text that is entered. */
function toFieldType({ type }: IDataObject): FieldType | undefined {
	return type === 'integer' ? 'number' : TYPES.find((each) => each === type);
}

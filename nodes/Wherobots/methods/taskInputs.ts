import type {
	FieldType,
	IDataObject,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { taskPart } from '../parameters/address';
import { isRecord } from '../service/types';
import { readRecord } from '../transport/records';
import { chosen, pickerClient } from './choices';

/** Where a task may have the JSON schema of its inputs: no page of the vendor says. */
const SCHEMA_NAMES = ['inputSchema', 'input_schema', 'inputs', 'schema'];

/** The types that fields and schemas have in common. */
const TYPES: FieldType[] = ['array', 'boolean', 'number', 'object', 'string'];

/** The form for the inputs of the chosen task. */
export async function getTaskInputs(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const { name, displayName } = taskPart.field;
	const path = { taskName: chosen(this, name, displayName) };
	const task = await readRecord(await pickerClient(this), 'getTask', { path });
	const schemas = SCHEMA_NAMES.map((each) => task[each]).filter(isRecord);
	const schema = schemas.find(({ properties }) => isRecord(properties)) ?? {};
	const fields = Object.entries(schema.properties ?? {}).map(([id, property]) => ({
		id,
		displayName: id,
		required: [schema.required].flat().includes(id),
		defaultMatch: false,
		display: true,
		...kindOf(schema, property),
	}));
	return {
		fields,
		emptyFieldsNotice:
			"This task does not describe its inputs. Set 'Specify Inputs' to 'Using JSON'.",
	};
}

/** The kind of field for an input. Without a type, it is sent as the text that is entered. */
function kindOf(schema: IDataObject, property: unknown): Partial<ResourceMapperField> {
	const { enum: values, type } = resolve(schema, property);
	if (Array.isArray(values) && values.every((value) => typeof value === 'string')) {
		return { type: 'options', options: values.map((value) => ({ name: value, value })) };
	}
	return { type: type === 'integer' ? 'number' : TYPES.find((each) => each === type) };
}

/**
 * A property without what generators of schemas wrap around it: the choice between a value and null,
 * and the reference to another place in the schema (`{"$ref": "#/$defs/Recipe"}`).
 *
 * @returns an empty one when values may be of several kinds
 */
function resolve(schema: IDataObject, property: unknown): IDataObject {
	const choices = isRecord(property) ? [property.anyOf ?? property.allOf ?? property].flat() : [];
	const [choice = {}, ...others] = choices.filter(isRecord).filter(({ type }) => type !== 'null');
	if (others.length > 0) return {};
	if (typeof choice.$ref !== 'string') return choice;
	const steps = choice.$ref.split('/').slice(1);
	const target = steps.reduce<unknown>((node, step) => isRecord(node) && node[step], schema);
	return isRecord(target) ? target : {};
}

import type { FieldType, ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

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
		type: typeOf(property),
	}));
	return {
		fields,
		emptyFieldsNotice:
			"This task does not describe its inputs. Set 'Specify Inputs' to 'Using JSON'.",
	};
}

/**
 * The type of an input, which may accept null as well. One without a type of its own is sent as the text
 * that is entered.
 */
function typeOf(property: unknown): FieldType | undefined {
	const choices = isRecord(property) ? [property.anyOf ?? property].flat().filter(isRecord) : [];
	const types = choices.map(({ type }) => type).filter((type) => type !== 'null');
	if (types.length !== 1) return undefined;
	return types[0] === 'integer' ? 'number' : TYPES.find((each) => each === types[0]);
}

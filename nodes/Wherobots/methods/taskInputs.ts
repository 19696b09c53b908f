import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { taskPart } from '../parameters/address';
import { taskInputs } from '../service/taskRequests';
import { readRecord } from '../transport/records';
import { chosen, pickerClient } from './choices';

/** The form for the inputs of the chosen task; lists and objects are entered as JSON. */
export async function getTaskInputs(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const { name, displayName } = taskPart.field;
	const taskName = chosen(this, name, displayName);
	const task = await readRecord(await pickerClient(this), 'getTask', { path: { taskName } });
	const fields = taskInputs(task)?.map(({ id, required, type, options }) => ({
		id,
		displayName: type ? id : `${id} (JSON)`,
		required,
		defaultMatch: false,
		display: true,
		type,
		options: options?.map((value) => ({ name: value, value })),
	}));
	if (fields) return { fields };
	const says = "This task does not describe its inputs. Set 'Specify Inputs' to 'Using JSON'.";
	return { fields: [], emptyFieldsNotice: says };
}

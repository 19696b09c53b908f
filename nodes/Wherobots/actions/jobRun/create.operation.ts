import { shapeFields } from '../../form/output';
import type { Operation } from '../operations/operation';
import {
	optionsField,
	programFromField,
	readRunRequest,
	requestFields,
	requestForm,
} from './payload';
import { readRunFiles } from './runFiles';
import { reuseFields, submission } from './submission';
import { waitField, waitOptionsField } from './wait';

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create job run',
		description:
			'Submit a Python file, a JAR or a notebook as a job run and, optionally, wait for it to finish',
	},
	fields: [
		...requestForm,
		...reuseFields,
		waitField,
		...shapeFields,
		waitOptionsField(true, { show: { waitForCompletion: [true] } }),
		optionsField,
	],
	requestFields,
	kind: 'write',
	async execute(call) {
		const { input } = call;
		const request = readRunRequest(input);
		const programFrom = input.choice(programFromField);
		const files =
			programFrom === 'storage' ? undefined : await readRunFiles(call, programFrom === 'notebook');
		return submission(call, { asked: request, request: async () => request, files });
	},
};

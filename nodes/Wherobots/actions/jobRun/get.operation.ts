import * as rules from '../../service/rules';
import { jobRunField } from '../../parameters/fields';
import type { Operation } from '../operation';
import { shapeFields } from '../../parameters/shape';
import { runItem } from './output';
import { readRun } from '../../transport/jobRuns/readRun';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get job run',
		description: 'Get the status and details of a job run',
	},
	fields: [jobRunField, ...shapeFields],
	kind: 'read',
	async execute(call) {
		const runId = call.input.text(jobRunField, rules.pathValue);
		return [runItem(call, await readRun(call.client, runId))];
	},
};

import * as rules from '../../service/rules';
import { jobRunField, simplifyField } from '../fields';
import type { Operation } from '../operation';
import { runItem } from './output';
import { readRun } from './readRun';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get a job run',
		description: 'Get the status and details of a job run',
	},
	fields: [jobRunField, simplifyField],
	kind: 'read',
	async execute({ client, input }) {
		const runId = input.text('runId', 'Job Run', rules.pathValue);
		return [runItem(input, await readRun(client, runId))];
	},
};

import * as rules from '../../service/rules';
import { jobRunField } from '../../parameters/fields';
import type { Operation } from '../operation';
import { shapeFields } from '../../parameters/shape';
import { waitForEnd } from '../../transport/jobRuns/waitForEnd';
import { ended } from './ended';
import { readWaitOptions, waitOptionsField } from './waitOptions';

export const waitForCompletion: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'waitForCompletion',
		action: 'Wait for job run completion',
		description: 'Wait until a job run has ended, then return it',
	},
	fields: [jobRunField, ...shapeFields, waitOptionsField(false)],
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const runId = input.text(jobRunField, rules.pathValue);
		const options = readWaitOptions(input, false);
		return await ended(call, await waitForEnd(client, runId, options), options);
	},
};

import { jobRunPart, readAddress } from '../../parameters/address';
import { shapeFields } from '../../parameters/shape';
import { waitForEnd } from '../../transport/jobRuns/wait';
import type { Operation } from '../operations/operation';
import { ended } from './output';
import { loggedStatus, readWaitOptions, waitOptionsField } from './waitOptions';

export const waitForCompletion: Operation = {
	option: {
		name: 'Wait for Completion',
		value: 'waitForCompletion',
		action: 'Wait for job run completion',
		description: 'Wait until a job run has ended, then return it',
	},
	fields: [jobRunPart.field, ...shapeFields, waitOptionsField(false)],
	kind: 'read',
	async execute(call) {
		const { client, context, input } = call;
		const runId = readAddress(input, [jobRunPart]).names.runId;
		const options = readWaitOptions(input, false);
		const onStatus = loggedStatus(context);
		return {
			finish: async () =>
				await ended(call, await waitForEnd(client, runId, { ...options, onStatus }), options),
		};
	},
};

import { jobRunPart, readAddress } from '../../parameters/address';
import { countField, switchField } from '../../parameters/declarations';
import { shapeFields } from '../../parameters/shape';
import { explained } from '../../transport/failure';
import { waitForEnd } from '../../transport/jobRuns/wait';
import { readRun } from '../../transport/records';
import type { Operation } from '../operations/operation';
import { runItem } from './output';

const MAX_INTERVAL_MS = 10_000;

const waitField = switchField({
	displayName: 'Wait Until Cancelled',
	name: 'waitUntilCancelled',
	description:
		'Whether to wait until the run has actually stopped, usually about a minute after the request',
});

/** The service says that cancelling takes about a minute; five leave room. */
const maxWaitField = countField({
	displayName: 'Max Wait (Minutes)',
	name: 'maxWaitMinutes',
	default: 5,
	description: 'How long to wait for the run to stop',
	displayOptions: { show: { waitUntilCancelled: [true] } },
});

export const cancel: Operation = {
	option: {
		name: 'Cancel',
		value: 'cancel',
		action: 'Cancel job run',
		description: 'Cancel a pending or running job run',
	},
	fields: [jobRunPart.field, waitField, maxWaitField, ...shapeFields],
	kind: 'write',
	async execute(call) {
		const { client, input } = call;
		const runId = readAddress(input, [jobRunPart]).names.runId;
		const wait = input.flag(waitField);
		const maxWaitMs = wait ? 60_000 * input.integer(maxWaitField) : 0;
		await client.call('cancelRun', { path: { run_id: runId } });
		// The response to a cancel has no documented shape, so the run is read.
		const read = async () =>
			wait
				? await waitForEnd(client, runId, {
						maxWaitMs,
						maxIntervalMs: MAX_INTERVAL_MS,
						cancelOnStop: false,
					})
				: await readRun(client, runId);
		return {
			finish: async () => [
				runItem(
					call,
					await explained(read(), { before: 'The service accepted the cancellation.' }),
				),
			],
		};
	},
};

import * as rules from '../../service/rules';
import { jobRunField } from '../../parameters/fields';
import type { Operation } from '../operation';
import { shapeFields } from '../../parameters/shape';
import { runItem } from './output';
import { readRun } from '../../transport/jobRuns/readRun';
import { waitForEnd } from './waiting';

/** Cancelling takes about a minute, says the service; five leave room. */
const DEFAULT_MAX_WAIT_MIN = 5;
const MAX_INTERVAL_MS = 10_000;

export const cancel: Operation = {
	option: {
		name: 'Cancel',
		value: 'cancel',
		action: 'Cancel job run',
		description: 'Ask for a pending or running job run to be cancelled',
	},
	fields: [
		jobRunField,
		{
			displayName: 'Wait Until Cancelled',
			name: 'waitUntilCancelled',
			type: 'boolean',
			default: false,
			description:
				'Whether to wait until the run has really ended, which takes about a minute after the request',
		},
		{
			displayName: 'Max Wait (Minutes)',
			name: 'maxWaitMinutes',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_MAX_WAIT_MIN,
			description: 'How long to wait for the run to end',
			displayOptions: { show: { waitUntilCancelled: [true] } },
		},
		...shapeFields,
	],
	kind: 'write',
	async execute({ client, input }) {
		const runId = input.text('runId', 'Job Run', rules.pathValue);
		const wait = input.flag('waitUntilCancelled');
		const maxWaitMs =
			60_000 * (wait ? input.integer('maxWaitMinutes', 'Max Wait (Minutes)', rules.atLeast(1)) : 0);
		await client.call('cancelRun', { path: { run_id: runId } });
		// The answer to a cancel has no documented shape, so the run is read.
		const finish = async () => [
			runItem(
				input,
				wait
					? await waitForEnd(client, runId, {
							maxWaitMs,
							maxIntervalMs: MAX_INTERVAL_MS,
							cancelOnStop: false,
						})
					: await readRun(client, runId),
			),
		];
		return { finish };
	},
};

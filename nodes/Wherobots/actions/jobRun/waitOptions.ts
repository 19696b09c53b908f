import type { INodeProperties } from 'n8n-workflow';

import * as rules from '../../service/rules';
import type { Input } from '../../parameters/input';
import { DEFAULT_MAX_INTERVAL_S } from '../../transport/polling';

const DEFAULT_MAX_WAIT_MIN = 60;
const DEFAULT_LOG_LINES = 20;

export interface WaitOptions {
	maxWaitMs: number;
	maxIntervalMs: number;
	/** Cancel the run in the service when the execution is stopped. */
	cancelOnStop: boolean;
	/** What a run that did not complete does to the node. */
	onFailure: 'fail' | 'return';
	/** Log lines to quote when the node fails. */
	logLines: number;
}

const cancelOnStopField: INodeProperties = {
	displayName: 'Cancel Run When Execution Stops',
	name: 'cancelOnStop',
	type: 'boolean',
	default: true,
	description:
		'Whether to cancel the job run in Wherobots Cloud when this workflow execution is stopped or times out',
};

/** The collection of wait options. @param ownRun whether the run is created by the same operation */
export function waitOptionsField(
	ownRun: boolean,
	displayOptions?: INodeProperties['displayOptions'],
): INodeProperties {
	return {
		displayName: 'Wait Options',
		name: 'waitOptions',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions,
		options: [
			{ ...cancelOnStopField, default: ownRun },
			{
				displayName: 'If the Run Does Not Complete',
				name: 'onFailure',
				type: 'options',
				options: [
					{
						name: 'Fail the Node',
						value: 'fail',
						description: 'Show the reason and the last log lines',
					},
					{
						name: 'Return the Run',
						value: 'return',
						description: 'Output the run with its status, whatever it is',
					},
				],
				default: 'fail',
				description: 'What to do when the run fails, is cancelled or times out',
			},
			{
				displayName: 'Log Lines to Show',
				name: 'logLines',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 200 },
				default: DEFAULT_LOG_LINES,
				description: 'How many of the last log lines to show when the run does not complete',
			},
			{
				displayName: 'Max Interval (Seconds)',
				name: 'maxIntervalSeconds',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: DEFAULT_MAX_INTERVAL_S,
				description:
					'Longest time between two looks at the run. The first looks are closer together.',
			},
			{
				displayName: 'Max Wait (Minutes)',
				name: 'maxWaitMinutes',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: DEFAULT_MAX_WAIT_MIN,
				description:
					'How long to wait for the run. Waiting occupies the workflow execution; for runs of several hours, use the Wherobots Trigger instead.',
			},
		],
	};
}

/** Reads the collection of `waitOptionsField`. */
export function readWaitOptions(input: Input, ownRun: boolean): WaitOptions {
	const number = (name: string, label: string, fallback: number, min: number): number =>
		input.optionalInteger(`waitOptions.${name}`, label, rules.atLeast(min)) ?? fallback;
	return {
		cancelOnStop: input.flag('waitOptions.cancelOnStop', ownRun),
		onFailure: input.choice(
			'waitOptions.onFailure',
			'If the Run Does Not Complete',
			['fail', 'return'],
			'fail',
		),
		logLines: number('logLines', 'Log Lines to Show', DEFAULT_LOG_LINES, 0),
		maxIntervalMs:
			1000 * number('maxIntervalSeconds', 'Max Interval (Seconds)', DEFAULT_MAX_INTERVAL_S, 1),
		maxWaitMs: 60_000 * number('maxWaitMinutes', 'Max Wait (Minutes)', DEFAULT_MAX_WAIT_MIN, 1),
	};
}

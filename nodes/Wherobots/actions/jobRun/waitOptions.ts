import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import {
	choiceField,
	collectionField,
	countField,
	switchField,
} from '../../parameters/declarations';
import { amountField, includeCostField, readAmount } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import type { Run } from '../../service/types';
import { CostLimit } from '../../transport/jobRuns/wait';
import { DEFAULT_MAX_INTERVAL_S } from '../../transport/polling';

export const waitField = switchField({
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	description:
		'Whether to wait until the run has ended instead of returning as soon as it is submitted',
});

const costLimitField = amountField({
	displayName: 'Cancel Above Cost',
	name: 'cancelAboveCost',
	placeholder: 'e.g. 25.00',
	description:
		'Cancel the run while it is waited for once it has cost more than this amount, in the currency that Wherobots Cloud bills (US dollars). Its figures lag behind, so the run can cost more.',
});

function readCostLimit(input: Input): CostLimit | undefined {
	if (input.raw(costLimitField, Infinity) === Infinity) return undefined;
	return new CostLimit(readAmount(input, costLimitField));
}

const cancelOnStopField = switchField({
	displayName: 'Cancel Run if Execution Is Stopped',
	name: 'cancelOnStop',
	default: true,
	description:
		'Whether to cancel the run in Wherobots Cloud when this workflow execution is stopped or times out',
});

/** A run that this operation did not submit is not cancelled by default. */
const cancelOnStopOf = (ownRun: boolean) => ({ ...cancelOnStopField, default: ownRun });

const onFailureField = choiceField<'fail' | 'return'>({
	displayName: 'If the Run Does Not Complete',
	name: 'onFailure',
	options: [
		{
			name: 'Fail the Node',
			value: 'fail',
			description: 'Stop with the reason',
		},
		{
			name: 'Return the Run',
			value: 'return',
			description: 'Output the run, whatever its status',
		},
	],
	default: 'fail',
	description: 'What to do when the run fails, is cancelled or times out',
});

const logLinesField: INodeProperties = {
	displayName: 'Log Lines of Failed Runs',
	name: 'logLines',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 200 },
	default: 20,
	description:
		'How many of the last lines of the program to return when the log does not say why the run failed. Enter 0 to not read the log.',
};

const maxIntervalField = countField({
	displayName: 'Max Interval (Seconds)',
	name: 'maxIntervalSeconds',
	default: DEFAULT_MAX_INTERVAL_S,
	description: 'Longest interval between status checks. The first checks are closer together.',
});

const maxWaitField = countField({
	displayName: 'Max Wait (Minutes)',
	name: 'maxWaitMinutes',
	default: 60,
	description:
		'How long to wait for the run to end. The workflow execution keeps running meanwhile; for job runs of several hours, use the Wherobots Trigger instead.',
});

/** The collection for a job run. @param ownRun whether the run is created by the same operation */
export function waitOptionsField(
	ownRun: boolean,
	displayOptions?: INodeProperties['displayOptions'],
): INodeProperties {
	const options = [
		costLimitField,
		cancelOnStopOf(ownRun),
		onFailureField,
		includeCostField,
		logLinesField,
		maxIntervalField,
		maxWaitField,
	];
	return collectionField('Wait Options', options, { displayOptions });
}

/** The same for a task run, without what needs its cost or its log. */
export function taskWaitField(
	ownRun: boolean,
	displayOptions?: INodeProperties['displayOptions'],
): INodeProperties {
	const options = [cancelOnStopOf(ownRun), onFailureField, maxIntervalField, maxWaitField];
	return collectionField('Wait Options', options, { displayOptions });
}

/** Reads the collection of `waitOptionsField`. */
export function readWaitOptions(input: Input, ownRun: boolean) {
	const options = input.within(waitOptionsField(ownRun));
	return {
		...readSharedOptions(input, ownRun),
		costLimit: readCostLimit(options),
		logLines: options.integer(logLinesField),
		includeCost: options.flag(includeCostField),
	};
}

/** Reads the options of `taskWaitField`, which job runs have as well. */
export function readSharedOptions(input: Input, ownRun: boolean) {
	const options = input.within(taskWaitField(ownRun));
	return {
		cancelOnStop: options.flag(cancelOnStopOf(ownRun)),
		onFailure: options.choice(onFailureField),
		maxIntervalMs: 1000 * options.integer(maxIntervalField),
		maxWaitMs: 60_000 * options.integer(maxWaitField),
	};
}

export type WaitOptions = ReturnType<typeof readWaitOptions>;

/** Writes each status of a run into n8n's log: the editor shows nothing of a node until it ends. */
export const loggedStatus =
	({ logger }: Pick<IExecuteFunctions, 'logger'>) =>
	({ id, name, status }: Run): void =>
		logger.info(`Wherobots job run ${name}: ${status}`, { runId: id });

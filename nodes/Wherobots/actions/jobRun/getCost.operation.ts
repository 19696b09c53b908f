import { jobRunPart, readAddress } from '../../parameters/address';
import { countField, switchField } from '../../parameters/declarations';
import { optionsOf } from '../../parameters/fields';
import { item } from '../../parameters/items';
import { readRunCost } from '../../transport/jobRuns/runCosts';
import { readRun } from '../../transport/records';
import type { Operation } from '../operations/operation';

const waitField = switchField({
	displayName: 'Wait Until Final',
	name: 'waitUntilFinal',
	description:
		'Whether to wait until the cost can no longer change, which can take about an hour after the end of the run',
});

const maxWaitField = countField({
	displayName: 'Max Wait (Minutes)',
	name: 'maxWaitMinutes',
	default: 90,
	description:
		'How long to wait for the final cost. The workflow execution keeps running meanwhile. A workflow that gets the cost a day later does not need to wait.',
});

const costOptionsField = optionsOf(maxWaitField, waitField);

export const getCost: Operation = {
	option: {
		name: 'Get Cost',
		value: 'getCost',
		action: 'Get job run cost',
		description: 'Get what a job run has cost so far, and whether that amount is final',
	},
	fields: [jobRunPart.field, costOptionsField],
	kind: 'read',
	async execute({ client, input }) {
		const runId = readAddress(input, [jobRunPart]).names.runId;
		const options = input.within(costOptionsField);
		const maxWaitMs = 60_000 * options.integer(maxWaitField);
		const waitMs = options.flag(waitField) ? maxWaitMs : 0;
		const read = async () => {
			const { run, cost } = await readRunCost(client, await readRun(client, runId), waitMs);
			return [item({ runId: run.id, runName: run.name, runStatus: run.status, ...cost })];
		};
		// The costs of all items are waited for at once.
		return waitMs > 0 ? { finish: read } : await read();
	},
};

import { readAddress, taskRunPart } from '../../parameters/address';
import { item } from '../../parameters/items';
import { readTaskRunCost } from '../../transport/taskRuns';
import { costOptionsField, readCostWait } from '../jobRun/getCost.operation';
import type { Operation } from '../operation';

export const getCost: Operation = {
	option: {
		name: 'Get Cost',
		value: 'getCost',
		action: 'Get task run cost',
		description:
			'Get what a task run has cost so far, and whether that amount is final, which takes up to 45 minutes after the end',
	},
	fields: [taskRunPart.field, costOptionsField],
	kind: 'read',
	async execute({ client, input }) {
		const { taskRunId } = readAddress(input, [taskRunPart]).path;
		return [item(await readTaskRunCost(client, taskRunId, readCostWait(input)))];
	},
};

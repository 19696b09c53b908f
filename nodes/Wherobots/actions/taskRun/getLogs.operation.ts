import { readAddress, taskRunPart } from '../../parameters/address';
import { item } from '../../parameters/items';
import { readTaskLog } from '../../transport/taskRuns';
import { addHint, hintNoResults } from '../hint';
import { lineCountField, linesField, readSelection } from '../jobRun/getLogs.operation';
import type { Operation } from '../operation';

export const getLogs: Operation = {
	option: {
		name: 'Get Logs',
		value: 'getLogs',
		action: 'Get task run logs',
		description: 'Get the log of a task run: its last lines, its first lines or all of it',
	},
	fields: [taskRunPart.field, linesField, lineCountField],
	kind: 'read',
	async execute(call) {
		const { client, context, input } = call;
		const { taskRunId } = readAddress(input, [taskRunPart]).path;
		const { lines, complete } = await readTaskLog(client, taskRunId, readSelection(input));
		if (!complete) {
			const message = `Task run ${taskRunId} has not ended: more log lines may follow.`;
			addHint(context, { message });
		} else if (lines.length === 0) {
			hintNoResults(call, 'lines', [], `in the log of task run ${taskRunId}`);
		}
		return lines.map(({ timestamp, level, message }) =>
			item({
				time: timestamp ?? null,
				level: level ?? null,
				line: message ?? null,
				taskRunId,
			}),
		);
	},
};

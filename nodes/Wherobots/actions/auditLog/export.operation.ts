import type { INodeExecutionData } from 'n8n-workflow';

import { readLimit } from '../../parameters/fields';
import { toRecord } from '../../transport/auditExport/write';
import { parsedRows } from '../../transport/auditExport/write';
import { readExport } from '../../transport/auditExport/table';
import { addHint } from '../operations/hint';
import type { Call, Operation } from '../operations/operation';
import * as form from './exportFields';
import { exportFiles } from './exportFiles';
import { hintIncompleteRange, queryOf, readRange, shownRange, type Range } from './exportRange';

export const exportOperation: Operation = {
	option: {
		name: 'Export',
		value: 'export',
		action: 'Export audit log',
		description:
			'Export the audit events of a time range as files or items, for example to archive them',
	},
	fields: form.exportFields,
	requestFields: { startTime: form.timeRangeField, endTime: form.timeRangeField },
	kind: 'read',
	async execute(call) {
		const { input } = call;
		const range = readRange(call);
		if (input.choice(form.outputField) === 'items') {
			const items = await exportItems(call, range);
			hintIncompleteRange(call, range);
			return items;
		}
		return await exportFiles(call, range);
	},
};

/**
 * Exports a range as one item per event, parsed as it arrives. With a limit, the transfer ends as soon
 * as the limit is reached; without one, items are returned only once the export proved complete.
 */
async function exportItems(call: Call, range: Range): Promise<INodeExecutionData[]> {
	const { client, context, input } = call;
	const limit = readLimit(input);
	const removeDuplicates = input.within(form.optionsField).flag(form.removeDuplicatesField);
	const query = queryOf(range, range);
	const { items, more } = await readExport(client, query, async (table) => {
		const { columns } = table;
		const like = toRecord(columns, columns);
		const found: INodeExecutionData[] = [];
		for await (const rows of parsedRows(table, removeDuplicates).output) {
			for (const row of rows) {
				if (found.length >= limit) return { items: found, more: true };
				found.push({ json: toRecord(columns, row, like) });
			}
		}
		return { items: found, more: false };
	});
	const { start, end } = shownRange(range, range);
	addHint(context, {
		message: more
			? `Only the first ${limit} events from ${start} to ${end} were returned. Turn on 'Return All' to get all of them.`
			: items.length > 0
				? `${items.length} events from ${start} to ${end}`
				: `No events from ${start} to ${end}${range.searchTerm ? ` contain "${range.searchTerm}". Change '${form.searchTermField.displayName}' or choose a longer range` : '. Choose a longer range'} to get more.`,
		type: 'info',
	});
	return items;
}

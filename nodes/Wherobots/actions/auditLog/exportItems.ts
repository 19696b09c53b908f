import type { INodeExecutionData } from 'n8n-workflow';

import { neutralizeFormula } from '../../service/formulas';
import { toRecord } from '../../transport/auditExport/csv';
import { parsedRows } from '../../transport/auditExport/exportSteps';
import { readExport } from '../../transport/auditExport/readExport';
import { readLimit } from '../../parameters/fields';
import { addHint } from '../hint';
import type { Call } from '../operation';
import * as form from './exportFields';
import { queryOf, shownRange } from './exportFile';
import type { Range } from './exportRange';

/**
 * Exports a range as one item per event, parsed as it arrives. With a limit, the transfer ends as soon
 * as the limit is reached; without one, items are returned only once the export proved complete.
 */
export async function exportItems(call: Call, range: Range): Promise<INodeExecutionData[]> {
	const { client, context, input } = call;
	const limit = readLimit(input);
	const options = input.within(form.optionsField);
	const removeDuplicates = options.flag(form.removeDuplicatesField);
	const change = options.flag(form.neutralizeFormulasField) ? neutralizeFormula : undefined;
	const query = queryOf(range, range.searchTerm);
	const { items, more } = await readExport(client, query, async (table) => {
		const found: INodeExecutionData[] = [];
		for await (const rows of parsedRows(table, removeDuplicates).output) {
			for (const row of rows) {
				if (found.length >= limit) return { items: found, more: true };
				found.push({ json: toRecord(table.columns, change ? row.map(change) : row) });
			}
		}
		return { items: found, more: false };
	});
	const { start, end } = shownRange(range, range);
	addHint(context, {
		message: more
			? `Only the first ${limit} events from ${start} to ${end} are here. Turn on 'Return All' to get all of them.`
			: items.length > 0
				? `${items.length} events from ${start} to ${end}`
				: `No events from ${start} to ${end}${range.searchTerm ? ` contain "${range.searchTerm}". Change '${form.searchTermField.displayName}' or choose a longer range` : '. Choose a longer range'} to get more.`,
		type: 'info',
	});
	return items;
}

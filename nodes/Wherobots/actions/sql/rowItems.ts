import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { items, item } from '../../parameters/items';
import { MAX_TOOL_ITEMS } from '../../parameters/toolUse';
import { ROW_CAP } from '../../transport/sql/rows';
import { addHint, hintNoResults } from '../operations/hint';
import type { Call } from '../operations/operation';

/** Maximum length of a value's text, and of the JSON of all rows, for a model, which reads all of it. */
const MAX_TOOL_TEXT = 1_000;
const MAX_TOOL_CHARACTERS = 50_000;

/** One item for each row, up to `maxRows`. Omissions are noted. */
export function rowItems(call: Call, rows: IDataObject[], maxRows: number): INodeExecutionData[] {
	if (call.input.isToolUse) return toolItems(rows, Math.min(maxRows, MAX_TOOL_ITEMS - 1));
	if (rows.length === 0) hintNoResults(call, 'rows', [], 'in the result of the query');
	const message =
		rows.length >= ROW_CAP && maxRows >= ROW_CAP
			? `These are the first ${ROW_CAP} rows: the service sends no more. For all of them, set 'Output' to a CSV or GeoJSON file.`
			: rows.length > maxRows &&
				`Only ${maxRows} of at least ${rows.length} rows are returned ('Max Rows').`;
	if (message) addHint(call.context, { message, type: 'warning' });
	return items(rows.slice(0, maxRows));
}

/** The rows for a model: limited in number and in length. */
function toolItems(rows: IDataObject[], maxRows: number): INodeExecutionData[] {
	const shown: IDataObject[] = [];
	let length = 0;
	let isCut = false;
	for (const row of rows.slice(0, maxRows)) {
		const short = Object.fromEntries(
			Object.entries(row).map(([name, value]) => [name, shortened(value)]),
		);
		isCut ||= Object.keys(row).some((name) => row[name] !== short[name]);
		length += JSON.stringify(short).length;
		if (shown.length > 0 && length > MAX_TOOL_CHARACTERS) break;
		shown.push(short);
	}
	const count = rows.length >= ROW_CAP ? `${ROW_CAP} or more` : String(rows.length);
	const notes = [
		shown.length < rows.length &&
			`Only the first ${shown.length} of ${count} rows are shown. Aggregate, filter or use LIMIT.`,
		isCut && `Values longer than ${MAX_TOOL_TEXT} characters are cut.`,
		rows.length === 0 && 'The query returned no rows.',
	].filter(Boolean);
	return [...items(shown), ...(notes.length > 0 ? [item({ note: notes.join(' ') })] : [])];
}

function shortened(value: IDataObject[string]): IDataObject[string] {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	if (text === undefined || text.length <= MAX_TOOL_TEXT) return value;
	return `${text.slice(0, MAX_TOOL_TEXT).replace(/\p{Cs}$/u, '')}… (${text.length} characters)`;
}

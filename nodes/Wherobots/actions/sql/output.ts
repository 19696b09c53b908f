import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { MAX_TOOL_ITEMS } from '../../form/input';
import { toItem, toItems } from '../../form/output';
import type { Rows } from '../../useCases/sql/rows';
import { downloadResult } from '../../useCases/files/storage';
import { Failure } from '../../transport/failure';
import { storeDownload, addMap } from '../operations/itemFiles';
import { addHint, addHintOnce, type Call, addNoResultsHint } from '../operations/operation';
import type { ResultFile } from './query';

/**
 * The item for a result that the session stored as a file, with the file. An empty result has no file;
 * its item has `rows: 0`.
 *
 * @throws Failure when the file cannot be fetched
 */
export async function createFileItem(
	call: Call,
	uri: string | null,
	{ name, mimeType, field, map }: ResultFile,
	ids: { executionId: string; sessionId: string },
): Promise<INodeExecutionData> {
	const { client, context } = call;
	if (uri !== null && !/^https?:/i.test(uri)) {
		throw new Failure({
			message: 'The SQL session did not provide a URL for downloading the result',
			description: `Its result is at ${uri}. Fetch it from there.`,
			facts: { resultUri: uri },
		});
	}
	return await addMap(context, map, async (watch) => {
		if (uri === null) {
			const message = `The result has no rows, so there is no file in ${field}.`;
			addHintOnce(call, 'no file', { message, type: 'info' });
			return toItem({ rows: 0, ...ids, state: 'succeeded' });
		}
		const { binary, tally } = await downloadResult(
			client,
			uri,
			async (bytes, reader) => await storeDownload(context, reader, watch(bytes), name, mimeType),
		);
		return {
			json: { fileName: name, ...tally, ...ids, state: 'succeeded' },
			binary: { [field]: binary },
		};
	});
}

/** Maximum length of a value's text, and of the JSON of all rows, for a model, which reads all of it. */
const MAX_TOOL_TEXT = 1_000;
const MAX_TOOL_CHARACTERS = 50_000;

/** The number of rows after which the service may leave out the others, as its documentation says. */
const DOCUMENTED_CAP = 1_000;
/** A column that is probably meant, since a text would have a name: `SELECT "name" FROM`. */
const QUOTED_COLUMN = /\bselect\s+("[\w ]+")\s*(?:,|from\b)/i;
const ENDS_WITH_CAP = /\blimit\s+1000[\s;)]*$/i;

type Shown = { maxRows?: number } & Partial<Record<'text' | 'enough' | 'note', string>>;

/**
 * One item for each row, up to a maximum. Omissions and other names of columns are noted.
 *
 * @param shown the maximum, the statement, what to do if a part is enough, and what else a model is told
 */
export function toRowItems(
	call: Call,
	{ rows, columns, renamed }: Rows,
	{ maxRows = Infinity, text = '', enough = '', note = '' }: Shown,
): INodeExecutionData[] {
	// A query that asks for so many rows gets what it wants.
	const mayBeCut = rows.length === DOCUMENTED_CAP && !ENDS_WITH_CAP.test(text);
	if (call.input.isToolUse) {
		return toToolItems(rows, Math.min(maxRows, MAX_TOOL_ITEMS - 1), mayBeCut, note);
	}
	if (rows.length === 0) {
		const of = columns.length > 0 ? ` (its columns are ${columns.join(', ')})` : '';
		addNoResultsHint(call, 'rows', [], `in the result of the query${of}`);
	}
	const [, quoted] = QUOTED_COLUMN.exec(text) ?? [];
	const messages = [
		rows.length > maxRows
			? `Only ${maxRows} of ${rows.length} rows are returned ('Max Rows').`
			: mayBeCut &&
				`This result has ${DOCUMENTED_CAP} rows, the most that the service promises, so some may be missing. To get all rows, set 'Output' to a file. If ${DOCUMENTED_CAP} rows are enough, ${enough}.`,
		renamed.length > 0 &&
			`Some columns have the same name, so they were renamed: ${renamed.join(', ')}. Use AS in the query to name them.`,
	];
	if (quoted) {
		const message = `${quoted} in double quotes is text in Spark SQL: put names in backticks.`;
		addHintOnce(call, 'quoted', { message, type: 'warning' });
	}
	for (const message of messages) {
		if (message) addHint(call.context, { message, type: 'warning' });
	}
	return toItems(rows.slice(0, maxRows));
}

/** The rows for a model: limited in number and in length. */
function toToolItems(
	rows: IDataObject[],
	maxRows: number,
	mayBeCut: boolean,
	note: string,
): INodeExecutionData[] {
	const shown: IDataObject[] = [];
	let length = 0;
	let isCut = false;
	for (const row of rows.slice(0, maxRows)) {
		const short = Object.fromEntries(
			Object.entries(row).map(([name, value]) => [name, shorten(value)]),
		);
		isCut ||= Object.keys(row).some((name) => row[name] !== short[name]);
		length += JSON.stringify(short).length;
		if (shown.length > 0 && length > MAX_TOOL_CHARACTERS) break;
		shown.push(short);
	}
	const count = mayBeCut ? `${rows.length} or more` : String(rows.length);
	const notes = [
		shown.length < rows.length &&
			`Only the first ${shown.length} of ${count} rows are shown. Aggregate, filter or use LIMIT.`,
		isCut && `Values longer than ${MAX_TOOL_TEXT} characters are cut.`,
		rows.length === 0 && 'The query returned no rows.',
		note,
	].filter(Boolean);
	return [...toItems(shown), ...(notes.length > 0 ? [toItem({ note: notes.join(' ') })] : [])];
}

function shorten(value: IDataObject[string]): IDataObject[string] {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	if (text === undefined || text.length <= MAX_TOOL_TEXT) return value;
	return `${text.slice(0, MAX_TOOL_TEXT).replace(/\p{Cs}$/u, '')}… (${text.length} characters)`;
}

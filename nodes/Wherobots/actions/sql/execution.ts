/** How the operations execute their statements: in sessions, and what items say of the results. */
import { randomUUID } from 'crypto';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { MAX_TOOL_ITEMS } from '../../form/input';
import { toItem, toItems } from '../../form/output';
import { downloadResult } from '../../useCases/files/storage';
import { describeClosing, type Statement, type StatementAdvice } from '../../useCases/sql/problems';
import { readRows, type Rows } from '../../useCases/sql/rows';
import { openSession, type ReadySession, type SessionState } from '../../useCases/sql/session';
import { executeSql, type StatementResult } from '../../useCases/sql/statement';
import { examine } from '../../service/sql/statements';
import { CancelledError } from '../../transport/clock';
import { explainReading, Failure, isTemporary, settle } from '../../transport/failure';
import { formatSeconds } from '../../transport/text';
import { storeDownload, addMap } from '../operations/itemFiles';
import { isSkipped, sendOnceForKey } from '../operations/deduplicationKey';
import { addHint, addHintOnce, type Call, addNoResultsHint } from '../operations/operation';
import * as form from './fields';
import { addStatement, ownAdvice, type Query, type readSettings, type ResultFile } from './query';

/** A shorter wait for a session, in milliseconds, is not worth mentioning. */
const NOTABLE_START_MS = 5_000;

interface Ids {
	executionId: string;
	sessionId: string;
}

/** @throws Failure where there are no sockets */
function requireSockets(): void {
	if (typeof WebSocket === 'function') return;
	throw new Failure({
		message: 'SQL needs n8n on Node.js 22 or later',
		description:
			'This n8n runs on an older Node.js, which cannot connect to SQL sessions. No session was started. Update n8n to a version that runs on Node.js 22 or 24.',
		isInput: true,
	});
}

/** Runs a statement, unless an earlier attempt has executed it, or may have changed data with it. */
export async function runOnce(call: Call, query: Query): Promise<INodeExecutionData[]> {
	const { onlyReads, text } = query.statement;
	const work = call.memory.item<INodeExecutionData[]>('statement', text);
	const mayBeDone = isPossiblyDone(onlyReads);
	const execute = async (onSend: () => void) => {
		const { ids, result, waited } = await send(call, { ...query, onSend });
		return await explainOutput(query, ids, toOutput(call, query, result, { ids, note: waited }));
	};
	return await work.once(async () => {
		const done = await sendOnceForKey(call, query.deduplicationKey, execute, mayBeDone);
		return isSkipped(done) ? [toItem({ ...done })] : done;
	}, mayBeDone);
}

/** Whether a failure leaves open that a statement was executed, or means that it was. */
export const isPossiblyDone =
	(onlyReads: boolean) =>
	({ facts: { state } }: Failure) =>
		state === 'succeeded' || (state === 'unknown' && !onlyReads);

/** Asks the session. */
export type Ask = (statement: string) => Promise<IDataObject[]>;

/** Asks before a statement that writes. @throws Failure that says of that one that it was not sent */
export const createAsk =
	(call: Call, settings: ReturnType<typeof readSettings>, advice?: StatementAdvice): Ask =>
	async (text) => {
		const asking = executeWritten(call, settings, { text, onlyReads: true, advice });
		return (await explainReading(asking, { facts: { state: 'notSent' } })).rows;
	};

/** The columns that a view has, or `QUERY …` returns, as the session describes them. */
export async function fetchColumns(ask: Ask, described: string) {
	const columns = await ask(`DESCRIBE ${described}`);
	return columns.map((each) => ({ name: String(each.col_name), type: String(each.data_type) }));
}

/** Sends a statement, once more where its outcome is lost and that does no harm. */
async function send(call: Call, query: Query) {
	const first = await settle(sendToSession(call, query));
	if (first.ok) return first.value;
	const { error } = first;
	const isOpen = isTemporary(error) && error.facts.state === 'unknown';
	if (!query.statement.isRepeatable || !isOpen) throw error;
	// Whatever becomes of the second, the first may have made its changes.
	const before = `The statement was sent twice. The first attempt failed: ${error.message}.`;
	const context = { before, facts: { state: 'unknown' } };
	return await explainReading(sendToSession(call, query), context);
}

/** Executes a statement in the session of its settings, which is requested if it was not before. */
async function sendToSession(call: Call, query: Query) {
	requireSockets();
	const { client, input, memory } = call;
	const key = ['session', client.account, query.session];
	const state = memory.execution<SessionState>(...key).get(() => ({}));
	const wait = { maxWaitMs: query.sessionWaitMs, advice: ownAdvice.wait };
	const session = await openSession(client, query.session, state, wait, () => {
		const requested = memory.execution<number>('requested sessions');
		requested.value = (requested.value ?? 0) + 1;
		if (requested.value <= query.maxSessions) return;
		throw input.problem(
			form.maxSessionsOption,
			`has been reached: this execution has requested ${query.maxSessions} SQL sessions`,
			'No session was started. Use the settings of an earlier query, whose session is still there, or stop and answer with what you have. Further sessions would cost money.',
		);
	});
	checkFallback(call, query, session);
	query.onSend?.();
	const ids = { executionId: randomUUID(), sessionId: session.id };
	const statement = { ...query.statement, executionId: ids.executionId };
	const result = await executeSql(client, session, statement);
	const { startMs = 0 } = session;
	const isNotable = startMs >= NOTABLE_START_MS;
	const waited = isNotable ? `The SQL session took ${formatSeconds(startMs)} to start.` : '';
	if (waited) addHintOnce(call, 'waits', { message: waited, type: 'info' });
	return { ids, result, waited };
}

/**
 * Executes a statement that the node wrote, and returns what an item says of it, and its rows. Errors have
 * the statement among their details, or what is `shown` in its place.
 */
export async function executeWritten(
	call: Call,
	settings: ReturnType<typeof readSettings>,
	given: Partial<Statement> & Pick<Statement, 'text'> & Pick<Query, 'onSend'> & { shown?: string },
): Promise<{ done: IDataObject; rows: IDataObject[] }> {
	const { text, onlyReads = false, isRepeatable, shown = text, advice = ownAdvice, onSend } = given;
	const mayReturnRows = onlyReads && examine(text).mayReturnRows;
	const output = { output: 'items', geometry: 'wkt', file: undefined } as const;
	const statement = { text, onlyReads, isRepeatable, mayReturnRows, advice };
	const query = { ...addStatement({ ...settings, ...output }, statement), onSend };
	const { ids, result } = await explainReading(send(call, query), { facts: { statement: shown } });
	const { rows } = await explainOutput(query, ids, readResult(call, result));
	return { done: { ...ids, state: 'succeeded' }, rows };
}

/** The result of a statement that succeeded. @throws Failure that says so where it cannot be returned */
async function explainOutput<T>(query: Query, ids: Ids, work: Promise<T>): Promise<T> {
	const output = await settle(work);
	if (output.ok) return output.value;
	if (output.error instanceof CancelledError) throw output.error;
	// n8n's binary store throws errors of its own, which would let the statement be repeated.
	const failure =
		output.error instanceof Failure
			? output.error
			: new Failure({ message: (output.error as Error).message });
	throw failure.withContext({
		before: 'The statement succeeded, but its result could not be returned.',
		after: describeClosing('succeeded', { onlyReads: query.statement.onlyReads, ...ids }),
		facts: { ...ids, state: 'succeeded' },
	});
}

async function readResult({ client }: Call, result: StatementResult): Promise<Rows> {
	if (result.kind === 'rows') return await readRows(client, result.rows, ownAdvice);
	return { rows: [], columns: [], renamed: [] };
}

async function toOutput(
	call: Call,
	query: Query,
	result: StatementResult,
	{ ids, note }: { ids: Ids; note: string },
): Promise<INodeExecutionData[]> {
	if (result.kind === 'stored') {
		return [await createFileItem(call, result.uri, query.file as ResultFile, ids)];
	}
	const found = await readResult(call, result);
	// However a statement begins that writes: it may return a list without rows, or nothing at all.
	const isDone = found.rows.length === 0 && !query.statement.onlyReads;
	if (isDone) return [toItem({ ...ids, state: 'succeeded' })];
	const { text, advice } = query.statement;
	return toRowItems(call, found, { maxRows: query.maxRows, text, enough: advice.enough, note });
}

/**
 * Notes that the session is not the requested one, because of a quota.
 *
 * @throws Failure when the statement was to change something in a session of its own
 */
function checkFallback(call: Call, query: Query, session: ReadySession): void {
	const { id, fallback } = session;
	if (!fallback) return;
	const { sessionType, forceNew } = query.session;
	const what = `The service did not start a session for this query, but used another one of yours (reason: ${fallback})`;
	if (query.statement.onlyReads || (sessionType !== 'single' && !forceNew)) {
		const message = `${what}. That session's SET and USE settings and its temporary views apply to this query.`;
		return addHintOnce(call, 'fallback', { message, type: 'warning' });
	}
	throw new Failure({
		message: 'The service shared an existing session instead of starting a new one',
		description: `${what}. The statement was not sent, because it may change something and others may use that session. Shut down a session that is not needed (SQL Session: Delete), or set 'Session Type' to 'Shared'.\nSession ID: ${id}`,
		facts: { sessionId: id },
	});
}

/**
 * The item for a result that the session stored as a file, with the file. An empty result has no file;
 * its item has `rows: 0`.
 *
 * @throws Failure when the file cannot be fetched
 */
async function createFileItem(
	call: Call,
	uri: string | null,
	{ name, mimeType, field, map }: ResultFile,
	ids: Ids,
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

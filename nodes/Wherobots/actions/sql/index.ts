import { randomUUID } from 'crypto';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { runRegionFilter } from '../../form/fields';
import { toItem } from '../../form/output';
import { describeClosing } from '../../useCases/sql/problems';
import { readRows, type Rows } from '../../useCases/sql/rows';
import { openSession, type ReadySession, type SessionState } from '../../useCases/sql/session';
import { executeSql, type StatementResult } from '../../useCases/sql/statement';
import { simplifySession, type SqlSession } from '../../service/sql/protocol';
import { examine } from '../../service/sql/statements';
import { CancelledError } from '../../transport/clock';
import { explainReading, Failure, isTemporary, settle } from '../../transport/failure';
import { formatSeconds } from '../../transport/text';
import { defineDelete, defineGetMany } from '../operations/declared';
import { isSkipped, sendOnceForKey } from '../operations/onceForKey';
import { type Call, addHintOnce, type Operation, type Resource } from '../operations/operation';
import * as form from './fields';
import { createFileItem, toRowItems } from './output';
import { prepareFiles, storedFields } from './storedFiles';
import {
	addStatement,
	advice,
	type Query,
	queryParametersField,
	readQuery,
	type readSettings,
	type ResultFile,
} from './query';

/** A shorter wait for a session, in milliseconds, is not worth mentioning. */
const NOTABLE_START_MS = 5_000;

const executeQuery: Operation = {
	option: {
		name: 'Execute Query',
		value: 'executeQuery',
		action: 'Execute SQL query for rows or map',
		description: 'Execute a Spark SQL statement and return its rows as items or as a file',
	},
	fields: [
		form.queryField,
		queryParametersField,
		form.readOnlyField,
		form.readOnlyToolField,
		form.queryOutputField,
		...storedFields,
		form.geometryField,
		form.sessionRuntimeField,
		form.sessionRegionField,
		form.optionsField,
	],
	requestFields: {
		runtimeId: form.sessionRuntimeField,
		shutdownAfterInactiveSeconds: form.unusedTimeoutOption,
	},
	kind: 'write',
	async execute(call) {
		const { context, input } = call;
		if (input.choice(form.queryOutputField) === 'storage') {
			const submit = prepareFiles(call, fetchRows);
			requireSockets();
			return { submit };
		}
		const query = readQuery(input, context.getTimezone());
		requireSockets();
		return { submit: async () => await runOnce(call, query) };
	},
};

/** @throws Failure where there are no sockets */
export function requireSockets(): void {
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
	const execute = async () => await run(call, query);
	return await work.once(async () => {
		if (onlyReads) return await execute();
		const options = call.input.within(form.optionsField);
		const done = await sendOnceForKey(call, options, execute, mayBeDone);
		return isSkipped(done) ? [toItem({ ...done })] : done;
	}, mayBeDone);
}

/** Whether a failure leaves open that a statement was executed, or means that it was. */
export const isPossiblyDone =
	(onlyReads: boolean) =>
	({ facts: { state } }: Failure) =>
		state === 'succeeded' || (state === 'unknown' && !onlyReads);

/** Sends a statement, once more where its outcome is lost and that does no harm. */
async function send(call: Call, query: Query) {
	const first = await settle(sendToSession(call, query));
	if (first.ok) return first.value;
	const { error } = first;
	const isOpen = isTemporary(error) && error.facts.state === 'unknown';
	if (!query.statement.isRepeatable || !isOpen) throw error;
	// Whatever becomes of the second, the first may have made its changes.
	const before = `The statement was sent twice; of the first time, ${error.message}.`;
	const context = { before, facts: { state: 'unknown' } };
	return await explainReading(sendToSession(call, query), context);
}

/** Executes a statement in the session of its settings, which is requested if it was not before. */
async function sendToSession(call: Call, query: Query) {
	const { client, input, memory } = call;
	const key = ['session', client.account, query.session];
	const state = memory.execution<SessionState>(...key).get(() => ({}));
	const wait = { maxWaitMs: query.sessionWaitMs, advice: advice.wait };
	const session = await openSession(client, query.session, state, wait, () => {
		const requested = memory.execution<number>('requested sessions');
		requested.value = (requested.value ?? 0) + 1;
		if (requested.value <= query.maxSessions) return;
		throw input.problem(
			form.maxSessionsOption,
			`is reached: this execution has requested ${query.maxSessions} SQL sessions`,
			'No session was started. Use the settings of an earlier query, whose session is still there, or stop and answer with what you have. Further sessions would cost money.',
		);
	});
	checkFallback(call, query, session);
	const ids = { executionId: randomUUID(), sessionId: session.id };
	const statement = { ...query.statement, executionId: ids.executionId };
	const result = await executeSql(client, session, statement);
	const waited = describeWait(session, result);
	if (waited) addHintOnce(call, 'waits', { message: waited, type: 'info' });
	return { session, ids, result, waited };
}

/** Executes a statement that the node wrote, and returns its rows. @throws Failure as `run` does */
export async function fetchRows(
	call: Call,
	settings: ReturnType<typeof readSettings>,
	text: string,
	onlyReads = true,
) {
	const statement = { text, onlyReads, mayReturnRows: examine(text).mayReturnRows };
	const output = { output: 'items', geometry: 'wkt', file: undefined } as const;
	const { ids, result } = await send(call, addStatement({ ...settings, ...output }, statement));
	const found =
		result.kind === 'rows' ? await readRows(call.client, result.rows, advice) : undefined;
	return { ids, rows: found?.rows ?? [] };
}

/** Executes a statement and returns its items. */
export async function run(call: Call, query: Query): Promise<INodeExecutionData[]> {
	const { session, ids, result, waited } = await send(call, query);
	// A model pays for each word.
	const note = isNotable(session) ? waited : '';
	const output = await settle(toOutput(call, query, result, { ids, note }));
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

/** Executes a statement that the node wrote, without rows or with one, and returns its only item. */
export async function runWritten(
	call: Call,
	settings: ReturnType<typeof readSettings>,
	{ text, onlyReads = false }: { text: string; onlyReads?: boolean },
): Promise<IDataObject> {
	const output = { output: 'items', geometry: 'wkt', file: undefined } as const;
	const statement = { text, onlyReads, mayReturnRows: onlyReads };
	const [{ json }] = await run(call, addStatement({ ...settings, ...output }, statement));
	return json;
}

async function toOutput(
	call: Call,
	query: Query,
	result: StatementResult,
	{ ids, note }: { ids: { executionId: string; sessionId: string }; note: string },
): Promise<INodeExecutionData[]> {
	if (result.kind === 'stored') {
		return [await createFileItem(call, result.uri, query.file as ResultFile, ids)];
	}
	const none: Rows = { rows: [], columns: [], renamed: [] };
	const found = result.kind === 'rows' ? await readRows(call.client, result.rows, advice) : none;
	// However a statement begins that writes: it may return a list without rows, or nothing at all.
	const isDone = found.rows.length === 0 && !query.statement.onlyReads;
	if (isDone) return [toItem({ ...ids, state: 'succeeded' })];
	return toRowItems(call, found, { maxRows: query.maxRows, text: query.statement.text, note });
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
	const what = `The service did not start a session for this query, but shares another one of yours (reason: ${fallback})`;
	if (query.statement.onlyReads || (sessionType !== 'single' && !forceNew)) {
		const message = `${what}, with its SET, USE and temporary views.`;
		return addHintOnce(call, 'fallback', { message, type: 'warning' });
	}
	throw new Failure({
		message: 'The service shared an existing session instead of starting a new one',
		description: `${what}. The statement was not sent, because it may change something and others may use that session. Shut down a session that is not needed (SQL Session: Delete), or change 'Session Type' and 'Start New Session'.\nSession ID: ${id}`,
		facts: { sessionId: id },
	});
}

function isNotable({ startMs = 0 }: ReadySession): boolean {
	return startMs >= NOTABLE_START_MS;
}

/** What an execution waited for, as far as it is worth mentioning. */
function describeWait(session: ReadySession, { progress }: StatementResult): string {
	const { startMs = 0 } = session;
	const notes = [
		isNotable(session) && `The SQL session took ${formatSeconds(startMs)} to start.`,
		progress && `The statement completed ${progress.completed} of ${progress.total} tasks.`,
	];
	return notes.filter(Boolean).join(' ');
}

const deleteSession = defineDelete({
	option: {
		action: 'Delete SQL session',
		description: 'Shut down a session, so that it stops costing money',
	},
	endpoint: 'deleteSqlSession',
	hint: 'Statements that it is executing, including those of others, are stopped. This cannot be undone.',
});

const getAll = defineGetMany<SqlSession>({
	option: {
		action: 'Get many SQL sessions',
		description: "List the SQL sessions of the credential's owner",
	},
	endpoint: 'listSqlSessions',
	records: 'SQL sessions',
	filters: {
		region: { ...runRegionFilter, description: 'Only include sessions in this compute region' },
	},
	simplify: simplifySession,
});

export const sql: Resource = {
	option: {
		name: 'SQL',
		value: 'sql',
		description: 'Spatial SQL over the catalogs of the organization',
	},
	operations: [executeQuery],
	defaultOperation: 'executeQuery',
};

export const sqlSession: Resource = {
	option: {
		name: 'SQL Session',
		value: 'sqlSession',
		description: 'Sessions that execute SQL and cost money until they shut down',
	},
	operations: [deleteSession, getAll],
};

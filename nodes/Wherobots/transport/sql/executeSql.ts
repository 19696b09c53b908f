import { NodeApiError } from 'n8n-workflow';

import type { Progress } from '../../service/sql/messages';
import {
	addressOf,
	firstFailureOf,
	socketAddress,
	type SqlSession,
} from '../../service/sql/sessions';
import { onlyReads } from '../../service/sql/statements';
import type { Client } from '../client';
import { clock } from '../clock';
import { amend } from '../failures/errors';
import { lines } from '../failures/plainText';
import { toResult } from '../toResult';
import { readSession, type ReadySession } from './openSession';
import {
	runStatement,
	StatementError,
	type Statement,
	type StatementProblem,
	type StatementResult,
} from './runStatement';

/** Waits before each further attempt to connect, in milliseconds: a session may just have become ready. */
const RECONNECT_WAITS_MS = [1_000, 3_000];

/**
 * Sends a statement to a session, once, and gives its result. The connection is closed in any case.
 *
 * @throws NodeApiError when there is no result: says what is known of the statement
 * @throws CancelledError when the execution is cancelled, after cancelling the statement
 */
export async function executeSql(
	client: Client,
	ready: ReadySession,
	statement: Statement,
	onProgress?: (progress: Progress) => void,
): Promise<StatementResult> {
	const sessionId = ready.session.id;
	const ran = await toResult(sendOnce(client, ready, statement, onProgress));
	if (ran.ok) return ran.value;
	const { error } = ran;
	if (error instanceof StatementError) {
		const hasTold = ['notSent', 'cancelled', 'timedOut'].includes(error.problem);
		const failure = hasTold ? '' : await failureIn(client, sessionId);
		throw explain(client, sessionId, statement, error, failure);
	}
	if (error instanceof NodeApiError) amend(error, { facts: { sessionId } });
	throw error;
}

/** Nothing was sent before there is a connection, nor when it ends before the statement. */
async function sendOnce(
	client: Client,
	{ session: { id }, address }: ReadySession,
	statement: Statement,
	onProgress?: (progress: Progress) => void,
): Promise<StatementResult> {
	for (let attempt = 0, current = address; ; attempt++) {
		const isLast = attempt >= RECONNECT_WAITS_MS.length;
		const socket = await client.connect(safeAddress(client, id, current));
		if (socket) {
			const ran = await toResult(runStatement(socket, statement, onProgress));
			socket.close();
			if (ran.ok) return ran.value;
			const notSent = ran.error instanceof StatementError && ran.error.problem === 'notSent';
			if (!notSent || isLast) throw ran.error;
		} else {
			// The platform does not say why: the session may.
			const known = await readSession(client, id);
			const now = known && addressOf(known);
			if (now === undefined) throw notReadyAnyMore(client, id, known);
			if (isLast) throw notConnected(client, id, now);
			current = now;
		}
		await clock.pause(RECONNECT_WAITS_MS[attempt], client.signal);
	}
}

/** What the session says of a failure of its own, if it says so at once. */
async function failureIn(client: Client, sessionId: string): Promise<string> {
	const read = await toResult(readSession(client, sessionId, { retry: 'once' }));
	return read.ok && read.value ? firstFailureOf(read.value) : '';
}

function safeAddress(client: Client, sessionId: string, address: string): string {
	const checked = socketAddress(client.baseUrl, address);
	if (checked.ok) return checked.url;
	throw client.error({
		message: 'The SQL session is at an address that the key must not be sent to',
		description: lines(
			`The address ${checked.problem}. Nothing was sent there, and the statement was not sent.`,
			"Check 'Base URL' in the credential: a session has to be at its host or below it.",
			`Session ID: ${sessionId}`,
		),
	});
}

function notReadyAnyMore(
	client: Client,
	sessionId: string,
	session: SqlSession | undefined,
): NodeApiError {
	return client.error({
		message: 'The SQL session ended before it took the statement',
		description: lines(
			session ? `Its status is ${session.status}.` : 'The service does not know it any more.',
			`The statement was not sent: run the node again. Session ID: ${sessionId}`,
		),
		passing: true,
		facts: session ? { status: session.status } : {},
	});
}

function notConnected(client: Client, sessionId: string, address: string): NodeApiError {
	const { hostname } = new URL(address);
	return client.error({
		message: 'Could not connect to the SQL session',
		description: lines(
			`The session is ready, and its socket on ${hostname} did not open. The statement was not sent.`,
			`Check that n8n can reach wss://${hostname}. If n8n is behind a proxy, start it with NODE_USE_ENV_PROXY=1: sockets do not use n8n's own proxy settings.`,
			`Session ID: ${sessionId}`,
		),
		passing: true,
	});
}

/** What happened, in one sentence, and what is known of the statement itself. */
const ENDS: Record<StatementProblem, [message: string, state: string]> = {
	notSent: ['The connection to the SQL session was lost before the statement was sent', 'notSent'],
	failed: ['The statement failed', 'failed'],
	cancelled: ['The statement was cancelled in the SQL session', 'cancelled'],
	timedOut: ['The statement took too long and was cancelled', 'cancelled'],
	timedOutOpen: ['The statement took too long', 'unknown'],
	lost: ['The connection to the SQL session was lost', 'unknown'],
	forgotten: ['The SQL session no longer knows the statement', 'unknown'],
	unreadable: ['The SQL session sent a message that cannot be read', 'unknown'],
	resultLost: ['The statement succeeded, but its result did not arrive', 'succeeded'],
};

const CSV_ADVICE = 'CSV files hold no geometries: use ST_AsText(column) in the query, or GeoJSON.';

/** Words what is known of a statement that came to no result. */
function explain(
	client: Client,
	sessionId: string,
	{ executionId, text, timeoutMs, store }: Statement,
	error: StatementError,
	failure: string,
): NodeApiError {
	const { problem, message } = error;
	const [what, state] = ENDS[problem];
	const isOpen = state === 'unknown';
	const reads = onlyReads(text);
	const [first] = message.split('\n', 1);
	const isFailed = problem === 'failed';
	const tookTooLong = problem === 'timedOut' || problem === 'timedOutOpen';
	return client.error({
		message: [
			what,
			isFailed && first ? `: ${first}` : '',
			isOpen && !reads ? ': it is not certain what the statement has done' : '',
		].join(''),
		description: lines(
			message !== first || !isFailed ? message : '',
			!message.includes(failure) && `The session says: ${failure}`,
			tookTooLong &&
				`It exceeded ${Math.round(timeoutMs / 1000)} seconds. Raise 'Query Timeout (Seconds)' to wait longer.`,
			problem === 'timedOutOpen' && 'The session did not confirm that it was cancelled.',
			store?.format === 'csv' && /geometry/i.test(message) && CSV_ADVICE,
			whatNext(state, reads),
			`Session ID: ${sessionId}\nExecution ID: ${executionId}`,
		),
		ambiguous: isOpen && !reads,
		passing: (isOpen || state === 'succeeded') && reads,
		facts: {
			sessionId,
			executionId,
			state,
			...(isFailed && message ? { cause: message } : {}),
		},
	});
}

function whatNext(state: string, reads: boolean): string {
	if (state === 'notSent') return 'Nothing was done: run the node again.';
	if (state !== 'unknown' && state !== 'succeeded') return '';
	if (reads) return 'It only reads, so it can be run again.';
	return state === 'succeeded'
		? 'What it changed is done: do not run it again.'
		: 'It was not sent again, because that could change things twice. Before you run it again, check what it was to change.';
}

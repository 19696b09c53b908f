import { NodeApiError } from 'n8n-workflow';

import type { Progress } from '../../service/sql/messages';
import { firstFailureOf, socketAddress } from '../../service/sql/sessions';
import { onlyReads } from '../../service/sql/statements';
import type { Client } from '../client';
import { clock } from '../clock';
import { amend } from '../failures/errors';
import { lines } from '../failures/plainText';
import { toResult } from '../toResult';
import { readSession, waitUntilReady, type ReadySession } from './openSession';
import {
	PROBLEMS,
	runStatement,
	StatementError,
	type Statement,
	type StatementResult,
} from './runStatement';

/** Waits before each further attempt to connect, in milliseconds: a session may just have become ready. */
const RECONNECT_WAITS_MS = [1_000, 3_000];

/** Longest wait for a session that restarts, in milliseconds. */
const RESTART_WAIT_MS = 120_000;

/**
 * Sends a statement to a session, once, and returns its result. The connection is always closed.
 *
 * @throws NodeApiError when there is no result; says what is known about the statement
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
		const isExplained = ['notSent', 'cancelled', 'timedOut'].includes(error.problem);
		const failure = isExplained ? '' : await failureIn(client, sessionId);
		throw explain(client, sessionId, statement, error, failure);
	}
	if (error instanceof NodeApiError) amend(error, { facts: { sessionId } });
	throw error;
}

/** Retries only until the statement is sent. */
async function sendOnce(
	client: Client,
	ready: ReadySession,
	statement: Statement,
	onProgress?: (progress: Progress) => void,
): Promise<StatementResult> {
	const { id } = ready.session;
	for (let attempt = 0, { address } = ready; ; attempt++) {
		const isLast = attempt >= RECONNECT_WAITS_MS.length;
		const socket = await client.connect(safeAddress(client, id, address));
		if (socket) {
			const ran = await toResult(runStatement(socket, statement, onProgress));
			socket.close();
			if (ran.ok) return ran.value;
			const notSent = ran.error instanceof StatementError && ran.error.problem === 'notSent';
			if (!notSent || isLast) throw ran.error;
		} else if (isLast) {
			throw notConnected(client, id, address);
		}
		await clock.pause(RECONNECT_WAITS_MS[attempt], client.signal);
		// The platform does not say why. The session may be over, restarting or at another URL.
		({ address } = await waitUntilReady(client, id, RESTART_WAIT_MS));
	}
}

/** The session's own failure, if the service reports it at once. */
async function failureIn(client: Client, sessionId: string): Promise<string> {
	const read = await toResult(readSession(client, sessionId, { retry: 'once' }));
	return read.ok && read.value ? firstFailureOf(read.value) : '';
}

function safeAddress(client: Client, sessionId: string, address: string): string {
	const checked = socketAddress(client.baseUrl, address);
	if (checked.ok) return checked.url;
	throw client.error({
		message: 'The SQL session is at a URL to which the key must not be sent',
		description: lines(
			`The URL ${checked.problem}. Neither the key nor the statement was sent.`,
			"Check 'Base URL' in the credential: a session must be on its host or a subdomain of it.",
			`Session ID: ${sessionId}`,
		),
	});
}

function notConnected(client: Client, sessionId: string, address: string): NodeApiError {
	const { hostname } = new URL(address);
	return client.error({
		message: 'Could not connect to the SQL session',
		description: lines(
			`The session is ready, but its socket on ${hostname} did not open. The statement was not sent.`,
			`Check that n8n can reach wss://${hostname}. If n8n is behind a proxy, start it with NODE_USE_ENV_PROXY=1: sockets do not use n8n's own proxy settings.`,
			`Session ID: ${sessionId}`,
		),
		temporary: true,
	});
}

const CSV_ADVICE =
	'CSV files cannot contain geometries: use ST_AsText(column) in the query, or GeoJSON.';

/** The error for a statement without a result. */
function explain(
	client: Client,
	sessionId: string,
	{ executionId, text, timeoutMs, store }: Statement,
	error: StatementError,
	failure: string,
): NodeApiError {
	const { problem, message } = error;
	const [what, state] = PROBLEMS[problem];
	const isOpen = state === 'unknown';
	const reads = onlyReads(text);
	const [first] = message.split('\n', 1);
	const isFailed = problem === 'failed';
	const tookTooLong = problem === 'timedOut' || problem === 'timedOutOpen';
	return client.error({
		message: [
			what,
			isFailed && first ? `: ${first}` : '',
			isOpen && !reads ? ': it is not certain what the statement changed' : '',
		].join(''),
		description: lines(
			message !== first || !isFailed ? message : '',
			!message.includes(failure) && `The session reported: ${failure}`,
			tookTooLong &&
				`It exceeded ${Math.round(timeoutMs / 1000)} seconds. Raise 'Query Timeout (Seconds)' to wait longer.`,
			problem === 'timedOutOpen' && 'The session did not confirm that it was cancelled.',
			store?.format === 'csv' && /geometry/i.test(message) && CSV_ADVICE,
			whatNext(state, reads),
			`Session ID: ${sessionId}\nExecution ID: ${executionId}`,
		),
		ambiguous: isOpen && !reads,
		temporary: (isOpen || state === 'succeeded') && reads,
		facts: {
			sessionId,
			executionId,
			state,
			...(isFailed && message ? { cause: message } : {}),
		},
	});
}

function whatNext(state: string, reads: boolean): string {
	if (state === 'notSent') return 'Nothing was changed: run the node again.';
	if (state !== 'unknown' && state !== 'succeeded') return '';
	if (reads) return 'It only reads, so it can be run again.';
	return state === 'succeeded'
		? 'Its changes have been made: do not run it again.'
		: 'It was not sent again, because that could repeat its changes. Before you run it again, check whether they were made.';
}

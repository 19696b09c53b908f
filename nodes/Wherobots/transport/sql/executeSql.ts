import type { NodeApiError } from 'n8n-workflow';

import { csvAdvice } from '../../service/sql/csvColumns';
import { reasonOf, socketUrl } from '../../service/sql/sessions';
import type { Client } from '../client';
import { lines, seconds } from '../failures/plainText';
import { FailedAttempt, LOST, tryAgain } from '../pace/pacedRequest';
import { toResult } from '../toResult';
import { readSession, throwNaming, waitUntilReady, type ReadySession } from './openSession';
import {
	PROBLEMS,
	runStatement,
	StatementError,
	type Statement,
	type StatementResult,
} from './runStatement';

/** Longest wait for a session that restarts, in milliseconds. */
const RESTART_WAIT_MS = 120_000;

/**
 * Sends a statement to a session, once, and returns its result: another connection is made only as
 * long as it was not sent. Every connection is closed.
 *
 * @throws NodeApiError when there is no result; says what is known about the statement
 * @throws CancelledError when the execution is cancelled, after cancelling the statement
 */
export async function executeSql(
	client: Client,
	ready: ReadySession,
	statement: Statement,
): Promise<StatementResult> {
	const { id } = ready;
	return await tryAgain(client, async (attempt) => {
		// The platform does not say why. The session may be over, restarting or at another URL.
		const { address } = attempt === 1 ? ready : await waitUntilReady(client, id, RESTART_WAIT_MS);
		const url = safeUrl(client, id, address);
		const socket = await client.connect(url).catch((error: unknown) => throwNaming(error, id));
		const ran = await toResult(socket ? runStatement(socket, statement) : notConnected(url));
		socket?.close();
		if (ran.ok) return ran.value;
		const { error } = ran;
		if (!(error instanceof StatementError)) throw error;
		throw new FailedAttempt(
			error.state === 'notSent' ? LOST : undefined,
			async () => await explain(client, id, statement, error),
		);
	});
}

function safeUrl(client: Client, sessionId: string, address: string): string {
	try {
		return socketUrl(client.baseUrl, address);
	} catch (error) {
		throw client.error({
			message: 'The SQL session is at a URL to which the key must not be sent',
			description: lines(
				`The URL ${(error as RangeError).message}. Neither the key nor the statement was sent.`,
				"Check 'Base URL' in the credential: a session must be on its host or a subdomain of it.",
				`Session ID: ${sessionId}`,
			),
			facts: { sessionId },
		});
	}
}

async function notConnected(url: string): Promise<never> {
	const { hostname } = new URL(url);
	const problem = `The session is ready, but its socket on ${hostname} did not open. Check that n8n can reach it. If n8n is behind a proxy, start it with NODE_USE_ENV_PROXY=1: sockets do not use n8n's own proxy settings.`;
	return await Promise.reject(new StatementError('notConnected', problem));
}

/** What to do after a statement that ended in this state. */
function whatNext(state: string, { onlyReads }: Statement): string {
	if (state === 'notSent') return 'The statement was not sent: run the node again.';
	if (state !== 'unknown' && state !== 'succeeded') return '';
	if (onlyReads) return 'It only reads, so it can be run again.';
	return state === 'succeeded'
		? 'Its changes have been made: do not run it again.'
		: 'It was not sent again, because that could repeat its changes. Before you run it again, check whether they were made.';
}

/** The error for a statement without a result, with the session's own failure, if it has one. */
async function explain(
	client: Client,
	sessionId: string,
	statement: Statement,
	{ problem, state, message }: StatementError,
): Promise<NodeApiError> {
	const { executionId, onlyReads, timeoutMs, file } = statement;
	const asksSession = state !== 'notSent' && state !== 'cancelled';
	const read = asksSession && (await toResult(readSession(client, sessionId)));
	const failure = (read && read.ok && read.value && reasonOf(read.value)) || '';
	const ambiguous = state === 'unknown' && !onlyReads;
	const changed = ambiguous ? ': it is not certain what the statement changed' : '';
	const [cause] = problem === 'failed' ? message.split('\n', 1) : [''];
	return client.error({
		message: `${PROBLEMS[problem][0]}${cause && `: ${cause}`}${changed}`,
		description: lines(
			message !== cause && message,
			!message.includes(failure) && `The session reported: ${failure}`,
			problem.startsWith('timedOut') &&
				`It exceeded ${seconds(timeoutMs)}. Raise 'Query Timeout (Seconds)' to wait longer.`,
			problem === 'timedOutOpen' && 'The session did not confirm that it was cancelled.',
			file === 'csv' && csvAdvice(message),
			whatNext(state, statement),
			`Session ID: ${sessionId}\nExecution ID: ${executionId}`,
		),
		ambiguous,
		temporary: state === 'notSent' || (onlyReads && (state === 'unknown' || state === 'succeeded')),
		facts: { sessionId, executionId, state, ...(cause ? { cause: message } : {}) },
	});
}

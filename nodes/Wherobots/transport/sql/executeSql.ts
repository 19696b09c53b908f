import { isOver, socketUrl } from '../../service/sql/sessions';
import type { Client } from '../client';
import { CancelledError, clock } from '../clock';
import { explained, Failure, settle } from '../failure';
import { lines } from '../text';
import { LOST, tryAgain } from '../retry';
import { readSession, sessionContext, waitUntilReady, type ReadySession } from './openSession';
import { explain, StatementError, type Statement } from './problems';
import { runStatement, type StatementResult } from './runStatement';
import type { SqlSocket } from './socket';

/** Longest wait for a session that restarts, in milliseconds. */
const RESTART_WAIT_MS = 120_000;

/**
 * How long to connect again, and how long to wait between two attempts, in milliseconds: well within the
 * two minutes after which a session cancels a statement without a connection. A connection that is lost
 * again within `stableMs` continues the same recovery.
 */
const RECONNECT = { withinMs: 60_000, firstDelayMs: 500, maxDelayMs: 5_000, stableMs: 10_000 };

/**
 * Sends a statement to a session, once, and returns its result. Until it is sent, the session may have
 * moved; then only the same socket will do. Every connection is closed.
 *
 * @throws Failure when there is no result; says what is known about the statement
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
		const sockets = [await explained(client.connect(url), sessionContext(id))];
		const reconnect = reconnection(client, id, url, sockets);
		const [socket] = sockets;
		const ran = await settle(
			socket ? runStatement(socket, statement, reconnect) : notConnected(url),
		);
		for (const each of sockets) each?.close();
		if (ran.ok) return ran.value;
		const { error } = ran;
		if (!(error instanceof StatementError)) throw error;
		const failure = await explain(client, id, statement, error);
		throw failure.with({ attempt: failure.facts.state === 'notSent' ? LOST : undefined });
	});
}

/** Makes a lost connection to a session again; each is added to `sockets`. */
function reconnection(
	client: Client,
	sessionId: string,
	url: string,
	sockets: Array<SqlSocket | undefined>,
): () => Promise<SqlSocket | undefined> {
	const { withinMs, firstDelayMs, maxDelayMs, stableMs } = RECONNECT;
	let connectedAt = -Infinity;
	let [until, delayMs] = [0, 0];
	return async () => {
		const now = clock.monotonic();
		if (now - connectedAt > stableMs) [until, delayMs] = [now + withinMs, 0];
		for (;;) {
			await clock.pause(delayMs * (0.5 + Math.random() / 2), client.signal);
			if (clock.monotonic() >= until) return undefined;
			delayMs = Math.min(Math.max(2 * delayMs, firstDelayMs), maxDelayMs);
			const connected = await settle(client.connect(url));
			if (!connected.ok && connected.error instanceof CancelledError) throw connected.error;
			connectedAt = clock.monotonic();
			const socket = connected.ok ? connected.value : undefined;
			if (socket) sockets.push(socket);
			if (socket) return socket;
			const read = await settle(readSession(client, sessionId));
			if (read.ok && (!read.value || isOver(read.value.status))) return undefined;
		}
	};
}

function safeUrl(client: Client, sessionId: string, address: string): string {
	let problem: string;
	try {
		return socketUrl(client.baseUrl, address);
	} catch (error) {
		problem = (error as RangeError).message;
	}
	throw new Failure({
		message: 'The SQL session is at a URL to which the key must not be sent',
		description: lines(
			`The URL ${problem}. Neither the key nor the statement was sent.`,
			"Check 'Base URL' in the credential: a session must be on its host or a subdomain of it.",
			`Session ID: ${sessionId}`,
		),
		facts: { sessionId },
	});
}

async function notConnected(url: string): Promise<never> {
	const { hostname } = new URL(url);
	const problem = `The session is ready, but its socket on ${hostname} did not open. Check that n8n can reach it. If n8n is behind a proxy, start it with NODE_USE_ENV_PROXY=1: sockets do not use n8n's own proxy settings.`;
	return await Promise.reject(new StatementError('notConnected', problem));
}

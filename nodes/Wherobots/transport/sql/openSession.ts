import { NodeApiError } from 'n8n-workflow';

import {
	addressOf,
	isOver,
	READY,
	reasonOf,
	sessionIdIn,
	type SessionType,
	type SqlSession,
} from '../../service/sql/sessions';
import { isRecord } from '../../service/types';
import { bodyStart } from '../bodies';
import type { FileLocation } from '../calls';
import type { Client } from '../client';
import { inTurn } from '../inTurn';
import { amend, explanationOf, failureOf, hasStatus, isAmbiguous } from '../failures/errors';
import { parseJson } from '../json';
import type { FailedResponse, Failure } from '../failures/failure';
import { pollUntil } from '../polling';
import { toResult } from '../toResult';

/** The requested session. Undefined stands for the organization's default. */
export interface SessionRequest {
	region?: string;
	runtimeId?: string;
	/** Whether others with the same request may use it, too. */
	sessionType: SessionType;
	/** Start one even if one could be shared. */
	forceNew: boolean;
	shutdownAfterInactiveSeconds?: number;
	idleTimeoutMinutes?: number;
	version?: string;
	environmentPresetId?: string;
	environmentOverridePresetId?: string;
}

/** The progress of a request, kept by the caller while the same request may be repeated. */
export interface SessionState {
	/** The session that it led to. */
	id?: string;
	/** Set when it is unclear whether the request started one; it is then not sent again. */
	lost?: Failure;
}

/** A session that accepts statements, and the URL of its socket. */
export interface ReadySession {
	session: SqlSession;
	address: string;
}

/** Longest interval between checks of a starting session, in milliseconds. */
const MAX_INTERVAL_MS = 5_000;

const LOOK_FOR = 'a new SQL session (SQL Session: Get Many)';

/**
 * The ready session for a request: the one that it led to before, one that can be shared, or a new
 * one.
 *
 * @param state the progress of the same request so far; updated
 * @throws NodeApiError when it is not ready by the deadline, or has failed; names its ID
 * @throws CancelledError when the execution is cancelled
 */
export async function openSession(
	client: Client,
	request: SessionRequest,
	state: SessionState,
	maxWaitMs: number,
): Promise<ReadySession> {
	if (state.id !== undefined) {
		const known = await readSession(client, state.id);
		if (known && !isOver(known.status)) return await waitUntilReady(client, state.id, maxWaitMs);
		state.id = undefined;
	}
	const id = await startSession(client, request, state);
	return await waitUntilReady(client, id, maxWaitMs);
}

/** The current state of a session; undefined when the service does not know it. */
export async function readSession(
	client: Client,
	id: string,
	options: { retry?: 'once' } = {},
): Promise<SqlSession | undefined> {
	const body = await client
		.call<unknown>('getSqlSession', { path: { session_id: id }, ...options })
		.catch((error: unknown) => {
			if (hasStatus(error, 404)) return null;
			throw error as NodeApiError;
		});
	if (isRecord(body) && typeof body.status === 'string') return { ...body, id } as SqlSession;
	if (body === null || body === undefined) return undefined;
	throw client.error({
		message: 'Wherobots Cloud returned an unexpected response',
		description: `It is not a SQL session: it has no status. Check 'Base URL' in the credential. Session ID: ${id}`,
		facts: { sessionId: id },
	});
}

async function startSession(
	client: Client,
	request: SessionRequest,
	state: SessionState,
): Promise<string> {
	const isShared = request.sessionType === 'multi' && !request.forceNew;
	if (isShared) {
		return (state.id = await requestSession(client, request, { retry: 'repeatable' }));
	}
	return await inTurn(client, `SQL session ${JSON.stringify(request)}`, async () => {
		// Another item or call may have started it meanwhile.
		if (state.id !== undefined) return state.id;
		if (state.lost) throw client.error(state.lost);
		const started = await toResult(requestSession(client, request));
		if (started.ok) return (state.id = started.value);
		if (isAmbiguous(started.error)) state.lost = failureOf(started.error);
		throw started.error;
	});
}

/** Requests a session. @returns its ID */
async function requestSession(
	client: Client,
	{ region, forceNew, ...body }: SessionRequest,
	options: { retry?: 'repeatable' } = {},
): Promise<string> {
	const response = await client.locate('createSqlSession', {
		query: { region, force_new: forceNew || undefined },
		body: { ...body },
		lookFor: LOOK_FOR,
		...options,
	});
	const found = await idIn(response);
	if (typeof found === 'string') return found;
	const lookFor = options.retry === 'repeatable' ? undefined : LOOK_FOR;
	throw client.unreadable('createSqlSession', found, lookFor);
}

/** The session that a response redirects to, or contains if something followed it; else the response. */
async function idIn(response: FileLocation): Promise<string | FailedResponse> {
	if (response.kind === 'redirect') {
		const { location } = response;
		return sessionIdIn(location) ?? { status: 303, contentType: '', text: '', location };
	}
	const { status, headers } = response;
	const text = await bodyStart(response.body, AbortSignal.timeout(BODY_MS));
	const read = await toResult(Promise.resolve(text).then(parseJson));
	const body = read.ok && isRecord(read.value) ? read.value : {};
	if (typeof body.id === 'string' && body.id !== '') return body.id;
	return { status, contentType: headers['content-type'] ?? '', text };
}

/** Longest wait for the body of a response, in milliseconds. */
const BODY_MS = 10_000;

/**
 * Waits until a session accepts statements.
 *
 * @throws NodeApiError when it is not ready by the deadline, or is over; names its ID
 * @throws CancelledError when the execution is cancelled
 */
export async function waitUntilReady(
	client: Client,
	id: string,
	maxWaitMs: number,
): Promise<ReadySession> {
	let seen: SqlSession | undefined;
	const polled = await pollUntil(
		client,
		async () => {
			seen = (await readSession(client, id)) ?? seen;
			if (seen && isOver(seen.status)) throw notStarted(client, seen);
			return seen;
		},
		(session) => session !== undefined && addressOf(session) !== undefined,
		{ maxWaitMs, maxIntervalMs: MAX_INTERVAL_MS },
	).catch((error: unknown) => {
		if (error instanceof NodeApiError) {
			const said = `${error.message}\n${explanationOf(error)}`;
			amend(error, {
				before: said.includes(id) ? undefined : `SQL session: ${id}`,
				facts: { sessionId: id, ...(seen ? { status: seen.status } : {}) },
			});
		}
		throw error as NodeApiError;
	});
	const session = polled.done ? polled.value : undefined;
	const address = session && addressOf(session);
	if (session && address !== undefined) return { session, address };
	throw notReady(client, id, seen, maxWaitMs);
}

function notStarted(client: Client, session: SqlSession): NodeApiError {
	const reason = reasonOf(session);
	const isGone = session.status.startsWith('DESTROY');
	return client.error({
		message: isGone
			? 'The SQL session was shut down before the statement was sent'
			: `The SQL session did not start${reason ? `: ${reason.split('\n', 1)[0]}` : ''}`,
		description: [
			`Its status is ${session.status}. Session ID: ${session.id}`,
			...(reason ? [reason] : []),
			'The statement was not sent.',
		].join('\n'),
		facts: { sessionId: session.id, status: session.status, ...(reason ? { cause: reason } : {}) },
	});
}

function notReady(
	client: Client,
	id: string,
	seen: SqlSession | undefined,
	maxWaitMs: number,
): NodeApiError {
	const isReady = seen?.status === READY;
	const status = seen ? `Its status is ${seen.status}.` : 'The service does not show it yet.';
	const advice = isReady
		? 'Run the node again. If the error persists, delete the session.'
		: "The session is still starting: SQL Session: Get Many shows its status. Raise 'Session Wait (Seconds)' to wait longer.";
	return client.error({
		message: isReady
			? 'The SQL session is ready, but the service did not provide its URL'
			: `The SQL session was not ready within ${Math.round(maxWaitMs / 1000)} seconds`,
		description: `${status} The statement was not sent. Session ID: ${id}\n${advice}`,
		facts: { sessionId: id, ...(seen ? { status: seen.status } : {}) },
	});
}

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

/** What kind of session is wanted. What is undefined is the organization's default. */
export interface SessionRequest {
	region?: string;
	runtimeId?: string;
	/** Whether others with the same request may use it too. */
	sessionType: SessionType;
	/** Start one even when there is one to share. */
	forceNew: boolean;
	shutdownAfterInactiveSeconds?: number;
	idleTimeoutMinutes?: number;
	version?: string;
	environmentPresetId?: string;
	environmentOverridePresetId?: string;
}

/** What has come of a request so far, kept by the caller while the same request may come again. */
export interface SessionState {
	/** The session that it led to. */
	id?: string;
	/** Why it is uncertain whether it has started one. It is not sent again then. */
	lost?: Failure;
}

/** A session that takes statements, and where its socket is. */
export interface ReadySession {
	session: SqlSession;
	address: string;
}

/** Longest time between two looks at a session that is starting, in milliseconds. */
const MAX_INTERVAL_MS = 5_000;

const LOOK_FOR = 'a new SQL session (SQL Session: Get Many)';

/**
 * The session for a request, when it is ready: the one that the request has led to before, one that
 * can be shared, or a new one.
 *
 * @param state what has come of the same request before; brought up to date
 * @throws NodeApiError when there is none by the deadline, or it has failed; names its ID
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

/** A session as it is now; undefined when the service does not know it. */
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

/** Asks for a session. @returns its ID */
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

/**
 * The session that a response leads to, or that it holds where something has followed the redirect;
 * the response when it does neither.
 */
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
 * Waits until a session takes statements.
 *
 * @throws NodeApiError when it does not by the deadline, or is over; names its ID
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
			? 'The SQL session was shut down before it took the statement'
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
		: "The session goes on starting: SQL Session: Get Many shows how far it is. Raise 'Session Wait (Seconds)' to wait longer.";
	return client.error({
		message: isReady
			? 'The SQL session is ready, but the service does not say at which address'
			: `The SQL session was not ready within ${Math.round(maxWaitMs / 1000)} seconds`,
		description: `${status} The statement was not sent. Session ID: ${id}\n${advice}`,
		facts: { sessionId: id, ...(seen ? { status: seen.status } : {}) },
	});
}

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
import type { Client } from '../client';
import { inTurn } from '../inTurn';
import { amend, explanationOf, failureOf, hasStatus, isAmbiguous } from '../failures/errors';
import type { Failure } from '../failures/failure';
import { lines, seconds } from '../failures/plainText';
import { parseJson } from '../json';
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

/** What became of a request, kept by the caller while the same request may be repeated. */
export interface SessionState {
	/** The session that it led to. */
	id?: string;
	/** The ID of the last one that the service has shown. */
	seen?: string;
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

/** Longest wait for the body of a response, in milliseconds. */
const BODY_MS = 10_000;

const LOOK_FOR = 'a new SQL session (SQL Session: Get Many)';

/**
 * The ready session for a request: the one that it led to before, one that can be shared, or a new
 * one. Only a request for a session that can be shared is repeated when its response is lost.
 *
 * @param state what became of the same request so far; updated
 * @param beforeStart called before a session is requested; an error prevents it
 * @throws NodeApiError when it is not ready by the deadline, or has failed; names its ID
 * @throws CancelledError when the execution is cancelled
 */
export async function openSession(
	client: Client,
	request: SessionRequest,
	state: SessionState,
	maxWaitMs: number,
	beforeStart: () => void = () => undefined,
): Promise<ReadySession> {
	const known = state.id === undefined ? undefined : await readSession(client, state.id);
	// One that was just requested may not be shown yet: another one would cost money, too.
	const isGone = known ? isOver(known.status) : state.id === state.seen;
	if (isGone) {
		const former = state.id;
		await inTurn(client, `SQL session ${JSON.stringify(request)}`, async () => {
			// Another item or call may have started it meanwhile.
			if (state.id !== former) return;
			if (state.lost) throw client.error(state.lost);
			beforeStart();
			const started = await toResult(requestSession(client, request));
			if (started.ok) state.id = started.value;
			else if (isAmbiguous(started.error)) state.lost = failureOf(started.error);
			if (!started.ok) throw started.error;
		});
	}
	return await waitUntilReady(client, state.id as string, maxWaitMs, state);
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

/** Requests a session. @returns its ID: a response redirects to it, or contains it */
async function requestSession(
	client: Client,
	{ region, forceNew, ...body }: SessionRequest,
): Promise<string> {
	const isShared = body.sessionType === 'multi' && !forceNew;
	const lookFor = isShared ? undefined : LOOK_FOR;
	const response = await client.locate('createSqlSession', {
		query: { region, force_new: forceNew || undefined },
		body: { ...body },
		lookFor,
		...(isShared ? { retry: 'repeatable' } : {}),
	});
	if (response.kind === 'redirect') {
		const { location } = response;
		const id = sessionIdIn(location);
		if (id !== undefined) return id;
		const led = { status: 303, contentType: '', text: '', location };
		throw client.unreadable('createSqlSession', led, lookFor);
	}
	const { status, headers } = response;
	const text = await bodyStart(response.body, AbortSignal.timeout(BODY_MS));
	const session = await toResult(Promise.resolve(text).then(parseJson));
	const id = session.ok && isRecord(session.value) ? session.value.id : undefined;
	if (typeof id === 'string' && id !== '') return id;
	const contentType = headers['content-type'] ?? '';
	throw client.unreadable('createSqlSession', { status, contentType, text }, lookFor);
}

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
	state: SessionState = {},
): Promise<ReadySession> {
	let seen: SqlSession | undefined;
	const polled = await pollUntil(
		client,
		async () => {
			seen = (await readSession(client, id)) ?? seen;
			if (seen) state.seen = id;
			return seen && { session: seen, address: addressOf(seen) };
		},
		(now) => now !== undefined && (now.address !== undefined || isOver(now.session.status)),
		{ maxWaitMs, maxIntervalMs: MAX_INTERVAL_MS },
	).catch((error: unknown) => throwWith(error, id, seen?.status));
	if (polled.done && polled.value?.address !== undefined) return polled.value as ReadySession;
	const failed = polled.done || !(polled.last instanceof NodeApiError) ? undefined : polled.last;
	throw notReady(client, id, seen, maxWaitMs, failed);
}

/** Throws an error again that names the session it is about. */
export function throwWith(error: unknown, id: string, status?: string): never {
	if (error instanceof NodeApiError) {
		const said = `${error.message}\n${explanationOf(error)}`;
		amend(error, {
			before: said.includes(id) ? undefined : `SQL session: ${id}`,
			facts: { sessionId: id, ...(status ? { status } : {}) },
		});
	}
	throw error as NodeApiError;
}

/** The error for a session that does not accept statements. `failed`: the last check of it. */
function notReady(
	client: Client,
	id: string,
	session: SqlSession | undefined,
	maxWaitMs: number,
	failed: NodeApiError | undefined,
): NodeApiError {
	const status = session?.status ?? '';
	const isFailed = isOver(status);
	const reason = session && isFailed ? reasonOf(session) : '';
	const [first] = reason.split('\n', 1);
	const message = status.startsWith('DESTROY')
		? 'The SQL session was shut down before the statement was sent'
		: isFailed
			? `The SQL session did not start${first && `: ${first}`}`
			: status === READY
				? 'The SQL session is ready, but the service did not provide its URL'
				: `The SQL session was not ready within ${seconds(maxWaitMs)}`;
	const advice = failed
		? lines(`The last check failed: ${failed.message}`, explanationOf(failed))
		: status === READY
			? 'Run the node again. If the error persists, delete the session.'
			: "The session is still starting: SQL Session: Get Many shows its status. Raise 'Session Wait (Seconds)' to wait longer.";
	const unseen = failed ? 'Its status is not known.' : 'The service does not show it yet.';
	return client.error({
		message,
		description: lines(
			`${status ? `Its status is ${status}.` : unseen} The statement was not sent. Session ID: ${id}`,
			isFailed ? reason : advice,
		),
		temporary: failed !== undefined,
		facts: {
			sessionId: id,
			...(status ? { status } : {}),
			...(reason ? { cause: reason } : {}),
		},
	});
}

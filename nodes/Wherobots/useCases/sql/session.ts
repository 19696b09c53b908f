import type { IDataObject } from 'n8n-workflow';

import {
	getAddress,
	isOver,
	READY,
	getReason,
	parseSessionId,
	type SessionType,
	type SqlSession,
} from '../../service/sql/protocol';
import { isRecord } from '../../service/records';
import { readBodyStart } from '../../transport/bytes';
import type { Client } from '../../transport/client';
import { clock } from '../../transport/clock';
import { pollUntil, runLocked } from '../../transport/concurrency';
import {
	explainReading,
	Failure,
	hasStatus,
	isAmbiguous,
	settle,
	type Context,
} from '../../transport/failure';
import { toUnexpectedFailure } from '../../transport/records';
import { joinLines, formatSeconds } from '../../transport/text';

/** The requested session, in the service's names. Undefined stands for a default of the organization. */
interface SessionRequest extends IDataObject {
	region?: string;
	/** Whether others with the same request may use it, too. */
	sessionType: SessionType;
	/** Start one even if one could be shared. */
	forceNew: boolean;
	/** Only requests with the same key share a session. */
	sessionKey?: string;
}

/** The session that a request led to. */
interface Requested {
	id: string;
	/** Why it is another one of the user's sessions, such as a quota. */
	fallback?: string;
}

/** What became of a request, kept by the caller while the same request may be repeated. */
export interface SessionState {
	/** The session, or the error that leaves unclear whether there is one. */
	requested?: Promise<Requested>;
	/** Whether the service has shown this session. */
	isShown?: boolean;
}

/** A session that accepts statements, and the URL of its socket. */
export interface ReadySession extends Requested {
	address: string;
	/** How long it took to be ready, in milliseconds. */
	startMs?: number;
}

/** Longest interval between checks of a starting session, in milliseconds. */
const MAX_INTERVAL_MS = 5_000;

/** The header of a response that leads to another one of the user's sessions, and says why. */
const FALLBACK_HEADER = 'x-wherobots-sql-session-fallback';

const LOOK_FOR = 'a new SQL session (SQL Session: Get Many)';

/**
 * The ready session for a request: the one that it led to before, one that can be shared, or a new
 * one. Only a request for a session that can be shared is repeated when its response is lost.
 *
 * @param state what became of the same request so far; updated
 * @param wait how long to wait, and what to do when that is too short, for the error
 * @param beforeRequest called before a session is requested; an error prevents it
 * @throws Failure when it is not ready by the deadline, or has failed; names its ID
 * @throws CancelledError when the execution is cancelled
 */
export async function openSession(
	client: Client,
	request: SessionRequest,
	state: SessionState,
	wait: { maxWaitMs: number; advice: string },
	beforeRequest: () => void,
): Promise<ReadySession> {
	const { requested, isShown } = state;
	if (requested) {
		const { id, fallback } = await requested;
		const read = await settle(fetchSession(client, id));
		const session = read.ok ? read.value : undefined;
		const address = session && getAddress(session);
		if (isShown && address !== undefined) return { id, fallback, address };
		// One that was just requested may not be shown yet, and one that cannot be read may be there:
		// another one would cost money, too.
		const isGone = read.ok && (session ? isOver(session.status) : isShown);
		if (isGone && state.requested === requested) state.requested = undefined;
	}
	if (!state.requested) {
		beforeRequest();
		state.isShown = false;
		state.requested = requestSession(client, request);
		state.requested.catch((error: unknown) => {
			if (!isAmbiguous(error)) state.requested = undefined;
		});
	}
	const began = clock.monotonic();
	const { id, fallback } = await state.requested;
	const ready = await waitUntilReady(client, id, wait.maxWaitMs, { state, advice: wait.advice });
	return { ...ready, fallback, startMs: clock.monotonic() - began };
}

/** The current state of a session; undefined when the service does not know it. */
export async function fetchSession(client: Client, id: string): Promise<SqlSession | undefined> {
	const path = { session_id: id };
	const read = await settle(client.call('getSqlSession', { path }));
	if (!read.ok && !hasStatus(read.error, 404)) throw read.error;
	const body = read.ok ? read.value : undefined;
	if (isRecord(body) && typeof body.status === 'string') return { ...body, id } as SqlSession;
	if (body === null || body === undefined) return undefined;
	throw toUnexpectedFailure(`It is not a SQL session: it has no status. Session ID: ${id}.`, {
		path,
	});
}

/** Requests a session. The response redirects to it, or contains it. */
async function requestSession(client: Client, request: SessionRequest): Promise<Requested> {
	const { region, forceNew, ...body } = request;
	const isShared = body.sessionType === 'multi' && !forceNew;
	const recoveryHint = isShared ? undefined : LOOK_FOR;
	// Two executions that start together would each start a session to share.
	const response = await runLocked(
		client,
		`SQL session ${JSON.stringify(request)}`,
		async () =>
			await client.locate('createSqlSession', {
				...{ body, recoveryHint, query: { region, force_new: forceNew || undefined } },
				...(isShared ? { retry: 'repeatable' } : {}),
			}),
	);
	const contentType = response.headers['content-type'] ?? '';
	const sent =
		response.kind === 'redirect'
			? { status: response.status, text: '', location: response.location }
			: { status: response.status, text: await readBodyStart(response.body) };
	const id = parseSessionId(sent);
	if (id !== undefined) return { id, fallback: response.headers[FALLBACK_HEADER] };
	throw client.unreadable('createSqlSession', { ...sent, contentType }, recoveryHint);
}

/**
 * Waits until a session accepts statements.
 *
 * @throws Failure when it is not ready by the deadline, or is over; names its ID
 * @throws CancelledError when the execution is cancelled
 */
export async function waitUntilReady(
	client: Client,
	id: string,
	maxWaitMs: number,
	{ state = {}, advice = '' }: { state?: SessionState; advice?: string } = {},
): Promise<ReadySession> {
	let seen: SqlSession | undefined;
	const polling = pollUntil(
		client,
		async () => {
			seen = (await fetchSession(client, id)) ?? seen;
			state.isShown ||= seen !== undefined;
			return seen;
		},
		(session) =>
			session !== undefined && (isOver(session.status) || getAddress(session) !== undefined),
		{ maxWaitMs, maxIntervalMs: MAX_INTERVAL_MS },
	);
	const polled = await explainReading(polling, toSessionContext(id));
	const address = polled.done && polled.value ? getAddress(polled.value) : undefined;
	if (address !== undefined) return { id, address };
	const failed = !polled.done && polled.last instanceof Failure ? polled.last : undefined;
	throw toNotReadyFailure(id, { maxWaitMs, advice }, seen, failed);
}

/** For a failure that is about a session. */
export function toSessionContext(id: string): Context {
	return { before: `Session ID: ${id}`, facts: { sessionId: id } };
}

/** The error for a session that does not accept statements. `failed`: the last check of it. */
function toNotReadyFailure(
	id: string,
	{ maxWaitMs, advice }: { maxWaitMs: number; advice: string },
	seen: SqlSession | undefined,
	failed: Failure | undefined,
): Failure {
	const status = seen?.status;
	const reason = seen && isOver(seen.status) ? getReason(seen) : '';
	const [first, ...others] = reason.split('\n');
	const isDestroyed = status?.startsWith('DESTROY');
	const withoutUrl = status === READY && ', but the service did not provide its URL';
	return new Failure({
		message: isDestroyed
			? 'The SQL session was shut down before the statement was sent'
			: status && isOver(status)
				? `The SQL session did not start${first && `: ${first}`}`
				: `The SQL session was not ready within ${formatSeconds(maxWaitMs)}`,
		description: joinLines(
			`Its status is ${status ?? 'not known'}${withoutUrl || ''}. The statement was not sent. Session ID: ${id}`,
			isDestroyed ? reason : others.join('\n'),
			isDestroyed
				? 'Run the node again.'
				: isOver(status ?? '') && 'Try again later, or with another runtime or region.',
			failed && joinLines(`The last check failed: ${failed.message}`, failed.description),
			!isOver(status ?? '') && `SQL Session: Get Many shows its status. ${advice}`.trimEnd(),
		),
		temporary: failed !== undefined,
		facts: { sessionId: id, ...(status && { status }), ...(reason && { cause: reason }) },
	});
}

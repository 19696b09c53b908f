import {
	isOver,
	parseMessage,
	chooseRowsFormat,
	type SentRows,
	toSocketUrl,
	type StateMessage,
	storeAs,
} from '../../service/sql/protocol';
import type { Client } from '../../transport/client';
import { CancelledError, clock } from '../../transport/clock';
import { explainReading, Failure, settle } from '../../transport/failure';
import { LOST, tryAgain } from '../../transport/retry';
import type { Channel, SqlSocket } from '../../transport/socket';
import { joinLines } from '../../transport/text';
import {
	explainStatement,
	type Problem,
	PROBLEMS,
	type Statement,
	StatementError,
} from './problems';
import { fetchSession, type ReadySession, toSessionContext, waitUntilReady } from './session';

/** Longest wait for a session that restarts, in milliseconds. */
const RESTART_WAIT_MS = 120_000;

/** A connection that is lost again within this time counts as one that was not made, in milliseconds. */
const STABLE_MS = 10_000;

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
	return await tryAgain(client, async (number) => {
		// The platform does not say why. The session may be over, restarting or at another URL.
		const { address } = number === 1 ? ready : await waitUntilReady(client, id, RESTART_WAIT_MS);
		const url = checkUrl(client, id, address);
		const sockets = [await explainReading(client.connect(url), toSessionContext(id))];
		const reconnect = createReconnection(client, id, url, sockets);
		const [socket] = sockets;
		const ran = socket
			? await settle(runStatement(socket, statement, reconnect))
			: { ok: false as const, error: toNotConnectedError(url) };
		for (const each of sockets) each?.close();
		if (ran.ok) return ran;
		const { error } = ran;
		if (!(error instanceof StatementError)) throw error;
		const explain = async () => await explainStatement(client, id, statement, error);
		return { failed: PROBLEMS[error.problem][1] === 'notSent' ? LOST : undefined, explain };
	});
}

/**
 * Makes a lost connection to a session again, each of which is added to `sockets`. As often as time
 * allows, which is well within the two minutes after which a session cancels a statement without one.
 */
function createReconnection(
	client: Client,
	sessionId: string,
	url: string,
	sockets: Array<SqlSocket | undefined>,
): () => Promise<SqlSocket | undefined> {
	const { deadline, signal } = client;
	let connectedAt = -Infinity;
	let progress = { attempts: 0, elapsedMs: 0 };
	return async () => {
		const isStable = clock.monotonic() - connectedAt > STABLE_MS;
		if (isStable) progress = { attempts: 0, elapsedMs: 0 };
		const limits = { deadline, signal, progress, maxAttempts: Infinity };
		const explain = () => new StatementError('lost');
		const connecting = tryAgain<SqlSocket>(limits, async (number) => {
			const startedAt = clock.monotonic();
			if (number === 1 && !isStable) return { failed: LOST, explain };
			const connected = await settle(client.connect(url));
			connectedAt = clock.monotonic();
			if (connected.ok && connected.value) {
				sockets.push(connected.value);
				return { value: connected.value };
			}
			const read = await settle(fetchSession(client, sessionId));
			const isGone = read.ok && (!read.value || isOver(read.value.status));
			const tookMs = clock.monotonic() - startedAt;
			return { failed: isGone ? undefined : LOST, tookMs, explain };
		});
		const made = await settle(connecting);
		if (!made.ok && !(made.error instanceof StatementError)) throw made.error;
		return made.ok ? made.value : undefined;
	};
}

function checkUrl(client: Client, sessionId: string, address: string): string {
	let problem: string;
	try {
		return toSocketUrl(client.baseUrl, address);
	} catch (error) {
		problem = (error as RangeError).message;
	}
	throw new Failure({
		message: "The SQL session's URL is not one that the key may be sent to",
		description: joinLines(
			`The URL ${problem}. Neither the key nor the statement was sent.`,
			"Check 'Base URL' in the credential: a session must be on its host or a subdomain of it.",
			`Session ID: ${sessionId}`,
		),
		facts: { sessionId },
	});
}

function toNotConnectedError(url: string): StatementError {
	const { hostname } = new URL(url);
	const problem = `The session is ready, but n8n could not open a WebSocket to ${hostname}. Check that n8n can reach this host. If n8n is behind a proxy, start n8n with NODE_USE_ENV_PROXY=1: WebSockets do not use n8n's own proxy settings.`;
	return new StatementError('notConnected', problem);
}

/** Limits of a statement, times in milliseconds of real time; tests lower them. */
export const STATEMENT_LIMITS = {
	/** How many bytes of rows it has at most: more are sent as a file. */
	maxRowBytes: 500_000,
	/** After such a silence the session is asked for the state; each further silence is twice as long. */
	silenceMs: 30_000,
	maxSilenceMs: 240_000,
	/** After this wait for a result it is requested once more: each request has all of it sent. */
	resultMs: 120_000,
	/** How long the session may take to explain a failure. */
	explanationMs: 5_000,
	/** How long the session may take to confirm a cancellation. */
	cancelMs: 10_000,
};

/** The result of a statement that succeeded. */
export type StatementResult =
	| { kind: 'rows'; rows: SentRows }
	/** As a file at this URL; null when it is empty. */
	| { kind: 'stored'; uri: string | null }
	/** It has no rows. */
	| { kind: 'done' };

/** What is known of a statement that was sent; a success is final. */
type Phase = 'running' | 'cancelling' | 'failing' | 'fetching';

/** What is heard of it. */
type Happening =
	/** The session says so. */
	| ('succeeded' | 'failed' | 'cancelled')
	/** An error event of its own, or one that may only refuse a question. */
	| ('error' | 'refusal')
	/** The session does not know it, and does not report its end. */
	| 'gone'
	/** Something arrived that is no message. */
	| 'unreadable'
	/** The connection ended; again, while the result was sent; and cannot be made again. */
	| ('cut' | 'cutAgain' | 'lost')
	/** The time for the phase is over. */
	| 'overdue';

/** The phase that follows, or the problem with which it ends; where there is neither, nothing changes. */
const TRANSITIONS: Record<Phase, Partial<Record<Happening, Phase | Problem>>> = {
	running: {
		succeeded: 'fetching',
		failed: 'failing',
		cancelled: 'cancelled',
		error: 'failed',
		refusal: 'unclear',
		gone: 'lost',
		unreadable: 'unreadable',
		lost: 'lost',
		overdue: 'cancelling',
	},
	cancelling: {
		succeeded: 'fetching',
		// Sessions differ in what they call a statement that was cancelled. An error means nothing: the
		// session may refuse to cancel what has just ended.
		failed: 'timedOut',
		cancelled: 'timedOut',
		gone: 'timedOutOpen',
		unreadable: 'unreadable',
		lost: 'lost',
		overdue: 'timedOutOpen',
	},
	failing: {
		succeeded: 'fetching',
		error: 'failed',
		refusal: 'failed',
		unreadable: 'failed',
		cut: 'failed',
		overdue: 'failed',
	},
	fetching: {
		failed: 'resultLost',
		cancelled: 'resultLost',
		error: 'resultLost',
		refusal: 'resultLost',
		gone: 'resultLost',
		unreadable: 'resultLost',
		cutAgain: 'resultCut',
		lost: 'resultLost',
		overdue: 'resultLost',
	},
};

/**
 * Sends a statement, once, and follows it to its end. In case messages get lost, the session is asked
 * for the state; over a new connection, also to report to that one. When the n8n execution is
 * cancelled, so is the statement.
 *
 * @param reconnect connects again to the same session; undefined when that is not possible
 * @throws StatementError when it has no result
 * @throws CancelledError when the n8n execution is cancelled
 */
export async function runStatement(
	channel: Channel,
	statement: Statement,
	reconnect: () => Promise<Channel | undefined>,
): Promise<StatementResult> {
	const { executionId: execution_id, text, file } = statement;
	const store = file && { store: storeAs(file) };
	const request = { kind: 'execute_sql', execution_id, statement: text, ...store } as const;
	if (!channel.send({ ...request, enable_progress_events: true })) {
		throw new StatementError('notSent');
	}
	return await new Execution(channel, statement, reconnect).follow();
}

class Execution {
	private phase: Phase = 'running';

	private deadline: number;

	/** When to ask the session, unless it reports something before. */
	private askAt = 0;

	private silenceMs = 0;

	/** Whether it was asked and has not answered, and how often since the result is there. */
	private isAsked = false;

	private resultRequests = 0;

	private resultCuts = 0;

	/** After a lost connection: whether the session reports to the new one. */
	private attached: boolean | undefined;

	constructor(
		private channel: Channel,
		private readonly statement: Statement,
		private readonly reconnect: () => Promise<Channel | undefined>,
	) {
		this.deadline = performance.now() + statement.timeoutMs;
		this.expectNews();
	}

	async follow(): Promise<StatementResult> {
		for (;;) {
			const step = await settle(this.next());
			if (step.ok && step.value) return step.value;
			if (step.ok) continue;
			if (step.error instanceof CancelledError) this.cancel();
			throw step.error;
		}
	}

	private async next(): Promise<StatementResult | undefined> {
		const now = performance.now();
		if (now >= this.deadline) this.take('overdue');
		else if (now >= this.askAt) this.ask();
		const received = await this.channel.receive(Math.min(this.deadline, this.askAt) - now);
		if (received.kind === 'lost') await this.moveOn(received.problem);
		if (received.kind === 'unreadable') this.take('unreadable', received.problem);
		if (received.kind !== 'message') return undefined;
		const message = parseMessage(received.message, this.statement.executionId);
		if (message?.kind === 'state') return this.takeState(message);
		if (message?.kind === 'error') this.takeError(message.message);
		if (message?.kind === 'progress') this.expectNews();
		return undefined;
	}

	/** @throws StatementError when this is the end */
	private take(happening: Happening, message = ''): void {
		const next = TRANSITIONS[this.phase][happening] ?? this.phase;
		// Why it failed is what the session says, not what becomes of the connection.
		const isReason = this.phase !== 'failing' || happening === 'error' || happening === 'refusal';
		if (next in PROBLEMS) throw new StatementError(next as Problem, isReason ? message : '');
		if (next === this.phase) return;
		this.phase = next as Phase;
		this.askAt = Infinity;
		if (next === 'cancelling') this.cancel();
		const { cancelMs, explanationMs } = STATEMENT_LIMITS;
		if (next === 'cancelling') this.deadline = performance.now() + cancelMs;
		if (next === 'failing') this.deadline = performance.now() + explanationMs;
	}

	/** Handles a state, sent unasked or as an answer. An unknown one counts as still running. */
	private takeState(message: StateMessage): StatementResult | undefined {
		const { isAnswer, isAttached, failure } = message;
		const state = failure !== undefined && message.state !== 'succeeded' ? 'failed' : message.state;
		if (isAnswer) this.isAsked = false;
		else this.expectNews();
		if (isAttached) this.attached = true;
		// After a lost connection it may be the session that cancelled it, when changes were made.
		const isLost = state === 'cancelled' && this.attached !== undefined;
		if (isLost && this.phase === 'running') this.take('gone');
		if (/^(succeeded|failed|cancelled)$/.test(state)) this.take(state as Happening, failure);
		if (failure !== undefined && state === 'failed') this.take('error', failure);
		return state === 'succeeded' ? this.takeSuccess(message) : undefined;
	}

	private takeSuccess({ isAnswer, uri, rows }: StateMessage): StatementResult | undefined {
		if (this.statement.file) {
			if (uri !== undefined) return { kind: 'stored', uri };
			// The session's own report brings the URL; an answer of an older one does not.
			if (isAnswer) return undefined;
			throw new StatementError('resultLost', 'The session did not provide a URL for its file');
		}
		if (!this.statement.mayReturnRows) return { kind: 'done' };
		if (isAnswer) return rows ? { kind: 'rows', rows } : { kind: 'done' };
		// A repeated report needs no second request.
		if (this.resultRequests === 0) this.ask();
		return undefined;
	}

	/** It may be about the statement, or about a request for its state or result or to cancel it. */
	private takeError(message: string): void {
		const isForgotten = /execution.{0,60}not found/i.test(message);
		const wasAsked = this.isAsked;
		this.isAsked = false;
		if (!isForgotten) return this.take(wasAsked ? 'refusal' : 'error', message);
		// The session remembers only some, and reports the end of others all the same.
		this.askAt = Infinity;
		if (this.phase === 'fetching' || this.attached === false) this.take('gone', message);
	}

	/** Only what the session itself reports ends a silence. */
	private expectNews(): void {
		if (this.phase !== 'running') return;
		this.silenceMs = STATEMENT_LIMITS.silenceMs;
		this.askAt = performance.now() + this.silenceMs;
	}

	/** Asks for the state and the result. A connection that is lost by then is reported by `receive`. */
	private ask(): void {
		const now = performance.now();
		const isFetching = this.phase === 'fetching';
		const { maxSilenceMs, resultMs } = STATEMENT_LIMITS;
		if (isFetching) this.askAt = this.resultRequests++ === 0 ? now + resultMs : Infinity;
		else {
			this.silenceMs = Math.min(2 * this.silenceMs, maxSilenceMs);
			this.askAt = now + this.silenceMs;
		}
		this.isAsked = true;
		this.channel.send({
			kind: 'retrieve_results',
			execution_id: this.statement.executionId,
			...chooseRowsFormat(this.statement.geometry),
			...(this.attached === false && { attach: true }),
		});
	}

	private cancel(): void {
		this.channel.send({ kind: 'cancel', execution_id: this.statement.executionId });
	}

	/** Continues on a new connection. */
	private async moveOn(problem: string): Promise<void> {
		const isAgain = this.phase === 'fetching' && this.resultCuts++ > 0;
		this.take(isAgain ? 'cutAgain' : 'cut', problem);
		const channel = await this.reconnect();
		if (!channel) return this.take('lost', problem);
		this.channel = channel;
		this.attached = false;
		this.resultRequests = 0;
		this.ask();
		this.expectNews();
		if (this.phase === 'cancelling') this.cancel();
	}
}

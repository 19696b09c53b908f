import {
	readMessage,
	storeAs,
	type ErrorMessage,
	type FileFormat,
	type Geometry,
	type SentRows,
	type StateMessage,
} from '../../service/sql/messages';
import { CancelledError } from '../clock';
import { toResult } from '../toResult';
import type { Channel } from './socket';

/** Limits of a statement, in milliseconds of real time; tests shorten them. */
export const STATEMENT_LIMITS = {
	/** After each such silence the session is asked for the state, because messages get lost. */
	silenceMs: 20_000,
	/** How long the session may take to explain a failure. */
	explanationMs: 5_000,
	/** How long the session may take to confirm a cancellation. */
	cancelMs: 10_000,
};

export interface Statement {
	executionId: string;
	text: string;
	onlyReads: boolean;
	mayReturnRows: boolean;
	geometry: Geometry;
	/** Have the session store the result as a file instead of sending rows. */
	file?: FileFormat;
	timeoutMs: number;
}

/** The result of a statement that succeeded. */
export type StatementResult =
	| { kind: 'rows'; rows: SentRows }
	/** As a file at this URL; null when it is empty. */
	| { kind: 'stored'; uri: string | null }
	/** It has no rows. */
	| { kind: 'done' };

/** Why a statement has no result: what happened, and what is known about the statement itself. */
export const PROBLEMS = {
	notConnected: ['Could not connect to the SQL session', 'notSent'],
	notSent: ['The connection to the SQL session was lost before the statement was sent', 'notSent'],
	failed: ['The statement failed', 'failed'],
	cancelled: ['The statement was cancelled in the SQL session', 'cancelled'],
	timedOut: ['The statement took too long and was cancelled', 'cancelled'],
	timedOutOpen: ['The statement took too long', 'unknown'],
	lost: ['The connection to the SQL session was lost', 'unknown'],
	unclear: ['The SQL session does not report the outcome of the statement', 'unknown'],
	unreadable: ['The SQL session sent a message that cannot be read', 'unknown'],
	resultLost: ['The statement succeeded, but its result did not arrive', 'succeeded'],
} as const;

export type StatementProblem = keyof typeof PROBLEMS;

/** A statement without a result. The message is what the session or the connection reported. */
export class StatementError extends Error {
	override readonly name = 'StatementError';

	constructor(
		readonly problem: StatementProblem,
		message = '',
	) {
		super(message);
	}

	/** What is known about the statement. */
	get state(): (typeof PROBLEMS)[StatementProblem][1] {
		return PROBLEMS[this.problem][1];
	}
}

/**
 * Sends a statement, once, and follows it to its end. In case messages get lost, the session is asked
 * for its state. When the execution is cancelled, so is the statement.
 *
 * @throws StatementError when it has no result
 * @throws CancelledError when the execution is cancelled
 */
export async function runStatement(
	channel: Channel,
	statement: Statement,
): Promise<StatementResult> {
	const { executionId: execution_id, text, file } = statement;
	const store = file && { store: storeAs(file) };
	if (!channel.send({ kind: 'execute_sql', execution_id, statement: text, ...store })) {
		throw new StatementError('notSent');
	}
	const followed = await toResult(new Execution(channel, statement).follow());
	if (followed.ok) return followed.value;
	if (followed.error instanceof CancelledError) channel.send({ kind: 'cancel', execution_id });
	throw followed.error;
}

/** One statement from sending to its end. */
class Execution {
	/** Success is final; a failure waits for its reason, and a request to cancel to be confirmed. */
	private known: 'running' | 'cancelling' | 'failed' | 'succeeded' = 'running';

	private deadline: number;

	/** When to ask the session for the state, unless it sends it before. */
	private askAt = performance.now() + STATEMENT_LIMITS.silenceMs;

	/** Whether it was asked and has not answered. */
	private asked = false;

	constructor(
		private readonly channel: Channel,
		private readonly statement: Statement,
	) {
		this.deadline = performance.now() + statement.timeoutMs;
	}

	async follow(): Promise<StatementResult> {
		for (;;) {
			const now = performance.now();
			if (now >= this.deadline) this.outOfTime();
			else if (now >= this.askAt) this.ask();
			const until = Math.min(this.deadline, this.askAt);
			const received = await this.channel.receive(until - now);
			if (received.kind === 'silence') continue;
			if (received.kind !== 'message') throw this.error(received.kind, received.problem);
			const message = readMessage(received.message, this.statement.executionId);
			if (message?.kind === 'error') this.takeError(message);
			const result = message?.kind === 'state' ? this.takeState(message) : undefined;
			if (result) return result;
		}
	}

	/** It may be about the statement, about a request for its result or to cancel it, or the session. */
	private takeError({ message, isNamed }: ErrorMessage): void {
		if (this.known === 'failed') throw this.error('failed', message);
		// The session may refuse to cancel what has just ended, so nothing follows from it.
		if (this.known === 'cancelling') return;
		const isClear = isNamed && !this.asked && !/execution.{0,60}not found/i.test(message);
		throw this.error(isClear ? 'failed' : 'unclear', message);
	}

	/** Handles a state, sent unasked or as an answer. An unknown one counts as still running. */
	private takeState(message: StateMessage): StatementResult | undefined {
		const { state, isAnswer, failure } = message;
		// Only messages about this statement end a silence.
		this.askAt = performance.now() + STATEMENT_LIMITS.silenceMs;
		if (isAnswer) this.asked = false;
		if (state === 'succeeded') return this.takeSuccess(message);
		if (failure !== undefined) throw this.error('failed', failure);
		if (state === 'cancelled') {
			throw this.error(this.known === 'cancelling' ? 'timedOut' : 'cancelled');
		}
		if (state === 'failed' && this.known === 'succeeded') throw this.error('failed');
		if (state === 'failed' && this.known !== 'failed') {
			this.expect('failed', STATEMENT_LIMITS.explanationMs);
		}
		return undefined;
	}

	private takeSuccess({ isAnswer, uri, rows }: StateMessage): StatementResult | undefined {
		const wasKnown = this.known === 'succeeded';
		this.known = 'succeeded';
		if (this.statement.file) {
			if (uri !== undefined) return { kind: 'stored', uri };
			throw this.error('resultLost', 'The session did not provide a URL for its file');
		}
		if (!this.statement.mayReturnRows) return { kind: 'done' };
		if (isAnswer) return rows ? { kind: 'rows', rows } : { kind: 'done' };
		// A repeated message needs no second request.
		if (!wasKnown) this.ask();
		return undefined;
	}

	/** Asks for the result, and again after a silence. A closed connection is reported by `receive`. */
	private ask(): void {
		this.askAt = performance.now() + STATEMENT_LIMITS.silenceMs;
		this.asked = true;
		const { executionId: execution_id, geometry } = this.statement;
		const form = { format: 'json', compression: 'none', geometry } as const;
		this.channel.send({ kind: 'retrieve_results', execution_id, ...form });
	}

	private outOfTime(): void {
		if (this.known !== 'running') throw this.error('timedOutOpen');
		this.expect('cancelling', STATEMENT_LIMITS.cancelMs);
		this.channel.send({ kind: 'cancel', execution_id: this.statement.executionId });
	}

	/** Waits for the last word of the session at most this long, without asking for the state. */
	private expect(known: 'failed' | 'cancelling', ms: number): void {
		this.known = known;
		this.deadline = performance.now() + ms;
		this.askAt = Infinity;
	}

	/** Later messages do not override what is known. */
	private error(problem: StatementProblem, message = ''): StatementError {
		if (this.known === 'succeeded') return new StatementError('resultLost', message);
		if (this.known === 'failed' && problem !== 'failed') return new StatementError('failed');
		return new StatementError(problem, message);
	}
}

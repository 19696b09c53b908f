import {
	readMessage,
	type Geometry,
	type Progress,
	type SentRows,
	type StateMessage,
	type Store,
} from '../../service/sql/messages';
import { CancelledError } from '../clock';
import { toResult } from '../toResult';
import type { Channel, Received } from './socket';

/** Limits of a statement, in milliseconds of real time; tests shorten them. */
export const STATEMENT_LIMITS = {
	/** After so much silence the session is asked how far it is: messages get lost. */
	silenceMs: 20_000,
	/** Each silent time is twice as long as the one before, up to this. */
	maxSilenceMs: 160_000,
	/** How long the session may take to say why a statement has failed. */
	explanationMs: 5_000,
	/** How long the session may take to confirm that a statement is cancelled. */
	cancelMs: 10_000,
};

/** A statement, ready to be sent. */
export interface Statement {
	executionId: string;
	text: string;
	geometry: Geometry;
	/** Whether it may give rows. */
	mayGiveRows: boolean;
	/** Have the session put the result into a file, instead of sending rows. */
	store?: Store;
	/** The session is to give up after this. */
	timeoutMs: number;
}

/** How a statement that succeeded ended. */
export type StatementResult =
	| { kind: 'rows'; rows: SentRows }
	| { kind: 'stored'; uri: string | null; size?: number }
	/** It gives no rows. */
	| { kind: 'done' };

/** What is known of a statement that came to no result. */
export type StatementProblem =
	/** The connection was over before it was sent. */
	| 'notSent'
	/** The session says that it failed. */
	| 'failed'
	/** It was cancelled in the session, by somebody else. */
	| 'cancelled'
	/** It took too long and was cancelled. */
	| 'timedOut'
	/** It took too long; whether it was cancelled is not known. */
	| 'timedOutOpen'
	/** The connection was lost before it ended. */
	| 'lost'
	/** The session does not know it any more. */
	| 'forgotten'
	/** The session said something that is no message. */
	| 'unreadable'
	/** It succeeded, and its result did not arrive. */
	| 'resultLost';

/** A statement came to no result. The message is what the session or the connection says of it. */
export class StatementError extends Error {
	override readonly name = 'StatementError';

	constructor(
		readonly problem: StatementProblem,
		message = '',
	) {
		super(message);
	}
}

/**
 * Sends a statement, once, and follows it to its end. Where messages get lost, the session is asked
 * how far it is. When the execution is cancelled, so is the statement.
 *
 * @throws StatementError when it came to no result
 * @throws CancelledError when the execution is cancelled
 */
export async function runStatement(
	channel: Channel,
	statement: Statement,
	onProgress: (progress: Progress) => void = () => undefined,
): Promise<StatementResult> {
	const { executionId: execution_id, text, store } = statement;
	const sent = channel.send({
		kind: 'execute_sql',
		execution_id,
		statement: text,
		enable_progress_events: true,
		...(store ? { store } : {}),
	});
	if (!sent) throw new StatementError('notSent');
	const followed = await toResult(new Execution(channel, statement, onProgress).follow());
	if (followed.ok) return followed.value;
	if (followed.error instanceof CancelledError) channel.send({ kind: 'cancel', execution_id });
	throw followed.error;
}

/** One statement from when it was sent to its end. */
class Execution {
	/**
	 * What is known of it: nothing yet, that it failed and the session may still say why, that it took too
	 * long and the session may confirm its cancellation, that it succeeded. Success is final.
	 */
	private phase: 'running' | 'failed' | 'cancelling' | 'succeeded' = 'running';

	/** When the current phase ends. */
	private deadline: number;

	private silence = STATEMENT_LIMITS.silenceMs;

	/** The session was asked how far it is, and has not answered. */
	private asked = false;

	constructor(
		private readonly channel: Channel,
		private readonly statement: Statement,
		private readonly onProgress: (progress: Progress) => void,
	) {
		this.deadline = performance.now() + statement.timeoutMs;
	}

	async follow(): Promise<StatementResult> {
		for (;;) {
			const left = this.deadline - performance.now();
			if (left <= 0) {
				this.outOfTime();
				continue;
			}
			const result = this.take(await this.channel.receive(Math.min(left, this.silence)));
			if (result) return result;
		}
	}

	/** @returns the result, when it is there */
	private take(received: Received): StatementResult | undefined {
		if (received.kind === 'silence') return this.askHowFar();
		if (received.kind === 'unreadable') throw this.error('unreadable', received.problem);
		if (received.kind === 'closed') {
			const { code, reason } = received;
			throw this.error('lost', `Close code ${code}${reason ? `: ${reason}` : ''}`);
		}
		const message = readMessage(received.message, this.statement.executionId);
		if (!message) return undefined;
		this.silence = STATEMENT_LIMITS.silenceMs;
		switch (message.kind) {
			case 'execution_progress':
				return void this.onProgress(message);
			case 'error':
				throw this.errorOf(message.message);
			default:
				return this.takeState(message);
		}
	}

	/** Takes a state, or the answer to a question. One that is not known means that it goes on. */
	private takeState(message: StateMessage): StatementResult | undefined {
		const { state, isAnswer, failure } = message;
		if (isAnswer) this.asked = false;
		if (state === 'succeeded') return this.takeSuccess(message);
		if (failure !== undefined) throw this.error('failed', failure);
		if (state === 'cancelled') {
			throw this.error(this.phase === 'cancelling' ? 'timedOut' : 'cancelled');
		}
		if (state !== 'failed' || this.phase === 'failed') return undefined;
		if (this.phase === 'succeeded') throw this.error('failed');
		this.enter('failed', STATEMENT_LIMITS.explanationMs);
		return undefined;
	}

	private takeSuccess({ isAnswer, stored, rows }: StateMessage): StatementResult | undefined {
		const wasKnown = this.phase === 'succeeded';
		this.phase = 'succeeded';
		const { store, mayGiveRows } = this.statement;
		if (store) {
			const { uri, size } = stored;
			// Published clients take a first message without an address for an empty result.
			if (uri) return { kind: 'stored', uri, size };
			if (uri === undefined && isAnswer) throw this.error('resultLost', 'The address was lost');
			if (size)
				throw this.error('resultLost', `The session named no address for its ${size} bytes`);
			return { kind: 'stored', uri: null, size };
		}
		if (!mayGiveRows) return { kind: 'done' };
		if (rows === 'unreadable') throw this.error('resultLost', 'Its rows came in an unknown form');
		if (isAnswer) return rows ? { kind: 'rows', rows } : { kind: 'done' };
		// A message that comes twice needs no second answer.
		if (!wasKnown) this.ask();
		return undefined;
	}

	private askHowFar(): undefined {
		const isOver = this.phase === 'failed' || this.phase === 'cancelling';
		if (isOver || performance.now() >= this.deadline) return;
		this.silence = Math.min(2 * this.silence, STATEMENT_LIMITS.maxSilenceMs);
		this.asked = true;
		this.ask();
	}

	private ask(): void {
		const { executionId: execution_id, geometry } = this.statement;
		// What cannot be sent any more shows when the next message is waited for.
		this.channel.send({
			kind: 'retrieve_results',
			execution_id,
			format: 'json',
			compression: 'none',
			geometry,
		});
	}

	private outOfTime(): void {
		const what = this.phase === 'succeeded' ? 'Its rows did not arrive in time' : '';
		if (this.phase !== 'running') throw this.error('timedOutOpen', what);
		this.enter('cancelling', STATEMENT_LIMITS.cancelMs);
		this.channel.send({ kind: 'cancel', execution_id: this.statement.executionId });
	}

	private enter(phase: 'failed' | 'cancelling', ms: number): void {
		this.phase = phase;
		this.deadline = performance.now() + ms;
	}

	/** What is said of an error by when it comes: it ends the statement, or only what came after it. */
	private errorOf(message: string): StatementError {
		if (/execution.{0,60}not found/i.test(message)) return this.error('forgotten', message);
		// The session may have refused the question, and not the statement.
		if (this.asked && this.phase !== 'failed') return this.error('forgotten', message);
		return this.error(this.phase === 'cancelling' ? 'timedOut' : 'failed', message);
	}

	/** What is known does not get lost by what comes afterwards. */
	private error(problem: StatementProblem, message = ''): StatementError {
		if (this.phase === 'succeeded') return new StatementError('resultLost', message);
		if (this.phase === 'failed' && problem !== 'failed') return new StatementError('failed');
		return new StatementError(problem, message);
	}
}

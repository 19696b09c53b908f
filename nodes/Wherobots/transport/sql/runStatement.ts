import {
	readMessage,
	type Geometry,
	type SentRows,
	type SqlMessage,
	type Store,
	type StoredResult,
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

/** Progress of a statement, in tasks of Spark. */
export type Progress = Omit<Extract<SqlMessage, { kind: 'execution_progress' }>, 'kind'>;

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

	/** Whether it is uncertain what the statement has done. */
	get isOpen(): boolean {
		return ['timedOutOpen', 'lost', 'forgotten', 'unreadable'].includes(this.problem);
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
	private deadline: number;

	private silence = STATEMENT_LIMITS.silenceMs;

	/** The session has said that it succeeded. */
	private succeeded = false;

	/** The session has said that it failed, and may say why until the deadline. */
	private failed = false;

	/** It took too long, and the session may confirm its cancellation until the deadline. */
	private cancelling = false;

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
		switch (received.kind) {
			case 'message': {
				const message = readMessage(received.message, this.statement.executionId);
				if (!message) return undefined;
				this.silence = STATEMENT_LIMITS.silenceMs;
				return this.takeMessage(message);
			}
			case 'silence':
				this.askHowFar();
				return undefined;
			case 'unreadable':
				throw this.problem('unreadable', received.problem);
			case 'closed': {
				const { code, reason } = received;
				throw this.problem('lost', `Close code ${code}${reason ? `: ${reason}` : ''}`);
			}
		}
	}

	private takeMessage(message: SqlMessage): StatementResult | undefined {
		switch (message.kind) {
			case 'execution_progress':
				this.onProgress(message);
				return undefined;
			case 'error':
				throw this.errorOf(message.message);
			case 'state_updated':
				if (message.state !== 'succeeded') return this.takeState(message.state);
				// Published clients take a message without an address for an empty result.
				return this.statement.store
					? this.stored({ ...message.stored, uri: message.stored.uri ?? null })
					: this.askForRows();
			case 'execution_result': {
				this.asked = false;
				if (message.state !== 'succeeded') {
					if (message.failure !== undefined) throw new StatementError('failed', message.failure);
					return this.takeState(message.state);
				}
				if (!this.statement.store) {
					const { rows } = message;
					return rows && this.statement.mayGiveRows ? { kind: 'rows', rows } : { kind: 'done' };
				}
				if (message.stored.uri === undefined) {
					throw new StatementError(
						'resultLost',
						'The message with the address of the file was lost',
					);
				}
				return this.stored(message.stored);
			}
		}
	}

	/** A state other than success. One that nobody has heard of means that it goes on. */
	private takeState(state: string): undefined {
		if (state === 'cancelled') throw new StatementError(this.cancelling ? 'timedOut' : 'cancelled');
		if (state !== 'failed' || this.failed) return;
		this.failed = true;
		this.deadline = performance.now() + STATEMENT_LIMITS.explanationMs;
	}

	/** The statement has succeeded. */
	private askForRows(): StatementResult | undefined {
		if (!this.statement.mayGiveRows) return { kind: 'done' };
		// A message that comes twice needs no second answer.
		if (!this.succeeded) this.ask();
		this.succeeded = true;
		return undefined;
	}

	private askHowFar(): void {
		if (this.failed || this.cancelling || performance.now() >= this.deadline) return;
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
		if (this.failed) throw new StatementError('failed');
		if (this.cancelling || this.succeeded) {
			throw this.problem('timedOutOpen', this.succeeded ? 'Its rows did not arrive in time' : '');
		}
		this.cancelling = true;
		this.deadline = performance.now() + STATEMENT_LIMITS.cancelMs;
		this.channel.send({ kind: 'cancel', execution_id: this.statement.executionId });
	}

	/** What is said of an error by when it comes: it ends the statement, or only what came after it. */
	private errorOf(message: string): StatementError {
		if (/execution.{0,60}not found/i.test(message)) return this.problem('forgotten', message);
		if (this.succeeded) return this.problem('resultLost', message);
		// The session may have refused the question, and not the statement.
		if (this.asked && !this.failed) return this.problem('forgotten', message);
		if (this.cancelling) return new StatementError('timedOut', message);
		return new StatementError('failed', message);
	}

	/** What is announced to have a size is not empty, whatever is missing. */
	private stored({ uri, size }: StoredResult): StatementResult {
		if ((uri ?? null) === null && size !== undefined && size > 0) {
			throw new StatementError('resultLost', `The session named no address for its ${size} bytes`);
		}
		return { kind: 'stored', uri: uri ?? null, ...(size === undefined ? {} : { size }) };
	}

	/** What is known does not get lost with the connection. */
	private problem(problem: StatementProblem, message = ''): StatementError {
		if (this.succeeded) return new StatementError('resultLost', message);
		if (this.failed) return new StatementError('failed');
		return new StatementError(problem, message);
	}
}

/** One socket: what arrives on it, and what is sent. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';

import type { WebSocket } from 'ws';

import type { Environment } from '../server/environment';
import { drop } from '../server/origin';
import { Execution } from './execution';
import type { Message } from './faults';
import { frameOf, readMessage, type ClientMessage } from './messages';
import type { Retrieval } from './results';
import type { SqlSession } from './sessions';

/** The protocol allows 100 MiB; no request is nearly that long. */
export const MAX_REQUEST_BYTES = 10 * 1024 * 1024;

/** The time between two meaningless messages, in milliseconds of real time. */
const NOISE_MS = 40;

export class SqlConnection {
	private readonly owned = new Set<Execution>();

	constructor(
		private readonly socket: WebSocket,
		/** The underlying connection, for those that end badly. */
		private readonly raw: Socket,
		readonly session: SqlSession,
		private readonly env: Environment,
	) {
		socket.on('message', (data: Buffer, isBinary) => this.receive(data.toString(), isBinary));
		socket.on('error', () => undefined);
		socket.on('close', () => this.closed());
	}

	/** Ends the connection: like a server that shuts down, or with a reset. */
	end(code?: number): void {
		if (code === undefined) drop(this.raw);
		else this.socket.close(code);
	}

	private closed(): void {
		for (const execution of this.owned) if (execution.owner === this) execution.orphan();
	}

	private receive(data: string, isBinary: boolean): void {
		const read = readMessage(data, isBinary);
		if ('message' in read) return this.handle(read.message);
		this.env.sql.violations.push(read.problem);
		this.send({ kind: 'error', execution_id: read.id, message: `Bad request: ${read.problem}` });
	}

	private handle(message: ClientMessage): void {
		const { sql } = this.env;
		if (message.kind === 'execute_sql') return this.execute(message);
		const execution = sql.execution(this.session, message.execution_id);
		if (message.kind === 'cancel') return execution?.cancel();
		const statement = execution?.ask.text;
		const fault = sql.faults.meet('retrieve', { statement });
		const id = message.execution_id;
		if (execution) execution.retrievals += 1;
		if (fault?.kind === 'cut') return this.end(fault.code);
		if (!execution || fault?.kind === 'forgotten' || sql.hasForgotten(execution)) {
			return this.send({ kind: 'error', execution_id: id, message: 'Execution not found' });
		}
		execution.usedAt = sql.nextUse();
		const isAttached = message.attach === true && this.env.variants.sqlAttach === 'supported';
		if (isAttached) this.own(execution);
		this.send(
			{
				...this.answerTo(execution, message, fault?.kind === 'running'),
				...(isAttached && { attached: true }),
			},
			statement,
		);
	}

	private answerTo(execution: Execution, retrieval: Retrieval, isRunning: boolean): Message {
		try {
			return execution.result(retrieval, isRunning);
		} catch (error) {
			const { message } = error as Error;
			return { kind: 'error', execution_id: execution.ask.id, message };
		}
	}

	/** Receives the events of a statement from now on. */
	private own(execution: Execution): void {
		this.owned.add(execution);
		execution.attach(this, (event) => this.send(event, execution.ask.text));
	}

	private execute(message: Extract<ClientMessage, { kind: 'execute_sql' }>): void {
		const { sql } = this.env;
		const { execution_id: id, statement: text, store, enable_progress_events } = message;
		const fault = sql.faults.meet('statement', { statement: text });
		if (fault?.kind === 'cut' && !fault.taken) return this.end(fault.code);
		if (sql.execution(this.session, id)) sql.violations.push(`execute_sql: ${id} is used already`);
		const ask = { id, sessionId: this.session.id, text, store, progress: !!enable_progress_events };
		if (this.env.variants.sqlNoise) this.keepNoisy(id);
		const execution = new Execution(ask, sql.answerTo(text), this.env);
		sql.statements.push(execution);
		this.own(execution);
		if (fault?.kind === 'silence' || fault?.kind === 'cut') execution.tell = undefined;
		if (fault?.kind === 'cut') this.end(fault.code);
		if (fault?.kind === 'die') {
			return sql.kill(this.session, fault.status ?? 'DESTROYED', fault.message);
		}
		execution.run().catch((error: unknown) => console.error('sandbox: a statement', error));
	}

	private send(message: Message, statement?: string): void {
		if (this.env.variants.sqlNoise) this.makeNoise(message.execution_id);
		const fault = this.env.sql.faults.meet('frame', { statement, message });
		if (fault?.kind === 'lose') return;
		if (fault?.kind === 'cut' && fault.where === 'before') return this.end(fault.code);
		const changed = fault ? (changedBy(fault, message) as Message) : message;
		const frame = fault?.kind === 'replace' ? fault.data : frameOf(changed, this.env.variants);
		if (fault?.kind === 'cut' && fault.where === 'inside') return this.sendHalf(frame);
		this.socket.send(frame, { binary: typeof frame !== 'string' });
		if (fault?.kind === 'cut') this.end(fault.code ?? 1011);
	}

	/** The start of a frame whose header promises more than follows. */
	private sendHalf(frame: string | Buffer): void {
		const bytes = Buffer.from(frame);
		const header = Buffer.alloc(10);
		header.writeUInt8(0x80 | (typeof frame === 'string' ? 1 : 2), 0);
		header.writeUInt8(127, 1);
		header.writeBigUInt64BE(BigInt(bytes.length), 2);
		const half = bytes.subarray(0, Math.floor(bytes.length / 2));
		this.raw.write(Buffer.concat([header, half]), () => this.raw.end());
	}

	/** Sends noise even while nothing happens, as heartbeats would be sent. */
	private keepNoisy(id: string): void {
		const noise = setInterval(() => this.makeNoise(id), NOISE_MS);
		this.socket.on('close', () => clearInterval(noise));
	}

	private makeNoise(id?: string): void {
		const noise: Message[] = [
			{ kind: 'execution_hint', execution_id: id, text: 'nothing that anyone knows' },
			{ kind: 'session_notice' },
			{ kind: 'state_updated', execution_id: randomUUID(), state: 'failed' },
			{ kind: 'error', execution_id: randomUUID(), message: 'Nobody asked for this' },
		];
		for (const each of noise) this.socket.send(JSON.stringify(each));
	}
}

function changedBy(
	fault: { kind: string } & Partial<{ edit(message: Message): unknown; bytes: number }>,
	message: Message,
): unknown {
	if (fault.kind === 'edit') return fault.edit?.(structuredClone(message));
	if (fault.kind === 'pad') return { ...message, padding: 'x'.repeat(fault.bytes ?? 0) };
	const results = message.results as { result_bytes: Buffer } | null | undefined;
	if (fault.kind !== 'shorten' || !results) return message;
	return {
		...message,
		results: { ...results, result_bytes: results.result_bytes.subarray(0, fault.bytes) },
	};
}

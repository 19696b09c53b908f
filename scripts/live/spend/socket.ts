/** The socket of a SQL session, with every message kept as it came. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { decode } from 'cbor-x';
import { WebSocket } from 'ws';

import { CLIENT_HEADER, USER_AGENT } from '../../../nodes/Wherobots/service/deployment';
import { isRecord, type Json } from '../shape';

export interface Message extends Json {
	kind: string;
	/** Whether it came as JSON text or as CBOR. */
	frame: 'text' | 'binary';
}

/** The longest silence in milliseconds. */
const SILENCE_MS = 120_000;

/** How long the error of a failed statement may take to come. */
const ERROR_MS = 5_000;

export class SqlSocket {
	private readonly received: Message[] = [];

	private wake = () => {};

	private constructor(private readonly socket: WebSocket) {
		socket.on('message', (data: Buffer, isBinary) => {
			const message = readFrame(data, isBinary);
			if (!isRecord(message)) return;
			this.received.push({ ...message, frame: isBinary ? 'binary' : 'text' } as Message);
			this.wake();
		});
		socket.on('close', () => this.wake());
		socket.on('error', () => undefined);
	}

	static async open(url: string, key: string, signal: AbortSignal): Promise<SqlSocket> {
		const headers = { 'X-API-Key': key, 'User-Agent': USER_AGENT, ...CLIENT_HEADER };
		const socket = new WebSocket(url, { headers, handshakeTimeout: 30_000 });
		const own = new SqlSocket(socket);
		signal.addEventListener('abort', () => own.close());
		await once(socket, 'open', { signal });
		return own;
	}

	close(): void {
		this.socket.terminate();
	}

	/** Executes a statement to its end, and returns its messages. */
	async execute(statement: string, more: Json = {}, cancel = false) {
		const id = randomUUID();
		this.send({ kind: 'execute_sql', execution_id: id, statement, ...more });
		const isState = (message: Message, pattern: RegExp) =>
			message.kind === 'state_updated' && pattern.test(String(message.state));
		if (cancel) {
			await this.until(id, (each) => isState(each, /running|succeeded|failed/));
			this.send({ kind: 'cancel', execution_id: id });
		}
		const end = await this.until(
			id,
			(each) => each.kind === 'error' || isState(each, /succeeded|failed|cancelled/),
		);
		if (end && isState(end, /failed/))
			await this.until(id, ({ kind }) => kind === 'error', ERROR_MS);
		return { id, messages: this.of(id) };
	}

	/** Requests the result of a statement; undefined if nothing comes. */
	async retrieve(id: string, how: Json): Promise<Message | undefined> {
		const before = this.of(id).length;
		this.send({ kind: 'retrieve_results', execution_id: id, ...how });
		const isReply = ({ kind }: Message) => kind === 'execution_result' || kind === 'error';
		return await this.until(id, isReply, SILENCE_MS, before);
	}

	private of(id: string): Message[] {
		return this.received.filter(({ execution_id }) => execution_id === id);
	}

	/** The first message of a statement that is wanted; undefined if none comes in time. */
	private async until(
		id: string,
		isWanted: (message: Message) => boolean,
		limitMs = SILENCE_MS,
		from = 0,
	): Promise<Message | undefined> {
		const deadline = Date.now() + limitMs;
		for (;;) {
			const wanted = this.of(id).slice(from).find(isWanted);
			const leftMs = deadline - Date.now();
			if (wanted ?? leftMs <= 0) return wanted;
			if (this.socket.readyState !== WebSocket.OPEN) throw new Error('The socket was closed');
			await new Promise<void>((resolve) => {
				const timer = setTimeout(resolve, leftMs);
				this.wake = () => {
					clearTimeout(timer);
					resolve();
				};
			});
		}
	}

	private send(message: Json): void {
		this.socket.send(JSON.stringify(message));
	}
}

/** What a frame contains; undefined for one that is neither JSON nor CBOR. */
function readFrame(data: Buffer, isBinary: boolean): unknown {
	try {
		return isBinary ? (decode(data) as unknown) : (JSON.parse(data.toString()) as unknown);
	} catch {
		return undefined;
	}
}

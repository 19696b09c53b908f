/**
 * What the published Python driver does, as a small client of its own: it shares no code with the
 * package and none with the sandbox.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { tableFromIPC } from 'apache-arrow';
import { decode } from 'cbor-x';
import { WebSocket } from 'ws';

type Event = Record<string, unknown> & { kind: string; execution_id?: string; state?: string };

/** What a statement came to: rows, a file, or nothing; `undefined` is no word of it. */
export interface Outcome {
	rows?: unknown;
	file?: { uri: string; size?: number | null } | null;
	error?: string;
}

interface Results {
	result_bytes: Uint8Array;
	format: string;
	compression: string;
}

interface Running {
	store?: Record<string, unknown>;
	retrieve: Record<string, unknown>;
	end(outcome: Outcome): void;
}

/** Asks for a session and connects to it, polling until it is ready. */
export async function connect(baseUrl: string, key: string, wait = 50): Promise<Connection> {
	const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
	const query = new URLSearchParams({ region: 'aws-us-west-2', force_new: 'False' });
	const created = await fetch(`${baseUrl}/sql/session?${query.toString()}`, {
		method: 'POST',
		headers,
		body: JSON.stringify({ runtimeId: 'tiny', sessionType: 'multi', version: 'latest' }),
	});
	if (!created.ok) throw new Error(`${created.status} ${await created.text()}`);
	// The redirect was followed: its address is polled.
	for (;;) {
		const session = (await (await fetch(created.url, { headers })).json()) as {
			id: string;
			status: string;
			appMeta: { url: string } | null;
		};
		if (/_FAILED$|^DESTROY/.test(session.status)) throw new Error(session.status);
		if (session.status !== 'READY') {
			await sleep(wait);
			continue;
		}
		const url = new URL(`${String(session.appMeta?.url).replace(/^http/, 'ws')}/1.0.0`);
		const socket = new WebSocket(url, { headers: { 'X-API-Key': key } });
		await once(socket, 'open');
		return new Connection(socket, session.id);
	}
}

export class Connection {
	private readonly running = new Map<string, Running>();

	constructor(
		private readonly socket: WebSocket,
		readonly sessionId: string,
	) {
		socket.on('message', (data: Buffer, isBinary) => {
			this.take((isBinary ? decode(data) : JSON.parse(data.toString())) as Event);
		});
	}

	/** Several may run at once over one connection. */
	execute(
		statement: string,
		store?: Record<string, unknown>,
		retrieve: Record<string, unknown> = {},
	): { outcome: Promise<Outcome>; cancel(): void } {
		const execution_id = randomUUID();
		const outcome = new Promise<Outcome>((end) => {
			this.running.set(execution_id, { store, retrieve, end });
		});
		this.send({ kind: 'execute_sql', execution_id, statement, ...(store && { store }) });
		return { outcome, cancel: () => this.send({ kind: 'cancel', execution_id }) };
	}

	close(): void {
		this.socket.close();
	}

	private send(message: object): void {
		this.socket.send(JSON.stringify(message));
	}

	private take({ kind, execution_id = '', ...event }: Event): void {
		const query = this.running.get(execution_id);
		if (!query) return;
		if (kind === 'error') return query.end({ error: String(event.message) });
		if (kind !== 'state_updated' && kind !== 'execution_result') return;
		if (event.state === 'cancelled') return query.end({ rows: [] });
		if (event.state !== 'succeeded') return;
		const { result_uri: uri, size } = event as { result_uri?: string | null; size?: number | null };
		if (query.store) return query.end({ file: uri ? { uri, size } : null });
		if (kind === 'state_updated') {
			return this.send({ kind: 'retrieve_results', execution_id, ...query.retrieve });
		}
		const results = event.results as Partial<Results> | null;
		if (!results?.result_bytes) return query.end({ rows: [] });
		query.end({ rows: rowsOf(results as Results) });
	}
}

function rowsOf({ result_bytes: bytes, format, compression }: Results): unknown {
	// Whatever the label says of the compression of JSON.
	if (format === 'json') return JSON.parse(Buffer.from(bytes).toString('utf8'));
	const stream =
		compression === 'brotli'
			? brotliDecompressSync(bytes)
			: compression === 'gzip'
				? gunzipSync(bytes)
				: bytes;
	return tableFromIPC(stream)
		.toArray()
		.map((row: object) => ({ ...row }));
}

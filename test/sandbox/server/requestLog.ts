/** What arrived, so that tests can see what a client really sent. */
import type { Fault } from '../faults/faults';
import type { EndpointId } from './route';

export interface RequestEntry {
	id: string;
	/** Undefined when no endpoint has this method and path. */
	endpoint?: EndpointId;
	method: string;
	/** As sent, still encoded, without the query. */
	path: string;
	query: Record<string, string | string[]>;
	headers: Record<string, string | string[] | undefined>;
	/** Parsed when it is JSON, text otherwise, undefined when empty. */
	body?: unknown;
	/** The body as sent. */
	text: string;
	/** Undefined until the response has begun, and forever if there is none. */
	status?: number;
	/** The fault that it met, not counting delays. */
	fault?: Fault['kind'];
	/** In sandbox time. */
	at: number;
	/** Real time in milliseconds, for pacing tests. */
	receivedAt: number;
}

/** How many of the newest entries are kept. */
const KEPT = 20_000;

export type RequestListener = (entry: RequestEntry) => void;

export class RequestLog {
	private entries: RequestEntry[] = [];

	private readonly listeners = new Set<RequestListener>();

	/** All requests since the start or the last `clear()`, including those no longer kept. */
	count = 0;

	add(entry: RequestEntry): void {
		this.count += 1;
		this.entries.push(entry);
		// Cut in large steps, so that not every request of a long benchmark pays for it.
		if (this.entries.length > KEPT * 2) this.entries = this.entries.slice(-KEPT);
		for (const listener of this.listeners) listener(entry);
	}

	all(): RequestEntry[] {
		return this.entries.slice(-KEPT);
	}

	of(endpoint: EndpointId): RequestEntry[] {
		return this.all().filter((entry) => entry.endpoint === endpoint);
	}

	clear(): void {
		this.entries = [];
		this.count = 0;
	}

	/**
	 * Calls `listener` as each request arrives, before it is handled; for instance to advance the
	 * clock with each poll. Returns a function that stops it.
	 */
	listen(listener: RequestListener): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}
}

/** What the benchmarks can do to the stand-in of the service, which runs in a process of its own. */
import type { FaultHandle, Sandbox } from '../../test/sandbox';
import type { RequestEntry } from '../../test/sandbox/server/requestLog';

/** Requests since the last count. */
export interface Counts {
	total: number;
	byEndpoint: Record<string, number>;
	byStatus: Record<string, number>;
}

const DAY_MS = 86_400_000;

export function serviceFunctions(sandbox: Sandbox) {
	let latency: FaultHandle | undefined;
	return {
		address() {
			return { baseUrl: sandbox.baseUrl, apiKey: sandbox.credentials.admin.apiKey };
		},

		/** Adds runs and returns their ids. */
		seedRuns(count: number, status: string, name = 'nightly-load'): string[] {
			const begin = Date.now() - DAY_MS;
			return Array.from({ length: count }, (_, index) => {
				const createTime = begin + Math.floor((index / count) * (DAY_MS / 2));
				return sandbox.store.createRun({ name: `${name}-${index}`, status, createTime }).id;
			});
		},

		/** Moves the clock of the service on. */
		passTime(ms: number): void {
			sandbox.clock.advance(ms);
		},

		/** A run that ends by itself so many milliseconds after it was made. */
		planRun(totalMs: number): { id: string; endsAt: number } {
			const pendingMs = Math.min(1_000, totalMs / 2);
			const plan = { pendingMs, runningMs: totalMs - pendingMs };
			const run = sandbox.store.createRun({ name: `wait-for-me-${totalMs}`, plan });
			return { id: run.id, endsAt: run.createTime + totalMs };
		},

		moveRuns(ids: string[], status: string): void {
			for (const id of ids) sandbox.store.moveRun(id, status);
		},

		/** Each response waits so long first; 0 for none. */
		setLatency(ms: number): void {
			latency?.remove();
			latency = ms > 0 ? sandbox.faults.add({ fault: { kind: 'delay', ms } }) : undefined;
		},

		/** The published limit of 100 requests in 5 seconds. */
		setRateLimit(on: boolean): void {
			sandbox.variants.rateLimit = on && { requests: 100, windowMs: 5_000 };
		},

		/** Audit exports hold about so many bytes from now on. */
		generateEvents(bytes: number): { start: string; end: string; bytes: number; rows: number } {
			const end = new Date(Date.now() - 60_000).toISOString();
			const start = new Date(Date.parse(end) - 60 * DAY_MS).toISOString();
			const events = sandbox.store.useGeneratedEvents({ bytes, start, end });
			return {
				start,
				end,
				bytes: events.csvLength(0, events.length),
				rows: events.length,
			};
		},

		/** A file of so many bytes in a storage. */
		putFile(bytes: number): { sha256: string } {
			const { storages } = sandbox.store;
			if (!storages.get('bench')) {
				storages.create({ id: 'bench', name: 'bench', path: 's3://bench' });
			}
			return storages.putGenerated('bench', 'large.bin', bytes);
		},

		/** What a storage holds at a path, by its checksum. */
		checksumOf(path: string): string | undefined {
			return sandbox.store.storages.get('bench')?.files.get(path)?.sha256;
		},

		/** Requests since the last call. */
		takeCounts(): Counts {
			const counts: Counts = { total: sandbox.requests.count, byEndpoint: {}, byStatus: {} };
			for (const { endpoint, status } of sandbox.requests.all()) {
				const name = endpoint ?? 'unknown';
				counts.byEndpoint[name] = (counts.byEndpoint[name] ?? 0) + 1;
				counts.byStatus[String(status)] = (counts.byStatus[String(status)] ?? 0) + 1;
			}
			sandbox.requests.clear();
			return counts;
		},

		/** The requests since the last count that began a list of runs: what each asked for. */
		listsOfRuns(): RequestEntry['query'][] {
			return sandbox.requests
				.of('listRuns')
				.filter(({ query }) => query.cursor === undefined)
				.map(({ query }) => query);
		},

		/** When the requests for each run came, in milliseconds since the epoch. */
		timesByRun(): Record<string, number[]> {
			const times: Record<string, number[]> = {};
			for (const { path, receivedAt } of sandbox.requests.of('getRun')) {
				(times[path.split('/').at(-1) ?? ''] ??= []).push(receivedAt);
			}
			return times;
		},
	};
}

export type ServiceFunctions = ReturnType<typeof serviceFunctions>;

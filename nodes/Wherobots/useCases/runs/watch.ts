/** Tested by test/engine/actions/runs/wait.together.test.ts, too. */
import type { IDataObject } from 'n8n-workflow';

import type { RunKind, RunRecord } from '../../service/records/kind';
import { MICROS_PER_SECOND, type Micros } from '../../service/time';
import type { Client } from '../../transport/client';
import { clock, waitUnlessAborted } from '../../transport/clock';
import { fetchPage, fetchRun, fetchEachPage } from '../../transport/records';
import { settle } from '../../transport/failure';

/** How long a batch stays open, in milliseconds: timers that are due together fire a little apart. */
const OPEN_MS = 50;

interface Batch<A, R> {
	asked: A[];
	results: Promise<R[]>;
	/** How many still wait for the results; nobody needs them when it is none. */
	waiting: number;
	ending: AbortController;
}

/** Work of one account that is asked for at about the same time, done once for all who ask. */
export class Batches<A, R> {
	private readonly open = new Map<string, Batch<A, R>>();

	/** @param work gets the client of one of those who ask; it returns a result for each, in order */
	constructor(private readonly work: (client: Client, asked: A[]) => Promise<R[]>) {}

	/**
	 * The result for what is asked. The end of one execution does not end what others wait for.
	 *
	 * @throws CancelledError when the execution of this client is cancelled
	 */
	async ask(client: Client, asked: A): Promise<R> {
		const { account, signal } = client;
		const batch = this.open.get(account) ?? this.start(client);
		const index = batch.asked.push(asked) - 1;
		batch.waiting += 1;
		try {
			return (await waitUnlessAborted(batch.results, signal))[index];
		} finally {
			batch.waiting -= 1;
			if (batch.waiting === 0) this.end(account, batch);
		}
	}

	private start(client: Client): Batch<A, R> {
		const ending = new AbortController();
		const shared = client.evenWhenCancelled().forItem(ending.signal);
		const asked: A[] = [];
		const results = clock.pause(OPEN_MS, ending.signal).then(async () => {
			this.open.delete(client.account);
			return await this.work(shared, asked);
		});
		const batch = { asked, results, waiting: 0, ending };
		this.open.set(client.account, batch);
		return batch;
	}

	private end(account: string, batch: Batch<A, R>): void {
		if (this.open.get(account) === batch) this.open.delete(account);
		batch.ending.abort();
	}
}

/** The size of a page, and the time that a request for one should last, in milliseconds. */
const PAGE_SIZE = 100;
const PER_PAGE_MS = 1_000;

/** After a failure, a list counts as this many times too long: it is tried again some checks later. */
const FAILURE_PENALTY = 16;

/** A run that is asked for; what a wait has read of it by itself, or submitted, has all its parts. */
export interface WatchedRun<T> {
	id: string;
	whole?: T;
}

/** A list that shows many runs at once, read while it has fewer pages than there are runs to find. */
class SharedList<T extends RunRecord> {
	/** How many pages it has, as far as known. */
	pages = 1;

	isRead = false;

	constructor(private readonly kind: RunKind<T>) {}

	/** The runs with these IDs that it shows as wanted; none when it cannot be read, or has too many pages. */
	async find(
		client: Client,
		ids: string[],
		query: IDataObject,
		isWanted: (run: T) => boolean,
	): Promise<Map<string, T>> {
		const missing = new Set(ids);
		const found = new Map<string, T>();
		const { size } = missing;
		this.isRead = size > this.pages;
		// By and by, it is worth another try: its runs become fewer, and lists readable.
		if (!this.isRead) this.pages = Math.max(1, this.pages / 2);
		if (!this.isRead) return found;
		let given = 0;
		let count = 0;
		// Not tried again: meanwhile, the runs can be read one by one.
		const request = { query, retry: 'once' } as const;
		const readPage = async (cursor?: string) =>
			await fetchPage(client, this.kind, { ...request, cursor });
		const listing = async () => {
			for await (const { items, next, total = 0 } of fetchEachPage(readPage)) {
				count += 1;
				given += items.length;
				for (const run of items) {
					if (!isWanted(run)) continue;
					found.set(run.id, run);
					missing.delete(run.id);
				}
				const left = Math.ceil((total - given) / (items.length || PAGE_SIZE));
				this.pages = count + (next === undefined ? 0 : Math.max(1, left));
				if (missing.size <= this.pages - count || count === size) break;
			}
		};
		if (!(await settle(listing())).ok) this.pages = FAILURE_PENALTY * size;
		return found;
	}
}

/**
 * All waits of this process for runs of one kind with one account. They check at the same times, so
 * that lists answer many at once, where they take fewer requests than reading the runs one by one
 * (docs/adr/0007-shared-watch.md).
 */
class Watch<T extends RunRecord> {
	private readonly batches = new Batches<WatchedRun<T>, T | undefined>(
		async (client, runs) => await this.list(client, runs),
	);

	private readonly active: SharedList<T>;

	private readonly ended: SharedList<T>;

	constructor(private readonly kind: RunKind<T>) {
		this.active = new SharedList(kind);
		this.ended = new SharedList(kind);
	}

	/**
	 * Reads a run, together with those of other waits where that is cheaper. It is read by itself where
	 * no list shows it, or not all of it.
	 *
	 * @param suffices whether an active run as listed will do
	 * @throws what `fetchRun` does; a list that cannot be read is no error
	 * @throws CancelledError when the execution is cancelled
	 */
	async read(
		client: Client,
		run: WatchedRun<T>,
		suffices: (listed: T) => boolean = () => true,
	): Promise<T> {
		const listed = await this.batches.ask(client, run);
		if (listed && (listed.isOver || suffices(listed))) return listed;
		run.whole = await fetchRun(client, this.kind, run.id);
		return run.whole;
	}

	/**
	 * Milliseconds until the next check of a run, at a time that is the same for all. Where a list
	 * answers, it is read twice as often, but not more than one page a second: ends are then noticed
	 * in time although the rate limit lets only a hundred of them be read at once.
	 */
	pauseMs(intervalMs: number, maxIntervalMs: number): number {
		const now = clock.monotonic();
		const untilNext = (stepMs: number) => stepMs - (now % stepMs);
		if (!this.active.isRead) return Math.min(intervalMs, untilNext(maxIntervalMs));
		const pagesMs = Math.min(this.active.pages * PER_PAGE_MS, maxIntervalMs);
		const stepMs = Math.max(maxIntervalMs / 2, pagesMs);
		return Math.min(Math.max(intervalMs, pagesMs), untilNext(stepMs));
	}

	/** The runs that lists show: active ones, and all of those that have ended. */
	private async list(client: Client, runs: Array<WatchedRun<T>>): Promise<Array<T | undefined>> {
		const { active, createdFrom, complete, statusName } = this.kind;
		const ids = runs.map(({ id }) => id);
		const query = { [statusName]: [...active] };
		const found = await this.active.find(client, ids, query, ({ isActive }) => isActive);
		const created = new Map<string, Micros>();
		for (const { id, whole } of runs) {
			if (complete && whole?.created && !found.has(id)) created.set(id, whole.created);
		}
		if (!complete || created.size === 0) return ids.map((id) => found.get(id));
		const oldest = [...created.values()].reduce((one, other) => Math.min(one, other));
		const since = createdFrom((Math.floor(oldest / MICROS_PER_SECOND) - 1) * MICROS_PER_SECOND);
		const isOver = (run: T) => run.isOver;
		const ended = await this.ended.find(client, [...created.keys()], since, isOver);
		return runs.map(({ id, whole }) => {
			const run = ended.get(id);
			return found.get(id) ?? (run && whole && complete(run, whole));
		});
	}
}

const watches = new Map<string, { watch: unknown; waits: number }>();

/** Lets `work` use the watch of a kind and account, which is there as long as anybody uses it. */
export async function watchWhile<T extends RunRecord, R>(
	client: Client,
	kind: RunKind<T>,
	work: (watch: Watch<T>) => Promise<R>,
): Promise<R> {
	const key = `${kind.noun}\n${client.account}`;
	const shared = watches.get(key) ?? { watch: new Watch(kind), waits: 0 };
	watches.set(key, shared);
	shared.waits += 1;
	try {
		return await work(shared.watch as Watch<T>);
	} finally {
		shared.waits -= 1;
		if (shared.waits === 0) watches.delete(key);
	}
}

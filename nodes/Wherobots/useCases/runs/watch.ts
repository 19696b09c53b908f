/** Tested by test/engine/actions/runs/wait.together.test.ts, too. */
import type { RunKind, RunRecord } from '../../service/records/kind';
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

/**
 * All waits of this process for runs of one kind with one account. They check at the same times, so
 * that a list of the active runs answers many at once, where it takes fewer requests than reading
 * them one by one (docs/adr/0007-shared-watch.md).
 */
class Watch<T extends RunRecord> {
	private readonly lists = new Batches<string, T | undefined>(
		async (client, ids) => await this.list(client, ids),
	);

	/** How many pages a list has, as far as known. */
	private pages = 1;

	private isListed = false;

	constructor(private readonly kind: RunKind<T>) {}

	/**
	 * Reads a run, together with those of other waits where that is cheaper. A run that the list does
	 * not show as active is read by itself: it has ended, or is too new for the list.
	 *
	 * @param suffices whether an active run as listed will do
	 * @throws what `fetchRun` does; a list that cannot be read is no error
	 * @throws CancelledError when the execution is cancelled
	 */
	async read(
		client: Client,
		id: string,
		suffices: (listed: T) => boolean = () => true,
	): Promise<T> {
		const listed = await this.lists.ask(client, id);
		return listed && suffices(listed) ? listed : await fetchRun(client, this.kind, id);
	}

	/**
	 * Milliseconds until the next check of a run, at a time that is the same for all. Where a list
	 * answers, it is read twice as often, but not more than one page a second: ends are then noticed
	 * in time although the rate limit lets only a hundred of them be read at once.
	 */
	pauseMs(intervalMs: number, maxIntervalMs: number): number {
		const now = clock.monotonic();
		const untilNext = (stepMs: number) => stepMs - (now % stepMs);
		if (!this.isListed) return Math.min(intervalMs, untilNext(maxIntervalMs));
		const pagesMs = Math.min(this.pages * PER_PAGE_MS, maxIntervalMs);
		const stepMs = Math.max(maxIntervalMs / 2, pagesMs);
		return Math.min(Math.max(intervalMs, pagesMs), untilNext(stepMs));
	}

	/** The active runs among these; undefined for the others, and for all when single reads are cheaper. */
	private async list(client: Client, ids: string[]): Promise<Array<T | undefined>> {
		const { active, statusName } = this.kind;
		const missing = new Set(ids);
		const found = new Map<string, T>();
		const { size } = missing;
		this.isListed = size > this.pages;
		// By and by, it is worth another try: active runs become fewer, and lists readable.
		if (!this.isListed) this.pages = Math.max(1, this.pages / 2);
		if (!this.isListed) return ids.map(() => undefined);
		let given = 0;
		let count = 0;
		// Not tried again: meanwhile, the runs can be read one by one.
		const request = { query: { [statusName]: [...active] }, retry: 'once' } as const;
		const readPage = async (cursor?: string) =>
			await fetchPage(client, this.kind, { ...request, cursor });
		const listing = async () => {
			for await (const { items, next, total = 0 } of fetchEachPage(readPage)) {
				count += 1;
				given += items.length;
				for (const run of items) {
					if (!run.isActive) continue;
					found.set(run.id, run);
					missing.delete(run.id);
				}
				const left = Math.ceil((total - given) / (items.length || PAGE_SIZE));
				this.pages = count + (next === undefined ? 0 : Math.max(1, left));
				if (missing.size <= this.pages - count || count === size) break;
			}
		};
		if (!(await settle(listing())).ok) this.pages = FAILURE_PENALTY * size;
		return ids.map((id) => found.get(id));
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

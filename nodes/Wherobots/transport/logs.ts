import type { LogLine } from '../service/types';
import type { Client } from './client';
import { MAX_PAGES } from './pagination';

/** Lines asked for at once. The service documents no maximum; its own clients use 200 to 1,000. */
const PAGE_SIZE = 500;
const MAX_PAGE_SIZE = 8_000;

interface LogPage {
	items?: LogLine[];
	next_page?: string | number | null;
}

/**
 * The log of one run, read forward. Cursors stay opaque (interface, "Log page": integers; newer
 * deployments: strings), and the same page is asked for again when it was the last one: what has
 * been given already is skipped, so that nothing repeats and nothing that comes late is missed.
 */
export class RunLog {
	private cursor = '0';

	private size = PAGE_SIZE;

	/** Lines of the current page that have been given. */
	private given = 0;

	/** The last line given before the current page: a service whose cursor is inclusive repeats it. */
	private lineBefore: LogLine | undefined;

	private readonly seen = new Set(['0']);

	constructor(
		private readonly client: Client,
		private readonly runId: string,
	) {}

	/**
	 * The lines that have come since the last call, page by page, until there is nothing further now.
	 *
	 * @throws NodeApiError when a page is not one, or pages do not end
	 */
	async *available(): AsyncGenerator<LogLine[]> {
		for (let count = 0; ; count++) {
			if (count >= MAX_PAGES) throw this.broken(`it did not end after ${MAX_PAGES} pages`);
			const page = await this.client.call<LogPage | undefined>('getRunLogs', {
				path: { run_id: this.runId },
				query: { cursor: this.cursor, size: this.size },
			});
			if (!Array.isArray(page?.items)) throw this.broken('a page came without a list of lines');

			const lines = this.withoutRepeated(page.items);
			const fresh = lines.slice(this.given);
			if (fresh.length > 0) yield fresh;
			this.given = Math.max(this.given, lines.length);
			if (!this.advance(page, lines)) return;
		}
	}

	/** Moves to the next page; false when there is none for now. */
	private advance(page: LogPage, lines: LogLine[]): boolean {
		const next = page.next_page;
		const cursor = next === undefined || next === null || next === '' ? this.cursor : String(next);
		if (cursor === this.cursor) {
			// A full page without a next one may hide lines behind its end: ask for more at once.
			const isFull = (page.items?.length ?? 0) >= this.size && this.size < MAX_PAGE_SIZE;
			if (isFull) this.size *= 2;
			return isFull;
		}
		if (this.seen.has(cursor)) throw this.broken('a page named a next page that was read already');
		this.seen.add(cursor);
		this.cursor = cursor;
		this.size = PAGE_SIZE;
		this.given = 0;
		this.lineBefore = lines.at(-1) ?? this.lineBefore;
		return true;
	}

	private withoutRepeated(items: LogLine[]): LogLine[] {
		const [first] = items;
		const before = this.lineBefore;
		const repeated =
			first !== undefined &&
			before !== undefined &&
			String(first.timestamp) === this.cursor &&
			String(before.timestamp) === this.cursor &&
			first.raw === before.raw;
		return repeated ? items.slice(1) : items;
	}

	private broken(what: string): Error {
		return this.client.error({
			message: 'The log could not be read to its end',
			description: `While the pages were read, ${what}. Run ID: ${this.runId}`,
			codes: [],
		});
	}
}

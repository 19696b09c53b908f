import { isRecord, type LogLine } from '../../service/types';
import type { Client } from '../client';
import { PageGuard, refuseErrors } from '../pagination';
import { Failure } from '../failure';

/** Lines per request. The service documents no maximum; its own clients use 200 to 1,000. */
const PAGE_SIZE = 500;

/** Maximum number of lines with the same time, which have to fit into one page. */
const LARGEST_PAGE = 128_000;

/** Where a log begins. As a next page, it means that there is none. */
const FIRST_CURSOR = '0';

/**
 * The log of one run, read forward, each line once.
 *
 * A cursor is the position after the last line, or the time of the last line, with which the lines of
 * that time come again (docs/adr/0004-log-cursors.md). A next page that is missing, or equal to the
 * cursor, ends the log for now; the same page is then requested again for new lines.
 */
export class RunLog {
	private cursor = FIRST_CURSOR;

	private size = PAGE_SIZE;

	/** Lines that were returned and come again with this cursor. */
	private known: LogLine[] = [];

	private readonly guard = new PageGuard({ fail: (what) => this.broken(what) });

	constructor(
		private readonly client: Client,
		private readonly runId: string,
	) {}

	/**
	 * The new lines since the last call, page by page, until there are no more for now.
	 *
	 * @throws Failure when a page is invalid, or pages do not end
	 */
	async *available(): AsyncGenerator<LogLine[]> {
		for (;;) {
			const { items, next } = await this.read();
			const fresh = withoutKnown(items, this.known);
			if (fresh.length > 0) yield fresh;
			this.known = [...this.known, ...fresh];

			if (next === this.cursor && items.length >= this.size) this.enlarge();
			else if (next === undefined || next === this.cursor || next === FIRST_CURSOR) return;
			else this.moveTo(next, items);
		}
	}

	/** Its lines, and the cursor of the next page when the page names one. */
	private async read(): Promise<{ items: LogLine[]; next?: string }> {
		const page = await this.client.call<{ items?: unknown; next_page?: unknown } | undefined>(
			'getRunLogs',
			{ path: { run_id: this.runId }, query: { cursor: this.cursor, size: this.size } },
		);
		refuseErrors(this.client, 'getRunLogs', page);
		const items = page?.items;
		if (!Array.isArray(items) || !items.every((line) => isRecord(line) && 'raw' in line)) {
			throw this.broken('a page arrived without a list of lines');
		}
		const next = page?.next_page ?? '';
		return { items: items as LogLine[], next: next === '' ? undefined : String(next) };
	}

	private moveTo(cursor: string, items: LogLine[]): void {
		this.guard.pass(cursor, items.length > 0);
		this.cursor = cursor;
		this.size = PAGE_SIZE;
		this.known = items.filter(({ timestamp }) => String(timestamp) === cursor);
	}

	/** Doubles the page size: all lines of one time have to fit into a page. */
	private enlarge(): void {
		if (this.size >= LARGEST_PAGE)
			throw this.broken(`more than ${this.size} lines had the same timestamp`);
		this.size *= 2;
	}

	private broken(what: string): Error {
		return new Failure({
			message: 'The log could not be read to the end',
			description: `While reading the pages, ${what}. Try again later. Run ID: ${this.runId}`,
			facts: { runId: this.runId },
		});
	}
}

/** The lines that are not among the known ones, counting equal lines separately. */
export function withoutKnown(lines: LogLine[], known: LogLine[]): LogLine[] {
	if (known.length === 0) return lines;
	const left = new Map<string, number>();
	for (const line of known) left.set(keyOf(line), (left.get(keyOf(line)) ?? 0) + 1);
	return lines.filter((line) => {
		const key = keyOf(line);
		const count = left.get(key) ?? 0;
		if (count > 0) left.set(key, count - 1);
		return count === 0;
	});
}

function keyOf({ timestamp, raw }: LogLine): string {
	return `${timestamp} ${raw}`;
}

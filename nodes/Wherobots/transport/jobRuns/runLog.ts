import { isRecord, type LogLine } from '../../service/types';
import type { Client } from '../client';
import { MAX_PAGES_WITHOUT_NEW_RECORDS, MAX_PAGES, nextCursor } from '../pagination';

/** Lines per request. The service documents no maximum; its own clients use 200 to 1,000. */
const PAGE_SIZE = 500;

/** Maximum number of lines with the same time, which have to fit into one page. */
const LARGEST_PAGE = 128_000;

const FIRST_CURSOR = '0';

/**
 * The log of one run, read forward, each line once.
 *
 * The interface does not say exactly what a cursor is ("Log page": an integer, the position of the
 * last item of the previous page). Deployments and the service's own clients treat it as a time or a
 * number of lines, and the line at it as read or unread. For all of them:
 * - The last page is requested again for new lines; known ones are left out.
 * - A cursor that is the time of the last line may hide further lines of that time, or repeat some.
 * The next page is requested from the time before, so that nothing is lost either way.
 * - With any other cursor, the first line of a page may be the last one of the previous page.
 */
export class RunLog {
	private cursor = FIRST_CURSOR;

	private size = PAGE_SIZE;

	/** Lines that were returned and may be repeated at this cursor. */
	private known: LogLine[] = [];

	/** The last line before the cursor, while the service may repeat it. */
	private lastLine: LogLine | undefined;

	private readonly seen = new Set<string>();

	/** False once a page has begun with a line other than the one at its cursor. */
	private repeatsLast = true;

	constructor(
		private readonly client: Client,
		private readonly runId: string,
	) {}

	/**
	 * The new lines since the last call, page by page, until there are no more for now.
	 *
	 * @throws NodeApiError when a page is invalid, or pages do not end
	 */
	async *available(): AsyncGenerator<LogLine[]> {
		let empty = 0;
		for (let count = 0; count < MAX_PAGES; count++) {
			const { items, next } = await this.read();
			const fresh = withoutKnown(this.withoutLast(items), this.known);
			if (fresh.length > 0) yield fresh;
			this.known = [...this.known, ...fresh];

			if (!this.advance(items, next)) return;
			empty = items.length === 0 ? empty + 1 : 0;
			if (empty > MAX_PAGES_WITHOUT_NEW_RECORDS)
				throw this.broken('page after page was empty but pointed to another one');
		}
		throw this.broken(`it did not end after ${MAX_PAGES} pages`);
	}

	/** Its lines, and the cursor of the next page unless there is nothing further for now. */
	private async read(): Promise<{ items: LogLine[]; next?: string }> {
		const page = await this.client.call<{ items?: unknown; next_page?: unknown } | undefined>(
			'getRunLogs',
			{ path: { run_id: this.runId }, query: { cursor: this.cursor, size: this.size } },
		);
		const items = page?.items;
		if (!Array.isArray(items) || !items.every((line) => isRecord(line) && 'raw' in line)) {
			throw this.broken('a page arrived without a list of lines');
		}
		return { items: items as LogLine[], next: nextCursor(page?.next_page) };
	}

	private withoutLast(items: LogLine[]): LogLine[] {
		if (!this.lastLine || items.length === 0) return items;
		if (keyOf(items[0]) === keyOf(this.lastLine)) return items.slice(1);
		this.repeatsLast = false;
		this.lastLine = undefined;
		return items;
	}

	/** Moves on, or makes the page larger; false when there are no more lines for now. */
	private advance(items: LogLine[], next: string | undefined): boolean {
		const isFull = items.length >= this.size;
		if (next === undefined) return false;
		if (next === this.cursor) {
			if (!isFull || this.enlarge()) return isFull;
			throw this.broken(`more than ${this.size} lines had the same timestamp`);
		}
		const last = items.at(-1);
		if (last === undefined || String(last.timestamp) !== next) {
			this.moveTo(next);
			if (this.repeatsLast) this.lastLine = last ?? this.lastLine;
			return true;
		}
		const before = timeBefore(items, next, this.cursor);
		if (before === undefined && isFull && this.enlarge()) return true;
		this.moveTo(before ?? next);
		this.lastLine = undefined;
		// A line whose time is not a number may come again.
		const from = timeOf(before ?? next) ?? 0n;
		this.known = items.filter(({ timestamp }) => (timeOf(timestamp) ?? from) >= from);
		return true;
	}

	private moveTo(cursor: string): void {
		if (this.seen.has(cursor))
			throw this.broken('a page pointed to a page that had already been read');
		this.seen.add(cursor);
		this.cursor = cursor;
		this.size = PAGE_SIZE;
		this.known = [];
	}

	/** Doubles the page size at this cursor; false at the maximum. */
	private enlarge(): boolean {
		if (this.size >= LARGEST_PAGE) return false;
		this.size *= 2;
		return true;
	}

	private broken(what: string): Error {
		return this.client.error({
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

/**
 * The latest time among the lines that is earlier than `time` and later than `after`, as text.
 * Undefined when there is none, or when times are not numbers.
 */
export function timeBefore(lines: LogLine[], time: string, after: string): string | undefined {
	const [end, begin] = [timeOf(time), timeOf(after)];
	if (end === undefined || begin === undefined) return undefined;
	const latest = lines.reduce((found, { timestamp }) => {
		const at = timeOf(timestamp) ?? end;
		return at < end && at > found ? at : found;
	}, begin);
	return latest > begin ? String(latest) : undefined;
}

/** Times have any number of digits: nanoseconds since the epoch have nineteen. */
function timeOf(value: string | number): bigint | undefined {
	return /^\d+$/.test(String(value)) ? BigInt(value) : undefined;
}

function keyOf({ timestamp, raw }: LogLine): string {
	return `${timestamp} ${raw}`;
}

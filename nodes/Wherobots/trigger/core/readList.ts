import type { Micros } from '../../service/time/time';
import { MAX_PAGES_WITHOUT_NEW_RECORDS, type Page } from '../../transport/pagination';
import { toResult } from '../../transport/toResult';
import type { Budget, Source } from './source';

/** Where a reading that did not reach the end of its list continues. */
export interface ListPosition {
	cursor: string;
	/** How many records have come, and how many there are at most, according to the pages. */
	count: number;
	total?: number;
	/** How far the reading moves the watermark when it reaches the end of the list: what was final before it. */
	final: Micros;
	/** The end of the requested range, if it has one. */
	end?: Micros;
}

/** How far a reading came. */
export type ListReading =
	/**
	 * To the end. `isOdd`: it has fewer records than the total on its first page (if several polls read
	 * it or its records may move, than any), or the total fell. `isPage`: it was one page, which is one
	 * moment. `final`: how far the watermark may move.
	 */
	| { kind: 'complete'; isOdd: boolean; isPage: boolean; final: Micros }
	/** The first page has nothing new, and the list as many records as are known. */
	| { kind: 'known' }
	/** There was no time for the rest, or no room. Without a position nothing leads to it. */
	| { kind: 'truncated'; position?: ListPosition }
	/** A stored position is no longer accepted. */
	| { kind: 'restart' };

/** A note for n8n's log. */
export const restartNote = (what: 'runs' | 'events') =>
	`The service no longer continues the list of ${what}; the next poll reads it from the start.`;

export interface ListPlan<T> {
	source: Source;
	budget: Budget;
	readPage(cursor?: string): Promise<Page<T> & { isCut?: boolean }>;
	keyOf(record: T): string;
	/** Takes the records of a page; returns whether any is new. */
	take(records: T[]): boolean;
	/** Whether to stop before the next page although there is time. */
	isEnough?(): boolean;
	/** How many records the list has if nothing has happened. */
	known?: number;
	/** Whether records may change their places in the list, as runs do in order of update. */
	mayMove?: boolean;
	/** How far the watermark may move when the end is reached. */
	final?: Micros;
	end?: Micros;
	position?: ListPosition;
}

/**
 * Reads a list page by page to its end, or as far as time allows; at least one page.
 *
 * @throws what the source throws, and an error when the pages lead nowhere
 */
export async function readList<T>(plan: ListPlan<T>): Promise<ListReading> {
	const { source, budget, position, end } = plan;
	const { final = 0 } = position ?? plan;
	const shown = new Set<string>();
	const cursors = new Set<string>();
	const before = position?.count ?? 0;
	let cursor = position?.cursor;
	let firstTotal: number | undefined;
	let highest = position?.total ?? 0;
	let withoutNew = 0;
	let isFallen = false;
	const truncated = (at: string): ListReading => ({
		kind: 'truncated',
		position: { cursor: at, count: before + shown.size, total: highest, final, end },
	});

	for (let pages = 0; ; pages++) {
		const isFirst = pages === 0;
		const read = await toResult(plan.readPage(cursor));
		if (!read.ok) {
			if (isFirst && position && source.maySuspectCursor(read.error)) return { kind: 'restart' };
			if (!isFirst && cursor !== undefined && budget.spent()) return truncated(cursor);
			throw read.error;
		}
		const { items, next, isCut = false, total: latest = highest } = read.value;
		if (isFirst && !position) firstTotal = read.value.total;
		isFallen ||= latest < highest;
		highest = Math.max(highest, latest);
		const known = shown.size;
		for (const record of items) shown.add(plan.keyOf(record));
		const hasNew = plan.take(items);
		if (isCut) return { kind: 'truncated' };
		if (next === undefined) {
			// Between pages, and between replicas, records slip. One that is added meanwhile may hide that.
			const whole = position || plan.mayMove ? highest : (firstTotal ?? 0);
			const isOdd = isFallen || before + shown.size < whole;
			return { kind: 'complete', isOdd, isPage: isFirst && !position, final };
		}
		const isKnown = isFirst && !position && !hasNew && firstTotal === plan.known;
		if (isKnown && firstTotal !== undefined) return { kind: 'known' };
		if (cursors.has(next) || next === cursor) {
			throw source.broken('a page pointed to a page that had already been read');
		}
		withoutNew = shown.size > known ? 0 : withoutNew + 1;
		if (withoutNew > MAX_PAGES_WITHOUT_NEW_RECORDS) {
			throw source.broken(`${withoutNew} pages in a row contained nothing new`);
		}
		cursors.add(next);
		cursor = next;
		if (budget.spent() || plan.isEnough?.()) return truncated(cursor);
	}
}

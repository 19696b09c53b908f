import type { Micros } from '../../service/time/time';
import { MAX_PAGES_WITHOUT_NEW_RECORDS, type Page } from '../../transport/pagination';
import { toResult } from '../../transport/toResult';
import type { Budget, Source } from './source';
import { earlier } from './watermark';

/** Where a reading that did not reach the end of its list continues. */
export interface ListPosition {
	cursor: string;
	/** How many records have come, and how many there are, as the first page said. */
	count: number;
	total?: number;
	/** How far the reading moves the watermark when it reaches the end of the list. */
	final: Micros;
	/** The oldest time among the records that were new in it. */
	oldestNew?: Micros;
	/** The end of the range that was asked for, if it has one. */
	end?: Micros;
}

/** How far a reading came. */
export type ListReading =
	/**
	 * To the end. `isOdd`: it has fewer records than its total says, the total fell, or it lacks a
	 * record that all replicas have. `isPage`: it was one page, which is one moment. `isGrown`: records
	 * were added while several polls read it, so it has to be read again.
	 */
	| {
			kind: 'complete';
			isOdd: boolean;
			isPage: boolean;
			isGrown: boolean;
			/** How far the watermark may move, and the oldest time that was new. */
			final: Micros;
			oldestNew?: Micros;
	  }
	/** The list was cut, and nothing leads to the rest. */
	| { kind: 'cut' }
	/** There was no time for the rest, or no room. */
	| { kind: 'truncated'; position: ListPosition }
	/** A stored position is no longer accepted. */
	| { kind: 'restart' };

export interface ListPlan<T> {
	source: Source;
	budget: Budget;
	readPage(cursor?: string): Promise<Page<T> & { isCut?: boolean }>;
	keyOf(record: T): string;
	/** Takes the records of a page. Returns the oldest time among those that are new. */
	take(records: T[]): Micros | undefined;
	/** Whether to stop before the next page although there is time. */
	isEnough?(): boolean;
	/** Keys that the list must have, because all replicas have them. */
	expected?: Iterable<string>;
	/** How far the watermark may move when the end is reached; asked once the first page is taken. */
	final?(): Micros;
	end?: Micros;
	position?: ListPosition;
}

/**
 * Reads a list page by page to its end, or as far as the time allows; at least one page.
 *
 * @throws what the source throws, and an error when the pages lead nowhere
 */
export async function readList<T>(plan: ListPlan<T>): Promise<ListReading> {
	const { source, budget, position, expected = [], end } = plan;
	const shown = new Set<string>();
	const cursors = new Set<string>();
	const before = position?.count ?? 0;
	let final = position?.final;
	let { cursor, total, oldestNew } = position ?? ({} as Partial<ListPosition>);
	let withoutNew = 0;
	let highest = total ?? 0;
	let isFallen = false;
	const truncated = (at: string): ListReading => ({
		kind: 'truncated',
		position: { cursor: at, count: before + shown.size, total, final: final ?? 0, oldestNew, end },
	});

	for (let pages = 0; ; pages++) {
		const read = await toResult(plan.readPage(cursor));
		if (!read.ok) {
			const isFirst = pages === 0;
			if (isFirst && position && source.maySuspectCursor(read.error)) return { kind: 'restart' };
			if (!isFirst && cursor !== undefined && budget.spent()) return truncated(cursor);
			throw read.error;
		}
		const { items, next, isCut = false, total: latest = highest } = read.value;
		if (pages === 0 && !position) total = read.value.total;
		isFallen ||= latest < highest;
		highest = Math.max(highest, latest);
		const known = shown.size;
		for (const record of items) shown.add(plan.keyOf(record));
		oldestNew = earlier(oldestNew, plan.take(items));
		final ??= plan.final?.() ?? 0;
		if (isCut) return { kind: 'cut' };
		if (next === undefined) {
			const count = before + shown.size;
			// The pages of an earlier poll may have shown them.
			const isLacking = !position && [...expected].some((key) => !shown.has(key));
			// Between a page and one of a replica that is behind, records slip.
			const isOdd = isFallen || isLacking || count < (total ?? 0);
			const isPage = pages === 0 && !position;
			const isGrown = position !== undefined && count < (read.value.total ?? 0);
			return { kind: 'complete', isOdd, isPage, isGrown, final, oldestNew };
		}
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

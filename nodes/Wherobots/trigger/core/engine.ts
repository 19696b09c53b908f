import type { Micros } from '../../service/time/time';
import { PageGuard, type Page } from '../../transport/pagination';
import { settle } from '../../transport/failure';
import type { ListPosition } from './cursor';
import type { Budget } from './source';

/** How far a reading came. */
export type ListReading =
	/**
	 * To the end. `isInconsistent`: it has fewer records than the total on its first page (than any, if several
	 * polls read it), or its total fell. `isPage`: it was one page, which is one moment. `final`: how far the watermark may move.
	 */
	| { kind: 'complete'; isInconsistent: boolean; isPage: boolean; final: Micros }
	/** The first page has nothing new, and the list as many records as are known. */
	| { kind: 'known' }
	/** There was no time for the rest, or no room. Without a position the list has to be read from its start. */
	| { kind: 'truncated'; position?: ListPosition };

export interface ListPlan<T> {
	budget: Budget;
	readPage(cursor?: string): Promise<Page<T> & { isCut?: boolean }>;
	keyOf(record: T): string;
	/** Takes the records of a page; returns whether any is new. */
	take(records: T[]): boolean;
	/** Whether to stop before the next page although there is time. */
	isEnough?(): boolean;
	/** How many records the list has if nothing has happened. */
	known?: number;
	/** How far the watermark may move when the end is reached. */
	final?: Micros;
	/** The end of the requested range. */
	end?: Micros;
	/** Where an earlier poll stopped. */
	position?: ListPosition;
}

/**
 * Reads a list page by page to its end, or as far as time allows; at least one page.
 *
 * @throws what the source throws, and an error when the pages lead nowhere
 */
export async function readList<T>(plan: ListPlan<T>): Promise<ListReading> {
	const { budget, position } = plan;
	const { final = 0, end } = position ?? plan;
	const shown = new Set<string>();
	const count = () => (position?.count ?? 0) + shown.size;
	let { cursor, total } = position ?? ({} as Partial<ListPosition>);
	const guard = new PageGuard({ cursor });
	let last = total;
	let isFallen = false;

	for (let isFirst = true; ; isFirst = false) {
		const read = await settle(plan.readPage(cursor));
		if (!read.ok) {
			// The service may no longer know the place; if something else is wrong, the next request shows it.
			if (isFirst && position) return { kind: 'truncated' };
			throw read.error;
		}
		const { items, next, isCut, total: latest = last } = read.value;
		// What is added while several polls read the list may hide that something is missing.
		total = position ? Math.max(total ?? 0, latest ?? 0) : (total ?? latest);
		// Between pages, and between replicas, records slip.
		isFallen ||= (latest ?? 0) < (last ?? 0);
		last = latest;
		const before = shown.size;
		for (const record of items) shown.add(plan.keyOf(record));
		const hasNew = plan.take(items);
		if (isCut) return { kind: 'truncated' };
		if (next === undefined) {
			const isInconsistent = isFallen || count() < (total ?? 0);
			return { kind: 'complete', isInconsistent, isPage: isFirst && !position, final };
		}
		if (isFirst && !position && !hasNew && total !== undefined && total === plan.known) {
			return { kind: 'known' };
		}
		guard.pass(next, shown.size > before);
		cursor = next;
		if (budget.spent() || plan.isEnough?.()) {
			return { kind: 'truncated', position: { cursor, count: count(), total, final, end } };
		}
	}
}

/** A note for n8n's log. */
export function inconsistencyNote(what: 'runs' | 'events'): string {
	return `The list of ${what} had fewer records than it said; it is read once more.`;
}

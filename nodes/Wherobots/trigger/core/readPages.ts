import type { Page } from '../../transport/pagination';
import { settled } from '../../transport/settled';
import type { Reading } from './watermark';
import type { Budget, MicroTime, Source } from './source';

/** Where a reading that did not reach the end of its list continues. */
export interface Resume extends Reading {
	cursor: string;
}

export type PagedReadResult =
	| ({ kind: 'complete'; pages: number } & Reading)
	/** Records were read, more are left. */
	| { kind: 'truncated'; resume: Resume }
	/** The service no longer takes the cursor of an earlier poll: the reading begins anew. */
	| { kind: 'restart' };

export interface PagedRead<T> {
	source: Source;
	budget: Budget;
	readPage(cursor?: string): Promise<Page<T>>;
	/** Tells records apart, to notice a list that does not advance. */
	keyOf(record: T): string;
	/** Takes the records of a page; gives the time of the newest one that was dealt with. */
	take(records: T[], startedAt: MicroTime): MicroTime | undefined;
	/** True when the poll has as many events as it may have. */
	isFull?(): boolean;
	resume?: Resume;
}

/** So many pages without a new record are a list that does not advance; a list that shifts while it is read repeats fewer. */
const MAX_BARREN_PAGES = 20;

/**
 * Reads a list page by page to its end, or as far as the budget lets it. At least one page is read.
 *
 * @throws what the source throws, and an error when the pages lead nowhere
 */
export async function readPages<T>(plan: PagedRead<T>): Promise<PagedReadResult> {
	const { source, budget, resume } = plan;
	const seenCursors = new Set<string>();
	const seen = new Set<string>();
	let cursor = resume?.cursor;
	let newest = resume?.newest;
	let startedAt = resume?.startedAt;
	let barren = 0;

	for (let count = 0; ; count++) {
		const requestedAt = source.now();
		const read = await settled(plan.readPage(cursor));
		if (!read.ok) {
			if (count === 0 && resume && source.refusesCursor(read.error)) return { kind: 'restart' };
			if (count > 0 && budget.spent() && cursor !== undefined && startedAt !== undefined) {
				return { kind: 'truncated', resume: { cursor, startedAt, newest } };
			}
			throw read.error;
		}
		// The first answer may have corrected the clock; the earlier of the two is the safe one.
		startedAt ??= Math.min(requestedAt, source.now());

		const { items, next } = read.value;
		newest = later(newest, plan.take(items, startedAt));
		if (next === undefined) return { kind: 'complete', pages: count + 1, startedAt, newest };

		if (items.length === 0) throw source.broken('a page was empty but named a next one');
		if (seenCursors.has(next) || next === cursor) {
			throw source.broken('a page named a next page that was read already');
		}
		const before = seen.size;
		for (const record of items) seen.add(plan.keyOf(record));
		barren = seen.size > before ? 0 : barren + 1;
		if (barren >= MAX_BARREN_PAGES) {
			throw source.broken(`${barren} pages in a row held nothing new`);
		}
		seenCursors.add(next);
		cursor = next;
		if (budget.spent() || plan.isFull?.()) {
			return { kind: 'truncated', resume: { cursor, startedAt, newest } };
		}
	}
}

/** The later of two times of which either may be missing. */
export function later(a: MicroTime | undefined, b: MicroTime | undefined): MicroTime | undefined {
	return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}

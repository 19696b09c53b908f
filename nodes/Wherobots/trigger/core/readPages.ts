import type { Micros } from '../../service/time/time';
import type { Page } from '../../transport/pagination';
import { MAX_PAGES_WITHOUT_NEW_RECORDS } from '../../transport/pagination';
import { toResult } from '../../transport/toResult';
import { ListSigns, type PagesBefore } from './listSigns';
import type { Budget, Source } from './source';

/** What the records of a list, read so far, say about how far it may count as known. */
export interface Reading {
	/** The newest time on the first page: the service had shown it before it was asked for the rest. */
	newest?: Micros;
	/** The oldest time among the records that were not known before. */
	oldestNew?: Micros;
}

/** Where a reading that did not reach the end of its list continues. */
export interface Resume extends Reading, PagesBefore {
	cursor: string;
}

export type PagedReadResult =
	/**
	 * `pages`: at least two for a reading that an earlier poll has begun. `shifted`: a record came
	 * twice, so others may have slipped between the pages. `short`: there were fewer records than the
	 * total says, or it fell from one page to another, because a replica that is behind gave one of them.
	 */
	| ({ kind: 'complete'; pages: number; shifted: boolean; short: boolean } & Reading)
	/** Records were read, more are left. */
	| { kind: 'truncated'; resume: Resume }
	/** The page of an earlier poll's cursor cannot be read: the list has to be read from its start. */
	| { kind: 'restart' };

export interface PagedRead<T> {
	source: Source;
	budget: Budget;
	readPage(cursor?: string): Promise<Page<T>>;
	/** Tells records apart, to notice a list that does not advance. */
	keyOf(record: T): string;
	/** Takes the records of a page. */
	take(records: T[]): Reading;
	/** True when the poll has as many events as it may have. */
	isFull?(): boolean;
	/** Takes the list as it is: nothing is asked for again, and no sign says that records are missing. */
	isTrusting?: boolean;
	/** The first page, when it has been read and taken already. */
	first?: Page<T> & { reading: Reading };
	resume?: Resume;
}

/**
 * Reads a list page by page to its end, or as far as the budget lets it. At least one page is read.
 * Empty pages that name a next one are followed. A page that ends the list too early, or is empty
 * although the one before named it, is asked for again: a replica that is behind gives such pages.
 *
 * @throws what the source throws, and an error when the pages lead nowhere
 */
export async function readPages<T>(plan: PagedRead<T>): Promise<PagedReadResult> {
	const { source, budget, first, resume } = plan;
	const signs = new ListSigns<T>(plan.keyOf, resume);
	const cursors = new Set<string>();
	let reading: Reading = resume ? { newest: resume.newest, oldestNew: resume.oldestNew } : {};
	let cursor = resume?.cursor;
	let barren = 0;
	let repeats = 0;
	/** The page that is being asked for again. */
	let early: Page<T> | undefined;
	const complete = (page: Page<T>, responses: number): PagedReadResult => ({
		kind: 'complete',
		pages: responses + (resume ? 2 : 1) - repeats,
		shifted: !plan.isTrusting && signs.shifted,
		short: !plan.isTrusting && signs.isShort(page, cursor),
		...reading,
	});
	const truncated = (at: string): PagedReadResult => ({
		kind: 'truncated',
		resume: { ...reading, cursor: at, ...signs.pagesBefore },
	});

	for (let responses = 0; ; responses++) {
		let page = responses === 0 ? first : undefined;
		if (page) {
			reading = page.reading;
		} else {
			const read = await toResult(plan.readPage(cursor));
			if (!read.ok) {
				const isStored = responses === 0 && resume !== undefined;
				if (isStored && source.maySuspectCursor(read.error)) return { kind: 'restart' };
				if (responses > 0 && budget.spent()) {
					// Had the time been over before this request, the page would count as it came.
					if (early) return complete(early, responses);
					if (cursor !== undefined) return truncated(cursor);
				}
				throw read.error;
			}
			const taken = plan.take(read.value.items);
			reading = {
				newest: responses === 0 && !resume ? taken.newest : reading.newest,
				oldestNew: earlier(reading.oldestNew, taken.oldestNew),
			};
			page = { ...read.value, reading };
		}
		const { next } = page;
		const fresh = signs.note(page, repeats > 0);
		if (next === undefined) {
			if (!plan.isTrusting && repeats < signs.repeatsOf(page, cursor) && !budget.spent()) {
				repeats += 1;
				early = page;
				continue;
			}
			return complete(page, responses);
		}
		repeats = 0;
		early = undefined;
		if (cursors.has(next) || next === cursor) {
			throw source.broken('a page pointed to a page that had already been read');
		}
		barren = fresh > 0 ? 0 : barren + 1;
		if (barren > MAX_PAGES_WITHOUT_NEW_RECORDS) {
			throw source.broken(`${barren} pages in a row contained nothing new`);
		}
		cursors.add(next);
		cursor = next;
		if (budget.spent() || plan.isFull?.()) return truncated(cursor);
	}
}

/** The later of two times of which either may be missing. */
export function later(a: Micros | undefined, b: Micros | undefined): Micros | undefined {
	return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}

/** The earlier of two times of which either may be missing. */
export function earlier(a: Micros | undefined, b: Micros | undefined): Micros | undefined {
	return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

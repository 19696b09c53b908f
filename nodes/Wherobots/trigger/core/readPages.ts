import type { Micros } from '../../service/time/time';
import type { Page } from '../../transport/pagination';
import { MAX_BARREN_PAGES } from '../../transport/pagination';
import { settled } from '../../transport/settled';
import type { Budget, Source } from './source';

/** What the records of a list, read so far, say about how far it may count as known. */
export interface Reading {
	/** The newest time on the first page: the service had shown it before it was asked for the rest. */
	newest?: Micros;
	/** The oldest time among the records that were not known before. */
	oldestNew?: Micros;
}

/** Where a reading that did not reach the end of its list continues. */
export interface Resume extends Reading {
	cursor: string;
}

export type PagedReadResult =
	/** `shifted`: a record came twice, so others may have slipped between the pages. */
	| ({ kind: 'complete'; pages: number; shifted: boolean } & Reading)
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
	/** The first page, when it has been read and taken already. */
	first?: Page<T> & { reading: Reading };
	resume?: Resume;
}

/**
 * Reads a list page by page to its end, or as far as the budget lets it. At least one page is read.
 * Empty pages that name a next one are followed. A last page that is empty although the one before
 * named it is asked for once more: a replica that is behind gives such pages.
 *
 * @throws what the source throws, and an error when the pages lead nowhere
 */
export async function readPages<T>(plan: PagedRead<T>): Promise<PagedReadResult> {
	const { source, budget, first, resume } = plan;
	const cursors = new Set<string>();
	const seen = new Set<string>();
	let reading: Reading = resume ? { newest: resume.newest, oldestNew: resume.oldestNew } : {};
	let cursor = resume?.cursor;
	let barren = 0;
	let repeats = 0;

	for (let count = 0; ; count++) {
		let page = count === 0 ? first : undefined;
		if (page) {
			reading = page.reading;
		} else {
			const read = await settled(readOne(plan, cursor));
			if (!read.ok) {
				const isStored = count === 0 && resume !== undefined;
				if (isStored && !budget.spent() && source.maySuspectCursor(read.error)) {
					return { kind: 'restart' };
				}
				if (count > 0 && budget.spent() && cursor !== undefined) {
					return { kind: 'truncated', resume: { ...reading, cursor } };
				}
				throw read.error;
			}
			const taken = plan.take(read.value.items);
			reading = {
				newest: count === 0 && !resume ? taken.newest : reading.newest,
				oldestNew: earlier(reading.oldestNew, taken.oldestNew),
			};
			page = { ...read.value, reading };
		}
		const { items, next } = page;
		const before = seen.size;
		for (const record of items) seen.add(plan.keyOf(record));
		const fresh = seen.size - before;
		repeats += items.length - fresh;
		if (next === undefined) {
			return { kind: 'complete', pages: count + 1, shifted: repeats > 0, ...reading };
		}
		if (cursors.has(next) || next === cursor) {
			throw source.broken('a page pointed to a page that had already been read');
		}
		barren = fresh > 0 ? 0 : barren + 1;
		if (barren > MAX_BARREN_PAGES) {
			throw source.broken(`${barren} pages in a row contained nothing new`);
		}
		cursors.add(next);
		cursor = next;
		if (budget.spent() || plan.isFull?.()) {
			return { kind: 'truncated', resume: { ...reading, cursor } };
		}
	}
}

async function readOne<T>(plan: PagedRead<T>, cursor: string | undefined): Promise<Page<T>> {
	const page = await plan.readPage(cursor);
	const isDoubtful = cursor !== undefined && page.items.length === 0 && page.next === undefined;
	return isDoubtful && !plan.budget.spent() ? await plan.readPage(cursor) : page;
}

/** The later of two times of which either may be missing. */
export function later(a: Micros | undefined, b: Micros | undefined): Micros | undefined {
	return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}

/** The earlier of two times of which either may be missing. */
export function earlier(a: Micros | undefined, b: Micros | undefined): Micros | undefined {
	return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

import { endsTooEarly, MAX_REPEATS, type Page } from '../../transport/pagination';
import { digest } from './digest';

/** What the poll that reads the rest of a list has to know of the pages before. */
export interface PagesBefore {
	/** How many records have come. */
	count?: number;
	/** How many there are, as the first page said. */
	total?: number;
	/** A digest of the last one's key. */
	last?: string;
	/** A record has come twice so far, or the total has fallen. */
	shifted?: boolean;
	fallen?: boolean;
}

/** What the pages of a list show about whether all of its records have come. */
export class ListSigns<T> {
	/** A record came twice, so others may have slipped between the pages. */
	shifted: boolean;

	/** A total was lower than one before: a replica that is behind gave the page. */
	private fallen: boolean;

	private readonly seen = new Set<string>();

	private total: number | undefined;

	private highest: number | undefined;

	private last: string | undefined;

	private responses = 0;

	constructor(
		private readonly keyOf: (record: T) => string,
		private readonly before: PagesBefore | undefined,
	) {
		this.shifted = before?.shifted ?? false;
		this.fallen = before?.fallen ?? false;
		this.total = this.highest = before?.total;
		this.last = before?.last;
	}

	/** For the poll that reads the rest. */
	get pagesBefore(): PagesBefore {
		const { count, total, last, shifted, fallen } = this;
		return { count, total, last, ...(shifted && { shifted }), ...(fallen && { fallen }) };
	}

	/**
	 * Notes a page.
	 *
	 * @param isRepeat it was asked for again
	 * @returns how many of its records have not come before
	 */
	note({ items, total }: Page<T>, isRepeat: boolean): number {
		const before = this.seen.size;
		for (const record of items) this.seen.add(this.keyOf(record));
		const fresh = this.seen.size - before;
		if (!isRepeat) this.shifted ||= fresh < items.length;
		// A shift between two polls shows records once more, up to the last one of the poll before.
		const last = this.before?.last;
		if (last !== undefined) this.shifted ||= items.some((item) => this.digestOf(item) === last);
		if (items.length > 0) this.last = this.digestOf(items[items.length - 1]);
		if (this.responses === 0 && !this.before) this.total = total;
		this.responses += 1;
		if (total === undefined) return fresh;
		this.fallen ||= total < (this.highest ?? 0);
		this.highest = Math.max(this.highest ?? 0, total);
		return fresh;
	}

	/** How often a page that names no next one is worth being asked for again. */
	repeatsOf(page: Page<T>, cursor: string | undefined): number {
		if (this.endsTooEarly(page, cursor)) return MAX_REPEATS;
		const isEmpty = cursor !== undefined && page.items.length === 0;
		return isEmpty && this.count !== this.total ? 1 : 0;
	}

	/** Whether there are more records than have come with the last page. */
	isShort(page: Page<T>, cursor: string | undefined): boolean {
		return this.fallen || this.endsTooEarly(page, cursor) || this.count < (this.total ?? 0);
	}

	private get count(): number {
		return (this.before?.count ?? 0) + this.seen.size;
	}

	private endsTooEarly(page: Page<T>, cursor: string | undefined): boolean {
		const isAll = this.count > 0 || (this.highest ?? 0) === 0;
		return !isAll || endsTooEarly(page, cursor, this.count, this.highest);
	}

	private digestOf(record: T): string {
		return digest(this.keyOf(record));
	}
}

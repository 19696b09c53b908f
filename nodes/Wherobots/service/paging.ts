import type { IDataObject } from 'n8n-workflow';

/** What a page was asked for, and how many records came. */
interface AskedPage {
	/** Where it begins; undefined for the first one. */
	cursor?: string;
	size: number;
	count: number;
}

/** How the pages of a list follow each other: whoever reads pages knows no kind of it. */
export interface Paging {
	/** The query parameter for where a page begins, for its size, and its maximum size. */
	cursorName: string;
	sizeName: string;
	maxSize: number;
	/** Whether the list seems to go on after this page, even if it names no other. */
	suggestsMore(page: IDataObject, asked: AskedPage): boolean;
	/** Where the next page begins; undefined when there is none. */
	findNext(page: IDataObject, asked: AskedPage): string | undefined;
}

/** Each page names the next one. Zero is the start of a list (interface, "logs": default cursor 0). */
export const defineCursorPaging = (sizeName: string, maxSize: number): Paging => ({
	...{ cursorName: 'cursor', sizeName, maxSize },
	suggestsMore: (_, { cursor, size, count }) =>
		count === 0 ? cursor !== undefined : count >= size,
	findNext({ next_page: next = null }) {
		return next === null || ['', '0'].includes(String(next)) ? undefined : String(next);
	},
});

/** Pages begin after a number of records. The total may count other things, so it can only make the list longer. */
export const defineOffsetPaging = (sizeName: string, maxSize: number): Paging => {
	const suggestsMore: Paging['suggestsMore'] = ({ limit, total }, { cursor = 0, size, count }) =>
		count >= Math.min(size, Number(limit) || size) ||
		(Number.isSafeInteger(total) && Number(cursor) + count < Number(total));
	return {
		...{ cursorName: 'offset', sizeName, maxSize, suggestsMore },
		findNext: (page, asked) =>
			asked.count > 0 && suggestsMore(page, asked)
				? String(Number(asked.cursor ?? 0) + asked.count)
				: undefined,
	};
};

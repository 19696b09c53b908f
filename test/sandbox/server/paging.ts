/** Cursor pages of `/runs` and `/audit-log`: the envelope with five cursors and a total. */
import type { Variants } from '../variants';
import { ServiceError } from './errors';

export interface CursorPage<T> {
	items: T[];
	total: number;
	current_page: string | null;
	current_page_backwards: string | null;
	previous_page: string | null;
	next_page: string | null;
}

/** A list that can be paged: all its items in order, with a key for each. */
export interface PagedList<T> {
	list: T[];
	keyOf(item: T): string;
	/** Whether an item is asked for; the others only have their places. */
	counts(item: T): boolean;
}

/** Reads forwards from after `key`, or backwards from before it. A key `#n` is a position. */
interface Cursor {
	backwards: boolean;
	key: string;
}

function encode(cursor: Cursor): string {
	return Buffer.from(`${cursor.backwards ? '<' : '>'}${cursor.key}`).toString('base64url');
}

function decode(text: string): Cursor {
	const plain = Buffer.from(text, 'base64url').toString();
	const again = Buffer.from(plain).toString('base64url');
	if (!/^[<>]/.test(plain) || again !== text.replace(/=+$/, '')) throw wrongCursor();
	return { backwards: plain.startsWith('<'), key: plain.slice(1) };
}

function wrongCursor(): ServiceError {
	return new ServiceError(400, {
		message: 'Invalid cursor',
		details: 'The cursor is not one that this list has given.',
		path: 'query.cursor',
		field: 'cursor',
	});
}

/** One page. An empty cursor counts as none. */
export function readPage<T>(
	paged: PagedList<T>,
	request: { cursor?: string; size: number },
	variants: Variants,
): CursorPage<T> {
	const { size } = request;
	const { list, keyOf } = paged;
	const positions = [...list.keys()].filter((position) => paged.counts(list[position]));
	const total = positions.length;
	const item = (rank: number) => list[positions[rank]];
	const keyAt = (rank: number) =>
		variants.pageCursors === 'offset' ? `#${rank}` : keyOf(item(rank));

	/** The number of items before the key, and whether the item itself still counts. */
	const rankOf = (key: string): { rank: number; exact: boolean } => {
		if (/^#\d+$/.test(key)) return { rank: Number(key.slice(1)), exact: true };
		const position = list.findIndex((each) => keyOf(each) === key);
		if (position < 0) throw wrongCursor();
		const found = positions.findIndex((each) => each >= position);
		return { rank: found < 0 ? total : found, exact: positions[found] === position };
	};

	let start = 0;
	let end: number;
	const cursor = request.cursor ? decode(request.cursor) : undefined;
	if (cursor?.backwards) {
		end = cursor.key === '' ? total : Math.min(total, rankOf(cursor.key).rank);
		start = Math.max(0, end - size);
	} else {
		if (cursor && cursor.key !== '') {
			const { rank, exact } = rankOf(cursor.key);
			start = Math.min(total, exact ? rank + 1 : rank);
		}
		end = Math.min(total, start + size);
	}
	const items: T[] = [];
	for (let rank = start; rank < end; rank += 1) items.push(item(rank));
	return {
		items,
		total,
		current_page: encode({ backwards: false, key: start > 0 ? keyAt(start - 1) : '' }),
		current_page_backwards: encode({ backwards: true, key: end < total ? keyAt(end) : '' }),
		previous_page: start > 0 && size > 0 ? encode({ backwards: true, key: keyAt(start) }) : null,
		next_page:
			end < total && end > start ? encode({ backwards: false, key: keyAt(end - 1) }) : null,
	};
}

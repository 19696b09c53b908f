/** Cursor pages of `/runs`, `/audit-log` and folders: the envelope with five cursors and a total. */
import type { Variants } from '../variants';
import { ServiceError } from './errors';

/** A list that can be paged: all its items in order, with a key for each. */
export interface PagedList<T> {
	list: T[];
	keyOf(item: T): string;
	/** Whether an item is asked for; the others only have their places. */
	counts(item: T): boolean;
}

/** After the item with this key; `#n` is after so many items. */
const encode = (key: string) => Buffer.from(`>${key}`).toString('base64url');

function decode(text: string): string {
	const plain = Buffer.from(text, 'base64url').toString();
	if (!plain.startsWith('>') || encode(plain.slice(1)) !== text.replace(/=+$/, '')) {
		throw wrongCursor();
	}
	return plain.slice(1);
}

export function wrongCursor(): ServiceError {
	return new ServiceError(400, {
		message: 'Invalid cursor',
		details: 'The cursor is not one that this list has given.',
		path: 'query.cursor',
		field: 'cursor',
	});
}

/** One page. An empty cursor counts as none. Nobody reads backwards, and no cursor leads there. */
export function readPage<T>(
	{ list, keyOf, counts }: PagedList<T>,
	{ cursor, size }: { cursor?: string; size: number },
	{ pageCursors }: Pick<Variants, 'pageCursors'>,
) {
	const after = cursor ? decode(cursor) : '';
	let place = 0;
	let skipped = 0;
	if (/^#\d+$/.test(after)) {
		skipped = Number(after.slice(1));
	} else if (after !== '') {
		place = list.findIndex((each) => keyOf(each) === after) + 1;
		if (place === 0) throw wrongCursor();
	}
	const rest = list.slice(place).filter(counts).slice(skipped);
	const items = rest.slice(0, size);
	const last = items.at(-1);
	const next =
		last === undefined || items.length === rest.length
			? null
			: encode(pageCursors === 'offset' ? `#${skipped + items.length}` : keyOf(last));
	return {
		items,
		total: list.filter(counts).length,
		current_page: encode(after),
		current_page_backwards: null,
		previous_page: null,
		next_page: next,
	};
}

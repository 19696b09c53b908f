/** How the model of the service serves lists with cursors, which shift while they are read. */
export interface ListStyle {
	order: 'newestFirst' | 'oldestFirst' | 'shuffled';
	cursors: 'keyset' | 'offset';
	/** Small, so that short histories have many pages. */
	pageSize: number;
}

export interface Listed {
	/** A unique name. */
	key: string;
	/** In microseconds. */
	time: number;
}

/** Looked up only once, because jest makes looking up a global slow. */
const { imul } = Math;

/** A hash that is unrelated to time and name, but always the same. */
function scramble(key: string): number {
	let hash = 2166136261;
	for (const character of key) hash = imul(hash ^ character.charCodeAt(0), 16777619) >>> 0;
	return hash;
}

function compare(a: Listed, b: Listed, order: ListStyle['order']): number {
	const byKey = a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
	if (order === 'shuffled') return scramble(a.key) - scramble(b.key) || byKey;
	return (order === 'newestFirst' ? b.time - a.time : a.time - b.time) || byKey;
}

/** One page of the items that match now. A cursor is an offset, or the position of the last item returned. */
export function pageOf<T extends Listed>(
	matching: readonly T[],
	style: ListStyle,
	cursor: string | undefined,
): { items: T[]; next?: string; total: number; isFull: boolean } {
	const sorted = [...matching].sort((a, b) => compare(a, b, style.order));
	let start = 0;
	if (cursor !== undefined && style.cursors === 'offset') start = Number(cursor);
	if (cursor !== undefined && style.cursors === 'keyset') {
		const [time, key] = cursor.split('@');
		const last = { time: Number(time), key };
		start = sorted.findIndex((item) => compare(item, last, style.order) > 0);
		if (start < 0) start = sorted.length;
	}
	const end = start + style.pageSize;
	const items = sorted.slice(start, end);
	const page = { items, total: sorted.length, isFull: items.length === style.pageSize };
	if (end >= sorted.length) return page;
	const { time, key } = items[items.length - 1];
	return { ...page, next: style.cursors === 'offset' ? String(end) : `${time}@${key}` };
}

import { readList, type ListPosition } from '../../../../nodes/Wherobots/trigger/core/readList';
import type { Source } from '../../../../nodes/Wherobots/trigger/core/source';
import type { Page } from '../../../../nodes/Wherobots/transport/pagination';

export interface Row {
	id: number;
}

export const refused = new Error('The cursor was refused');

/** A source for which no time passes. */
export const timeless = (suspects: boolean): Source => ({
	now: () => 0,
	knowsTime: () => true,
	localNow: () => 0,
	broken: (what) => new Error(what),
	maySuspectCursor: () => suspects,
});

/**
 * Reads pages by their cursors, the first one being ''. The cursor of a missing page is refused.
 *
 * @param options `known`: the IDs that an earlier poll has seen; without them, no record is new
 */
export async function read(
	pages: Record<string, Page<Row>>,
	{
		cursor,
		suspects = true,
		most = Infinity,
		known,
		...stored
	}: Partial<ListPosition> & { suspects?: boolean; most?: number; known?: number[] } = {},
) {
	const taken: number[] = [];
	const requested: string[] = [];
	const result = await readList<Row>({
		source: timeless(suspects),
		budget: { spent: () => requested.length >= most },
		readPage: async (at = '') => {
			requested.push(at);
			const page = pages[at];
			if (page === undefined) throw refused;
			return await Promise.resolve(page);
		},
		keyOf: ({ id }) => String(id),
		take: (rows) => {
			taken.push(...rows.map(({ id }) => id));
			return known !== undefined && rows.some(({ id }) => !known.includes(id));
		},
		known: known?.length,
		position: cursor === undefined ? undefined : { cursor, count: 0, final: 0, ...stored },
	});
	return { result, taken, requested };
}

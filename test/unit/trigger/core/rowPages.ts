import {
	readPages,
	type PagedRead,
	type Resume,
} from '../../../../nodes/Wherobots/trigger/core/readPages';
import type { Source } from '../../../../nodes/Wherobots/trigger/core/source';
import type { Page } from '../../../../nodes/Wherobots/transport/pagination';

export interface Row {
	id: number;
}

export const refused = new Error('The cursor was refused');

/** A source of rows for which no time passes. */
export const timeless = (suspects: boolean): Source => ({
	now: () => 0,
	knowsTime: () => true,
	localNow: () => 0,
	broken: (what) => new Error(what),
	maySuspectCursor: () => suspects,
});

/**
 * Reads pages by their cursors, the first by ''. A page that is missing is refused, and one in an
 * array when it is asked for again.
 */
export async function read(
	pages: Record<string, Page<Row> | [Page<Row>]>,
	{
		cursor,
		suspects = true,
		most = Infinity,
		first,
		...stored
	}: Partial<Resume> & { suspects?: boolean; most?: number; first?: PagedRead<Row>['first'] } = {},
) {
	const taken: number[] = [];
	const requested: string[] = [];
	const result = await readPages<Row>({
		source: timeless(suspects),
		budget: { spent: () => requested.length >= most },
		readPage: async (at = '') => {
			const isRepeat = requested.includes(at);
			requested.push(at);
			const page = pages[at];
			if (page === undefined || (Array.isArray(page) && isRepeat)) throw refused;
			return await Promise.resolve(Array.isArray(page) ? page[0] : page);
		},
		keyOf: ({ id }) => String(id),
		take: (rows) => {
			taken.push(...rows.map(({ id }) => id));
			return {};
		},
		first,
		resume: cursor === undefined ? undefined : { cursor, ...stored },
	});
	return { result, taken, requested };
}

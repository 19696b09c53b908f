/** Tested by test/engine/actions/api.otherServices.test.ts. Lists of which only the deployment's description is known. */
import type { ApiPaging } from '../../service/apiDescription';
import { isRecord } from '../../service/records';
import type { CallOptions, Client } from '../../transport/client';
import type { Failure } from '../../transport/failure';
import { fetchEachPage, refuseErrors, toListFailure } from '../../transport/records';

/** What pages call the cursor of the next one. */
const NEXT_NAMES = ['next_page', 'next_cursor', 'nextCursor', 'next_page_token', 'nextPageToken'];

function fail(what: string): Failure {
	return toListFailure(what, "turn off 'Return All' to get one page");
}

/**
 * The records of all pages.
 *
 * @throws Failure where a page has no list, or does not say how the list goes on: a part would look like all
 */
export async function fetchAllPages(
	client: Client,
	options: CallOptions & { at: string },
	paging: ApiPaging,
): Promise<unknown[]> {
	const { cursorName, sizeName, size } = paging;
	const readPage = async (cursor?: string) => {
		const query = { ...options.query, ...(sizeName && { [sizeName]: size }), [cursorName]: cursor };
		const page = await client.call('apiGet', { ...options, query });
		refuseErrors(client, 'apiGet', page);
		const records = findRecords(page);
		if (!records) throw fail('a page arrived without one list of records');
		const find = paging.kind === 'offset' ? findNextOffset : findNextCursor;
		return { records, next: find(page, { cursor, count: records.length }, paging) };
	};
	const all: unknown[] = [];
	let last: string | undefined;
	let hasNew = true;
	for await (const { records } of fetchEachPage(readPage, { hasNew: () => hasNew, fail })) {
		const text = JSON.stringify(records);
		hasNew = text !== last;
		last = text;
		for (const record of records) all.push(record);
	}
	return all;
}

interface Read {
	cursor?: string;
	count: number;
}

/** Without a total, only an empty page is the end: the service may give fewer records than it was asked for. */
function findNextOffset(page: unknown, { cursor, count }: Read): string | undefined {
	const next = Number(cursor ?? 0) + count;
	const hasTotal = isRecord(page) && Number.isSafeInteger(page.total);
	return count > 0 && (!hasTotal || next < Number(page.total)) ? String(next) : undefined;
}

function findNextCursor(
	page: unknown,
	{ cursor, count }: Read,
	{ sizeName, size }: ApiPaging,
): string | undefined {
	const fields = isRecord(page) ? page : {};
	const name = NEXT_NAMES.find((each) => each in fields);
	const next = name === undefined ? null : fields[name];
	if (next !== null && next !== '') return String(next);
	// A list whose first page named the next one may leave the name out at its end.
	const isTold = name !== undefined || cursor !== undefined;
	const isShort = count === 0 || (sizeName !== undefined && count < size);
	if (isTold || isShort) return undefined;
	throw fail('a page did not say whether more records follow');
}

/** The records of a page: its items, its only list, or the only one that has any. */
function findRecords(page: unknown): unknown[] | undefined {
	if (!isRecord(page)) return Array.isArray(page) ? (page as unknown[]) : undefined;
	if (Array.isArray(page.items)) return page.items as unknown[];
	const lists = Object.values(page).filter(Array.isArray) as unknown[][];
	const filled = lists.filter((list) => list.length > 0);
	const [found, ...others] = filled.length > 0 ? filled : lists.slice(0, 1);
	return others.length === 0 ? found : undefined;
}

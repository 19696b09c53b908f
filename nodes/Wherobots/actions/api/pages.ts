/** Tested by test/engine/actions/api.otherServices.test.ts. Lists of which only the deployment's description is known. */
import type { IDataObject } from 'n8n-workflow';

import type { ApiPaging } from '../../service/apiDescription';
import { isRecord } from '../../service/records';
import type { CallOptions, Client } from '../../transport/client';
import type { Failure } from '../../transport/failure';
import { fetchEachPage, refuseErrors, toListFailure } from '../../transport/records';

/** What pages call the cursor of the next one, and what it is on the last. */
const NEXT_NAMES = ['next_page', 'next_cursor', 'nextCursor', 'next_page_token', 'nextPageToken'];
const NO_NEXT = ['null', '', 'false', '0'];

/** What records call their own ID, unlike that of another, such as `run_id`. */
const ID_NAMES = ['id', '_id', 'uid', 'uuid', 'event_id', 'taskRunId'];

function fail(what: string): Failure {
	return toListFailure(what, "turn off 'Return All' to get one page");
}

/**
 * The records of all pages, from the cursor and with the size that were entered, if any. One with an ID that
 * comes again in another page, because the list shifts, is returned once.
 *
 * @throws Failure where a page has no list, or does not say how the list goes on: a part would look like all
 */
export async function fetchAllPages(
	client: Client,
	options: CallOptions & { at: string },
	{ cursorName, sizeName = '', size, kind }: ApiPaging,
): Promise<unknown[]> {
	const entered: IDataObject = { ...(sizeName && { [sizeName]: size }), ...options.query };
	const start = String(entered[cursorName] ?? '') || undefined;
	// The service may not give more at once than it describes.
	const usual = Math.min(size, Number(entered[sizeName]));
	const readPage = async (cursor?: string) => {
		const query = { ...entered, [cursorName]: cursor };
		const page = await client.call('apiGET', { ...options, query });
		refuseErrors(client, 'apiGET', page);
		const records = findRecords(page);
		if (!records) throw fail('a page has no single list of records');
		const { length: count } = records;
		if (kind === 'offset') return { records, next: findNextOffset(page, count, cursor) };
		// A list whose first page named the next one may leave the name out at its end.
		const mayEnd = cursor !== start || count === 0 || count < usual;
		return { records, next: findNextCursor(page, mayEnd) };
	};
	const all: unknown[] = [];
	const known = new Set<string>();
	let last: string | undefined;
	let hasNew = true;
	const pages = fetchEachPage(readPage, { cursor: start, hasNew: () => hasNew, fail });
	for await (const { records } of pages) {
		const keys = records.map((record) => JSON.stringify(record));
		const fresh = records.filter((_, at) => !known.has(keys[at]));
		const text = keys.join();
		hasNew = fresh.length > 0 && text !== last;
		last = text;
		for (const record of fresh) all.push(record);
		for (const [at, record] of records.entries()) if (hasId(record)) known.add(keys[at]);
	}
	return all;
}

const hasId = (record: unknown) => isRecord(record) && ID_NAMES.some((name) => name in record);

/** Without a total, only an empty page is the end: the service may give fewer records than it was asked for. */
function findNextOffset(page: unknown, count: number, cursor = '0'): string | undefined {
	const next = Number(cursor) + count;
	const hasTotal = isRecord(page) && Number.isSafeInteger(page.total);
	return count > 0 && (!hasTotal || next < Number(page.total)) ? String(next) : undefined;
}

function findNextCursor(page: unknown, mayEnd: boolean): string | undefined {
	const fields = isRecord(page) ? page : {};
	const name = NEXT_NAMES.find((each) => each in fields);
	const next = String(name === undefined ? null : fields[name]);
	if (!NO_NEXT.includes(next)) return next;
	if (name !== undefined || mayEnd) return undefined;
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

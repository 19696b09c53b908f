/** Tested by test/engine/actions/api.otherServices.test.ts. Lists of which only the deployment's description is known. */
import type { IDataObject } from 'n8n-workflow';

import type { ApiPaging } from '../../service/apiDescription';
import { isRecord } from '../../service/records';
import type { CallOptions, Client } from '../../transport/client';
import { fetchEachPage, refuseErrors, toUnexpectedFailure } from '../../transport/records';

/** What pages call the cursor of the next one. */
const NEXT_NAMES = ['next_page', 'next_cursor', 'nextCursor', 'next_page_token', 'nextPageToken'];

/**
 * The records of all pages.
 *
 * @throws Failure where a page has no list, or does not say how the list goes on: a part would look like all
 */
export async function fetchAllPages(
	client: Client,
	options: CallOptions & { at: string },
	{ cursorName, kind, sizeName, size }: ApiPaging,
): Promise<unknown[]> {
	const all: unknown[] = [];
	let last: string | undefined;
	let count = 0;
	let isTold = false;
	const readPage = async (cursor?: string) => {
		const query = { ...options.query, ...(sizeName && { [sizeName]: size }), [cursorName]: cursor };
		const page = await client.call('apiGet', { ...options, query });
		refuseErrors(client, 'apiGet', page);
		const records = findRecords(page);
		if (!records) throw toUnexpectedFailure('It does not contain one list of records.', options);
		const text = JSON.stringify(records);
		count = records.length;
		if (kind === 'offset' && count > 0 && text === last) {
			throw toUnexpectedFailure(`It has the same records for each ${cursorName}.`, options);
		}
		last = text;
		for (const record of records) all.push(record);
		if (kind === 'offset') {
			const total =
				isRecord(page) && Number.isSafeInteger(page.total) ? Number(page.total) : Infinity;
			return { next: count > 0 && all.length < total ? String(all.length) : undefined };
		}
		const name = NEXT_NAMES.find((each) => isRecord(page) && each in page);
		isTold ||= name !== undefined;
		const mayGoOn = count > 0 && (!sizeName || count >= size);
		if (!isTold && mayGoOn) {
			throw toUnexpectedFailure('It does not say whether more records follow.', options);
		}
		const next = name === undefined ? null : (page as IDataObject)[name];
		return { next: next === null || next === '' ? undefined : String(next) };
	};
	const pages = fetchEachPage(readPage, { hasNew: () => count > 0 });
	for await (const page of pages) void page;
	return all;
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

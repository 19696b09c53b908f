import type { IDataObject } from 'n8n-workflow';

import type { EndpointId } from '../service/endpoints';
import { isRecord, type CursorPage } from '../service/types';
import type { Client } from './client';

/** Most records that a page can hold (interface, "Limits": page size 0 to 100). */
export const MAX_PAGE_SIZE = 100;

/** More pages than this are taken for a list that does not end: a million records. */
export const MAX_PAGES = 10_000;

export interface PageOptions {
	query?: IDataObject;
	/** Stop after this many records. */
	limit?: number;
	maxPages?: number;
}

/** One page: its records, and the cursor of the next one when there is one. */
export interface Page<T> {
	items: T[];
	next?: string;
}

/**
 * Reads one page of a list with cursors.
 *
 * @throws NodeApiError as `call` does, and when the page is not one
 */
export async function readPage<T>(
	client: Client,
	id: EndpointId,
	{ query, size = MAX_PAGE_SIZE, cursor }: { query?: IDataObject; size?: number; cursor?: string },
): Promise<Page<T>> {
	const page = await client.call<CursorPage<T> | undefined>(id, {
		query: { ...query, size, cursor },
	});
	const items = page?.items;
	if (!Array.isArray(items) || !items.every(isRecord)) {
		throw broken(client, 'a page came without a list of records');
	}
	const next = page?.next_page;
	return {
		items,
		next: next === undefined || next === null || next === '' ? undefined : String(next),
	};
}

/**
 * The pages of a list with cursors, one after the other, to the end or to the limit.
 *
 * @throws NodeApiError when a page is not one, a cursor comes again, a page is empty although it
 * names a next one, or the list does not end: never a loop, never a silent cut
 */
export async function* pages<T>(
	client: Client,
	id: EndpointId,
	{ query, limit = Infinity, maxPages = MAX_PAGES }: PageOptions = {},
): AsyncGenerator<T[]> {
	const seen = new Set<string>();
	let cursor: string | undefined;
	let left = limit;

	for (let count = 1; left > 0; count++) {
		const size = Math.min(MAX_PAGE_SIZE, left);
		const { items, next } = await readPage<T>(client, id, { query, size, cursor });
		if (items.length > 0) yield items.length > left ? items.slice(0, left) : items;
		left -= items.length;

		if (next === undefined || left <= 0) return;
		cursor = next;
		if (items.length === 0) throw broken(client, 'a page was empty but named a next one');
		if (seen.has(cursor)) throw broken(client, 'a page named a next page that was read already');
		if (count >= maxPages) throw broken(client, `it did not end after ${maxPages} pages`);
		seen.add(cursor);
	}
}

/** All records of a list with cursors, up to the limit. Throws as `pages` does. */
export async function collect<T>(
	client: Client,
	id: EndpointId,
	options?: PageOptions,
): Promise<T[]> {
	const all: T[] = [];
	for await (const items of pages<T>(client, id, options)) {
		for (const item of items) all.push(item);
	}
	return all;
}

/** The error for a list that cannot be read to its end. */
export function broken(client: Client, what: string): Error {
	return client.error({
		message: 'The list could not be read to its end',
		description: `While the pages were read, ${what}. Nothing was left out silently: try again, or set a limit below the number of records that can be read.`,
		codes: [],
	});
}

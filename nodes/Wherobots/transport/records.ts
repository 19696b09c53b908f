import type { IDataObject } from 'n8n-workflow';

import {
	type EndpointId,
	endpoints,
	listIdNames,
	type PathValues,
	type Paging,
} from '../service/endpoints';
import { isRecord, toExactText } from '../service/records';
import type { RecordKind, RunKind, RunRecord } from '../service/records/kind';
import type { CallOptions, Client } from './client';
import { addRecoveryHint } from './explain';
import { Failure, toPathFacts } from './failure';

/** Limits of a list; tests lower them. */
export const LIST_LIMITS = {
	/** A list with more pages counts as endless: a million records. */
	pages: 10_000,
};

/** A list with more consecutive pages without a new record counts as stuck. */
const MAX_PAGES_WITHOUT_NEW_RECORDS = 20;

/** How the pages of a list follow each other, and the key of the records in each. */
function getPaging(id: EndpointId): Paging & { key: string } {
	const { key = 'items', pages } = endpoints[id].list ?? {};
	if (!pages) throw new RangeError(`'${id}' does not come in pages`);
	return { key, ...pages };
}

/** Identifies a record of a list; undefined when nothing does. */
function getKey(id: EndpointId, record: IDataObject): string | undefined {
	const values = listIdNames(id).map((name) => toExactText(record[name]));
	return values.some(Boolean) ? values.join('\n') : undefined;
}

/** A list: its endpoint, or a kind of records, which are then returned as such. */
type Listed<T> = EndpointId | RecordKind<T>;

const toKind = <T>(listed: Listed<T>): RecordKind<T> =>
	typeof listed === 'string' ? { list: listed, of: (raw) => raw as T } : listed;

interface Request {
	path?: PathValues;
	query?: IDataObject;
}

export interface PageOptions<T = IDataObject> extends Request {
	/** Selects records that the service cannot select. */
	only?(record: T): boolean;
	/** Stop after this many records. */
	limit?: number;
	/** Called when the list has ended before its own total, although the last page suggests no more. */
	onShort?(given: number, total: number): void;
}

/** One page: its records, and the cursor of the next one when there is one. */
export interface Page<T> {
	items: T[];
	next?: string;
	/** How many records the whole list has, when the service says so. */
	total?: number;
}

type PageRequest = Request & Pick<CallOptions, 'retry'> & { size?: number; cursor?: string };

/**
 * Reads one page of a list. What is no record is left out, unless nothing on the page is one.
 *
 * @throws Failure as `call` does, and when the page is invalid or carries errors, whatever its status
 */
export async function fetchPage<T = IDataObject>(
	client: Client,
	listed: Listed<T>,
	request: PageRequest,
): Promise<Page<T>> {
	const { list, of } = toKind(listed);
	const page = await fetchRawPage(client, list, request);
	return { ...page, items: page.items.map(of) };
}

/** A page as it came, and whether it suggests that there are more. */
async function fetchRawPage(
	client: Client,
	id: EndpointId,
	{ path, query, cursor, retry, ...wanted }: PageRequest,
): Promise<Page<IDataObject> & { suggestsMore: boolean }> {
	const { key, cursorName, sizeName, maxSize, suggestsMore, findNext } = getPaging(id);
	const { size = maxSize } = wanted;
	const page = await client.call(id, {
		path,
		retry,
		query: { ...query, [sizeName]: size, [cursorName]: cursor },
	});
	refuseErrors(client, id, page);
	if (!isRecord(page) || !Array.isArray(page[key])) {
		if (cursor === undefined) throw toUnreadable(client, id, page);
		throw toListFailure('a page arrived without a list of records');
	}
	const { length: count } = page[key];
	const items = page[key].filter(isRecord);
	if (count > 0 && items.length === 0) throw toListFailure('a page arrived without a record');
	const total = Number.isSafeInteger(page.total) ? Number(page.total) : undefined;
	const asked = { cursor, size, count };
	return { items, total, next: findNext(page, asked), suggestsMore: suggestsMore(page, asked) };
}

/** @throws Failure when a page carries errors, which would else count as empty, or as the last one */
export function refuseErrors(client: Client, id: EndpointId, page: unknown): void {
	const errors = isRecord(page) ? page.errors : undefined;
	if (Array.isArray(errors) && errors.length > 0) throw toUnreadable(client, id, page);
}

/** The error for a page that is no list: of errors, or of another server. */
function toUnreadable(client: Client, id: EndpointId, page: unknown): Failure {
	let text = '';
	try {
		text = JSON.stringify(page) ?? '';
	} catch {
		// What is nested too deeply to be written is not shown.
	}
	return client.unreadable(id, { status: 200, contentType: 'application/json', text });
}

/**
 * Reads page after page, the only loop that does: never in a circle, without end, or on and on without
 * anything new.
 *
 * @param options `cursor`: where to begin, if not at the first page; `hasNew`: whether the page that was
 * just handled had anything new; `fail`: makes the error of what happened while the pages were read
 */
export async function* fetchEachPage<P extends { next?: string }>(
	readPage: (cursor?: string) => Promise<P>,
	{
		cursor: start,
		hasNew = () => true,
		fail = toListFailure,
	}: { cursor?: string; hasNew?(): boolean; fail?(what: string): Error } = {},
): AsyncGenerator<P> {
	const { pages } = LIST_LIMITS;
	const cursors = new Set([start]);
	let withoutNew = 0;
	for (let cursor = start; ; ) {
		const page = await readPage(cursor);
		yield page;
		cursor = page.next;
		if (cursor === undefined) return;
		withoutNew = hasNew() ? 0 : withoutNew + 1;
		if (cursors.has(cursor)) throw fail('a page pointed to a page that had already been read');
		if (cursors.add(cursor).size > pages) throw fail(`it did not end after ${pages} pages`);
		if (withoutNew > MAX_PAGES_WITHOUT_NEW_RECORDS) {
			throw fail(`${withoutNew} pages in a row contained nothing new`);
		}
	}
}

/**
 * The pages of a list, one after the other, to the end or to the limit. Records are returned once, even
 * if pages repeat some because the list shifts; an empty page that names a next one is followed.
 *
 * @throws Failure when a page is invalid, a cursor is repeated, many consecutive pages have
 * nothing new, or the list ends too early or not at all: never a loop, never a silent cut
 */
export async function* fetchPages<T = IDataObject>(
	client: Client,
	listed: Listed<T>,
	{ limit = Infinity, only, onShort, ...request }: PageOptions<T> = {},
): AsyncGenerator<T[]> {
	const { list, of } = toKind(listed);
	const { maxSize } = getPaging(list);
	// One for all pages: some begin at a multiple of it.
	const size = only ? maxSize : Math.min(maxSize, limit);
	const known = new Set<string>();
	let left = limit;
	let given = 0;
	let hasNew = false;
	let total = Infinity;
	if (left <= 0) return;
	const readPage = async (cursor?: string) =>
		await fetchRawPage(client, list, { ...request, size, cursor });
	for await (const page of fetchEachPage(readPage, { hasNew: () => hasNew })) {
		const fresh = page.items.filter((raw) => isFirst(known, getKey(list, raw))).map(of);
		const wanted = (only ? fresh.filter(only) : fresh).slice(0, left);
		hasNew = fresh.length > 0;
		given += fresh.length;
		total = Math.min(total, page.total ?? Infinity);
		left -= wanted.length;
		if (wanted.length > 0) yield wanted;
		if (left <= 0) return;
		if (page.next !== undefined || given >= total || total === Infinity) continue;
		// The interface does not say what the total counts, so it matters only where the page suggests more.
		if (page.suggestsMore) throw toListFailure(`it ended after ${given} of ${total} records`);
		onShort?.(given, total);
	}
}

/** Whether a record is new. One without a key always is. */
function isFirst(known: Set<string>, key: string | undefined): boolean {
	const before = known.size;
	return key === undefined || known.add(key).size > before;
}

/** The error for a list that cannot be read to its end. @param instead what else helps than to try again */
export function toListFailure(what: string, instead = 'set a lower limit'): Failure {
	return new Failure({
		message: 'The list could not be read to the end',
		description: `Reading its pages failed: ${what}. Nothing is returned, because part of a list could be mistaken for the whole. Try again, or ${instead}.`,
	});
}

/**
 * The records of a list, up to the limit where it comes in pages.
 *
 * @throws Failure when the response has no list; otherwise as `Client.call` and `fetchPages` do
 */
export async function fetchList<T = IDataObject>(
	client: Client,
	listed: Listed<T>,
	options: PageOptions<T> = {},
): Promise<T[]> {
	const { path, query } = options;
	const { list: id, of } = toKind(listed);
	const { key, pages } = endpoints[id].list ?? {};
	if (pages) {
		const all: T[] = [];
		for await (const items of fetchPages(client, listed, options)) {
			for (const item of items) all.push(item);
		}
		return all;
	}
	const body = await client.call(id, { path, query });
	refuseErrors(client, id, body);
	const list = key === undefined ? body : isRecord(body) ? body[key] : undefined;
	if (Array.isArray(list) && list.every(isRecord)) return list.map(of);
	const lacks = `It does not contain a list${key ? ` named '${key}'` : ''}.`;
	throw toUnexpectedFailure(lacks, { path });
}

/**
 * One record.
 *
 * @throws Failure when the response has none; for a creating request the error says what to look
 * for (`recoveryHint`), because the record may still have been created
 */
export async function fetchRecord<T extends IDataObject>(
	client: Client,
	id: EndpointId,
	options: CallOptions = {},
): Promise<T> {
	const body = await client.call(id, options);
	if (isRecord(body)) return body as T;
	throw toUnexpectedFailure('It does not contain a record.', options);
}

/**
 * A run in its current state.
 *
 * @throws Failure when the response is not a run; otherwise as the client does
 */
export async function fetchRun<R extends RunRecord>(
	client: Client,
	{ get, idInPath, idLabel, noun, of, statusName }: RunKind<R>,
	id: string,
): Promise<R> {
	const path = { [idInPath]: id };
	const run = of(await fetchRecord(client, get, { path }));
	if (run.status !== '') return run;
	const lacks = `It is not a ${noun}: it has no ${statusName}. ${idLabel}: ${id}.`;
	throw toUnexpectedFailure(lacks, { path });
}

/** The error for a successful response without what it should contain. */
export function toUnexpectedFailure(
	lacks: string,
	{ path, recoveryHint }: Pick<CallOptions, 'path' | 'recoveryHint'>,
): Failure {
	const failure = {
		message: 'Wherobots Cloud returned an unexpected response',
		description: lacks,
		nextStep:
			"Check 'Base URL' in the credential, and whether a newer version of this package is available.",
		facts: toPathFacts(path),
	};
	if (recoveryHint === undefined) return new Failure(failure);
	return new Failure(addRecoveryHint(failure, { kind: 'response', status: 200 }, recoveryHint));
}

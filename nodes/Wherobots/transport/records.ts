import type { IDataObject } from 'n8n-workflow';

import { type EndpointId, endpoints, type List, type PathValues } from '../service/endpoints';
import { type CursorPage, isRecord, type Run } from '../service/records';
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

/** How the pages of a list are asked for. */
function getPaging(id: EndpointId): Required<List>['pages'] {
	const { pages: paging } = endpoints[id].list ?? {};
	if (!paging) throw new RangeError(`'${id}' does not come in pages`);
	return paging;
}

/** Identifies a record; undefined when nothing does. */
function getId(record: IDataObject): string | undefined {
	const id = record.id ?? record.event_id ?? record.taskRunId ?? record.taskId;
	const isId = (typeof id === 'string' && id !== '') || typeof id === 'number';
	return isId ? String(id) : undefined;
}

interface Request {
	path?: PathValues;
	query?: IDataObject;
}

export interface PageOptions<T = IDataObject> extends Request {
	/** Identifies a record; undefined when nothing does. By its ID unless it says otherwise. */
	keyOf?(record: T): string | undefined;
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
	/** It has as many records as requested. */
	isFull?: boolean;
}

/**
 * Reads one page of a list with cursors. What is no record is left out, unless nothing on the page is one.
 *
 * @throws Failure as `call` does, and when the page is invalid or carries errors, whatever its status
 */
export async function fetchPage<T>(
	client: Client,
	id: EndpointId,
	{
		path,
		query,
		cursor,
		retry,
		...wanted
	}: Request & Pick<CallOptions, 'retry'> & { size?: number; cursor?: string },
): Promise<Page<T>> {
	const { sizeName, maxSize, by } = getPaging(id);
	const { size = maxSize } = wanted;
	const byOffset = by === 'offset';
	const page = await client.call<CursorPage<T> | undefined>(id, {
		path,
		retry,
		query: { ...query, [sizeName]: size, [byOffset ? 'offset' : 'cursor']: cursor },
	});
	refuseErrors(client, id, page);
	if (!Array.isArray(page?.items)) throw toListFailure('a page arrived without a list of records');
	const { length } = page.items;
	const items = page.items.filter(isRecord).map((record) => ensureTextId(id, record));
	if (length > 0 && items.length === 0) throw toListFailure('a page arrived without a record');
	const total = Number.isSafeInteger(page.total) ? page.total : undefined;
	const isFull = length >= size && size > 0;
	if (!byOffset) return { items, next: toNextCursor(page.next_page), total, isFull };
	// The total may count other things, so it can only make the list longer.
	const end = Number(cursor ?? 0) + length;
	const hasMore = length >= Math.min(size, page.limit || size) || end < (total ?? 0);
	return {
		items,
		next: hasMore && length > 0 ? String(end) : undefined,
		total,
		isFull: hasMore,
	};
}

/** @throws Failure when a page carries errors, which would else count as empty, or as the last one */
export function refuseErrors(client: Client, id: EndpointId, page: unknown): void {
	const errors = isRecord(page) ? page.errors : undefined;
	if (!Array.isArray(errors) || errors.length === 0) return;
	const text = JSON.stringify(page);
	throw client.unreadable(id, { status: 200, contentType: 'application/json', text });
}

function ensureTextId<T>(endpoint: EndpointId, record: T): T {
	const name = endpoints[endpoint].runId as keyof T;
	return typeof record[name] === 'number' ? { ...record, [name]: String(record[name]) } : record;
}

/** The next page's cursor. Zero is the start of a list (interface, "logs": default cursor 0). */
function toNextCursor(value: unknown): string | undefined {
	const none = value === undefined || value === null || value === '' || String(value) === '0';
	return none ? undefined : String(value);
}

/**
 * The pages of a list with cursors, one after the other, to the end or to the limit. Records are
 * returned once, even if pages repeat some because the list shifts; an empty page that names a next
 * one is followed.
 *
 * @throws Failure when a page is invalid, a cursor is repeated, many consecutive pages have
 * nothing new, or the list ends too early or not at all: never a loop, never a silent cut
 */
export async function* fetchPages<T extends IDataObject>(
	client: Client,
	id: EndpointId,
	{ limit = Infinity, keyOf = getId, only, onShort, ...request }: PageOptions<T> = {},
): AsyncGenerator<T[]> {
	const { maxSize } = getPaging(id);
	const guard = new PageGuard();
	const known = new Set<string>();
	let cursor: string | undefined;
	let left = limit;
	let given = 0;
	let total = Infinity;

	while (left > 0) {
		const size = only ? maxSize : Math.min(maxSize, left);
		const page = await fetchPage<T>(client, id, { ...request, size, cursor });
		const { items, next } = page;
		const fresh = items.filter((item) => isFirst(known, keyOf(item)));
		const wanted = (only ? fresh.filter(only) : fresh).slice(0, left);
		if (wanted.length > 0) yield wanted;
		left -= wanted.length;
		given += fresh.length;
		total = Math.min(total, page.total ?? Infinity);

		if (left <= 0) return;
		if (next === undefined) {
			// The interface does not say what the total counts, so it matters only when the page itself
			// suggests more: when it is full, or empty although another page named it.
			const suggestsMore = page.isFull || (items.length === 0 && cursor !== undefined);
			if (given >= total || total === Infinity) return;
			if (!suggestsMore) return onShort?.(given, total);
			throw toListFailure(`it ended after ${given} of ${total} records`);
		}
		guard.pass(next, fresh.length > 0);
		cursor = next;
	}
}

/** Keeps reading page by page from going on forever: in a circle, without anything new, without an end. */
export class PageGuard {
	private readonly cursors = new Set<string>();

	private readonly fail: (what: string) => Error;

	private withoutNew = 0;

	/**
	 * @param options `cursor`: where reading begins, if not at the first page; `refuse`: makes the error from
	 * what happened while the pages were read
	 */
	constructor({
		cursor,
		fail = toListFailure,
	}: { cursor?: string; fail?(what: string): Error } = {}) {
		if (cursor !== undefined) this.cursors.add(cursor);
		this.fail = fail;
	}

	/**
	 * To be called before the page at a cursor is read.
	 *
	 * @param hasNew whether the page before had anything new
	 */
	pass(cursor: string, hasNew: boolean): void {
		this.withoutNew = hasNew ? 0 : this.withoutNew + 1;
		if (this.cursors.has(cursor)) {
			throw this.fail('a page pointed to a page that had already been read');
		}
		this.cursors.add(cursor);
		if (this.cursors.size >= LIST_LIMITS.pages) {
			throw this.fail(`it did not end after ${LIST_LIMITS.pages} pages`);
		}
		if (this.withoutNew > MAX_PAGES_WITHOUT_NEW_RECORDS) {
			throw this.fail(`${this.withoutNew} pages in a row contained nothing new`);
		}
	}
}

/** Whether a record is new. One without a key always is. */
function isFirst(known: Set<string>, key: string | undefined): boolean {
	const before = known.size;
	return key === undefined || known.add(key).size > before;
}

/** The error for a list that cannot be read to its end. */
export function toListFailure(what: string): Failure {
	return new Failure({
		message: 'The list could not be read to the end',
		description: `While reading the pages, ${what}. To avoid returning part of the list as if it were all of it, nothing is returned. Try again, or set a lower limit.`,
	});
}

/**
 * The records of a list, up to the limit where it comes in pages.
 *
 * @throws Failure when the response has no list; otherwise as `Client.call` and `fetchPages` do
 */
export async function fetchList<T extends IDataObject>(
	client: Client,
	id: EndpointId,
	options: PageOptions<T> = {},
): Promise<T[]> {
	const { path, query } = options;
	const { key, pages: paging } = endpoints[id].list ?? {};
	if (paging) {
		const all: T[] = [];
		for await (const items of fetchPages<T>(client, id, options)) {
			for (const item of items) all.push(item);
		}
		return all;
	}
	const body = await client.call(id, { path, query });
	refuseErrors(client, id, body);
	const list = key === undefined ? body : isRecord(body) ? body[key] : undefined;
	if (Array.isArray(list) && list.every(isRecord)) return list as T[];
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
	if (isRecord(body)) return ensureTextId(id, body as T);
	throw toUnexpectedFailure('It does not contain a record.', options);
}

/**
 * One job run in its current state.
 *
 * @throws Failure when the response is not a job run; otherwise as the client does
 */
export async function fetchRun(client: Client, runId: string): Promise<Run> {
	const path = { run_id: runId };
	const run = await fetchRecord<Run>(client, 'getRun', { path });
	if (typeof run.status === 'string') return run;
	throw toUnexpectedFailure(`It is not a job run: it has no status. Run ID: ${runId}.`, { path });
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

import { createHash } from 'node:crypto';

import type { Micros } from '../../service/time';
import { type Failure, isTemporary, settle } from '../../transport/failure';
import { type Page, fetchEachPage } from '../../transport/records';

export const SECOND: Micros = 1_000_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How exactly the service's clock is known: its responses carry whole seconds. */
const CLOCK_PRECISION: Micros = 2 * SECOND;

/** How many records are remembered; beyond that, the overlap is shortened. */
export const MAX_REMEMBERED = 10_000;

/** What a poll sees of the service. Methods fail with the errors that a person is shown. */
export interface Source {
	/** The service's time if that is certain, otherwise the time of n8n's clock. */
	now(): Micros;
	/** Whether a response has told the service's time, and n8n's clock is less than a day off. */
	isClockSure(): boolean;
}

/** How long a poll may take. */
export interface Budget {
	/**
	 * Whether this share of the time is used up (default: all of it); the last request may still be answered
	 * then. Waits for the rate limit do not count, as long as there is time at all.
	 */
	spent(share?: number): boolean;
}

/** The first part of a budget. */
export function takeShare(budget: Budget, part: number): Budget {
	return { spent: (share = 1) => budget.spent(share * part) };
}

/** Where a list continues that was not read to its end. */
export interface ListPosition {
	cursor: string;
	/** How many records have come, and the greatest total that a page has stated. */
	count: number;
	total?: number;
	/** The total has fallen: between replicas, records slip. */
	hasFallen?: true;
	/** The time of the oldest record that was new. */
	oldest?: Micros;
	/** How far the reading moves the watermark when it reaches the end of the list: what was final before it. */
	final: Micros;
	/** The end of the requested range, if it has one. */
	end?: Micros;
}

/** What a trigger knows between two polls: plain JSON, which n8n stores and compares. */
export interface TriggerState {
	/** What is polled, as a digest; another scope starts afresh. */
	scope: string;
}

/** Up to where records have been read. */
interface CursorState {
	/** Everything before this time is known. */
	watermark: Micros;
	/** The newest time of a record that was new and not dated ahead. */
	newest?: Micros;
	/** The last list contradicted itself: the greatest total that it stated. */
	inconsistent?: number;
	/** While a first poll is not finished: when it began. What happened before does not count as new. */
	began?: Micros;
	/** Where the next poll continues to read the list. */
	resume?: ListPosition;
}

/**
 * A tracked run, or one that ended so recently that lists still show it; times in microseconds. Last, how
 * often it was not found in a row, and since when.
 */
export type TrackedRun = [
	id: string,
	created: Micros,
	statuses: string[],
	missing?: [times: number, since: Micros],
];

export interface RunState extends TriggerState, CursorState {
	runs: TrackedRun[];
	/** While a first poll has not listed the active runs: how often it has to read that list. */
	baseline?: number;
}

/** A record that the next reading will meet again: a digest of its id, and its time. */
export type SeenRecord = [key: string, time: Micros];

export interface RecordState extends TriggerState, CursorState {
	/** How the source reads them. */
	way?: string;
	seen: SeenRecord[];
	/** While a backlog is read: the length of the next range. */
	span?: Micros;
}

/** A table that is watched. Its snapshots are known by their IDs, in digits. */
export interface KnownTable {
	name: string;
	/**
	 * The newest time that the table showed: of its last update or, without one, of its last commit. Until
	 * the table is read: when the workflow was published.
	 */
	updated?: Micros;
	/** Snapshots of the branch main, the last reported one last; undefined until the table is read. */
	ids?: string[];
	/** Where the branch main was; undefined without snapshots. */
	head?: string;
	/** Since when responses have shown it elsewhere. */
	doubt?: Micros;
	/** The update time in the list up to which everything is known. */
	read?: Micros;
	/** A newer one, while the details may be behind, and since when it has been listed. */
	pending?: [updated: Micros, since: Micros];
}

export interface TableState extends TriggerState {
	/** Those that were read least recently come first. */
	tables: KnownTable[];
}

/** The version of the states' shapes. A state of another one is not continued, as its scope is another. */
const VERSION = 1;

/** The digest of what is watched. Settings that only choose or shape the output stay out of it. */
export function toScope(parts: Record<string, string | undefined>): string {
	return toDigest(JSON.stringify([VERSION, ...Object.entries(parts).sort()]), 12);
}

/**
 * The time before which everything is known. Only what the service has shown moves it, so a log that
 * stands still, lags or is replayed keeps it where it is. It never goes back.
 */
export class Cursor {
	/** The watermark. */
	time: Micros;

	began: Micros | undefined;

	resume: ListPosition | undefined;

	private newest: Micros | undefined;

	/** The greatest total of a list that contradicted itself, 0 when none did; undefined when none was read. */
	private inconsistent: number | undefined;

	/** @param overlap between the newest time shown and the oldest that may still appear */
	constructor(
		private readonly before: CursorState,
		private readonly overlap: Micros,
	) {
		this.time = before.watermark;
		this.began = before.began;
		this.resume = before.resume;
		this.newest = before.newest;
	}

	/** The time before which nothing new is expected. Whole seconds, since a service may compare those. */
	get final(): Micros {
		return Math.max(this.time, floorToSecond((this.newest ?? -Infinity) - this.overlap));
	}

	/**
	 * The time from which ranges are requested. One second earlier, so that no reading of "after" and no
	 * rounding to seconds on the service's side leaves out a record.
	 */
	get rangeFrom(): Micros {
		return floorToSecond(this.time) - SECOND;
	}

	/**
	 * The time from which lists up to the present are requested. Triggers that know as much ask within a
	 * minute for the same list, so that one reading serves them all.
	 */
	get listedFrom(): Micros {
		return Math.floor(this.rangeFrom / MINUTE) * MINUTE;
	}

	/** Notes a time that the service has shown. A time in the future says nothing about earlier ones. */
	show(time: Micros, now: Micros): void {
		if (!isAhead(time, now)) this.newest = Math.max(this.newest ?? -Infinity, time);
	}

	/**
	 * Passes a list that was read to its end. One that contradicts itself is read once more, by the next poll
	 * unless it is a first one, and then taken as it is: the service's total may count something else.
	 *
	 * @param final up to when the list is known
	 * @param inconsistent the greatest total that it stated, if it contradicts itself
	 * @returns whether it was passed
	 */
	pass({ final, inconsistent = 0 }: Pick<ReadToEnd, 'final' | 'inconsistent'>): boolean {
		const isRepeated = this.inconsistent || this.before.inconsistent;
		this.inconsistent ||= inconsistent;
		if (inconsistent && !isRepeated) return false;
		this.move(final);
		return true;
	}

	/** Moves the watermark on. */
	move(to: Micros): void {
		this.time = Math.max(this.time, floorToSecond(to));
	}

	/** Whether it has passed times at which records may still appear, because there were too many to remember. */
	get isShortened(): boolean {
		const appeared = floorToSecond((this.newest ?? -Infinity) - this.overlap);
		return this.time > Math.max(this.before.watermark, appeared);
	}

	/** For the state. */
	fields(): CursorState {
		const { time, newest, began, resume, before } = this;
		const inconsistent = (this.inconsistent ?? before.inconsistent) || undefined;
		return { watermark: time, newest, inconsistent, began, resume };
	}
}

/**
 * The watermark that leaves no more records after it than can be remembered; undefined when only
 * records before what is final have to go.
 */
export function computeBound(times: Micros[], final: Micros): Micros | undefined {
	const sorted = times.filter((time) => time >= final).sort((a, b) => a - b);
	if (sorted.length <= MAX_REMEMBERED) return undefined;
	return floorToSecond(sorted[sorted.length - MAX_REMEMBERED / 2]);
}

/** Whether a time lies in the future, as far as the clock tells. */
export function isAhead(time: Micros, now: Micros): boolean {
	return time > now + CLOCK_PRECISION;
}

export function floorToSecond(time: Micros): Micros {
	return Math.floor(time / SECOND) * SECOND;
}

/** A short, evenly distributed name for a text: 6 bits a character. Of 96 bits, no two texts are likely to have the same. */
export function toDigest(text: string, length = 16): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, length);
}

/** The public ID of something: its parts, escaped as in a URL, which cannot contain half characters. */
export function toEventId(...parts: string[]): string {
	return parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
}

/** A list that was read to its end, or whose first page was enough. */
interface ReadToEnd {
	kind: 'complete';
	/**
	 * The greatest total that it stated, if it has fewer records than the first of them (than any, if several
	 * polls read it), or if they fell.
	 */
	inconsistent?: number;
	/** It was one page, which is one moment. */
	isPage: boolean;
	/**
	 * How far the watermark may move: not past what was new in a list that contradicts itself, as more may be
	 * missing there.
	 */
	final: Micros;
}

/** How far a reading came. */
export type ListReading =
	| ReadToEnd
	/** There was no time for the rest, or no room. Without a position the list has to be read from its start. */
	| { kind: 'truncated'; position?: ListPosition };

export interface ListPlan<T> {
	budget: Budget;
	readPage(cursor?: string): Promise<Page<T> & { isCut?: boolean }>;
	keyOf(record: T): string;
	/**
	 * Takes the records of a page.
	 *
	 * @returns the time of the oldest one that is new; undefined when none is
	 */
	take(records: T[]): Micros | undefined;
	/** Whether to stop before the next page although there is time. */
	isEnough?(): boolean;
	/** Whether the first page is enough, as the records that are known by then are all that it says there are. */
	isKnown?(total: number): boolean;
	/** How far the watermark may move when the end is reached. */
	final?: Micros;
	/** The end of the requested range. */
	end?: Micros;
	/** Where an earlier poll stopped. */
	position?: ListPosition;
}

/**
 * Reads a list page by page to its end, or as far as time allows; at least one page.
 *
 * @throws what the source throws, and an error when the pages lead nowhere
 */
export async function fetchListing<T>(plan: ListPlan<T>): Promise<ListReading> {
	const { budget, position } = plan;
	const { final = 0, end } = position ?? plan;
	const shown = new Set<string>();
	const count = () => (position?.count ?? 0) + shown.size;
	let total = position?.total;
	let last = total;
	let due: number | undefined;
	let hasFallen = position?.hasFallen;
	let oldest = position?.oldest;
	let reached: ListPosition | undefined;
	let isFirst = !position;
	let hasNew = true;

	const readPage = async (cursor?: string) => {
		const read = await settle(plan.readPage(cursor));
		return { read, next: read.ok ? read.value.next : undefined };
	};
	const pages = fetchEachPage(readPage, { cursor: position?.cursor, hasNew: () => hasNew });
	for await (const { read, next: cursor } of pages) {
		if (!read.ok) {
			// Without an answer, what has been read need not be read again. The service may no longer know where a
			// list continues; if something else is wrong, the next request shows it.
			const isLeft = isUnanswered(read.error) ? reached : position && !reached;
			if (isLeft) return { kind: 'truncated', position: reached };
			throw read.error;
		}
		const { items, isCut, total: latest = last } = read.value;
		total = Math.max(total ?? 0, latest ?? 0);
		// What is added while several polls read the list may hide that something is missing.
		due = position ? total : (due ?? total);
		// Between pages, and between replicas, records slip.
		if ((latest ?? 0) < (last ?? 0)) hasFallen = true;
		last = latest;
		const before = shown.size;
		for (const record of items) shown.add(plan.keyOf(record));
		const taken = plan.take(items);
		if (taken !== undefined) oldest = Math.min(oldest ?? Infinity, taken);
		if (isCut) return { kind: 'truncated' };
		if (cursor === undefined) {
			const isPage = isFirst;
			if (!hasFallen && count() >= due) return { kind: 'complete', isPage, final };
			const most = Math.min(final, oldest ?? Infinity);
			return { kind: 'complete', inconsistent: total, isPage, final: most };
		}
		if (isFirst && latest !== undefined && plan.isKnown?.(latest)) {
			return { kind: 'complete', isPage: false, final };
		}
		hasNew = shown.size > before;
		isFirst = false;
		reached = { cursor, count: count(), total, hasFallen, oldest, final, end };
		if (budget.spent() || plan.isEnough?.()) {
			return { kind: 'truncated', position: reached };
		}
	}
	return { kind: 'truncated', position: reached };
}

/** Whether a request failed without a response: mostly, there was no time left for it. */
export function isUnanswered(error: unknown): boolean {
	return isTemporary(error) && (error as Failure).httpCode === undefined;
}

/** A note for n8n's log. */
export function describeInconsistency(what: string): string {
	return `The list of ${what} had fewer records than it reported; it is read again.`;
}

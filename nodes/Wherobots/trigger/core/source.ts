import type { IDataObject } from 'n8n-workflow';

import type { RunKind, RunRecord, TimedRecord } from '../../service/records/kind';
import type { Micros } from '../../service/time';
import type { Page } from '../../transport/records';

/** What a poll sees of the service. Methods fail with the errors that a person is shown. */
export interface Source {
	/** The service's time if that is certain, otherwise the time of n8n's clock. */
	now(): Micros;
	/** Whether a response has told the service's time, and n8n's clock is less than a day off. */
	isClockSure(): boolean;
}

/** What lists of runs can be asked for: those created at or after a time, or those with one of these statuses. */
export type RunQuery = { createdFrom: Micros } | { statuses: readonly string[] };

export interface RunSource<R extends RunRecord> extends Source {
	readonly kind: RunKind<R>;
	/** Whether requests wait for the rate limit for seconds. */
	isCrowded(): boolean;
	/** A page of runs. */
	runs(query: RunQuery, cursor?: string): Promise<Page<R>>;
	/** One run; undefined when there is none. */
	run(id: string): Promise<R | undefined>;
}

/** An inclusive range; without an end it reaches to the newest record. */
export interface Range {
	start: Micros;
	end?: Micros;
}

export interface RecordPage<R> extends Page<R> {
	/** More is in the range, and no cursor leads to it: the range has to be read whole. */
	isCut?: boolean;
}

/** Records that only appear, such as audit events, and never change. */
export interface RecordSource<R extends TimedRecord> extends Source {
	/** `events` */
	readonly plural: string;
	/** Where the service keeps them, and for how many days. */
	readonly kept?: { where: string; days: number };
	/** How it reads, where it has several ways. */
	readonly way?: string;
	/** The public ID of a record: the same whenever and however it is read. */
	toId(record: R): string;
	/**
	 * A page of the records in a range. It may have others: what is before the range is ignored. Where the
	 * service cannot select by time, the whole list comes in one piece, without a next page; records must
	 * not be taken out of a page, as its total counts them. A record without a time counts as happening
	 * now, so a list in which records stay has to refuse it.
	 *
	 * @param maxRecords a range that comes in one piece may be cut after this many records
	 */
	records(range: Range, cursor?: string, maxRecords?: number): Promise<RecordPage<R>>;
}

export interface TableSource extends Source {
	/** The tables that are watched, with their update times as far as a list shows them. */
	tables(): Promise<Array<{ name: string; updateTime?: unknown }>>;
	/** The details of a table. */
	table(name: string): Promise<IDataObject>;
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

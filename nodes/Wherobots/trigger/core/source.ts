import type { IDataObject } from 'n8n-workflow';

import type { Micros } from '../../service/time/time';
import type { Page } from '../../transport/pagination';

/** What a poll sees of the service. Methods fail with the errors that a person is shown. */
export interface Source {
	/** The service's clock; n8n's own until a response has told. */
	now(): Micros;
	/** Whether `now` is the service's time, because a response of this poll has told it. */
	knowsTime(): boolean;
	/** n8n's own clock. */
	localNow(): Micros;
	/** An error for responses that contradict themselves. */
	broken(what: string): Error;
	/** Whether a failure may be about the page cursor; a reading from the start then shows whether it is. */
	maySuspectCursor(error: unknown): boolean;
}

/** What a record says of its run, as far as it says it; times in microseconds. */
export interface RunFacts {
	/** Empty for a record without one. */
	id: string;
	/** Empty for a record without one. */
	status: string;
	created?: Micros;
	started?: Micros;
	ended?: Micros;
	/** How long it may take. */
	timeout?: Micros;
}

/** A kind of run: what its records say, and what its statuses mean. */
export interface RunKind<R> {
	/** The statuses of a run that has not ended, in their order: none comes back after a later one. */
	active: readonly string[];
	/** Final statuses. A run in a status that is in neither list is followed on. */
	terminal: readonly string[];
	/** Takes whatever the service gives, also what is no record at all. */
	read(record: R): RunFacts;
}

export interface RunSource<R> extends Source {
	readonly kind: RunKind<R>;
	/** A page of runs: those created at or after a time, or those with one of these statuses. */
	runs(
		query: { createdFrom: Micros } | { statuses: readonly string[] },
		cursor?: string,
	): Promise<Page<R>>;
	/** One run; undefined when there is none. */
	run(id: string): Promise<R | undefined>;
}

/** An inclusive range; without an end it reaches to the newest event. */
export interface Range {
	start: Micros;
	end?: Micros;
}

export interface AuditPage extends Page<IDataObject> {
	/** More is in the range, and no cursor leads to it: the range has to be read whole. */
	isCut?: boolean;
}

export interface AuditSource extends Source {
	/**
	 * A page of events.
	 *
	 * @param maxRecords where a range comes in one piece, it may be cut after so many records
	 */
	events(range: Range, cursor?: string, maxRecords?: number): Promise<AuditPage>;
}

/** How long a poll may go on. */
export interface Budget {
	/** Whether this share of the time is used up (default: all of it). */
	spent(share?: number): boolean;
}

/**
 * The share of a poll's time after which one that only looks around asks for nothing more: a request
 * needs some seconds, and one that is cut short fails.
 */
export const FIRST_POLL_SHARE = 0.6;

/** The beginning of a budget. */
export function shareOf(budget: Budget, part: number): Budget {
	return { spent: (share = 1) => budget.spent(share * part) };
}

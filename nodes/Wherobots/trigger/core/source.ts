import type { IDataObject } from 'n8n-workflow';

import type { Run } from '../../service/types';
import type { Page } from '../../transport/pagination';

/** Times in this folder are whole microseconds since the epoch, which a JavaScript number holds exactly. */
export type MicroTime = number;

/** What the watchers see of the service. Methods fail with the errors that a person is shown. */
export interface Source {
	/** The service's clock; n8n's own until an answer has told. */
	now(): MicroTime;
	/** An error for answers that contradict themselves. */
	broken(what: string): Error;
	/** Whether a failure means that the service no longer takes a page cursor. */
	refusesCursor(error: unknown): boolean;
}

export interface RunSource extends Source {
	/** A page of runs: those created at or after a time, or those with one of these statuses. */
	runs(
		query: { createdFrom: MicroTime } | { statuses: readonly string[] },
		cursor?: string,
	): Promise<Page<Run>>;
	/** One run; undefined when there is none. */
	run(id: string): Promise<Run | undefined>;
}

/** An inclusive range; without an end it reaches to the newest event. */
export interface Range {
	start: MicroTime;
	end?: MicroTime;
}

export interface AuditSource extends Source {
	/** A page of events. */
	events(range: Range, cursor?: string): Promise<Page<IDataObject>>;
	/** True when a range comes in one piece, however much is in it. */
	readonly wholeRanges: boolean;
}

/** How long a poll may go on. */
export interface Budget {
	/** Whether this share of the time is used up (default: all of it). */
	spent(share?: number): boolean;
}

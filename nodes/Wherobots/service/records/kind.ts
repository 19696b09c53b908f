/** What the records of one kind have in common, so that lists, waits, pickers and the trigger serve every kind. */
import type { IDataObject } from 'n8n-workflow';

import type { EndpointId } from '../endpoints';
import type { Micros } from '../time';

export interface RecordKind<R> {
	/** The list of all of them. */
	list: EndpointId;
	/** The record of what the service sent. Nothing of it is read before it is asked for. */
	of(raw: IDataObject): R;
}

/** A record of something that happened. */
export interface TimedRecord {
	/** As the service sent it. */
	readonly raw: IDataObject;
	/** When it happened; undefined when the service does not say. */
	readonly time: Micros | undefined;
}

/** A run, whatever the service calls its fields. What it does not say is empty or undefined. */
export interface RunRecord {
	/** As the service sent it. */
	readonly raw: IDataObject;
	readonly id: string;
	readonly name: string;
	/** As the service states it. */
	readonly status: string;
	/** The status as people see it and filter by it. */
	readonly shownStatus: string;
	readonly isActive: boolean;
	/** Whether its status is final. A run in an unknown status is neither active nor over. */
	readonly isOver: boolean;
	/** When it was created, as the service writes it; then when it was created, started and ended. */
	readonly createTime: string | undefined;
	readonly created: Micros | undefined;
	readonly started: Micros | undefined;
	readonly ended: Micros | undefined;
	/** Whether its results are those of an earlier run, so that its times say nothing. */
	readonly isCached?: boolean;
	/** When it reached its status. */
	readonly changed: Micros | undefined;
	/** The ID under which it is billed, once it has one. */
	readonly appId?: string | undefined;
	/** What errors say about it. */
	readonly facts: IDataObject;
}

/** A kind of run, and what its statuses mean. */
export interface RunKind<R extends RunRecord> extends RecordKind<R> {
	/** `job run` */
	noun: string;
	get: EndpointId;
	cancel: EndpointId;
	/** The name of its ID in paths. */
	idInPath: string;
	/** The name of its ID among facts, and in the texts of errors. */
	idName: string;
	idLabel: string;
	/** What its status is called, also in the query of the list. */
	statusName: string;
	/** The statuses of a run that has not ended, in their order: none comes back after a later one. */
	active: readonly string[];
	/** Final statuses. */
	terminal: readonly string[];
	/** The final status of a run that did what it was to do. */
	completed: string;
	/** What a run's work is called: the same for all of its runs. */
	toWork(run: R): string;
	/** The query for the runs of a piece of work, and perhaps of others; undefined where no filter can name it. */
	ofWork(work: string): IDataObject | undefined;
	/** How late a run may appear in lists, after newer ones. */
	overlap: Micros;
	/** The query for the runs created at or after a time in whole seconds, as the interface has them. */
	createdFrom(time: Micros): IDataObject;
	/**
	 * A run that has ended as reading it by itself shows it: what a list says of it, and what that omits from
	 * an earlier reading of it. Undefined where the list may lack more, and missing where it always does.
	 */
	complete?(listed: R, earlier: R): R | undefined;
}

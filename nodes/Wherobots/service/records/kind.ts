/** What the records of one kind have in common, so that lists, waits, pickers and the trigger serve every kind. */
import type { IDataObject } from 'n8n-workflow';

import type { EndpointId } from '../endpoints';
import { parseTime, type Micros } from '../time';
import { toExactText, toPlainText } from './index';

export interface RecordKind<R> {
	/** The list of all of them. */
	list: EndpointId;
	/** The record of what the service sent. Nothing of it is read before it is asked for. */
	of(raw: IDataObject): R;
}

/** What the service calls the parts of a kind of run, and what its statuses mean. */
interface RunFields {
	id: string;
	/** What its status is called, also in the query of the list. */
	statusName: string;
	/** The times at which it was created, started and ended. */
	times: readonly [created: string, started: string, ended: string];
	/** The statuses of a run that has not ended, in their order: none comes back after a later one. */
	active: readonly string[];
	/** Final statuses. */
	terminal: readonly string[];
}

/**
 * A run, whatever the service calls its fields. They are read when they are asked for, so that a list of
 * thousands costs no more than is used of it. What the service does not say is empty or undefined.
 */
export abstract class RunRecord {
	/** @param raw as the service sent it */
	constructor(readonly raw: IDataObject) {}

	protected abstract get fields(): RunFields;

	abstract get name(): string;

	/** When it reached its status. */
	abstract get changed(): Micros | undefined;

	/** What errors say about it. */
	abstract get facts(): IDataObject;

	get id(): string {
		return toExactText(this.raw[this.fields.id]);
	}

	/** As the service states it. */
	get status(): string {
		return toPlainText(this.raw[this.fields.statusName]);
	}

	/** The status as people see it and filter by it. */
	get shownStatus(): string {
		return this.status;
	}

	get isActive(): boolean {
		return this.fields.active.includes(this.status);
	}

	/** Whether its status is final. A run in an unknown status is neither active nor over. */
	get isOver(): boolean {
		return this.fields.terminal.includes(this.status);
	}

	/** When it was created, as the service writes it. */
	get createTime(): string | undefined {
		return toPlainText(this.raw[this.fields.times[0]]) || undefined;
	}

	get created(): Micros | undefined {
		return parseTime(this.raw[this.fields.times[0]]);
	}

	get started(): Micros | undefined {
		return parseTime(this.raw[this.fields.times[1]]);
	}

	/** Undefined for some runs that have ended. */
	get ended(): Micros | undefined {
		return parseTime(this.raw[this.fields.times[2]]);
	}

	/** Whether its results are those of an earlier run, so that its times say nothing. */
	get isCached(): boolean {
		return false;
	}

	/** The ID under which it is billed, once it has one. */
	get appId(): string | undefined {
		return undefined;
	}
}

export interface RunKind<R extends RunRecord> extends RecordKind<R>, RunFields {
	/** `job run` */
	noun: string;
	get: EndpointId;
	cancel: EndpointId;
	/** The name of its ID in paths, and in the texts of errors. */
	idInPath: string;
	idLabel: string;
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

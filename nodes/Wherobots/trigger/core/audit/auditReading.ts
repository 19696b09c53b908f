import type { IDataObject } from 'n8n-workflow';

import type { Micros } from '../../../service/time/time';
import { endsTooEarly } from '../../../transport/pagination';
import { eventIdOf, eventTimeOf, type NewAuditEvent } from './auditEvents';
import { later, readPages, type PagedReadResult, type Reading, type Resume } from '../readPages';
import { SeenEvents } from './seenEvents';
import type { AuditPage, AuditSource, Budget, Range } from '../source';
import type { AuditState, AuditWay, SeenEvent } from '../state';
import { withoutTotal } from '../mistrust';
import { toResult } from '../../../transport/toResult';
import { isFuture, listedFrom } from '../watermark';

/** Most events that one poll gives; the rest comes with the next. */
export const MAX_EVENTS = 5_000;

export interface AuditRules {
	/** How late events may appear after younger ones, in microseconds. */
	overlap: Micros;
	/** How old an event must be to be given, in microseconds. */
	settle: Micros;
}

export interface AuditPollResult {
	state: AuditState;
	events: NewAuditEvent[];
	/** For the log of n8n. */
	notes: string[];
}

/** A source together with the way it reads, which it may change when an endpoint is not there. */
export type AuditReader = AuditSource & { readonly way: AuditWay };

export type FirstPage = AuditPage & { reading: Reading };

/** What one poll reads of the audit log: pages of ranges, and the events in them that are new. */
export class AuditReading {
	readonly seen: SeenEvents;

	/** The new events, in the order in which they were read. */
	readonly events: NewAuditEvent[] = [];

	/** How many requests have been answered. */
	responses = 0;

	/** Whether a list had fewer records than its total said, or one twice; undefined when none was read to its end. */
	isOdd: boolean | undefined;

	/** @param isTrusting lists are taken as they are */
	constructor(
		seen: readonly SeenEvent[],
		private readonly isTrusting: boolean,
		private readonly rules: AuditRules,
		private readonly source: AuditSource,
		private readonly budget: Budget,
	) {
		this.seen = new SeenEvents(seen);
	}

	/** Whether the poll has as many events as it may have. */
	get isFull(): boolean {
		return this.events.length >= MAX_EVENTS;
	}

	/** Whether the poll has no time, or no room for events, left. */
	get mustStop(): boolean {
		return this.budget.spent() || this.isFull;
	}

	async readFirst(range: Range, maxRecords: number): Promise<AuditPage & { reading: Reading }> {
		const page = await this.page(range, undefined, maxRecords);
		if (await this.isLast(page, range)) page.next = undefined;
		const isCut = page.isCut ?? endsTooEarly(page, undefined, page.items.length, page.total);
		if (page.next === undefined && !isCut) this.isOdd ??= false;
		return { ...page, isCut, reading: this.take(page.items, range) };
	}

	/** Whether a page that has all records there are names an empty one after it. */
	private async isLast({ items, next, total }: AuditPage, range: Range): Promise<boolean> {
		if (next === undefined || items.length !== total || this.mustStop) return false;
		const rest = await toResult(this.page(range, next));
		// What has been read is kept: whoever goes on asks for that page again.
		return rest.ok && rest.value.items.length === 0 && rest.value.next === undefined;
	}

	async read(
		range: Range,
		plan: {
			resume?: Resume;
			first?: AuditPage & { reading: Reading };
			isFull?(): boolean;
			onRecords?(items: IDataObject[]): void;
		},
	): Promise<PagedReadResult> {
		const read = await readPages<IDataObject>({
			source: this.source,
			budget: this.budget,
			readPage: async (cursor) => await this.page(range, cursor),
			keyOf: eventIdOf,
			take: (records) => {
				plan.onRecords?.(records);
				return this.take(records, range);
			},
			isFull: () => this.isFull,
			isTrusting: this.isTrusting,
			...plan,
		});
		if (read.kind === 'complete') this.isOdd ||= read.short || read.shifted;
		return read;
	}

	private async page(range: Range, cursor?: string, maxRecords?: number): Promise<AuditPage> {
		const page = await this.source.events(asked(range), cursor, maxRecords);
		this.responses += 1;
		return this.isTrusting ? withoutTotal(page) : page;
	}

	private take(records: IDataObject[], range: Range): Reading {
		const reading: Reading = {};
		const now = this.source.now();
		const from = listedFrom(range.start);
		for (const event of records) {
			const time = eventTimeOf(event);
			// A service that cuts the start to minutes shows what was dealt with before.
			if (time !== undefined && (time < from || this.isYoung(time, now))) continue;
			const until = this.seen.shownUntil(now - this.rules.settle, this.source.knowsTime());
			const { shown, added } = this.seen.take(event, now, until);
			reading.newest = later(reading.newest, shown);
			if (!added) continue;
			this.events.push(added);
			reading.oldestNew = Math.min(reading.oldestNew ?? Infinity, added.time);
		}
		return reading;
	}

	/**
	 * Whether an event is left to a later poll, so that events come in order. One from the future is
	 * not, nor one that the watermark could pass, when a clock has been set back.
	 */
	private isYoung(time: Micros, now: Micros): boolean {
		const { overlap, settle } = this.rules;
		const settledUntil = Math.max(now - settle, (this.seen.newest ?? -Infinity) - overlap);
		return time > settledUntil && !isFuture(time, now);
	}
}

/** A range as the service is asked for it: in whole seconds, which any service compares alike. */
function asked({ start, end }: Range): Range {
	return { start: listedFrom(start), end };
}

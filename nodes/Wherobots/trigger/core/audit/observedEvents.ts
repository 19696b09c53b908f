import type { IDataObject } from 'n8n-workflow';

import type { Micros } from '../../../service/time/time';
import { presentTime, type AuditPage, type AuditSource, type Range } from '../source';
import type { AuditState } from '../state';
import { isAhead, SECOND, Watermark, wholeSecond } from '../watermark';
import { eventTimeOf, SeenEvents, type NewAuditEvent } from './events';

/** Maximum number of events that one poll returns; the next one returns the rest. */
export const MAX_EVENTS = 5_000;

export interface AuditRules {
	/** How late events may appear after newer ones, in microseconds. */
	overlap: Micros;
	/** How old an event must be to be output, in microseconds. */
	settle: Micros;
}

/** What is known about the log: what the service has shown, in this poll and before, and what is new. */
export class ObservedEvents {
	/** The events that this poll returns. */
	readonly news: NewAuditEvent[] = [];

	/** Notes for n8n's log. */
	readonly notes: string[] = [];

	readonly seen: SeenEvents;

	readonly watermark: Watermark;

	/** When an unfinished first poll began. Events before that do not count as new. */
	began: Micros | undefined;

	/** Whether this poll has had any response. */
	hasResponse: boolean;

	/** @param isFirst whether this begins a first poll, which returns nothing and has just asked for the time */
	constructor(
		state: AuditState,
		private readonly isFirst: boolean,
		private readonly rules: AuditRules,
		private readonly source: AuditSource,
	) {
		this.seen = new SeenEvents(state.seen);
		this.watermark = new Watermark(state, rules.overlap, source.localNow());
		this.began = state.began;
		this.hasResponse = isFirst;
	}

	get isFull(): boolean {
		return this.news.length >= MAX_EVENTS;
	}

	/** The time before which no more events are expected; it is later if too many would have to be remembered. */
	final(): Micros {
		const { final } = this.watermark;
		const bound = this.seen.bound(final) ?? final;
		const settled = wholeSecond(presentTime(this.source) - this.rules.settle);
		return Math.max(final, Math.min(bound, settled));
	}

	/** A page of a range. A log that comes in one piece may be cut after this many records. */
	async page(range: Range, cursor?: string, maxRecords?: number): Promise<AuditPage> {
		const page = await this.source.events(range, cursor, maxRecords);
		this.hasResponse = true;
		const isRest = range.end === undefined && this.final() <= this.watermark.time;
		// No shorter range is final: it has to be read completely.
		return page.isCut && isRest ? await this.source.events(range, cursor) : page;
	}

	/** Takes the events of a page; returns whether any is new. */
	take(records: IDataObject[]): boolean {
		const now = presentTime(this.source);
		let hasNew = false;
		for (const event of records) {
			const time = eventTimeOf(event);
			const isOld = time !== undefined && time < this.watermark.listedFrom;
			if (isOld || this.seen.has(event) || this.isLeft(time, now)) continue;
			const added = this.seen.add(event, now);
			if (time !== undefined) this.watermark.show(time, now);
			hasNew = true;
			const isNews = !this.isFirst && added.time >= (this.began ?? -Infinity);
			if (isNews) this.news.push(added);
		}
		return hasNew;
	}

	/**
	 * Whether an event is left to a later poll: one that has not settled, so that events come in order, and
	 * in a first poll one that is younger than the second in which it began. Not one from the future, nor
	 * one that the watermark could pass, when a clock has been set back.
	 */
	private isLeft(time: Micros | undefined, now: Micros): boolean {
		if (time === undefined || isAhead(time, now)) return false;
		const { began = -Infinity, rules } = this;
		if (this.isFirst) return time >= began + SECOND;
		// The service's time has whole seconds, so even an event of this second would wait.
		if (rules.settle === 0) return false;
		return time >= began && time > Math.max(now - rules.settle, this.watermark.appeared);
	}
}

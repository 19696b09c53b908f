import type { IDataObject } from 'n8n-workflow';

import type { Micros } from '../../../service/time/time';
import { presentTime, type AuditPage, type AuditSource, type Range } from '../source';
import type { AuditState } from '../state';
import { isAhead, SECOND, Watermark, wholeSecond } from '../watermark';
import { eventTimeOf, SeenEvents, type NewAuditEvent } from './events';

/** Maximum number of events that one poll gives; the rest comes with the next. */
export const MAX_EVENTS = 5_000;

export interface AuditRules {
	/** How late events may appear after younger ones, in microseconds. */
	overlap: Micros;
	/** How old an event must be to be given, in microseconds. */
	settle: Micros;
}

/** What is known of the log: what the service has shown, in one poll and before, and what is new about it. */
export class ObservedEvents {
	/** The events that this poll gives. */
	readonly news: NewAuditEvent[] = [];

	/** For the log of n8n. */
	readonly notes: string[] = [];

	readonly seen: SeenEvents;

	readonly watermark: Watermark;

	/** While a first poll goes on: when it began. Events before that are no news. */
	began: Micros | undefined;

	/** Whether anything has come in this poll. */
	hasResponse: boolean;

	/** @param isFirst whether a first poll begins, which gives nothing: it has just asked for the time */
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

	/** The time before which no event is expected any more: a later one where too many would have to be remembered. */
	final(): Micros {
		const { final } = this.watermark;
		const bound = this.seen.bound(final) ?? final;
		const settled = wholeSecond(presentTime(this.source) - this.rules.settle);
		return Math.max(final, Math.min(bound, settled));
	}

	/** A page of a range. Where the log comes in one piece, it may be cut after so many records. */
	async page(range: Range, cursor?: string, maxRecords?: number): Promise<AuditPage> {
		const page = await this.source.events(range, cursor, maxRecords);
		this.hasResponse = true;
		const isRest = range.end === undefined && this.final() <= this.watermark.time;
		// No shorter range is final: it has to be read whole.
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
		// The time is told in whole seconds, which is nothing to wait for.
		if (rules.settle === 0) return false;
		return time >= began && time > Math.max(now - rules.settle, this.watermark.appeared);
	}
}

import type { IDataObject } from 'n8n-workflow';

import type { Micros } from '../../../service/time/time';
import { presentTime, type AuditPage, type AuditSource, type Range } from '../source';
import type { AuditState } from '../state';
import { earlier, HOUR, later, listedFrom, nextWatermark, SECOND, wholeSecond } from '../watermark';
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

	/** Everything before this time is known. */
	watermark: Micros;

	/** The newest time that the service has shown. */
	newest: Micros | undefined;

	/** While a first poll goes on: when it began. Events before that are no news. */
	began: Micros | undefined;

	/** How many pages have come in this poll. */
	responses = 0;

	constructor(
		private readonly state: AuditState | undefined,
		private readonly rules: AuditRules,
		private readonly source: AuditSource,
	) {
		this.seen = new SeenEvents(state?.seen);
		this.watermark = state?.watermark ?? firstWatermark(presentTime(source), rules.overlap);
		this.newest = state?.newest;
		this.began = state?.began;
	}

	get isFull(): boolean {
		return this.news.length >= MAX_EVENTS;
	}

	/** The time up to which all events have appeared; earlier events than that would be too many to remember. */
	final(): Micros {
		const final = nextWatermark(this.watermark, this.newest, this.rules.overlap);
		const bound = this.seen.bound();
		if (bound === undefined) return final;
		const settled = wholeSecond(presentTime(this.source) - this.rules.settle);
		const shortened = Math.min(bound, settled);
		if (shortened <= final) return final;
		this.notes.push(
			`Too many events to remember for the whole overlap: events before ${timeText(shortened)} that have not appeared yet will be missed.`,
		);
		return shortened;
	}

	advance(to: Micros): void {
		this.watermark = Math.max(this.watermark, wholeSecond(to));
	}

	/** Reads from so long before a time on (by default an hour); longer where the overlap is. */
	lookBackFrom(began: Micros, back?: Micros): void {
		this.watermark = firstWatermark(began, this.rules.overlap, back);
	}

	/** A page of a range. Where the log comes in one piece, it may be cut after so many records. */
	async page({ start, end }: Range, cursor?: string, maxRecords?: number): Promise<AuditPage> {
		const range = { start: listedFrom(start), end };
		const page = await this.source.events(range, cursor, maxRecords);
		this.responses += 1;
		const isRest = end === undefined && this.final() <= this.watermark;
		// No shorter range is final: it has to be read whole.
		return page.isCut && isRest ? await this.source.events(range, cursor) : page;
	}

	/** Takes the events of a page; returns the oldest time among those that are new. */
	take(records: IDataObject[]): Micros | undefined {
		const now = presentTime(this.source);
		const from = listedFrom(this.watermark);
		let oldestNew: Micros | undefined;
		for (const event of records) {
			const time = eventTimeOf(event);
			if (this.seen.has(event) || (time !== undefined && (time < from || this.isLeft(time, now)))) {
				continue;
			}
			const added = this.seen.add(event, now);
			if (time !== undefined)
				this.newest = later(this.newest, Math.min(time, this.shownUntil(now)));
			oldestNew = earlier(oldestNew, added.time);
			const isNews = this.state !== undefined && added.time >= (this.began ?? -Infinity);
			if (isNews) this.news.push(added);
		}
		return oldestNew;
	}

	/** As of when an event from the future counts: events up to then have been taken. */
	private shownUntil(now: Micros): Micros {
		return this.state ? now - this.rules.settle : now;
	}

	/**
	 * Whether an event is left to a later poll: one that has not settled, so that events come in order,
	 * and in a first poll one that is younger than its first response. Not one from the future, nor one
	 * that the watermark could pass, when a clock has been set back.
	 */
	private isLeft(time: Micros, now: Micros): boolean {
		if (!this.state) return time >= (this.began ?? Infinity);
		const settled = Math.max(
			now - this.rules.settle,
			(this.newest ?? -Infinity) - this.rules.overlap,
		);
		if (this.began !== undefined && time < this.began) return false;
		return time > settled && time <= now + 2 * SECOND;
	}
}

/** From when on a first poll that began at a time reads. */
export function firstWatermark(began: Micros, overlap: Micros, back = HOUR): Micros {
	return wholeSecond(began - Math.max(back, overlap));
}

/** A time as n8n's log names it. */
export function timeText(time: Micros): string {
	return new Date(time / 1000).toISOString();
}

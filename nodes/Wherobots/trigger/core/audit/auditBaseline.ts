import type { IDataObject } from 'n8n-workflow';

import type { Micros } from '../../../service/time/time';
import { endsTooEarly } from '../../../transport/pagination';
import { toResult } from '../../../transport/toResult';
import { eventIdOf, eventTimeOf } from './auditEvents';
import type { AuditReader, FirstPage } from './auditReading';
import { clockCorrection, isTimeSure, timeSince } from '../presentTime';
import { later, readPages, type PagedReadResult, type Reading, type Resume } from '../readPages';
import { SeenEvents } from './seenEvents';
import { FIRST_POLL_SHARE, shareOf, type AuditPage, type Budget, type Range } from '../source';
import { newAuditState, type AuditState } from '../state';
import {
	DAY,
	HOUR,
	listedFrom,
	MINUTE,
	newSince,
	nextWatermark,
	SECOND,
	wholeSecond,
} from '../watermark';

/** A clock that a response corrects by more than this was not good enough to begin with. */
const CLOCK_TOLERANCE = MINUTE;

/** Records of a range that comes in one piece, before it is cut. */
const MAX_RECORDS = 5_000;

/**
 * The first poll: what the service shows does not fire, apart from events that are younger than its
 * first response. Those are left to the next poll. It may take several polls; then its state says
 * where it continues.
 *
 * @param previous the state of a first poll that is not finished
 * @throws what the source throws, unless something has been read and it was the time that was too short
 */
export async function auditBaseline(
	previous: AuditState | undefined,
	scope: string,
	overlap: Micros,
	source: AuditReader,
	budget: Budget,
): Promise<AuditState> {
	return await new Baseline(previous, scope, overlap, source, budget).read();
}

/** The state of a first poll that has read nothing yet. */
export function begunAuditState(
	scope: string,
	overlap: Micros,
	source: AuditReader,
	began?: Micros,
): AuditState {
	const start = (began ?? source.now()) - Math.max(HOUR, overlap);
	return { ...newAuditState(scope, start, source.way, []), baseline: true, began };
}

class Baseline {
	private readonly seen: SeenEvents;

	/** From there on the list is read; what lies before is known by its time. */
	private watermark: Micros;

	private began: Micros | undefined;

	/** When the first response was given, by the service's time. */
	private respondedAt: Micros | undefined;

	/** What that time is off. */
	private correction: Micros = 0;

	/** Whether a list from the watermark on, or from before it, has shown any event. */
	private hasShown: boolean;

	private responses = 0;

	/** Nothing has been read since it was decided from where on to read. */
	private isPassed = false;

	private readonly time: Budget;

	constructor(
		private readonly previous: AuditState | undefined,
		private readonly scope: string,
		private readonly overlap: Micros,
		private readonly source: AuditReader,
		budget: Budget,
	) {
		this.seen = new SeenEvents(previous?.seen);
		this.began = previous?.began;
		this.hasShown = this.seen.size > 0;
		this.watermark = previous?.watermark ?? this.from(HOUR);
		this.time = shareOf(budget, FIRST_POLL_SHARE);
	}

	async read(): Promise<AuditState> {
		const { resume, range } = this.previous ?? {};
		let stored = resume && range && { resume, range };
		for (;;) {
			if (this.responses > 0 && this.time.spent()) return this.unfinished();
			const asked = stored?.range ?? this.range();
			const done = await toResult(stored ? this.readPages(asked, stored) : this.readAnew(asked));
			if (!done.ok) {
				// What has been read is kept: it was the time that was too short.
				if (this.responses > 0 && this.time.spent()) return this.unfinished();
				throw done.error;
			}
			stored = undefined;
			const read = done.value;
			if (read.kind === 'truncated') return this.unfinished(read.resume, asked);
			if (read.kind === 'complete' && !this.goesFurther()) return this.finished();
			// The list is not continued, so a new one begins where this one was given up.
			if (read.kind === 'restart') {
				if (!this.passRead() && this.seen.newest !== undefined) return this.finished();
				if (this.time.spent()) return this.unfinished();
			}
		}
	}

	/** Reads the list from the watermark on, or asks for another start of it. */
	private async readAnew(range: Range): Promise<PagedReadResult | { kind: 'again' }> {
		const isFirst = this.began === undefined;
		const guess = this.now();
		const page = await this.readPage(range, undefined, MAX_RECORDS);
		const first = { ...page, reading: this.take(page.items) };
		if (isFirst && Math.abs(this.now() - guess) > CLOCK_TOLERANCE) {
			this.watermark = this.from(HOUR);
			this.hasShown = false;
			return { kind: 'again' };
		}
		if (page.isCut) return this.passRead() ? { kind: 'again' } : await this.readPages(range);
		// Of a list that begins with the newest events most can be left out.
		if (isFirst && page.next !== undefined && this.advance()) return { kind: 'again' };
		return await this.readPages(range, { first });
	}

	private async readPages(
		range: Range,
		from: { resume?: Resume; first?: FirstPage } = {},
	): Promise<PagedReadResult> {
		return await readPages<IDataObject>({
			source: this.source,
			budget: this.time,
			readPage: async (cursor) => await this.readPage(range, cursor),
			keyOf: eventIdOf,
			take: (records) => this.take(records),
			...from,
		});
	}

	private async readPage(range: Range, cursor?: string, maxRecords?: number): Promise<AuditPage> {
		const asked = { ...range, start: listedFrom(range.start) };
		const askedAt = this.source.now();
		const page = await this.source.events(asked, cursor, maxRecords);
		this.responses += 1;
		if (this.began === undefined) {
			// Without the service's time, what happened while the response was on its way may be on no page.
			this.respondedAt ??= this.source.knowsTime() ? this.source.now() : askedAt;
			this.correction = await clockCorrection(this.source, async (start) => {
				const { items } = await this.source.events({ start }, undefined, MAX_RECORDS);
				return items.map(eventTimeOf);
			});
		}
		const { length } = page.items;
		const isCut = page.isCut ?? endsTooEarly(page, cursor, length, page.total);
		return { ...page, isCut };
	}

	private take(records: IDataObject[]): Reading {
		const reading: Reading = {};
		const now = this.now();
		const settledUntil = this.seen.shownUntil(now, this.source.knowsTime());
		const since = this.newSince();
		this.hasShown ||= records.length > 0;
		this.isPassed = false;
		for (const event of records) {
			if ((eventTimeOf(event) ?? -Infinity) >= since && !this.seen.has(event)) continue;
			reading.newest = later(reading.newest, this.seen.take(event, now, settledUntil).shown);
		}
		this.began ??= (this.respondedAt ?? this.source.now()) + this.correction;
		return reading;
	}

	private newSince(): Micros {
		const hasBegun = this.previous?.began !== undefined;
		return newSince(this.began, hasBegun ? undefined : this.now());
	}

	private now(): Micros {
		const began = this.previous?.began;
		return began === undefined
			? this.source.now() + this.correction
			: timeSince(began, this.source);
	}

	/** What has to be read: nothing of it is younger than the first response. */
	private range(): Range {
		const start = this.watermark;
		const since = this.newSince();
		return since < Infinity && since > start ? { start, end: since } : { start };
	}

	/** A time so much before the first poll began, or the overlap if that is longer. */
	private from(back: Micros): Micros {
		return (this.began ?? this.now()) - Math.max(back, this.overlap);
	}

	/** The longer range makes up for a clock that is ahead and that nobody corrects. */
	private goesFurther(): boolean {
		const start = this.from(DAY);
		if (this.hasShown || this.watermark <= start) return false;
		this.watermark = start;
		return true;
	}

	/** Leaves out what is old by the newest event, or more than can be remembered. */
	private advance(): boolean {
		const before = this.watermark;
		const next = nextWatermark(before, this.seen.newest, this.overlap);
		this.watermark = Math.max(next, this.seen.bound() ?? -Infinity);
		return this.watermark > before;
	}

	/**
	 * Leaves out everything up to the newest event that was read, where no cursor leads on. What was
	 * not read before it is older than the first response, and so no news either, unless that event is
	 * ahead of its time. More events of its second than a page holds are passed as well, if the second
	 * was over by then. Only the service's time tells: n8n's clock may be ahead.
	 *
	 * @returns whether that leaves out anything
	 */
	private passRead(): boolean {
		const before = this.watermark;
		const { newest } = this.seen;
		if (newest === undefined) return false;
		const knowsBegin = this.began !== undefined && isTimeSure(this.source);
		const began = knowsBegin ? wholeSecond(this.began as Micros) : undefined;
		const passed = Math.min(wholeSecond(newest), began ?? Infinity);
		const second = Math.min(before + 2 * SECOND, began ?? -Infinity);
		this.watermark = Math.max(before, passed > before ? passed : second);
		this.isPassed = this.watermark > before;
		return this.isPassed;
	}

	private finished(): AuditState {
		this.advance();
		// The newest event stays known although it was passed: that there is any ends a first poll.
		const from = Math.min(listedFrom(this.watermark), this.seen.newest ?? Infinity);
		const seen = this.seen.entries(from);
		return newAuditState(this.scope, this.watermark, this.source.way, seen);
	}

	private unfinished(resume?: Resume, range?: Range): AuditState {
		if (!resume && !this.isPassed) this.passRead();
		const { began } = this;
		const state = { ...this.finished(), baseline: true as const, began };
		return resume && range ? { ...state, resume, range } : state;
	}
}

import type { IDataObject } from 'n8n-workflow';

import { RETENTION_DAYS } from '../../../service/auditLog';
import type { Micros } from '../../../service/time/time';
import { toResult } from '../../../transport/toResult';
import { isTrusting, oddPollsAfter } from '../oddLists';
import { isClockSure, presentTime } from '../presentTime';
import { readList, type ListPosition, type ListReading } from '../readList';
import { isKnownLog, recognize } from '../recognizeKey';
import type { AuditPage, AuditSource, Budget } from '../source';
import { newAuditState, type AuditState, type AuditWay, type Doubt } from '../state';
import {
	DAY,
	earlier,
	HOUR,
	isResting,
	later,
	listedFrom,
	MINUTE,
	nextWatermark,
	SECOND,
	wholeSecond,
} from '../watermark';
import { eventTimeOf, type NewAuditEvent } from './auditEvents';
import { keyOf, SeenEvents } from './seenEvents';

/** Maximum number of events that one poll gives; the rest comes with the next. */
export const MAX_EVENTS = 5_000;

/** A backlog of more than this is read in ranges, and a range that is longer has to fit one page. */
const LONG_RANGE = 15 * MINUTE;

/** A range with more events is read in shorter ones, so that few have to be remembered. */
const MAX_PER_RANGE = 2_000;

/** A clock that the first response corrects by more than this was not good enough to begin with. */
const CLOCK_TOLERANCE = MINUTE;

const RETENTION = RETENTION_DAYS * DAY;

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

/**
 * One poll of the audit log: the events that were not there at `state`, and the state after it. Pure
 * apart from the source: the same state and the same responses give the same result.
 *
 * @param doubt the state may be about another organization: what the service shows decides
 * @throws what the source throws; nothing has been lost then, the next poll starts from `state`
 */
export async function pollAudit(
	state: AuditState | undefined,
	scope: string,
	rules: AuditRules,
	source: AuditReader,
	budget: Budget,
	doubt?: Doubt,
): Promise<AuditPollResult> {
	if (!state || !doubt) return await new AuditPoller(state, scope, rules, source, budget).run();
	const found = await recognize(doubt, source, async () => await isKnownLog(state, source, budget));
	if (found.kind !== 'other') {
		return { state: { ...state, doubt: found.doubt }, events: [], notes: [] };
	}
	if (found.since === undefined) {
		const result = await new AuditPoller(undefined, scope, rules, source, budget).run();
		return { ...result, notes: [...result.notes, found.note] };
	}
	// What happened since the key was first used is news.
	const watermark = firstWatermark(found.since, rules.overlap);
	const begun = newAuditState(scope, watermark, source.way, []);
	return {
		state: { ...begun, baseline: wholeSecond(found.since) },
		events: [],
		notes: [found.note],
	};
}

/** One poll on its way. */
class AuditPoller {
	private readonly seen: SeenEvents;

	private readonly events: NewAuditEvent[] = [];

	private readonly notes: string[] = [];

	private watermark: Micros;

	private newest: Micros | undefined;

	/** While a first poll goes on: when it began. Events before that are no news. */
	private baseline: Micros | undefined;

	private position: ListPosition | undefined;

	/** Where no cursor leads on: only what is newer than this is read, so that the watermark can follow. */
	private passed: Micros | undefined;

	/** While a backlog is read: the length of the next range. */
	private span: Micros | undefined;

	private checkedAt: Micros | undefined;

	private isOdd: boolean | undefined;

	private responses = 0;

	private readonly isTrusting: boolean;

	constructor(
		private readonly state: AuditState | undefined,
		private readonly scope: string,
		private readonly rules: AuditRules,
		private readonly source: AuditReader,
		private readonly budget: Budget,
	) {
		this.seen = new SeenEvents(state?.seen);
		this.watermark = state?.watermark ?? firstWatermark(source.localNow(), rules.overlap);
		this.newest = state?.newest;
		this.baseline = state?.baseline;
		this.position = state?.resume;
		this.span = state?.span;
		this.checkedAt = state?.checkedAt;
		this.isTrusting = isTrusting(state?.odd, source.localNow());
	}

	async run(): Promise<AuditPollResult> {
		const done = await toResult(this.read());
		// What has been read is kept when it was the time that was too short.
		if (!done.ok && (this.responses === 0 || !this.budget.spent())) throw done.error;
		return this.result();
	}

	private async read(): Promise<void> {
		if (this.state) {
			if (await this.isAtRest()) return;
		} else if (await this.begin()) return;
		this.checkedAt = undefined;
		for (;;) {
			const { position } = this;
			this.position = undefined;
			const end = position ? position.end : this.passed ? undefined : this.rangeEnd();
			const isDone = await this.readRange(end, position);
			if (isDone || this.mustStop) return;
		}
	}

	/**
	 * The first request: it tells the time, and everything it shows was there before.
	 *
	 * @returns whether it has shown all there is to know
	 */
	private async begin(): Promise<boolean> {
		const { source } = this;
		const asked = presentTime(source);
		this.watermark = firstWatermark(asked, this.rules.overlap);
		const page = await this.page(undefined, undefined, MAX_EVENTS);
		// Without the service's time, what happened while the response was on its way may not be in it.
		const began = isClockSure(source) ? presentTime(source) : asked;
		const isOff = Math.abs(began - asked) > CLOCK_TOLERANCE;
		if (isOff) this.watermark = firstWatermark(began, this.rules.overlap);
		this.take(page.items);
		this.baseline = wholeSecond(began);
		if (isOff || page.next !== undefined || page.isCut || this.seen.size === 0) return false;
		this.baseline = undefined;
		this.isOdd = page.items.length < (page.total ?? 0);
		if (!this.isOdd) this.advance(this.final());
		return true;
	}

	/** Whether nothing is newer than the newest event, when that is all that has to be known this time. */
	private async isAtRest(): Promise<boolean> {
		const { checkedAt, newest } = this;
		if (newest === undefined || this.position) return false;
		if (!isResting(checkedAt, newest, this.source.localNow())) return false;
		const from = Math.max(this.watermark, wholeSecond(newest) + 2 * SECOND);
		const page = await this.page(undefined, undefined, MAX_EVENTS, from);
		const isNews = this.take(page.items) !== undefined;
		const isAll = page.next === undefined && !page.isCut;
		return isAll && !isNews && isResting(checkedAt, newest, presentTime(this.source));
	}

	/**
	 * Reads everything since the watermark, or up to an end.
	 *
	 * @param isAgain an empty range is read twice: a replica that is behind may have nothing of it yet
	 * @returns whether the poll is over
	 */
	private async readRange(
		end?: Micros,
		position?: ListPosition,
		isAgain = false,
	): Promise<boolean> {
		const length = end === undefined ? 0 : end - this.watermark;
		const limit = length > SECOND ? MAX_PER_RANGE : end === undefined ? MAX_EVENTS : Infinity;
		const final = position?.final ?? end ?? this.final();
		let records = 0;
		const isTooMuch = () =>
			end === undefined ? this.hasBacklog() : length > LONG_RANGE || records > limit;
		const read = await readList<IDataObject>({
			source: this.source,
			budget: this.budget,
			readPage: async (cursor) => await this.page(cursor, end, limit),
			keyOf,
			take: (items) => {
				records += items.length;
				return this.take(items);
			},
			isEnough: () => this.isFull || isTooMuch(),
			expected: this.passed
				? []
				: this.seen.keysBetween(this.watermark, Math.min(final, end ?? Infinity)),
			final: () => final,
			end,
			position,
		});
		const isEmpty = read.kind === 'complete' && records === 0 && end !== undefined;
		if (isEmpty && !isAgain && !this.budget.spent()) {
			const again = await toResult(this.readRange(end, undefined, true));
			if (again.ok) return again.value;
			// Where requests take most of a poll, there is never time for the second one.
			if (!this.budget.spent()) throw again.error;
		}
		return this.conclude(read, isTooMuch(), end, final);
	}

	private conclude(
		read: ListReading,
		isTooMuch: boolean,
		end: Micros | undefined,
		final: Micros,
	): boolean {
		const { kind } = read;
		if (this.passed !== undefined) {
			this.passed = undefined;
			return true;
		}
		if (kind === 'restart' || kind === 'cut' || (read.kind === 'truncated' && isTooMuch)) {
			if (read.kind === 'restart') {
				this.notes.push(
					'The service no longer continues the list of events; reading it again from the start.',
				);
			}
			this.shorten(end);
			const { newest } = this;
			if (kind === 'restart' && end === undefined && newest !== undefined) {
				this.passed = Math.max(this.watermark, wholeSecond(newest));
			}
			return false;
		}
		if (read.kind === 'truncated') {
			this.position = read.position;
			return true;
		}
		this.isOdd ||= read.isOdd;
		if (read.isOdd && !this.isTrusting) {
			if (end !== undefined) this.shorten(end);
			return true;
		}
		if (!read.isProven && !this.isTrusting) return true;
		if (end !== undefined) {
			if (read.isWhole && this.span !== undefined)
				this.span = Math.max(this.span, 4 * (end - this.watermark));
			this.watermark = Math.max(this.watermark, end);
			if (this.final() <= this.watermark) this.span = undefined;
			return false;
		}
		if (this.baseline !== undefined && this.seen.size === 0 && this.lookFurtherBack()) return false;
		this.advance(read.isWhole ? final : Math.min(final, read.oldestNew ?? Infinity));
		this.baseline = undefined;
		if (!read.isWhole && read.oldestNew === undefined) this.checkedAt = presentTime(this.source);
		return true;
	}

	/** A longer range makes up for a clock that is ahead and that no response corrects. */
	private lookFurtherBack(): boolean {
		const from = firstWatermark(this.baseline ?? 0, this.rules.overlap, DAY);
		if (from >= this.watermark) return false;
		this.watermark = from;
		return true;
	}

	/** Reads less at once; a first poll passes what it has read, which is no news. */
	private shorten(end: Micros | undefined): void {
		const final = this.final();
		const readUntil = Math.min(this.newest ?? -Infinity, this.baseline ?? -Infinity);
		if (wholeSecond(readUntil) > this.watermark) {
			this.advance(readUntil);
			this.span = undefined;
		} else if (end !== undefined) {
			this.span = Math.max(SECOND, wholeSecond((end - this.watermark) / 8));
		} else if (final > this.watermark) this.span = final - this.watermark;
	}

	private advance(to: Micros): void {
		this.watermark = Math.max(this.watermark, wholeSecond(to));
	}

	/** The end of the next range; undefined for everything there is. */
	private rangeEnd(): Micros | undefined {
		const final = this.final();
		const isBound = this.seen.bound() !== undefined;
		if ((this.span === undefined && !isBound) || final <= this.watermark) return undefined;
		return Math.min(final, this.watermark + (this.span ?? Infinity));
	}

	private hasBacklog(): boolean {
		const length = this.final() - this.watermark;
		return length > LONG_RANGE || (length > 0 && this.seen.bound() !== undefined);
	}

	/** The time up to which all events have appeared; earlier events than that would be too many to remember. */
	private final(): Micros {
		const final = nextWatermark(this.watermark, this.newest, this.rules.overlap);
		const bound = this.seen.bound();
		if (bound === undefined) return final;
		const settled = wholeSecond(presentTime(this.source) - this.rules.settle);
		const shortened = Math.min(bound, settled);
		if (shortened <= final) return final;
		this.notes.push(
			`Too many events to remember for the whole overlap: events before ${text(shortened)} that have not appeared yet will be missed.`,
		);
		return shortened;
	}

	private get isFull(): boolean {
		return this.events.length >= MAX_EVENTS;
	}

	private get mustStop(): boolean {
		return this.budget.spent() || this.isFull;
	}

	private async page(
		cursor: string | undefined,
		end: Micros | undefined,
		maxRecords: number,
		start = this.passed ?? this.watermark,
	): Promise<AuditPage> {
		const range = { start: listedFrom(start), end };
		let page = await this.source.events(range, cursor, maxRecords);
		this.responses += 1;
		if (page.isCut && end === undefined && this.final() <= this.watermark) {
			// No shorter range is final: it has to be read whole.
			page = await this.source.events(range, cursor);
		}
		return page;
	}

	/** Takes the events of a page; returns the oldest time among those that are new. */
	private take(records: IDataObject[]): Micros | undefined {
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
			const isNews = this.state !== undefined && added.time >= (this.baseline ?? -Infinity);
			if (isNews) this.events.push(added);
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
		if (!this.state) return time >= (this.baseline ?? Infinity);
		const settled = Math.max(
			now - this.rules.settle,
			(this.newest ?? -Infinity) - this.rules.overlap,
		);
		if (this.baseline !== undefined && time < this.baseline) return false;
		return time > settled && time <= now + 2 * SECOND;
	}

	private result(): AuditPollResult {
		const from = this.state?.watermark ?? Infinity;
		const oldest = presentTime(this.source) - RETENTION;
		if (from < oldest && this.events.length > 0) {
			this.notes.push(
				`The audit log keeps events for ${RETENTION_DAYS} days. Events from ${text(from)} to ${text(oldest)} that were not read before are gone.`,
			);
		}
		const seen = this.seen.entries(listedFrom(this.watermark));
		const state: AuditState = {
			...newAuditState(this.scope, this.watermark, this.source.way, seen),
			newest: this.newest,
			baseline: this.baseline,
			resume: this.position,
			span: this.span,
			checkedAt: this.checkedAt,
			odd: oddPollsAfter(this.state?.odd, this.isOdd, this.source.localNow()),
		};
		return { state, events: this.events, notes: [...new Set(this.notes)] };
	}
}

/** From when on a first poll that began at a time reads. */
function firstWatermark(began: Micros, overlap: Micros, back = HOUR): Micros {
	return wholeSecond(began - Math.max(back, overlap));
}

function text(time: Micros): string {
	return new Date(time / 1000).toISOString();
}

import type { IDataObject } from 'n8n-workflow';

import { RETENTION_DAYS } from '../../../service/auditLog';
import { formatTime, type Micros } from '../../../service/time/time';
import { toResult } from '../../../transport/toResult';
import { readList, restartNote, type ListPosition } from '../readList';
import { askedAt, isClockSure, presentTime, type AuditSource, type Budget } from '../source';
import { newAuditState, type AuditState } from '../state';
import { DAY, MAX_REMEMBERED, MINUTE, SECOND, wholeSecond } from '../watermark';
import { keyOf, type NewAuditEvent } from './events';
import { MAX_EVENTS, ObservedEvents, type AuditRules } from './observedEvents';

/** A longer backlog is read in ranges, and a longer range has to fit into one page. */
const LONG_RANGE = 15 * MINUTE;

/** A range with more events is read in shorter ones, so that few have to be remembered. */
const MAX_PER_RANGE = 2_000;

export interface AuditPollResult {
	state: AuditState;
	events: NewAuditEvent[];
	/** Notes for n8n's log. */
	notes: string[];
}

/**
 * One poll of the audit log: the events that were not there at `state`, and the state after it. Pure
 * apart from the source: the same state and the same responses give the same result.
 *
 * @throws what the source throws; nothing has been lost then, the next poll starts from `state`
 */
export async function pollAudit(
	state: AuditState | undefined,
	scope: string,
	rules: AuditRules,
	source: AuditSource,
	budget: Budget,
): Promise<AuditPollResult> {
	if (state) return await new AuditPoller(state, false, rules, source, budget).run();
	// Asks for what is newer than now, only to learn the service's time.
	const range = { start: wholeSecond(presentTime(source)) };
	const beganAt = await askedAt(source, async () => await source.events(range, undefined, 1));
	const watermark = wholeSecond(beganAt - (isClockSure(source) ? rules.overlap : DAY));
	const begun = { ...newAuditState(scope, watermark, source.way), began: wholeSecond(beganAt) };
	return await new AuditPoller(begun, true, rules, source, budget).run();
}

/** One poll in progress, which reads what is after the watermark, range by range. */
class AuditPoller {
	private readonly observed: ObservedEvents;

	/** Where a range continues that was not read to its end. */
	private position: ListPosition | undefined;

	/** How long the next range is, once one did not fit. */
	private span: Micros | undefined;

	constructor(
		private readonly state: AuditState,
		private readonly isFirst: boolean,
		rules: AuditRules,
		private readonly source: AuditSource,
		private readonly budget: Budget,
	) {
		this.observed = new ObservedEvents(state, isFirst, rules, source);
		this.position = state.resume;
		this.span = state.span;
	}

	async run(): Promise<AuditPollResult> {
		const done = await toResult(this.read());
		// What has been read is kept when time was too short.
		const isLate = this.observed.hasResponse && this.budget.spent();
		if (!done.ok && !isLate) throw done.error;
		return this.result();
	}

	private async read(): Promise<void> {
		const { budget, isFirst, observed } = this;
		let isDone = isFirst && budget.spent();
		while (!isDone) isDone = (await this.readRange()) || budget.spent() || observed.isFull;
	}

	/** Reads everything since the watermark, or up to the end of a range. Returns whether the poll is over. */
	private async readRange(): Promise<boolean> {
		const { budget, observed, position, source } = this;
		this.position = undefined;
		const { watermark } = observed;
		const final = observed.final();
		const end = position ? position.end : this.nextEnd(final);
		const start = watermark.listedFrom;
		const length = end === undefined ? 0 : end - watermark.time;
		const limit = end === undefined ? MAX_EVENTS : length > SECOND ? MAX_PER_RANGE : Infinity;
		let count = 0;
		const isTooMuch = () =>
			end === undefined ? this.isLong() : length > LONG_RANGE || count > limit;
		const read = await readList<IDataObject>({
			source,
			budget,
			readPage: async (cursor) => await observed.page({ start, end }, cursor, limit),
			keyOf,
			take: (items) => {
				count += items.length;
				return observed.take(items);
			},
			isEnough: () => observed.isFull || isTooMuch(),
			known: final > watermark.time ? undefined : observed.seen.size,
			final,
			end,
			position,
		});
		if (read.kind === 'known') return true;
		if (read.kind === 'complete') {
			const isPassed = watermark.pass(end ?? read.final, read.isOdd, position !== undefined);
			if (isPassed && end !== undefined) {
				if (read.isPage && this.span !== undefined) this.span = Math.max(this.span, 4 * length);
				return false;
			}
			if (isPassed) observed.began = undefined;
			else if (end !== undefined) this.shorten(end);
			return true;
		}
		if (read.kind === 'restart') {
			observed.notes.push(restartNote('events'));
		} else if (read.position && !isTooMuch()) {
			this.position = read.position;
			return true;
		}
		this.shorten(end);
		return read.kind === 'restart';
	}

	/** Whether what is final has to be read in ranges. */
	private isLong(): boolean {
		const { seen, watermark } = this.observed;
		const length = this.observed.final() - watermark.time;
		return length > LONG_RANGE || (length > 0 && seen.size > MAX_REMEMBERED);
	}

	/** The end of the next range; undefined for everything. */
	private nextEnd(final: Micros): Micros | undefined {
		const { time } = this.observed.watermark;
		if (final <= time) this.span = undefined;
		return this.span && Math.min(final, time + this.span);
	}

	/** Makes the next range shorter than one up to `end`; undefined for everything. */
	private shorten(end: Micros | undefined): void {
		const { time } = this.observed.watermark;
		const final = this.observed.final();
		if (end !== undefined) this.span = Math.max(SECOND, wholeSecond((end - time) / 8));
		else if (final > time) this.span = final - time;
	}

	private result(): AuditPollResult {
		const { began, news, notes, seen, watermark } = this.observed;
		if (watermark.isShortened) {
			notes.push(
				`Too many events to remember for the whole overlap: events before ${formatTime(watermark.time)} that have not appeared yet will be missed.`,
			);
		}
		const from = this.state.watermark;
		const oldest = presentTime(this.source) - RETENTION_DAYS * DAY;
		if (from < oldest && news.length > 0) {
			notes.push(
				`The audit log keeps events for ${RETENTION_DAYS} days. Events from ${formatTime(from)} to ${formatTime(oldest)} that were not read before are gone.`,
			);
		}
		const state: AuditState = {
			...newAuditState(this.state.scope, watermark.time, this.source.way),
			...watermark.fields(),
			seen: seen.entries(watermark.listedFrom),
			began,
			resume: this.position,
			span: this.span,
		};
		return { state, events: news, notes };
	}
}

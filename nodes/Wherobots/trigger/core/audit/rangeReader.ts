import type { IDataObject } from 'n8n-workflow';

import type { Micros } from '../../../service/time/time';
import { toResult } from '../../../transport/toResult';
import { readList, type ListPosition, type ListReading } from '../readList';
import { presentTime, type Budget, type Source } from '../source';
import type { AuditState } from '../state';
import { DAY, isTrusting, restUntil, SECOND, wholeSecond } from '../watermark';
import { Backlog, LONG_RANGE } from './backlog';
import { MAX_EVENTS, type ObservedEvents } from './observedEvents';
import { keyOf } from './events';

/** A range with more events is read in shorter ones, so that few have to be remembered. */
const MAX_PER_RANGE = 2_000;

/** Reads what is after the watermark, range by range, and moves the watermark. */
export class RangeReader {
	readonly backlog: Backlog;

	/** Where a range goes on that was not read to its end. */
	position: ListPosition | undefined;

	restUntil: Micros | undefined;

	/** Whether a list contradicted itself; undefined when none was read to its end. */
	isOdd: boolean | undefined;

	/** Whether lists are taken as they are. */
	private readonly isTrusting: boolean;

	constructor(
		private readonly observed: ObservedEvents,
		state: AuditState | undefined,
		private readonly source: Source,
		private readonly budget: Budget,
	) {
		this.backlog = new Backlog(observed, state?.span);
		this.position = state?.resume;
		this.restUntil = state?.restUntil;
		this.isTrusting = isTrusting(state?.odd, source.localNow());
	}

	/** Reads as far as the time and the room of a poll allow. */
	async read(): Promise<void> {
		this.restUntil = undefined;
		for (;;) {
			const { position } = this;
			this.position = undefined;
			const end = position ? position.end : this.backlog.nextEnd();
			const isDone = await this.readRange(end, position);
			if (isDone || this.mustStop) return;
		}
	}

	private get mustStop(): boolean {
		return this.budget.spent() || this.observed.isFull;
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
		const { backlog, observed } = this;
		const start = observed.watermark;
		const length = end === undefined ? 0 : end - start;
		const limit = length > SECOND ? MAX_PER_RANGE : end === undefined ? MAX_EVENTS : Infinity;
		const final = position?.final ?? end ?? observed.final();
		let records = 0;
		const isTooMuch = () =>
			end === undefined ? backlog.isLong : length > LONG_RANGE || records > limit;
		const read = await readList<IDataObject>({
			source: this.source,
			budget: this.budget,
			readPage: async (cursor) => await observed.page({ start, end }, cursor, limit),
			keyOf,
			take: (items) => {
				records += items.length;
				return observed.take(items);
			},
			isEnough: () => observed.isFull || isTooMuch(),
			expected: observed.seen.keysBetween(start, Math.min(final, end ?? Infinity)),
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
		if (read.kind === 'complete') return this.conclude(read, final, end);
		if (read.kind === 'truncated' && !isTooMuch()) {
			this.position = read.position;
			return true;
		}
		backlog.shorten(end);
		return read.kind === 'restart' && (await this.beginAnew(end));
	}

	/** @returns whether the poll is over */
	private conclude(
		{ isOdd, isGrown, isPage, oldestNew }: Extract<ListReading, { kind: 'complete' }>,
		final: Micros,
		end: Micros | undefined,
	): boolean {
		const { backlog, observed } = this;
		this.isOdd ||= isOdd;
		if ((isOdd || isGrown) && !this.isTrusting) {
			if (isOdd && end !== undefined) backlog.shorten(end);
			return true;
		}
		if (end !== undefined) {
			backlog.pass(end, isPage);
			return false;
		}
		const { began, watermark } = observed;
		if (began !== undefined && observed.seen.size === 0) {
			// A longer range makes up for a clock that is ahead and that no response corrects.
			observed.lookBackFrom(began, DAY);
			if (observed.watermark < watermark) return false;
		}
		observed.advance(Math.min(final, oldestNew ?? Infinity));
		observed.began = undefined;
		if (!isPage && oldestNew === undefined && observed.newest !== undefined) {
			this.restUntil = restUntil(observed.newest, presentTime(this.source), this.source.localNow());
		}
		return true;
	}

	/**
	 * After a cursor that was refused. Where no cursor leads on, everything there is may be too long for
	 * a poll: only what is newer than the newest event is read, so that the watermark can follow.
	 *
	 * @returns whether the poll is over
	 */
	private async beginAnew(end: Micros | undefined): Promise<boolean> {
		const { backlog, observed } = this;
		observed.notes.push(
			'The service no longer continues the list of events; reading it again from the start.',
		);
		const { newest, watermark } = observed;
		if (end !== undefined || newest === undefined) return false;
		if (this.mustStop) return true;
		const start = Math.max(watermark, wholeSecond(newest));
		await readList<IDataObject>({
			source: this.source,
			budget: this.budget,
			readPage: async (cursor) => await observed.page({ start }, cursor, MAX_EVENTS),
			keyOf,
			take: (items) => observed.take(items),
			isEnough: () => observed.isFull || backlog.isLong,
		});
		return true;
	}
}

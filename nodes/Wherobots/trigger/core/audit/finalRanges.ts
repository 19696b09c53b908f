import type { Resume } from '../readPages';
import type { Range } from '../source';
import { MINUTE, SECOND, wholeSecond } from '../watermark';
import type { Micros } from '../../../service/time/time';
import type { AuditReading } from './auditReading';

/** A longer range that has more than a page is read in shorter ones. */
export const LONG_RANGE = 15 * MINUTE;
const FEW_PAGES = 5;

/** A range of this length that comes short has been asked for often enough. */
const SHORT_RANGE = MINUTE;

/** A range with more events is read in shorter ones, so that few have to be remembered. */
const MAX_PER_RANGE = 2_000;

/** Ranges of a backlog, one after the other, in which nothing appears any more. */
export class FinalRanges {
	/** The length of the next range: as much as a few pages hold. */
	span: Micros;

	constructor(
		private readonly log: AuditReading,
		span = Infinity,
		/** Ranges up to this time were read once, maybe by an earlier poll, but not in a way to be believed. */
		public doubtfulUntil = -Infinity,
	) {
		this.span = span;
	}

	/** The range to read next. */
	from(start: Micros, end: Micros): Required<Range> {
		return { start, end: Math.min(end, start + this.span) };
	}

	/**
	 * Reads a range. One without an event, or whose pages repeat one, is read once more, in a longer
	 * one, before it is believed; one that came short of what the service says it has, in shorter ones.
	 *
	 * @returns whether it is dealt with, and where it has to continue when the time of the poll is over
	 */
	async read(range: Required<Range>): Promise<{ isDone: boolean; resume?: Resume }> {
		const length = range.end - range.start;
		const limit = length <= SECOND ? Infinity : MAX_PER_RANGE;
		const first = await this.log.readFirst(range, limit);
		const isTooLong = first.next !== undefined && length > LONG_RANGE;
		if (isTooLong || (first.isCut && length > SECOND)) return this.narrow(length);

		let records = first.items.length;
		const read = await this.log.read(range, {
			first,
			isFull: () => records > limit || this.log.isFull,
			onRecords: (items) => (records += items.length),
		});
		if (read.kind === 'truncated') {
			if (!this.log.mustStop) return this.narrow(length);
			return { isDone: false, resume: read.resume };
		}
		if (read.kind !== 'complete') return { isDone: false };
		if (read.short && records > 0 && length > SHORT_RANGE) return this.narrow(length);
		this.adaptSpan(read.pages, length);
		const isSound = records > 0 && !read.shifted;
		if (isSound || range.end <= this.doubtfulUntil) return { isDone: true };
		this.doubtfulUntil = range.end;
		return { isDone: false };
	}

	/** Reads shorter ranges from now on than one of this length. */
	narrow(length: Micros): { isDone: false } {
		this.span = Math.max(SECOND, wholeSecond(length / 8));
		return { isDone: false };
	}

	private adaptSpan(pages: number, length: Micros): void {
		if (pages === 1) this.span = Math.max(this.span, 4 * length);
		else if (pages > FEW_PAGES) this.narrow(4 * length);
	}
}

import type { Micros } from '../../../service/time/time';
import { MINUTE, SECOND, wholeSecond } from '../watermark';
import type { ObservedEvents } from './observedEvents';

/** A backlog of more than this is read in ranges, and a range that is longer has to fit one page. */
export const LONG_RANGE = 15 * MINUTE;

/** The final part of the log that is not known yet, cut into ranges that fit one reading. */
export class Backlog {
	constructor(
		private readonly observed: ObservedEvents,
		/** How long the next range is, once one did not fit. */
		public span: Micros | undefined,
	) {}

	/** Whether it has to be read in ranges. */
	get isLong(): boolean {
		const length = this.observed.final() - this.observed.watermark;
		return length > LONG_RANGE || (length > 0 && this.observed.seen.bound() !== undefined);
	}

	/** The end of the next range; undefined for everything there is. */
	nextEnd(): Micros | undefined {
		const final = this.observed.final();
		const isBound = this.observed.seen.bound() !== undefined;
		if ((this.span === undefined && !isBound) || final <= this.observed.watermark) return undefined;
		return Math.min(final, this.observed.watermark + (this.span ?? Infinity));
	}

	/**
	 * Reads less at once; a first poll passes what it has read, which is no news.
	 *
	 * @param end that of the range that did not fit; undefined for everything there is
	 */
	shorten(end: Micros | undefined): void {
		const { newest = -Infinity, began = -Infinity, watermark } = this.observed;
		const final = this.observed.final();
		const readUntil = Math.min(newest, began);
		if (wholeSecond(readUntil) > watermark) {
			this.observed.advance(readUntil);
			this.span = undefined;
		} else if (end !== undefined) {
			this.span = Math.max(SECOND, wholeSecond((end - watermark) / 8));
		} else if (final > watermark) this.span = final - watermark;
	}

	/** Passes a range that was read to its end. The next one is longer if this one took a single page. */
	pass(end: Micros, isPage: boolean): void {
		const { watermark } = this.observed;
		if (isPage && this.span !== undefined) this.span = Math.max(this.span, 4 * (end - watermark));
		this.observed.watermark = Math.max(watermark, end);
		if (this.observed.final() <= this.observed.watermark) this.span = undefined;
	}
}

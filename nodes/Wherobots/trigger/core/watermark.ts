import type { Micros } from '../../service/time/time';

export const SECOND: Micros = 1_000_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How exactly the service's clock is known: its responses carry whole seconds. */
const CLOCK_PRECISION: Micros = 2 * SECOND;

/** Replicas that lag and lists that shift are odd only for a while; a service that is odd for longer is like that. */
const MAX_ODD_POLLS = 10;
const MAX_ODD_SPAN = 10 * MINUTE;

/** How many polls in a row found a list odd, and since when by n8n's clock. */
export type OddPolls = [times: number, since: Micros];

/** Whether odd lists are trusted, until one is not odd: the service's total counts something else. */
export function isTrusting(odd: OddPolls | undefined, now: Micros): boolean {
	return odd !== undefined && odd[0] >= MAX_ODD_POLLS && now - odd[1] >= MAX_ODD_SPAN;
}

/** What the state keeps of a watermark. */
export interface WatermarkState {
	/** Everything before this time is known. */
	watermark: Micros;
	/** The newest time of a record that was new and not dated ahead. */
	newest?: Micros;
	/** Lists that contradict themselves. */
	odd?: OddPolls;
}

/**
 * The time before which everything is known. Only what the service has shown moves it, so a log that
 * stands still, lags or is replayed keeps it where it is. It never goes back.
 */
export class Watermark {
	time: Micros;

	private newest: Micros | undefined;

	/** Whether a list contradicted itself; undefined when none was read to its end. */
	private isOdd: boolean | undefined;

	/**
	 * @param overlap between the newest time shown and the oldest that may still appear
	 * @param localNow by n8n's clock
	 */
	constructor(
		private readonly before: WatermarkState,
		private readonly overlap: Micros,
		private readonly localNow: Micros,
	) {
		this.time = before.watermark;
		this.newest = before.newest;
	}

	/** The time before which everything has appeared. Whole seconds, since a service may compare those. */
	get appeared(): Micros {
		return wholeSecond((this.newest ?? -Infinity) - this.overlap);
	}

	/** The time before which nothing new is expected. */
	get final(): Micros {
		return Math.max(this.time, this.appeared);
	}

	/**
	 * The time from which lists are requested. One second earlier, so that no reading of "after" and no
	 * rounding to seconds on the service's side leaves out a record.
	 */
	get listedFrom(): Micros {
		return wholeSecond(this.time) - SECOND;
	}

	/** Notes a time that the service has shown. A time in the future says nothing about earlier ones. */
	show(time: Micros, now: Micros): void {
		if (!isAhead(time, now)) this.newest = Math.max(this.newest ?? -Infinity, time);
	}

	/**
	 * Passes a list that was read to its end, unless it is odd.
	 *
	 * @param final up to when the list is known
	 * @param isContinued whether an earlier poll began the list: while lists are odd, that can hide that this one is
	 * @returns whether it was passed
	 */
	pass(final: Micros, isOdd: boolean, isContinued = false): boolean {
		const { odd } = this.before;
		this.isOdd ||= isOdd;
		const isDoubtful = isOdd || (isContinued && odd !== undefined);
		if (isDoubtful && !isTrusting(odd, this.localNow)) return false;
		this.time = Math.max(this.time, wholeSecond(final));
		return true;
	}

	/** Whether it has passed times at which records may still appear, because there were too many to remember. */
	get isShortened(): boolean {
		return this.time > Math.max(this.before.watermark, this.appeared);
	}

	/** For the state. */
	fields(): WatermarkState {
		return { watermark: this.time, newest: this.newest, odd: this.odd() };
	}

	private odd(): OddPolls | undefined {
		const { odd } = this.before;
		if (this.isOdd === undefined) return odd;
		if (!this.isOdd) return undefined;
		const [times, since] = odd ?? [0, this.localNow];
		return [times + 1, Math.min(since, this.localNow)];
	}
}

/** How many records are remembered; beyond that, the overlap is shortened. */
export const MAX_REMEMBERED = 10_000;

/** How many records of one second are remembered, because no list begins within a second. */
export const MAX_PER_SECOND = 50_000;

/**
 * The watermark that leaves no more records after it than can be remembered; undefined when only
 * records before what is final have to go.
 */
export function boundOf(times: Micros[], final: Micros): Micros | undefined {
	const sorted = times.filter((time) => time >= final).sort((a, b) => a - b);
	if (sorted.length <= MAX_REMEMBERED) return undefined;
	const second = wholeSecond(sorted[sorted.length - MAX_REMEMBERED / 2]);
	const ofSecond = sorted.filter((time) => wholeSecond(time) === second).length;
	return ofSecond > MAX_PER_SECOND ? second + 2 * SECOND : second;
}

/** Whether a time lies in the future, as far as the clock tells. */
export function isAhead(time: Micros, now: Micros): boolean {
	return time > now + CLOCK_PRECISION;
}

export function wholeSecond(time: Micros): Micros {
	return Math.floor(time / SECOND) * SECOND;
}

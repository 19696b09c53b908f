import type { Budget } from '../../../../nodes/Wherobots/trigger/core/cursor';
import { SECOND } from '../../../../nodes/Wherobots/trigger/core/cursor';
import type { ServiceClock } from './serviceClock';

/** A failure of the service, which makes a poll fail. */
export class ServiceFailure extends Error {}

/** The time in which a poll sends requests, each of which still gets its response. */
const POLL_TIME = 24 * SECOND;

/** Marks the cursor of a page that comes after an empty one. */
const BLANK = 'blank:';

/** What happens to the requests of one poll. */
export interface Weather {
	/** The request, counted from 1, that fails. */
	failAt?: number;
	/** How many requests use up the poll's time. */
	calls?: number;
	/** The service forgets the cursors that it has issued so far. */
	refuses?: boolean;
	/** The list request that returns nothing, as if there were nothing. */
	emptyAt?: number;
	/** The list request that returns an empty page, which leads to the real one. */
	blankAt?: number;
	/** The list request that returns a page as if it were the last one. */
	endAt?: number;
	/** The list request that returns the records of the previous page again. */
	repeatAt?: number;
	/** From this request on, single records are not found. */
	missingFrom?: number;
	/** From this request on, requests wait for the rate limit. */
	crowdedFrom?: number;
	/** What happens before the request with this number. */
	before?: Map<number, () => void | Promise<void>>;
}

/** Cursors that the service has issued, and whether it still accepts them. */
export type Cursors = Map<string, boolean>;

/** Counts the requests of one poll and makes its weather happen. */
export class Calls implements Budget {
	count = 0;

	/** Whether the service has responded in this poll, and so told its time. */
	hasResponse = false;

	/** Whether a list ended early that had grown by then: its first total does not tell. */
	hidesEnd = false;

	/** The total on the first page of a list. */
	private total = Infinity;

	/** The records of the last page. */
	private given: unknown[] = [];

	private readonly started: number;

	constructor(
		private readonly weather: Weather,
		private readonly cursors: Cursors,
		private readonly clock: ServiceClock,
	) {
		this.started = clock.now;
		if (weather.refuses) for (const cursor of cursors.keys()) cursors.set(cursor, false);
	}

	/** Every request of the model calls this first. */
	async next(cursor?: string): Promise<void> {
		this.count += 1;
		await this.weather.before?.get(this.count)?.();
		this.clock.advance(this.clock.latency);
		if (this.count === this.weather.failAt) throw new ServiceFailure('The service failed');
		if (cursor !== undefined && this.cursors.get(cursor) === false) {
			throw new ServiceFailure('Unknown cursor');
		}
		this.hasResponse = true;
	}

	/** Whether the current request fails to find a single record that exists. */
	get isMissing(): boolean {
		return this.count >= (this.weather.missingFrom ?? Infinity);
	}

	get isCrowded(): boolean {
		return this.count >= (this.weather.crowdedFrom ?? Infinity);
	}

	/** A page of a list, as the weather lets it through. */
	async list<T extends { items: unknown[]; next?: string; total?: number }>(
		cursor: string | undefined,
		read: (cursor: string | undefined) => T,
	): Promise<T> {
		await this.next(cursor);
		const isBlank = cursor?.startsWith(BLANK) ?? false;
		const real = isBlank ? cursor?.slice(BLANK.length) || undefined : cursor;
		const page = read(real);
		let served = page;
		if (cursor === undefined) this.total = page.total ?? Infinity;
		const isEnded = [this.weather.emptyAt, this.weather.endAt].includes(this.count);
		this.hidesEnd ||= isEnded && (page.total ?? 0) > this.total;
		const before = this.given;
		this.given = page.items;
		if (this.count === this.weather.emptyAt) served = { ...page, items: [], next: undefined };
		else if (this.count === this.weather.endAt) served = { ...page, next: undefined };
		else if (this.count === this.weather.repeatAt && cursor !== undefined) {
			// The first page of a poll has no page before it.
			served = before.length > 0 ? { ...page, items: before } : page;
		} else if (this.count === this.weather.blankAt && !isBlank) {
			served = { ...page, items: [], next: BLANK + (cursor ?? '') };
		}
		if (served.next !== undefined) this.cursors.set(served.next, true);
		return served;
	}

	spent(share = 1): boolean {
		const isSpent = this.count >= (this.weather.calls ?? Infinity) * share;
		return isSpent || this.elapsed >= POLL_TIME * share;
	}

	private get elapsed(): number {
		return this.clock.now - this.started;
	}
}

/** Freezes a value deeply: the core must not modify the state that it starts from. */
export function frozen<T>(value: T): T {
	if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
	return Object.freeze(value);
}

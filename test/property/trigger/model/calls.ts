import type { Budget } from '../../../../nodes/Wherobots/trigger/core/source';

export class Refused extends Error {}

/** What happens to the requests of one poll. */
export interface Weather {
	/** The request, counted from 1, that fails. */
	failAt?: number;
	/** So many requests use up the poll's time. */
	calls?: number;
	/** The service no longer takes the cursors of earlier polls. */
	refuses?: boolean;
	/** What happens before the request with this number. */
	before?: Map<number, () => void | Promise<void>>;
}

/** Counts the requests of one poll and lets its weather happen. */
export class Calls implements Budget {
	count = 0;

	private readonly given = new Set<string>();

	constructor(private readonly weather: Weather = {}) {}

	/** To be called first by every request of the model. */
	async next(cursor?: string): Promise<void> {
		this.count += 1;
		await this.weather.before?.get(this.count)?.();
		if (this.count === this.weather.failAt) throw new Error('The service failed');
		if (this.weather.refuses && cursor !== undefined && !this.given.has(cursor)) {
			throw new Refused('Unknown cursor');
		}
	}

	/** Notes a cursor that this poll was given. */
	gives<T extends { next?: string }>(page: T): T {
		if (page.next !== undefined) this.given.add(page.next);
		return page;
	}

	spent(share = 1): boolean {
		return this.count >= (this.weather.calls ?? Infinity) * share;
	}
}

/** A value that nobody can change: the core must not touch the state it starts from. */
export function frozen<T>(value: T): T {
	if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
	return Object.freeze(value);
}

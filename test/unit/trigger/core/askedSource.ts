import type { Budget, Source } from '../../../../nodes/Wherobots/trigger/core/source';
import { START } from './slowService';

/** More requests than any poll here needs. */
const TOO_MANY = 50;

export const unlimited: Budget = { spent: () => false };

/** A service that records which lists it is asked for. Its clocks agree and stand still. */
export abstract class AskedSource<Asked> implements Source {
	readonly asked: Asked[] = [];

	time = START;

	localTime: number | undefined;

	isTimeKnown = true;

	/** Time for this many requests for lists. */
	timeFor(requests: number): Budget {
		return { spent: () => this.asked.length >= requests };
	}

	// Properties, not methods: a poll spreads the source into a new object.
	now = () => this.time;

	localNow = () => this.localTime ?? this.time;

	knowsTime = () => this.isTimeKnown;

	broken = (what: string) => new Error(what);

	maySuspectCursor = () => true;

	/** @throws when the requests do not end */
	protected note(asked: Asked): void {
		this.asked.push(asked);
		if (this.asked.length > TOO_MANY) throw new Error('The poll does not end');
	}
}

/** A list in these pages, whose cursors are their numbers. */
export function paged<T>(pages: T[][], cursor = '0'): { items: T[]; next?: string } {
	const index = Number(cursor);
	const next = index + 1 < pages.length ? String(index + 1) : undefined;
	return { items: pages[index] ?? [], next };
}

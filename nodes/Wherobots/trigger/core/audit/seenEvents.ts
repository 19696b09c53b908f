import type { IDataObject } from 'n8n-workflow';

import type { Micros } from '../../../service/time/time';
import { eventIdOf, eventTimeOf, type NewAuditEvent } from './auditEvents';
import { digest } from '../digest';
import type { SeenEvent } from '../state';
import { later } from '../readPages';
import { isFuture, NEVER_SHOWN, SECOND, shownTime, wholeSecond } from '../watermark';

/** As many events are remembered; beyond, the overlap is shortened. */
export const MAX_SEEN = 10_000;

/** As many events of one second are remembered, because no range is shorter. */
export const MAX_SEEN_PER_SECOND = 50_000;

interface Seen {
	time: Micros;
	/** Only for an event from the future, or without a time: when it counts as shown (see `shownTime`). */
	shownAt?: Micros;
}

/** The events since the watermark that are known. */
export class SeenEvents {
	private readonly events: Map<string, Seen>;

	private newestShown: Micros | undefined;

	private newestTime: Micros | undefined;

	constructor(entries: readonly SeenEvent[] = []) {
		this.events = new Map(entries.map(([key, time, shownAt]) => [key, { time, shownAt }]));
		for (const event of this.events.values()) this.noteShown(event);
	}

	get size(): number {
		return this.events.size;
	}

	/** The newest time that the service has shown. */
	get newest(): Micros | undefined {
		return this.newestShown;
	}

	/**
	 * The time as of which an event from the future counts as shown: a proposed one, but without the
	 * service's time no later than the newest other event, because n8n's clock may be ahead.
	 */
	shownUntil(proposed: Micros, knowsTime: boolean): Micros {
		return knowsTime ? proposed : Math.min(proposed, this.newestTime ?? 0);
	}

	/**
	 * Takes an event as the service shows it.
	 *
	 * @param now the service's time
	 * @param settled the time as of which an event from the future counts as shown
	 * @returns when it counts as shown, and the event when it was not known
	 */
	take(event: IDataObject, now: Micros, settled = now): { shown?: Micros; added?: NewAuditEvent } {
		const time = eventTimeOf(event);
		const id = eventIdOf(event);
		const key = digest(id);
		const known = this.events.get(key);
		if (known) return { shown: shownTime(known.time, known.shownAt) };
		const at = time ?? now;
		const shownAt = time === undefined ? NEVER_SHOWN : isFuture(at, now) ? settled : at;
		const seen = shownAt === at ? { time: at } : { time: at, shownAt };
		this.events.set(key, seen);
		this.noteShown(seen);
		return { shown: shownTime(at, shownAt), added: { id, time: at, event } };
	}

	has(event: IDataObject): boolean {
		return this.events.has(digest(eventIdOf(event)));
	}

	/** The times of the newest events that have one. */
	newestTimes(count: number): Micros[] {
		return this.times(({ shownAt }) => shownAt !== NEVER_SHOWN)
			.slice(-count)
			.reverse();
	}

	/** The watermark that leaves no more events after it than can be remembered; undefined when none has to go. */
	bound(): Micros | undefined {
		if (this.size <= MAX_SEEN) return undefined;
		const times = this.times();
		const second = wholeSecond(times[times.length - MAX_SEEN / 2]);
		const ofSecond = times.filter((time) => wholeSecond(time) === second).length;
		return ofSecond > MAX_SEEN_PER_SECOND ? second + 2 * SECOND : second;
	}

	/** The entries to keep for a list from this time on. */
	entries(from: Micros): SeenEvent[] {
		return [...this.events]
			.filter(([, { time }]) => time >= from)
			.map(([key, { time, shownAt }]) =>
				shownAt === undefined ? [key, time] : [key, time, shownAt],
			);
	}

	private times(isMeant: (event: Seen) => boolean = () => true): Micros[] {
		return [...this.events.values()]
			.filter(isMeant)
			.map(({ time }) => time)
			.sort((a, b) => a - b);
	}

	private noteShown({ time, shownAt }: Seen): void {
		const shown = shownTime(time, shownAt);
		if (shown === undefined) return;
		this.newestShown = later(this.newestShown, shown);
		this.newestTime = later(this.newestTime, time);
	}
}

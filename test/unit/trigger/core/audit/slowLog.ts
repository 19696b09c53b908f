import { eventId } from '../../../../../nodes/Wherobots/trigger/core/ids';
import {
	pollAudit,
	type AuditPollResult,
} from '../../../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import type { AuditSource } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { AuditPage, Range } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { AuditState } from '../../../../../nodes/Wherobots/trigger/core/state';

export const SECOND = 1_000_000;
export const MINUTE = 60 * SECOND;
export const START = Date.parse('2026-03-10T12:00:00Z') * 1000;

const iso = (time: number) =>
	`${new Date(Math.floor(time / 1000)).toISOString().slice(0, -1)}${String(time % 1000).padStart(3, '0')}Z`;

export type Order = 'newestFirst' | 'oldestFirst' | 'shuffled';

/** What n8n's classic engine gives a poll, in microseconds. */
export const POLL_TIME = 36 * SECOND;

/** Polls an audit log that takes some seconds for each request, once a minute. */
export class SlowLog {
	now = START;

	order: Order = 'newestFirst';

	pageSize = 100;

	secondsPerRequest = 1;

	/** How many seconds before its arrival a response is made. */
	secondsOnTheWay = 0;

	/** If set, cursors of earlier polls are refused, with an error that takes this many seconds more. */
	refusesAfter: number | undefined;

	way: 'query' | 'export' = 'query';

	/** If set, n8n's clock is this many seconds ahead, and no response tells the service's time. */
	clockAhead: number | undefined;

	/** How many seconds n8n's clock is ahead while responses tell the service's time. */
	localAhead = 0;

	/** How many seconds the service's clock is ahead, as its responses tell it. */
	dateAhead = 0;

	/** The times of the events, in order. */
	times: number[] = [];

	state: AuditState | undefined;

	/** The IDs of the events that polls have yielded. */
	readonly given: string[] = [];

	failures = 0;

	/** Requests of the last poll. */
	requests = 0;

	private places: number[] | undefined;

	constructor(options: Partial<SlowLog> = {}) {
		Object.assign(this, options);
	}

	/** The ID of the event at this index. */
	id(index: number): string {
		return eventId('audit', `event-${index}`);
	}

	/** The IDs of the events at the times that are meant. */
	ids(isMeant: (time: number) => boolean): string[] {
		return this.times.flatMap((time, index) => (isMeant(time) ? [this.id(index)] : []));
	}

	/** The length of the state as n8n stores it. */
	get bytes(): number {
		return JSON.stringify(this.state).length;
	}

	async poll(): Promise<AuditPollResult | undefined> {
		const began = this.now;
		this.requests = 0;
		const known = new Set<string>();
		const rules = { overlap: 5 * MINUTE, settle: 0 };
		const budget = { spent: (share = 1) => this.now - began >= POLL_TIME * share };
		const source: AuditSource = {
			way: this.way,
			now: () =>
				this.now +
				(this.clockAhead ?? (this.requests > 0 ? this.dateAhead : this.localAhead)) * SECOND,
			knowsTime: () => this.requests > 0 && this.clockAhead === undefined,
			localNow: () => this.now + (this.clockAhead ?? this.localAhead) * SECOND,
			broken: (what) => new Error(what),
			maySuspectCursor: () => true,
			events: async (range, cursor, maxRecords) => {
				this.takeTime(began + POLL_TIME, this.secondsPerRequest);
				if (cursor !== undefined && this.refusesAfter !== undefined && !known.has(cursor)) {
					this.takeTime(began + POLL_TIME, this.refusesAfter);
					throw new Error('The cursor was refused');
				}
				const page = this.page(range, cursor, maxRecords);
				if (page.next !== undefined) known.add(page.next);
				return await Promise.resolve(page);
			},
		};
		// n8n keeps the state as JSON.
		const before = this.state && (JSON.parse(JSON.stringify(this.state)) as AuditState);
		const polled = await pollAudit(before, 'scope', rules, source, budget).catch(() => {
			this.failures += 1;
			return undefined;
		});
		this.now = Math.max(this.now, began + MINUTE);
		if (!polled) return undefined;
		this.state = polled.state;
		for (const { id } of polled.events) this.given.push(id);
		return polled;
	}

	/** Polls until the first poll is finished. */
	async begin(most: number): Promise<number> {
		for (let polls = 1; polls <= most; polls++) {
			await this.poll();
			if (this.state && !this.state.began) return polls;
		}
		throw new Error(`The trigger has not begun after ${most} polls`);
	}

	private takeTime(deadline: number, seconds: number): void {
		this.requests += 1;
		this.now += seconds * SECOND;
		if (this.now <= deadline) return;
		this.now = deadline;
		throw new Error('timeout exceeded');
	}

	private page({ start, end = Infinity }: Range, cursor = '0', most = Infinity): AuditPage {
		const until = Math.min(end, this.now - this.secondsOnTheWay * SECOND);
		this.places ??= this.placesInOrder();
		const matching = this.places.filter(
			(index) => this.times[index] >= start && this.times[index] <= until,
		);
		if (this.way === 'export') {
			return { items: matching.slice(0, most).map(this.record), isCut: matching.length > most };
		}
		const from = Number(cursor);
		const to = from + this.pageSize;
		const items = matching.slice(from, to).map(this.record);
		const next = to < matching.length ? String(to) : undefined;
		return { items, next, total: matching.length, isFull: items.length === this.pageSize };
	}

	private placesInOrder(): number[] {
		const places = [...this.times.keys()];
		if (this.order === 'newestFirst') places.reverse();
		if (this.order === 'shuffled') places.sort((a, b) => scramble(a) - scramble(b));
		return places;
	}

	private readonly record = (index: number) => ({
		event_id: `event-${index}`,
		event_time: iso(this.times[index]),
	});
}

function scramble(index: number): number {
	return Math.imul(index + 1, 2_654_435_761) >>> 0;
}

/** This many times, evenly spread over a period that ends at a time. */
export function spread(count: number, length: number, until = START): number[] {
	const step = length / count;
	return Array.from({ length: count }, (_, index) =>
		Math.floor(until - length + (index + 0.5) * step),
	);
}

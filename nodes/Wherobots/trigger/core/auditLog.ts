import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { AUDIT_COLUMNS, RETENTION_DAYS } from '../../service/records';
import { formatTime, parseServiceTime, type Micros } from '../../service/time';
import { settle } from '../../transport/failure';
import {
	type AuditState,
	computeBound,
	Cursor,
	DAY,
	toDigest,
	toEventId,
	describeInconsistency,
	isAhead,
	isUnanswered,
	MAX_REMEMBERED,
	MINUTE,
	createAuditState,
	fetchListing,
	SECOND,
	floorToSecond,
} from './cursor';
import type { AuditSource, Budget } from './source';

/** Maximum number of events that one poll returns; the next one returns the rest. */
const MAX_EVENTS = 5_000;

/** A longer backlog is read in ranges, and a longer range has to fit into one page. */
const LONG_RANGE = 15 * MINUTE;

/** A range with more events is read in shorter ones, so that few have to be remembered. */
const MAX_PER_RANGE = 2_000;

export interface AuditRules {
	/** How late events may appear after newer ones, in microseconds. */
	overlap: Micros;
	/** How old an event must be to be output, in microseconds. */
	settle: Micros;
}

/** An event that the last poll did not know. */
export interface NewAuditEvent {
	/** The public `eventId`. */
	id: string;
	time: Micros;
	event: IDataObject;
}

interface AuditPollResult {
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
	if (state) return await new AuditPoll(state, false, rules, source, budget).run();
	// Asks for what is newer than now, only to learn the service's time.
	await source.events({ start: floorToSecond(source.now()) }, undefined, 1);
	const began = floorToSecond(source.now());
	const watermark = began - (source.isClockSure() ? rules.overlap : DAY);
	const begun = { ...createAuditState(scope, watermark, source.way), began };
	return await new AuditPoll(begun, true, rules, source, budget).run();
}

/** One poll in progress, which reads what is after the watermark, range by range. */
class AuditPoll {
	private readonly cursor: Cursor;

	/** The known events since the watermark, by their keys. */
	private readonly seen: Map<string, Micros>;

	private readonly newEvents: NewAuditEvent[] = [];

	private readonly notes: string[] = [];

	/** How long the next range is, once one did not fit. */
	private span: Micros | undefined;

	/** @param isFirst whether this begins a first poll, which returns nothing and has just asked for the time */
	constructor(
		private readonly state: AuditState,
		private readonly isFirst: boolean,
		private readonly rules: AuditRules,
		private readonly source: AuditSource,
		private readonly budget: Budget,
	) {
		this.cursor = new Cursor(state, rules.overlap);
		this.seen = new Map(state.seen);
		this.span = state.span;
	}

	async run(): Promise<AuditPollResult> {
		let isOver = this.isFirst && this.budget.spent();
		for (let hasRead = false; !isOver; hasRead = true) {
			const range = await settle(this.readRange());
			// Without an answer, the ranges before need not be read again.
			if (!range.ok && !(hasRead && isUnanswered(range.error))) throw range.error;
			isOver = !range.ok || range.value || this.budget.spent() || this.isFull();
		}
		return this.result();
	}

	private isFull(): boolean {
		return this.newEvents.length >= MAX_EVENTS;
	}

	/** Reads everything since the watermark, or up to the end of a range. Returns whether the poll is over. */
	private async readRange(): Promise<boolean> {
		const { budget, cursor, seen, source } = this;
		const { resume: position, listedFrom: start } = cursor;
		const final = this.final();
		const isBacklog = final > cursor.time;
		if (!isBacklog && !position) this.span = undefined;
		const next = this.span && Math.min(final, cursor.time + this.span);
		const end = position ? position.end : next;
		const length = (end ?? final) - cursor.time;
		// What is not final cannot be read in ranges.
		let limit = isBacklog ? MAX_EVENTS : Infinity;
		if (end !== undefined) limit = length > SECOND ? MAX_PER_RANGE : Infinity;
		let count = 0;
		const isTooMuch = () => {
			if (end !== undefined) return length > LONG_RANGE || count > limit;
			const rest = this.final() - cursor.time;
			return rest > LONG_RANGE || (rest > 0 && seen.size > MAX_REMEMBERED);
		};
		const read = await fetchListing<IDataObject>({
			budget,
			readPage: async (at) => await source.events({ start, end }, at, limit),
			keyOf: toKey,
			take: (events) => {
				count += events.length;
				return this.take(events);
			},
			isEnough: () => this.isFull() || isTooMuch(),
			isKnown: (total) => !isBacklog && total === seen.size,
			final: end ?? final,
			end,
			position,
		});
		cursor.resume = undefined;
		if (read.kind === 'complete') {
			const isPassed = cursor.pass(read);
			if (!isPassed) this.notes.push(describeInconsistency('events'));
			else if (end === undefined) cursor.began = undefined;
			else if (read.isPage && this.span) this.span = Math.max(this.span, 4 * length);
			// Until a first poll is finished, late events from before it count as old: it reads the list again.
			return isPassed ? end === undefined : !this.isFirst;
		}
		if (read.position && !isTooMuch()) {
			cursor.resume = read.position;
			return true;
		}
		// A shorter range is next.
		if (end !== undefined) this.span = Math.max(SECOND, floorToSecond(length / 8));
		else this.span = this.final() - cursor.time || undefined;
		return false;
	}

	/** The time before which no more events are expected; it is later if too many would have to be remembered. */
	private final(): Micros {
		const { final } = this.cursor;
		return Math.max(final, computeBound([...this.seen.values()], final) ?? final);
	}

	/** Takes the events of a page; returns the time of the oldest one that is new. */
	private take(events: IDataObject[]): Micros | undefined {
		const { cursor, isFirst, rules, seen } = this;
		const now = this.source.now();
		const { began = -Infinity } = cursor;
		// Left to a later poll, so that events come in order. What is from the second in which a first poll
		// began was there before, though.
		const isYoung = (time: Micros) => {
			if (isFirst) return time >= began + SECOND;
			return rules.settle > 0 && time >= began && time > now - rules.settle;
		};
		let oldest: Micros | undefined;
		for (const event of events) {
			const given = getEventTime(event);
			const time = given ?? now;
			const id = getEventId(event);
			const key = toDigest(id);
			if (seen.has(key) || time < cursor.listedFrom) continue;
			if (given !== undefined && isYoung(given) && !isAhead(given, now)) continue;
			seen.set(key, time);
			if (given !== undefined) cursor.show(time, now);
			oldest = Math.min(oldest ?? Infinity, time);
			if (!isFirst && time >= began) this.newEvents.push({ id, time, event });
		}
		return oldest;
	}

	private result(): AuditPollResult {
		const { cursor, newEvents, notes, seen, state } = this;
		if (cursor.isShortened) {
			notes.push(
				`Too many events to remember for the whole overlap: events before ${formatTime(cursor.time)} that have not appeared yet will be missed.`,
			);
		}
		const from = state.watermark;
		const oldest = this.source.now() - RETENTION_DAYS * DAY;
		if (from < oldest && newEvents.length > 0) {
			notes.push(
				`The audit log keeps events for ${RETENTION_DAYS} days. Events from ${formatTime(from)} to ${formatTime(oldest)} that were not read before are gone.`,
			);
		}
		const next: AuditState = {
			...createAuditState(state.scope, cursor.time, this.source.way),
			...cursor.fields(),
			seen: [...seen].filter(([, time]) => time >= cursor.listedFrom),
			span: this.span,
		};
		return { state: next, events: newEvents, notes };
	}
}

/** When an event happened, in microseconds; undefined when the service does not say. */
export function getEventTime(event: IDataObject): Micros | undefined {
	return parseServiceTime(event.event_time);
}

/**
 * The public ID of an event: the same whenever and however it is read. Without an id of the service
 * it is made of the documented fields, of which the query and the export write absent ones and times
 * in different ways.
 */
export function getEventId(event: IDataObject): string {
	const given = event.event_id;
	if ((typeof given === 'string' && given !== '') || typeof given === 'number') {
		return toEventId('audit', String(given));
	}
	const fields = AUDIT_COLUMNS.map((name) => {
		if (name === 'event_time') return getEventTime(event);
		// What is absent becomes null, as JSON writes it in a list.
		return event[name] === '' ? null : event[name];
	});
	return `audit/sha256:${createHash('sha256').update(JSON.stringify(fields)).digest('hex')}`;
}

/** A short key that distinguishes events. */
function toKey(event: IDataObject): string {
	return toDigest(getEventId(event));
}

import type { IDataObject } from 'n8n-workflow';

import { formatTime, type Micros } from '../../service/time';
import { settle } from '../../transport/failure';
import type { Page } from '../../transport/records';
import {
	type Budget,
	computeBound,
	Cursor,
	DAY,
	toDigest,
	describeInconsistency,
	isAhead,
	isUnanswered,
	MAX_REMEMBERED,
	MINUTE,
	type RecordState,
	fetchListing,
	SECOND,
	type Source,
	floorToSecond,
} from './cursor';

/** Maximum number of records that one poll returns; the next one returns the rest. */
const MAX_RECORDS = 5_000;

/** A longer backlog is read in ranges, and a longer range has to fit into one page. */
const LONG_RANGE = 15 * MINUTE;

/** A range with more records is read in shorter ones, so that few have to be remembered. */
const MAX_PER_RANGE = 2_000;

export interface RecordRules {
	/** How late records may appear after newer ones, in microseconds. */
	overlap: Micros;
	/** How old a record must be to be output, in microseconds. */
	settle: Micros;
}

/** A record of something that happened. It appears, and never changes. */
export interface TimedRecord {
	/** As the service sent it. */
	readonly raw: IDataObject;
	/** When it happened; undefined when the service does not say. */
	readonly time: Micros | undefined;
}

/** An inclusive range; without an end it reaches to the newest record. */
export interface Range {
	start: Micros;
	end?: Micros;
}

export interface RecordPage<R> extends Page<R> {
	/** More is in the range, and no cursor leads to it: the range has to be read whole. */
	isCut?: boolean;
}

export interface RecordSource<R extends TimedRecord> extends Source {
	/** `events` */
	readonly plural: string;
	/** Where the service keeps them, and for how many days. */
	readonly kept?: { where: string; days: number };
	/** How it reads, where it has several ways. */
	readonly way?: string;
	/** The public ID of a record: the same whenever and however it is read. */
	toId(record: R): string;
	/**
	 * A page of the records in a range. It may have others: what is before the range is ignored. Records must
	 * not be taken out of a page, as its total counts them. One without a time counts as happening now.
	 *
	 * @param maxRecords a range that comes in one piece may be cut after this many records
	 */
	records(range: Range, cursor?: string, maxRecords?: number): Promise<RecordPage<R>>;
}

/** A record that the last poll did not know. */
export interface NewRecord<R> {
	/** Its public ID. */
	id: string;
	time: Micros;
	record: R;
}

interface RecordPollResult<R> {
	state: RecordState;
	records: Array<NewRecord<R>>;
	/** Notes for n8n's log. */
	notes: string[];
}

/**
 * One poll of a list of records: those that were not there at `state`, and the state after it. Pure
 * apart from the source: the same state and the same responses give the same result.
 *
 * @throws what the source throws; nothing has been lost then, the next poll starts from `state`
 */
export async function pollNewRecords<R extends TimedRecord>(
	state: RecordState | undefined,
	scope: string,
	rules: RecordRules,
	source: RecordSource<R>,
	budget: Budget,
): Promise<RecordPollResult<R>> {
	if (state) return await new RecordPoll(state, false, rules, source, budget).run();
	// Asks for what is newer than now, only to learn the service's time.
	await source.records({ start: floorToSecond(source.now()) }, undefined, 1);
	const began = floorToSecond(source.now());
	const watermark = began - (source.isClockSure() ? rules.overlap : DAY);
	const begun = { scope, watermark, seen: [], began };
	return await new RecordPoll(begun, true, rules, source, budget).run();
}

/** One poll in progress, which reads what is after the watermark, range by range. */
class RecordPoll<R extends TimedRecord> {
	private readonly cursor: Cursor;

	/** The known records since the watermark, by the digests of their IDs. */
	private readonly seen: Map<string, Micros>;

	private readonly newRecords: Array<NewRecord<R>> = [];

	private readonly notes: string[] = [];

	/** How long the next range is, once one did not fit. */
	private span: Micros | undefined;

	/** @param isFirst whether this begins a first poll, which returns nothing and has just asked for the time */
	constructor(
		private readonly state: RecordState,
		private readonly isFirst: boolean,
		private readonly rules: RecordRules,
		private readonly source: RecordSource<R>,
		private readonly budget: Budget,
	) {
		this.cursor = new Cursor(state, rules.overlap);
		this.seen = new Map(state.seen);
		this.span = state.span;
	}

	async run(): Promise<RecordPollResult<R>> {
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
		return this.newRecords.length >= MAX_RECORDS;
	}

	/** Reads everything since the watermark, or up to the end of a range. Returns whether the poll is over. */
	private async readRange(): Promise<boolean> {
		const { budget, cursor, seen, source } = this;
		const { resume: position } = cursor;
		const final = this.final();
		const isBacklog = final > cursor.time;
		if (!isBacklog && !position) this.span = undefined;
		const next = this.span && Math.min(final, cursor.time + this.span);
		const end = position ? position.end : next;
		const start = end === undefined ? cursor.listedFrom : cursor.rangeFrom;
		const length = (end ?? final) - cursor.time;
		// What is not final cannot be read in ranges.
		let limit = isBacklog ? MAX_RECORDS : Infinity;
		if (end !== undefined) limit = length > SECOND ? MAX_PER_RANGE : Infinity;
		let count = 0;
		const isTooMuch = () => {
			if (end !== undefined) return length > LONG_RANGE || count > limit;
			const rest = this.final() - cursor.time;
			return rest > LONG_RANGE || (rest > 0 && seen.size > MAX_REMEMBERED);
		};
		const read = await fetchListing<R>({
			budget,
			readPage: async (at) => await source.records({ start, end }, at, limit),
			keyOf: (record) => toDigest(source.toId(record)),
			take: (records) => {
				count += records.length;
				return this.take(records);
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
			if (!isPassed) this.notes.push(describeInconsistency(source.plural));
			else if (end === undefined) cursor.began = undefined;
			else if (read.isPage && this.span) this.span = Math.max(this.span, 4 * length);
			// Until a first poll is finished, late records from before it count as old: it reads the list again.
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

	/** The time before which no more records are expected; it is later if too many would have to be remembered. */
	private final(): Micros {
		const { final } = this.cursor;
		return Math.max(final, computeBound([...this.seen.values()], final) ?? final);
	}

	/** Takes the records of a page; returns the time of the oldest one that is new. */
	private take(records: R[]): Micros | undefined {
		const { cursor, isFirst, rules, seen, source } = this;
		const now = source.now();
		const { began = -Infinity } = cursor;
		// Left to a later poll, so that they come in order. What is from the second in which a first poll
		// began was there before, though.
		const isYoung = (time: Micros) => {
			if (isFirst) return time >= began + SECOND;
			return rules.settle > 0 && time >= began && time > now - rules.settle;
		};
		let oldest: Micros | undefined;
		for (const record of records) {
			const { time: given } = record;
			const time = given ?? now;
			const id = source.toId(record);
			const key = toDigest(id);
			if (seen.has(key) || time < cursor.listedFrom) continue;
			if (given !== undefined && isYoung(given) && !isAhead(given, now)) continue;
			seen.set(key, time);
			if (given !== undefined) cursor.show(time, now);
			oldest = Math.min(oldest ?? Infinity, time);
			if (!isFirst && time >= began) this.newRecords.push({ id, time, record });
		}
		return oldest;
	}

	private result(): RecordPollResult<R> {
		const { cursor, newRecords, notes, seen, source, state } = this;
		const { kept, plural } = source;
		if (cursor.isShortened) {
			notes.push(
				`Too many ${plural} to remember: ${plural} before ${formatTime(cursor.time)} that have not appeared yet will be missed.`,
			);
		}
		const from = state.watermark;
		const oldest = kept ? source.now() - kept.days * DAY : 0;
		if (kept && from < oldest && newRecords.length > 0) {
			notes.push(
				`${kept.where} keeps ${plural} for ${kept.days} days. Those from ${formatTime(from)} to ${formatTime(oldest)} that were not read before are gone.`,
			);
		}
		const next: RecordState = {
			...cursor.fields(),
			scope: state.scope,
			way: source.way,
			seen: [...seen].filter(([, time]) => time >= cursor.listedFrom),
			span: this.span,
		};
		return { state: next, records: newRecords, notes };
	}
}

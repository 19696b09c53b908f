import type { IDataObject } from 'n8n-workflow';

import { RETENTION_DAYS } from '../../service/auditLog';
import { eventIdOf, eventTimeOf, type AuditNews } from './auditEvents';
import { nextWatermark } from './watermark';
import type { AuditSource, Budget, MicroTime, Range } from './source';
import { digest, MAX_ENTRIES, newAuditState, type AuditState, type AuditWay } from './state';
import { later, readPages, type Resume, type PagedReadResult } from './readPages';

const SECOND: MicroTime = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long the service keeps events, less what a reading may take. */
const RETENTION = RETENTION_DAYS * DAY - 10 * MINUTE;

/** How far back the first look goes, so that events which are there already count as old ones. */
const BASELINE_RANGE = HOUR;

/** After a day without events the range is cut, so that no poll has to search through weeks. */
const MAX_QUIET = DAY;

/** Length of a range while catching up; twice as long after each one that fits into a page. */
const CATCH_UP_RANGE = 15 * MINUTE;
const LONGEST_RANGE = { paged: DAY, whole: HOUR };

/** Most events that one poll gives; the rest comes with the next. */
export const MAX_EVENTS = 5_000;

/** The service tells its time in whole seconds. */
const MARGIN = 10 * SECOND;

/** A clock that an answer corrects by more than this was not good enough to begin with. */
const CLOCK_TOLERANCE = MINUTE;

export interface AuditRules {
	/** How late events may appear, in microseconds. */
	overlap: MicroTime;
	/** How old an event must be to be given, in microseconds. */
	settle: MicroTime;
}

export interface AuditPollResult {
	state: AuditState;
	events: AuditNews[];
	/** For the log of n8n. */
	notes: string[];
}

type Completed = Extract<PagedReadResult, { kind: 'complete' }>;

/** A source together with the way it reads, which it may change when an endpoint is not there. */
export type AuditReader = AuditSource & { readonly way: AuditWay };

/**
 * One look at the audit log: the events that were not there at `state`, and the state after it. Pure
 * apart from the source: the same state and the same answers give the same result.
 *
 * @throws what the source throws; nothing has been lost then, the next poll starts from `state`
 */
export async function pollAudit(
	state: AuditState | undefined,
	scope: string,
	rules: AuditRules,
	source: AuditReader,
	budget: Budget,
): Promise<AuditPollResult> {
	const look = new AuditPoller(state, scope, rules, source, budget);
	return state ? await look.news(state) : await look.baseline();
}

/** One poll on its way. */
class AuditPoller {
	private readonly seen: Map<string, MicroTime>;

	private readonly events: AuditNews[] = [];

	private readonly notes: string[] = [];

	private readonly isBaseline: boolean;

	constructor(
		state: AuditState | undefined,
		private readonly scope: string,
		private readonly rules: AuditRules,
		private readonly source: AuditReader,
		private readonly budget: Budget,
	) {
		this.seen = new Map(state?.seen);
		this.isBaseline = state === undefined;
	}

	/** The first look: events that are there already are no news. */
	async baseline(): Promise<AuditPollResult> {
		const lookBack = Math.max(BASELINE_RANGE, this.rules.overlap);
		let guess = this.source.now();
		let read = await this.read({ start: guess - lookBack });
		if (Math.abs(this.source.now() - guess) > CLOCK_TOLERANCE) {
			// The range was laid out by a clock that is wrong.
			guess = this.source.now();
			read = await this.read({ start: guess - lookBack });
		}
		if (read.kind !== 'complete') {
			throw this.source.broken('the time of a poll was over before all recent events were known');
		}
		this.events.length = 0;
		return this.result(nextWatermark(guess - lookBack, read, this.rules.overlap));
	}

	/** Everything since the watermark: in one piece when it is little, range after range when it is much. */
	async news(state: AuditState): Promise<AuditPollResult> {
		let { watermark } = state;
		if (state.resume && state.range) {
			const { range } = state;
			const read = await this.read(range, state.resume);
			if (read.kind === 'truncated') return this.unfinished(watermark, read, range);
			if (read.kind === 'restart') {
				this.notes.push('The service no longer continues the list of events; it is read anew.');
			} else {
				watermark = this.watermarkAfter(watermark, range, read);
				if (range.end === undefined || this.mustStop()) return this.result(watermark);
			}
		}
		return await this.catchUp(this.withinRetention(watermark));
	}

	/** Reads on from a time: the rest of the log at once when it is short, else range after range. */
	private async catchUp(from: MicroTime): Promise<AuditPollResult> {
		if (!this.source.wholeRanges && !this.isShort(from)) {
			const fitting = await this.probe({ start: from });
			if (fitting) return this.result(this.watermarkAfter(from, { start: from }, fitting));
		}
		let watermark = from;
		let span = CATCH_UP_RANGE;
		for (;;) {
			const range: Range = this.isShort(watermark)
				? { start: watermark }
				: { start: watermark, end: Math.min(watermark + span, this.settledUntil() - MARGIN) };
			const read = await this.read(range);
			if (read.kind !== 'complete') return this.unfinished(watermark, read, range);
			watermark = this.watermarkAfter(watermark, range, read);
			if (range.end === undefined || this.mustStop()) return this.result(watermark);
			const longest = this.source.wholeRanges ? LONGEST_RANGE.whole : LONGEST_RANGE.paged;
			span = read.pages > 1 ? CATCH_UP_RANGE : Math.min(2 * span, longest);
		}
	}

	/** Whether the rest of the log, from a time on, is short enough to be read at once. */
	private isShort(watermark: MicroTime): boolean {
		return watermark + CATCH_UP_RANGE > this.settledUntil();
	}

	/** The time before which nothing appears any more. */
	private settledUntil(): MicroTime {
		return this.source.now() - this.rules.settle - this.rules.overlap;
	}

	/** The rest of the log when all of it fits into one page: what a quiet log costs is one request. */
	private async probe(range: Range): Promise<Completed | undefined> {
		const requestedAt = this.source.now();
		const { items, next } = await this.source.events(range);
		if (next !== undefined) return undefined;
		const startedAt = Math.min(requestedAt, this.source.now());
		return { kind: 'complete', pages: 1, startedAt, newest: this.take(items, range, startedAt) };
	}

	private async read(range: Range, resume?: Resume): Promise<PagedReadResult> {
		return await readPages<IDataObject>({
			source: this.source,
			budget: this.budget,
			readPage: async (cursor) => await this.source.events(range, cursor),
			keyOf: eventIdOf,
			take: (records, startedAt) => this.take(records, range, startedAt),
			isFull: () => this.events.length >= MAX_EVENTS,
			resume,
		});
	}

	private take(records: IDataObject[], range: Range, startedAt: MicroTime): MicroTime | undefined {
		let newest: MicroTime | undefined;
		for (const event of records) {
			const time = eventTimeOf(event);
			// A service that cuts the start to whole seconds shows what was dealt with before.
			if (time !== undefined && (time < range.start || time > this.horizon(range))) continue;
			newest = later(newest, time);
			const id = eventIdOf(event);
			const key = digest(id, KEY_LENGTH);
			if (this.seen.has(key)) continue;
			this.seen.set(key, time ?? startedAt);
			this.events.push({ id, time: time ?? startedAt, event });
		}
		return newest;
	}

	/** Younger events are left to a later poll, so that events come in order; the watermark stays before them. */
	private horizon(range: Range): MicroTime {
		if (range.end !== undefined || this.isBaseline) return Infinity;
		return this.source.now() - this.rules.settle;
	}

	private watermarkAfter(watermark: MicroTime, range: Range, read: Completed): MicroTime {
		const { overlap, settle } = this.rules;
		const isFinal = range.end !== undefined && range.end <= read.startedAt - overlap - settle;
		if (range.end !== undefined && isFinal) return Math.max(watermark, range.end);
		// What an earlier part of a long reading left for being too young lies after this watermark, too.
		const next = nextWatermark(watermark, read, Math.max(overlap, settle));
		if (range.end !== undefined) return next;
		return Math.max(next, read.startedAt - Math.max(MAX_QUIET, overlap));
	}

	private withinRetention(watermark: MicroTime): MicroTime {
		const oldest = this.source.now() - RETENTION;
		if (watermark >= oldest) return watermark;
		this.notes.push(
			`The audit log keeps events for ${RETENTION_DAYS} days. Events from ${text(watermark)} to ${text(oldest)} are gone; it goes on from there.`,
		);
		return oldest;
	}

	private mustStop(): boolean {
		return this.budget.spent() || this.events.length >= MAX_EVENTS;
	}

	private unfinished(
		watermark: MicroTime,
		read: Exclude<PagedReadResult, Completed>,
		range: Range,
	): AuditPollResult {
		return this.result(watermark, read.kind === 'truncated' ? read.resume : undefined, range);
	}

	private result(watermark: MicroTime, resume?: Resume, range?: Range): AuditPollResult {
		// Events before the watermark are not met again.
		let seen = [...this.seen].filter(([, time]) => time >= watermark);
		if (seen.length > MAX_ENTRIES) {
			seen = seen.slice(-MAX_ENTRIES);
			this.notes.push(
				`More than ${MAX_ENTRIES} events are newer than the overlap; the first of them could come twice.`,
			);
		}
		const state = newAuditState(this.scope, watermark, this.source.way, seen);
		if (resume && range) Object.assign(state, { resume, range });
		return { state, events: this.events, notes: this.notes };
	}
}

/** 96 bits: two events with the same key are not to be expected in the life of the universe. */
const KEY_LENGTH = 16;

function text(time: MicroTime): string {
	return new Date(time / 1000).toISOString();
}

import type { Micros } from '../../../service/time/time';
import { RETENTION_DAYS } from '../../../service/auditLog';
import { toResult } from '../../../transport/toResult';
import { auditBaseline, begunAuditState } from './auditBaseline';
import {
	AuditReading,
	MAX_EVENTS,
	type AuditPollResult,
	type AuditReader,
	type AuditRules,
} from './auditReading';
import { FinalRanges, LONG_RANGE } from './finalRanges';
import { afterRecognition, recognizeLog } from '../recognition';
import type { Resume } from '../readPages';
import type { Budget, Range } from '../source';
import { newAuditState, type AuditState, type Doubt } from '../state';
import { isMistrustOver, mistrustAfter } from '../mistrust';
import {
	DAY,
	isResting,
	listedFrom,
	mayRest,
	nextWatermark,
	SECOND,
	wholeSecond,
} from '../watermark';

const RETENTION = RETENTION_DAYS * DAY;

/**
 * One poll of the audit log: the events that were not there at `state`, and the state after it. Pure
 * apart from the source: the same state and the same responses give the same result.
 *
 * @param doubt the state may be about another organization: what the service shows decides
 * @throws what the source throws; nothing has been lost then, the next poll starts from `state`
 */
export async function pollAudit(
	state: AuditState | undefined,
	scope: string,
	rules: AuditRules,
	source: AuditReader,
	budget: Budget,
	doubt?: Doubt,
): Promise<AuditPollResult> {
	const read = async (previous?: AuditState) =>
		await auditBaseline(previous, scope, rules.overlap, source, budget);
	if (state && doubt) {
		const begun = (began?: Micros) => begunAuditState(scope, rules.overlap, source, began);
		const found = await recognizeLog(state, doubt, source, budget);
		const keys = new Set(state.seen.map(([key]) => key));
		const knows = ({ seen }: AuditState) => seen.some(([key]) => keys.has(key));
		const result = await afterRecognition(found, state, budget, { begun, read, knows });
		if (result) return { events: [], ...result };
	}
	if (!state || state.baseline) return { state: await read(state), events: [], notes: [] };
	return await new AuditPoller(state, rules, source, budget).run();
}

/** One poll on its way. */
class AuditPoller {
	private readonly log: AuditReading;

	private readonly notes: string[] = [];

	private watermark: Micros;

	private checkedAt: Micros | undefined;

	private readonly ranges: FinalRanges;

	constructor(
		private readonly state: AuditState,
		private readonly rules: AuditRules,
		private readonly source: AuditReader,
		private readonly budget: Budget,
	) {
		const isTrusting = isMistrustOver(state.mistrust, source.localNow());
		this.log = new AuditReading(state.seen, isTrusting, rules, source, budget);
		this.watermark = state.watermark;
		this.checkedAt = state.checkedAt;
		this.ranges = new FinalRanges(this.log, state.span, state.doubtfulUntil);
	}

	async run(): Promise<AuditPollResult> {
		const done = await toResult(this.read());
		if (done.ok) return done.value;
		// What has been read is kept: it was the time that was too short.
		if (this.log.responses > 0 && this.budget.spent()) return this.result();
		throw done.error;
	}

	private async read(): Promise<AuditPollResult> {
		const { resume, range } = this.state;
		if (resume && range && !(range.end === undefined && this.hasTooMany())) {
			const read = await this.log.read(range, { resume });
			if (read.kind === 'truncated') return this.result(read.resume, range);
			if (read.kind === 'restart') await this.beginAnew(range);
			else if (range.end !== undefined) {
				if (read.short || read.shifted) this.ranges.narrow(range.end - range.start);
				else this.watermark = Math.max(this.watermark, range.end);
			}
			if (this.log.mustStop) return this.result();
		}
		return await this.catchUp();
	}

	/** Whether more events are remembered than can be, and final ranges would let go of some. */
	private hasTooMany(): boolean {
		return this.log.seen.bound() !== undefined && this.finalUntil() > this.watermark;
	}

	/** Makes sure of progress where no cursor leads on: the newest events first, then shorter ranges. */
	private async beginAnew({ start, end }: Range): Promise<void> {
		this.notes.push(
			'The service no longer continues the list of events; reading it again from the start.',
		);
		if (end !== undefined) this.ranges.narrow(end - start);
		await this.readNewest();
	}

	/** Reads what is newer than the newest event, so that the watermark can follow. */
	private async readNewest(): Promise<void> {
		const { newest } = this.log.seen;
		if (newest === undefined || this.budget.spent()) return;
		await this.log.read({ start: Math.max(this.watermark, wholeSecond(newest)) }, {});
	}

	/** Reads range after range while there are final ones, then the rest of the log. */
	private async catchUp(): Promise<AuditPollResult> {
		for (;;) {
			const end = this.finalUntil();
			if (end > this.watermark) {
				if (end > this.overlapUntil()) {
					this.notes.push(
						`Too many events to remember for the whole overlap: events before ${text(end)} that have not appeared yet will be missed.`,
					);
				}
				const range = this.ranges.from(this.watermark, end);
				const { isDone, resume } = await this.ranges.read(range);
				if (isDone) this.watermark = range.end;
				if (resume) return this.result(resume, range);
				if (this.log.mustStop) return this.result();
				continue;
			}
			const done = await this.readRest();
			if (done) return done;
		}
	}

	/**
	 * The time up to which all events have appeared: the service has shown events that are younger
	 * by more than the overlap. When there are more than can be remembered the overlap is shortened.
	 */
	private finalUntil(): Micros {
		const settledUntil = wholeSecond(this.source.now() - this.rules.settle);
		const bound = Math.min(this.log.seen.bound() ?? -Infinity, settledUntil);
		return Math.max(this.overlapUntil(), bound);
	}

	private overlapUntil(): Micros {
		return nextWatermark(this.watermark, this.log.seen.newest, this.rules.overlap);
	}

	/**
	 * Reads everything since the watermark. On one page that is all there is, and how far the
	 * watermark may go; on several it waits for the next poll, because events could slip between them.
	 *
	 * @returns undefined when the events show that ranges before are final now
	 */
	private async readRest(): Promise<AuditPollResult | undefined> {
		const { checkedAt } = this;
		const { newest } = this.log.seen;
		const hasBoth = checkedAt !== undefined && newest !== undefined;
		if (hasBoth && mayRest(checkedAt, newest, this.source.now())) {
			// Not those of the same second, which may be many.
			const start = Math.max(this.watermark, wholeSecond(newest) + 2 * SECOND);
			const newer = await this.log.readFirst({ start }, MAX_EVENTS);
			const isAll = newer.next === undefined && !newer.isCut;
			// Only a response tells the service's time; n8n's clock may be far off.
			const isEnough = isResting(checkedAt, newest, this.source.now());
			if (isAll && isEnough && newer.reading.oldestNew === undefined) return this.result();
		}
		this.checkedAt = undefined;
		const range = { start: this.watermark };
		const first = await this.log.readFirst(range, MAX_EVENTS);
		if (first.next === undefined && !first.isCut) {
			const { overlap } = this.rules;
			this.watermark = nextWatermark(this.watermark, first.reading.newest, overlap);
			return this.result();
		}
		if (this.finalUntil() > this.watermark) return this.log.mustStop ? this.result() : undefined;
		const isLong = () => this.finalUntil() > this.watermark + LONG_RANGE;
		const isFull = () => this.log.isFull || isLong();
		const read = await this.log.read(range, { first: first.isCut ? undefined : first, isFull });
		if (read.kind === 'complete') {
			if (read.short) await this.readNewest();
			else if (read.oldestNew === undefined) this.checkedAt = this.source.now();
			return this.result();
		}
		if (isLong() && !this.log.mustStop) return undefined;
		return this.result(read.kind === 'truncated' ? read.resume : undefined, range);
	}

	private result(resume?: Resume, range?: Range): AuditPollResult {
		const oldest = this.source.now() - RETENTION;
		if (this.state.watermark < oldest && this.log.events.length > 0) {
			this.notes.push(
				`The audit log keeps events for ${RETENTION_DAYS} days. Events from ${text(this.state.watermark)} to ${text(oldest)} that were not read before are gone.`,
			);
		}
		const seen = this.log.seen.entries(listedFrom(this.watermark));
		const state = newAuditState(this.state.scope, this.watermark, this.source.way, seen);
		if (resume) Object.assign(state, { resume, range });
		if (this.checkedAt !== undefined) state.checkedAt = this.checkedAt;
		const mistrust = mistrustAfter(this.state.mistrust, this.log.isOdd, this.source.localNow());
		if (mistrust) state.mistrust = mistrust;
		const { span, doubtfulUntil } = this.ranges;
		// A poll may have time for one reading only.
		if (doubtfulUntil > this.watermark) state.doubtfulUntil = doubtfulUntil;
		// Without it, each poll would try the whole backlog again.
		if (span < Infinity && this.finalUntil() > this.watermark) state.span = span;
		return { state, events: this.log.events, notes: [...new Set(this.notes)] };
	}
}

function text(time: Micros): string {
	return new Date(time / 1000).toISOString();
}

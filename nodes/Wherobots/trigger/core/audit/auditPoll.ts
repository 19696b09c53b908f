import { RETENTION_DAYS } from '../../../service/auditLog';
import { toResult } from '../../../transport/toResult';
import {
	OTHER_ORGANIZATION,
	recognize,
	SHARE_OF_QUESTIONS,
	WITNESSES,
	type Answer,
} from '../recognizeKey';
import { isClockSure, presentTime, type AuditSource, type Budget } from '../source';
import { newAuditState, type AuditState, type Doubt } from '../state';
import {
	DAY,
	isResting,
	listedFrom,
	MINUTE,
	oddPollsAfter,
	SECOND,
	wholeSecond,
} from '../watermark';
import { SeenEvents, type NewAuditEvent } from './events';
import {
	firstWatermark,
	MAX_EVENTS,
	ObservedEvents,
	timeText,
	type AuditRules,
} from './observedEvents';
import { RangeReader } from './rangeReader';

/** A clock that the first response corrects by more than this was not good enough to begin with. */
const CLOCK_TOLERANCE = MINUTE;

const RETENTION = RETENTION_DAYS * DAY;

export interface AuditPollResult {
	state: AuditState;
	events: NewAuditEvent[];
	/** For the log of n8n. */
	notes: string[];
}

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
	source: AuditSource,
	budget: Budget,
	doubt?: Doubt,
): Promise<AuditPollResult> {
	if (!state || !doubt) return await new AuditPoller(state, scope, rules, source, budget).run();
	const found = await recognize(doubt, source, async () => await isKnownLog(state, source, budget));
	if (found.kind !== 'other') {
		return { state: { ...state, doubt: found.doubt }, events: [], notes: [] };
	}
	if (found.since === undefined) {
		const result = await new AuditPoller(undefined, scope, rules, source, budget).run();
		return { ...result, notes: [...result.notes, OTHER_ORGANIZATION] };
	}
	// What happened since the key was first used is news.
	const watermark = firstWatermark(found.since, rules.overlap);
	const begun = newAuditState(scope, watermark, source.way, []);
	return {
		state: { ...begun, began: wholeSecond(found.since) },
		events: [],
		notes: [OTHER_ORGANIZATION],
	};
}

/** Whether the log has one of the newest events that are remembered. */
async function isKnownLog(state: AuditState, source: AuditSource, budget: Budget): Promise<Answer> {
	const seen = new SeenEvents(state.seen);
	if (seen.size === 0) return 'nothingRemembered';
	let answer: Answer = 'unclear';
	// The first once more: one wrong response decides nothing.
	const times = seen.quietTimes(WITNESSES);
	for (const time of [...times, times[0]]) {
		const range = { start: listedFrom(time), end: time + SECOND };
		let cursor: string | undefined;
		do {
			const { items, next } = await source.events(range, cursor);
			if (items.some((event) => seen.has(event))) return 'known';
			cursor = next;
		} while (cursor !== undefined && !budget.spent(SHARE_OF_QUESTIONS));
		if (cursor === undefined) answer = 'unknown';
		if (budget.spent(SHARE_OF_QUESTIONS)) break;
	}
	return answer;
}

/** One poll on its way. */
class AuditPoller {
	private readonly observed: ObservedEvents;

	private readonly ranges: RangeReader;

	constructor(
		private readonly state: AuditState | undefined,
		private readonly scope: string,
		rules: AuditRules,
		private readonly source: AuditSource,
		private readonly budget: Budget,
	) {
		this.observed = new ObservedEvents(state, rules, source);
		this.ranges = new RangeReader(this.observed, state, source, budget);
	}

	async run(): Promise<AuditPollResult> {
		const done = await toResult(this.read());
		// What has been read is kept when it was the time that was too short.
		if (!done.ok && (this.observed.responses === 0 || !this.budget.spent())) throw done.error;
		return this.result();
	}

	private async read(): Promise<void> {
		if (await (this.state ? this.isAtRest() : this.begin())) return;
		await this.ranges.read();
	}

	/**
	 * The first request: it tells the time, and everything it shows was there before.
	 *
	 * @returns whether it has shown all there is to know
	 */
	private async begin(): Promise<boolean> {
		const { observed, source } = this;
		const asked = presentTime(source);
		const page = await observed.page({ start: observed.watermark }, undefined, MAX_EVENTS);
		// Without the service's time, what happened while the response was on its way may not be in it.
		const began = isClockSure(source) ? presentTime(source) : asked;
		const isOff = Math.abs(began - asked) > CLOCK_TOLERANCE;
		if (isOff) observed.lookBackFrom(began);
		observed.take(page.items);
		observed.began = wholeSecond(began);
		if (isOff || page.next !== undefined || page.isCut || observed.seen.size === 0) return false;
		observed.began = undefined;
		this.ranges.isOdd = page.items.length < (page.total ?? 0);
		if (!this.ranges.isOdd) observed.advance(observed.final());
		return true;
	}

	/** Whether nothing is newer than the newest event, when that is all that has to be known this time. */
	private async isAtRest(): Promise<boolean> {
		const { observed, source } = this;
		const { position } = this.ranges;
		const { newest, watermark } = observed;
		if (newest === undefined || position) return false;
		if (!isResting(this.ranges.restUntil, source.localNow())) return false;
		const start = Math.max(watermark, wholeSecond(newest) + 2 * SECOND);
		const page = await observed.page({ start }, undefined, MAX_EVENTS);
		const isNews = observed.take(page.items) !== undefined;
		const isAll = page.next === undefined && !page.isCut;
		return isAll && !isNews;
	}

	private result(): AuditPollResult {
		const { began, newest, news, notes, seen, watermark } = this.observed;
		const { backlog, isOdd, position, restUntil } = this.ranges;
		const from = this.state?.watermark ?? Infinity;
		const oldest = presentTime(this.source) - RETENTION;
		if (from < oldest && news.length > 0) {
			notes.push(
				`The audit log keeps events for ${RETENTION_DAYS} days. Events from ${timeText(from)} to ${timeText(oldest)} that were not read before are gone.`,
			);
		}
		const kept = seen.entries(listedFrom(watermark));
		const state: AuditState = {
			...newAuditState(this.scope, watermark, this.source.way, kept),
			newest,
			began,
			resume: position,
			span: backlog.span,
			restUntil,
			odd: oddPollsAfter(this.state?.odd, isOdd, this.source.localNow()),
		};
		return { state, events: news, notes: [...new Set(notes)] };
	}
}

import * as fc from 'fast-check';

import { AuditEvent } from '../../../../nodes/Wherobots/service/records/auditEvent';
import { toAuditEventId } from '../../../../nodes/Wherobots/trigger/auditEvent';
import type { RecordState } from '../../../../nodes/Wherobots/trigger/core/cursor';
import type * as AuditPolling from '../../../../nodes/Wherobots/trigger/core/newRecords';
import type {
	RecordRules,
	RecordSource,
} from '../../../../nodes/Wherobots/trigger/core/newRecords';
import type { Calls } from './calls';
import type { Polled } from './engine';
import { type ListStyle, pageOf } from './pages';
import { SECOND, ServiceClock, type ServiceHabits, isoMicros } from './serviceClock';
import { type History, engine, habits, listStyle, rarely, stepsOf } from './steps';
import { Trial } from './trial';

interface ModelEvent {
	key: string;
	/** In microseconds, as it is shown. */
	time: number;
	/** The time that ranges are compared with. */
	storedTime: number;
	/** The event appears when the log has been written up to this time. */
	appearAt: number;
	record: AuditEvent;
}

interface LogHabits extends ServiceHabits {
	/** There is only the export, which returns a range in one piece. */
	wholeRanges: boolean;
	/** To how many microseconds times are rounded down for ranges; then, whether events show the exact time. */
	storedMicros: 1 | 1_000 | 1_000_000;
	showsExactTime: boolean;
	/** The log is listed in the order in which events appeared instead of in order of time. */
	byAppearance: boolean;
}

/** The audit log as the service knows it. */
class AuditModel extends ServiceClock {
	readonly events: ModelEvent[] = [];

	/** The newest time that a response has shown; a time in the future counts as hardly later than now. */
	newestServed = -Infinity;

	private count = 0;

	constructor(
		readonly style: ListStyle,
		private readonly log: LogHabits,
	) {
		super(log);
	}

	/** @param lateness from now to its appearance @param inFuture how far ahead its time is */
	record(lateness: number, inFuture: number, withoutId: boolean): void {
		const { storedMicros, showsExactTime } = this.log;
		const exact = this.now + inFuture;
		const key = `event-${this.count++}`;
		const storedTime = Math.floor(exact / storedMicros) * storedMicros;
		const time = showsExactTime ? exact : storedTime;
		const id = withoutId ? {} : { event_id: key };
		const raw = { ...id, event_time: isoMicros(time), action_name: 'ACT', user_id: key };
		const record = new AuditEvent(raw);
		this.events.push({ key, time, storedTime, appearAt: this.now + lateness, record });
	}

	source(calls: Calls): RecordSource<AuditEvent> {
		const { wholeRanges } = this.log;
		return {
			...this.sourceOfTime(calls),
			way: wholeRanges ? 'export' : 'query',
			plural: 'events',
			toId: toAuditEventId,
			records: async ({ start, end = Infinity }, cursor, maxRecords = Infinity) =>
				await calls.list(cursor, (real) => {
					const written = this.next();
					const matching = this.events
						.filter(({ storedTime }) => storedTime >= start && storedTime <= end)
						.filter(({ appearAt }) => appearAt <= written)
						.map((event) => ({
							event,
							key: event.key,
							time: this.log.byAppearance ? event.appearAt : event.time,
						}));
					if (!wholeRanges) {
						const page = pageOf(matching, this.style, real);
						return { ...page, items: this.serve(page.items) };
					}
					// Small, as all pages here.
					const most = maxRecords === Infinity ? Infinity : this.style.pageSize;
					const items = this.serve(matching.slice(0, most));
					return { items, isCut: matching.length > most, next: undefined };
				}),
		};
	}

	private serve(listed: Array<{ event: ModelEvent }>): AuditEvent[] {
		const soon = this.now + 2 * SECOND;
		const shown = listed.map(({ event }) => Math.min(event.time, soon));
		this.newestServed = Math.max(this.newestServed, ...shown);
		return listed.map(({ event }) => event.record);
	}
}

type Change = {
	kind: 'record';
	count: number;
	/** Seconds until it appears. Together with the replicas' lag below the overlap, or the event may be lost. */
	lateness: number;
	future: number;
	withoutId: boolean;
};

interface AuditHistory extends History<LogHabits, Change> {
	style: ListStyle;
	overlapSeconds: number;
	settleSeconds: number;
}

const logHabits: fc.Arbitrary<LogHabits> = fc
	.record({
		wholeRanges: rarely(4, false, fc.constant(true)),
		storedMicros: fc.constantFrom(1, 1_000, 1_000_000),
		showsExactTime: fc.boolean(),
		byAppearance: rarely(3, false, fc.constant(true)),
	})
	.chain((own) => habits(38).map((common) => ({ ...own, ...common }))) as fc.Arbitrary<LogHabits>;

/** Histories of this many steps. */
export function auditHistories(length: number): fc.Arbitrary<AuditHistory> {
	const change: fc.Arbitrary<Change> = fc.record({
		kind: fc.constant('record' as const),
		count: rarely(9, 1, fc.integer({ min: 2, max: 9 })),
		lateness: rarely(2, 0, fc.integer({ min: 1, max: 60 })),
		future: rarely(12, 0, fc.integer({ min: 1, max: 900 })),
		withoutId: rarely(6, false, fc.constant(true)),
	});
	// A few hours suffice for ranges to be read one after the other.
	const waits = fc.oneof(
		fc.integer({ min: 0, max: 90 }),
		rarely(4, 60, fc.integer({ min: 1, max: 12_000 })),
	);
	return fc.record({
		style: listStyle,
		engine,
		habits: logHabits,
		overlapSeconds: fc.constantFrom(101, 300, 900),
		settleSeconds: fc.constantFrom(0, 60, 200),
		steps: stepsOf(length, change, waits),
	});
}

export class AuditTrial extends Trial<RecordState, Change> {
	private readonly log: AuditModel;

	private readonly rules: RecordRules;

	/** The index of the first event that has to come. */
	private activeFrom = Infinity;

	constructor(
		private readonly core: Pick<typeof AuditPolling, 'pollNewRecords'>,
		history: AuditHistory,
	) {
		const model = new AuditModel(history.style, { ...history.habits });
		super(model, history.engine, history.steps);
		this.log = model;
		this.rules = {
			overlap: history.overlapSeconds * SECOND,
			settle: history.settleSeconds * SECOND,
		};
	}

	protected change(step: Change): void {
		// A burst: all events have the same microsecond.
		for (let made = 0; made < step.count; made++) {
			const future = this.log.datesAhead ? step.future : 0;
			this.log.record(step.lateness * SECOND, future * SECOND, step.withoutId);
		}
	}

	protected async poll(state: RecordState | undefined, calls: Calls): Promise<Polled<RecordState>> {
		const source = this.log.source(calls);
		// Without the service's time, n8n's clock has to do.
		const now = () => this.log.now + (this.log.tellsTime ? this.log.serviceSkew : this.log.skew);
		const begun = now();
		const result = await this.core.pollNewRecords(state, 'scope', this.rules, source, calls);
		// The watermark would pass an event that is older than the newest one by more than the overlap.
		const passed = this.log.newestServed - this.rules.overlap;
		for (const { id, time } of result.records) {
			// An event that was still ahead of time when the poll began counts as one from the future.
			const isYoung = time > now() - this.rules.settle && time <= begun;
			if (isYoung && time > passed) {
				throw new Error(`${id} came before it had settled`);
			}
		}
		const { state: next, notes } = result;
		return { state: next, notes, events: result.records.map(({ id }) => id) };
	}

	protected override begun(): void {
		this.activeFrom = this.log.events.length;
	}

	protected armed(): void {
		this.activeFrom = Math.min(this.activeFrom, this.log.events.length);
	}

	protected disarmed(): void {
		this.activeFrom = Infinity;
	}

	protected missing(): Array<[string, string]> {
		const due = this.log.events.slice(this.activeFrom).map(({ record }) => toAuditEventId(record));
		return due.filter((id) => !this.hasCome(id)).map((id) => [id, id]);
	}

	protected unknown({ watermark }: RecordState): string[] {
		const passed = this.log.events.filter(({ time }) => time < watermark);
		return passed.map(({ record }) => toAuditEventId(record)).filter((id) => !this.hasCome(id));
	}
}

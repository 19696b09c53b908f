import { AuditEvent } from '../../../../nodes/Wherobots/service/records/auditEvent';
import { toAuditEventId } from '../../../../nodes/Wherobots/trigger/auditEvent';
import type { RecordSource } from '../../../../nodes/Wherobots/trigger/core/newRecords';
import type { Calls } from './calls';
import { pageOf, type ListStyle } from './pages';
import { isoMicros } from './runModel';
import { SECOND, ServiceClock, type ServiceHabits } from './serviceClock';

export interface ModelEvent {
	key: string;
	/** In microseconds, as it is shown. */
	time: number;
	/** The time that ranges are compared with. */
	storedTime: number;
	/** The event appears when the log has been written up to this time. */
	appearAt: number;
	isFuture: boolean;
	record: AuditEvent;
}

export interface LogHabits extends ServiceHabits {
	/** There is only the export, which returns a range in one piece. */
	wholeRanges: boolean;
	/** To how many microseconds times are rounded down for ranges; then, whether events show the exact time. */
	storedMicros: 1 | 1_000 | 1_000_000;
	showsExactTime: boolean;
	/** The log is listed in the order in which events appeared instead of in order of time. */
	byAppearance: boolean;
}

/** The audit log as the service knows it. */
export class AuditModel extends ServiceClock {
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
	record(lateness: number, inFuture: number, withoutId: boolean): ModelEvent {
		return this.add(this.now + inFuture, this.now + lateness, inFuture > 0, withoutId);
	}

	private add(exact: number, appearAt: number, isFuture: boolean, withoutId: boolean): ModelEvent {
		const { storedMicros, showsExactTime } = this.log;
		const key = `event-${this.count++}`;
		const storedTime = Math.floor(exact / storedMicros) * storedMicros;
		const time = showsExactTime ? exact : storedTime;
		const id = withoutId ? {} : { event_id: key };
		const raw = { ...id, event_time: isoMicros(time), action_name: 'ACT', user_id: key };
		const record = new AuditEvent(raw);
		const event = { key, time, storedTime, appearAt, isFuture, record };
		this.events.push(event);
		return event;
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
		for (const {
			event: { time },
		} of listed) {
			const shown = Math.min(time, this.now + 2 * SECOND);
			this.newestServed = Math.max(this.newestServed, shown);
		}
		return listed.map(({ event }) => event.record);
	}
}

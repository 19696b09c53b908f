/** When records appear to callers. Times are in microseconds. */
import { DAY, SECOND, type Source } from '../../../../nodes/Wherobots/trigger/core/cursor';
import type { Calls } from './calls';

export { SECOND };

/** What a history does to the time of a service. */
export type ClockStep =
	| { kind: 'stall' }
	/** The log resumes: with everything at once, or at a multiple of the speed at which it was written. */
	| { kind: 'goOn'; speed: number };

export interface ServiceHabits {
	/** Whether responses tell the service's time, which makes n8n's clock good for the rest of a poll. */
	tellsTime: boolean;
	/** By how many seconds the service's clock is off; n8n's is off by less than a day. */
	dateSkewSeconds: number;
	/** By how many seconds everything shown is behind. */
	behindSeconds: number;
	/**
	 * Some records have times in the future. If the log then stood still, and such a record were read only
	 * after its time had come, nothing would tell it from one that the log had shown by then.
	 */
	datesAhead: boolean;
	/** Every other request goes to a replica that is this many seconds behind the other one. */
	replicaLagSeconds: number;
	/** How many seconds each response takes. */
	requestSeconds?: number;
}

/**
 * The clocks of a service: its own, that of n8n, and how far its records have been written, which may
 * stand still, lag or catch up.
 */
export class ServiceClock {
	now = Date.parse('2026-03-01T12:00:00.250Z') * 1000;

	/** By how much n8n's clock is off. */
	skew = 0;

	private written: number;

	/** Undefined while the log stands still; Infinity when it catches up at once. */
	private speed: number | undefined = Infinity;

	private requests = 0;

	constructor(private readonly habits: ServiceHabits) {
		this.written = this.latest;
	}

	get tellsTime(): boolean {
		return this.habits.tellsTime;
	}

	get serviceSkew(): number {
		return this.habits.dateSkewSeconds * SECOND;
	}

	/** How many microseconds each response takes. */
	get latency(): number {
		return (this.habits.requestSeconds ?? 0) * SECOND;
	}

	/** Whether the service tells its time, and correctly. */
	get tellsRightTime(): boolean {
		return this.tellsTime && this.serviceSkew === 0;
	}

	/** Whether there are records from the future; without the service's time, nothing identifies them. */
	get datesAhead(): boolean {
		return this.habits.datesAhead && this.tellsRightTime;
	}

	/** What a poll learns of the time. */
	sourceOfTime(calls: Calls): Source {
		const isOff = Math.abs(this.serviceSkew - this.skew) > DAY;
		const isClockSure = () => calls.hasResponse && this.tellsTime && !isOff;
		return {
			now: () => this.now + (isClockSure() ? this.serviceSkew : this.skew),
			isClockSure,
		};
	}

	advance(micros: number): void {
		this.now += micros;
		if (this.speed === undefined) return;
		const caughtUp = this.speed === Infinity ? Infinity : this.written + micros * this.speed;
		this.written = Math.min(this.latest, caughtUp);
	}

	apply(step: ClockStep): void {
		if (this.habits.datesAhead) return;
		this.speed = step.kind === 'stall' ? undefined : step.speed;
		this.advance(0);
	}

	/** Makes sure that nothing stands still or disagrees from now on. */
	settle(): void {
		this.habits.replicaLagSeconds = 0;
		this.habits.behindSeconds = 0;
		this.speed = Infinity;
		this.skew = 0;
		this.advance(0);
		this.written = this.latest;
	}

	/** The time up to which the replica that receives the next request has written. */
	next(): number {
		this.requests += 1;
		return this.written - (this.requests % 2) * this.habits.replicaLagSeconds * SECOND;
	}

	private get latest(): number {
		return this.now - (this.habits.datesAhead ? 0 : this.habits.behindSeconds) * SECOND;
	}
}

/** ISO 8601 with microseconds. */
export function isoMicros(time: number): string {
	const millis = new Date(Math.floor(time / 1000)).toISOString().slice(0, -1);
	return `${millis}${String(time % 1000).padStart(3, '0')}Z`;
}

/** When a record appears to callers. Times in microseconds. */
export const SECOND = 1_000_000;

/** What a history does to the time of a service. */
export type ClockStep =
	| { kind: 'stall' }
	/** The log goes on: at once with everything, or so many times as fast as it was written. */
	| { kind: 'goOn'; speed: number };

export interface ServiceHabits {
	/** Whether responses tell the service's time, which makes n8n's clock good for the rest of a poll. */
	tellsTime: boolean;
	/** So far the service's clock is off, in seconds; n8n's is not by a day. */
	dateSkewSeconds: number;
	/** So far what is shown is always behind, in seconds. */
	behindSeconds: number;
	/**
	 * Some records have times in the future. When the log stands still then, and such a record is met
	 * only after its time has come, nothing tells it from one that the log has shown by then.
	 */
	datesAhead: boolean;
	/** Every other request goes to a replica that is so far behind the other one, in seconds. */
	replicaLagSeconds: number;
	/** How long it takes for each response. */
	requestSeconds?: number;
}

/**
 * The clocks of a service: its own, that of n8n, and how far its records have been written out,
 * which may stand still, lag, or be caught up with.
 */
export class ServiceClock {
	now = Date.parse('2026-03-01T12:00:00.250Z') * 1000;

	/** How far n8n's clock is off. */
	skew = 0;

	private written: number;

	/** Undefined while the log stands still; Infinity: it goes on at once. */
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

	/** Microseconds for each response. */
	get latency(): number {
		return (this.habits.requestSeconds ?? 0) * SECOND;
	}

	/** Whether the service tells its time, and it is right. */
	get tellsRightTime(): boolean {
		return this.tellsTime && this.serviceSkew === 0;
	}

	/** Without the service's time nothing tells that a record is one from the future. */
	get datesAhead(): boolean {
		return this.habits.datesAhead && this.tellsRightTime;
	}

	/** Whether a replica may lack the newest records for longer than it is asked for them. */
	get lacksRecords(): boolean {
		return this.habits.replicaLagSeconds > 0 && (this.speed !== Infinity || !this.tellsRightTime);
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

	/** Nothing stands still or disagrees from now on. */
	settle(): void {
		this.habits.replicaLagSeconds = 0;
		this.habits.behindSeconds = 0;
		this.speed = Infinity;
		this.skew = 0;
		this.advance(0);
		this.written = this.latest;
	}

	/** The time up to which the replica that takes the next request has written. */
	next(): number {
		this.requests += 1;
		return this.written - (this.requests % 2) * this.habits.replicaLagSeconds * SECOND;
	}

	private get latest(): number {
		return this.now - (this.habits.datesAhead ? 0 : this.habits.behindSeconds) * SECOND;
	}
}

/**
 * Time as the sandbox sees it. Nothing in the sandbox runs on timers: every state is derived from
 * `now()` when it is read, so advancing a clock is instant and exact.
 */
export interface SandboxClock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Moves the clock forward (or back, when negative) by this many milliseconds. */
	advance(ms: number): void;
}

/** A clock that stands still until a test moves it. */
export class ManualClock implements SandboxClock {
	private current: number;

	constructor(start: number | string | Date = Date.now()) {
		this.current = new Date(start).getTime();
	}

	now(): number {
		return this.current;
	}

	advance(ms: number): void {
		this.current += ms;
	}

	set(time: number | string | Date): void {
		this.current = new Date(time).getTime();
	}
}

/** A clock that runs with the machine's, `speed` times as fast. */
export class RealClock implements SandboxClock {
	private readonly origin = Date.now();

	private offset = 0;

	readonly speed: number;

	constructor(options: { speed?: number } = {}) {
		this.speed = options.speed ?? 1;
	}

	now(): number {
		return Math.round(this.origin + (Date.now() - this.origin) * this.speed + this.offset);
	}

	advance(ms: number): void {
		this.offset += ms;
	}
}

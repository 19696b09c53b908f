import { CancelledError, clock } from '../../../nodes/Wherobots/transport/clock';
import type { Sandbox } from '../../sandbox';

export interface TestTime {
	/** All pauses that the package made since the start, in milliseconds. */
	pauses: number[];
	/** Gives the package its real clock back. */
	restore(): void;
}

/**
 * Lets the package live in the sandbox's time: a pause moves the sandbox's clock and is over at
 * once. Hours of waiting take milliseconds, and what the package sees afterwards is exactly what
 * the service would show then.
 */
export function liveInSandboxTime(sandbox: Pick<Sandbox, 'clock'>): TestTime {
	const real = { ...clock };
	const pauses: number[] = [];
	clock.now = () => sandbox.clock.now();
	clock.monotonic = () => sandbox.clock.now();
	clock.pause = async (ms, signal) => {
		if (signal?.aborted) throw new CancelledError();
		pauses.push(ms);
		sandbox.clock.advance(ms);
		// Other work gets its turn, as it would during a real pause.
		await new Promise((resolve) => setImmediate(resolve));
		if (signal?.aborted) throw new CancelledError();
	};
	return { pauses, restore: () => Object.assign(clock, real) };
}

/** Lets the package live this many times as fast as the machine, as a sandbox with a `RealClock` of that speed does. */
export function liveInFastTime(sandbox: Pick<Sandbox, 'clock'>, speed: number): TestTime {
	const real = { ...clock };
	const pauses: number[] = [];
	clock.now = () => sandbox.clock.now();
	clock.monotonic = () => real.monotonic() * speed;
	clock.pause = async (ms, signal) => {
		pauses.push(ms);
		await real.pause(ms / speed, signal);
	};
	return { pauses, restore: () => Object.assign(clock, real) };
}

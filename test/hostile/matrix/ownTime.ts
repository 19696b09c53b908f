import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';

import { CancelledError, clock } from '../../../nodes/Wherobots/transport/clock';
import type { SandboxClock } from '../../sandbox';

/** The time of one piece of work: the service's clock, and how far n8n's is from it. */
export interface OwnTime {
	clock: SandboxClock;
	/** n8n's clock minus the service's, in milliseconds. */
	offsetMs: number;
}

const times = new AsyncLocalStorage<OwnTime>();

function own(): OwnTime {
	const time = times.getStore();
	if (!time) throw new Error('The package asked for the time outside of any piece of work');
	return time;
}

/** Runs `work` in a time of its own: several pieces of work side by side do not move each other's. */
export async function inOwnTime<T>(time: OwnTime, work: () => Promise<T>): Promise<T> {
	return await times.run(time, work);
}

/** Lets the package live in the time of whatever work it does. Returns the way back. */
export function liveInOwnTimes(): () => void {
	const real = { ...clock };
	clock.now = () => own().clock.now() + own().offsetMs;
	clock.monotonic = () => own().clock.now();
	clock.pause = async (ms, signal) => {
		if (signal?.aborted) throw new CancelledError();
		own().clock.advance(ms);
		// Other work gets its turn, as it would during a real pause.
		await turn();
		if (signal?.aborted) throw new CancelledError();
	};
	return () => Object.assign(clock, real);
}

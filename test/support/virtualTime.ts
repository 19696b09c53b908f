import { setImmediate as turn } from 'node:timers/promises';

import { CancelledError, clock } from '../../nodes/Wherobots/transport/clock';

interface Sleeper {
	at: number;
	resolve: () => void;
}

/** Many times what the longest test needs. */
const MAX_STEPS = 100_000;

/** Time in which nothing happens but what is waited for: hours pass as fast as they are computed. */
export class VirtualTime {
	now = 1_000;

	/** In the order of their times. */
	private sleepers: Sleeper[] = [];

	/** Starts anew; whatever waits in the old time waits for ever. */
	restart(): void {
		this.now = 1_000;
		this.sleepers = [];
	}

	/** Resolves when `ms` milliseconds have passed in this time. */
	async pause(ms: number, signal?: AbortSignal): Promise<void> {
		if (signal?.aborted) throw new CancelledError();
		if (ms <= 0) return;
		let onAbort: () => void = () => undefined;
		await new Promise<void>((resolve, reject) => {
			const sleeper = { at: this.now + ms, resolve };
			let index = this.sleepers.length;
			while (index > 0 && this.sleepers[index - 1].at > sleeper.at) index--;
			this.sleepers.splice(index, 0, sleeper);
			onAbort = () => {
				const position = this.sleepers.indexOf(sleeper);
				if (position >= 0) this.sleepers.splice(position, 1);
				reject(new CancelledError());
			};
			signal?.addEventListener('abort', onAbort, { once: true });
		}).finally(() => signal?.removeEventListener('abort', onAbort));
	}

	/** Lets time pass until `work` is done. */
	async during<T>(work: Promise<T>, maxSteps = MAX_STEPS): Promise<T> {
		let isDone = false;
		const ended = work.finally(() => (isDone = true));
		ended.catch(() => undefined);
		for (let step = 0; ; step++) {
			await turn();
			if (isDone) return await ended;
			const next = this.sleepers.shift();
			if (!next) throw new Error('Something waits for ever');
			if (step > maxSteps) throw new Error('Something waits again and again');
			this.now = next.at;
			next.resolve();
		}
	}
}

/** Gives the package a virtual time, starting now. */
export function liveInVirtualTime(): VirtualTime {
	const time = new VirtualTime();
	clock.now = () => time.now;
	clock.monotonic = () => time.now;
	clock.pause = async (ms, signal) => await time.pause(ms, signal);
	return time;
}

/** Gives each test of a file a virtual time of its own, and the clock back after them. */
export function suiteInVirtualTime(): VirtualTime {
	const real = { ...clock };
	const time = liveInVirtualTime();
	beforeEach(() => time.restart());
	afterAll(() => {
		Object.assign(clock, real);
	});
	return time;
}

/** Gives each test of a file a time of its own that pauses alone let pass, each at once. */
export function suiteWithInstantPauses(start = 0): { now: number; readonly pauses: number[] } {
	const real = { ...clock };
	const time = { now: start, pauses: [] as number[] };
	beforeEach(() => {
		time.now = start;
		time.pauses.length = 0;
		clock.monotonic = () => time.now;
		clock.pause = async (ms, signal) => {
			if (signal?.aborted) throw new CancelledError();
			time.pauses.push(ms);
			time.now += ms;
			await Promise.resolve();
		};
	});
	afterEach(() => Object.assign(clock, real));
	return time;
}

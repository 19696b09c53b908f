/** Time: what it is, and pauses that a cancelled execution ends. */
import { sleep } from 'n8n-workflow';

/** Thrown by a wait or a request when its execution is cancelled. */
export class CancelledError extends Error {
	override readonly name = 'CancelledError';

	constructor() {
		super('The execution was cancelled');
	}
}

/** The package's only source of time for waits and clock readings, so that tests can skip hours. */
export const clock = {
	/** Milliseconds since the epoch. */
	now(): number {
		return Date.now();
	},

	/** Milliseconds on a scale that never goes back, for pacing. */
	monotonic(): number {
		return performance.now();
	},

	/**
	 * Resolves after `ms` milliseconds.
	 *
	 * @throws CancelledError as soon as `signal` is aborted
	 */
	async pause(ms: number, signal?: AbortSignal): Promise<void> {
		const end = clock.monotonic() + ms;
		// A timer may be early by this clock.
		for (let left = ms; left > 0; left = end - clock.monotonic()) {
			// Versions of n8n differ in whether and how a signal ends a sleep; callers see one error.
			const slept = sleep(left, signal).catch(() => undefined);
			await waitUnlessAborted(slept, signal);
		}
		if (signal?.aborted) throw new CancelledError();
	},

	/** Resolves after the event loop has handled responses and connections that were ready. */
	async turn(): Promise<void> {
		await sleep(0);
	},
};

/** The outcome of `work`, or a CancelledError as soon as `signal` is aborted, whichever comes first. */
export async function waitUnlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
	if (!signal) return await work;
	if (signal.aborted) {
		// Nobody awaits the work anymore, so its failure is handled here.
		work.catch(() => undefined);
		throw new CancelledError();
	}
	let onAbort: () => void = () => undefined;
	const aborted = new Promise<never>((_, reject) => {
		onAbort = () => reject(new CancelledError());
		signal.addEventListener('abort', onAbort, { once: true });
	});
	try {
		return await Promise.race([work, aborted]);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

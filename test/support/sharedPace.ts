/** Several processes that share the service's rate limit without knowing of each other, in virtual time. */
import { runInParallel } from '../../nodes/Wherobots/transport/clock';
import { Failure, settle, type Attempt } from '../../nodes/Wherobots/transport/failure';
import { tryAgain } from '../../nodes/Wherobots/transport/retry';
import { RATE_LIMIT, Throttle } from '../../nodes/Wherobots/transport/throttle';
import { liveInVirtualTime, type VirtualTime } from './virtualTime';

/** How a service counts, and what it tells about it: all that the interface leaves open. */
export interface Counting {
	window: 'sliding' | 'fixed';
	countsRefused: boolean;
	retryAfter: 'exact' | 'whole seconds' | 'none';
}

export interface Load {
	processes: number;
	executions: number;
	/** Reads of an execution, up to 10 at once. */
	reads: number;
	/** Longest time to reach the service, and for its response to come back, in milliseconds. */
	delayMs: number;
	/** The executions start within this time, in milliseconds. */
	startMs: number;
}

export interface Outcome {
	failed: number;
	refused: number;
	/** Time that all reads took, in milliseconds, and the least that the rate allows. */
	tookMs: number;
	leastMs: number;
	/** Longest time between a read's first attempt and its success, in milliseconds. */
	longestMs: number;
}

const LANES = 10;

class Service {
	refused = 0;

	private times: number[] = [];

	constructor(
		private readonly time: VirtualTime,
		private readonly counting: Counting,
	) {}

	/** Its refusal of a request, if it refuses it. */
	handle(): Attempt | undefined {
		const { window, countsRefused, retryAfter } = this.counting;
		const { requests, windowMs } = RATE_LIMIT;
		const { now } = this.time;
		const start = window === 'sliding' ? now - windowMs : Math.floor(now / windowMs) * windowMs - 1;
		this.times = this.times.filter((time) => time > start);
		const isFull = this.times.length >= requests;
		if (!isFull || countsRefused) this.times.push(now);
		if (!isFull) return undefined;
		this.refused += 1;
		const oldest = this.times[this.times.length - requests];
		const freeAt = window === 'sliding' ? oldest + windowMs : start + 1 + windowMs;
		const seconds = Math.max(1, freeAt - now) / 1000;
		const header = { exact: seconds.toFixed(3), 'whole seconds': String(Math.ceil(seconds)) };
		return {
			kind: 'response',
			status: 429,
			retryAfter: retryAfter === 'none' ? undefined : header[retryAfter],
		};
	}
}

/** Runs all reads of all processes to their end. Uses the package's real limiter, policy and loop. */
export async function share(
	load: Load,
	counting: Counting,
	random: () => number,
): Promise<Outcome> {
	const time = liveInVirtualTime();
	const service = new Service(time, counting);
	const startedAt = time.now;
	let failed = 0;
	let longestMs = 0;

	const read = async (limiter: Throttle) => {
		let firstSentAt: number | undefined;
		const send = async () => {
			firstSentAt ??= time.now;
			await time.pause(random() * load.delayMs);
			const attempt = service.handle();
			await time.pause(random() * load.delayMs);
			if (attempt) throw new Failure({ message: 'Too many', attempt });
		};
		const limits = { deadline: Infinity };
		const read = await settle(
			tryAgain(limits, async (_, before) => await limiter.run({ ...limits, before }, send)),
		);
		if (!read.ok) failed += 1;
		longestMs = Math.max(longestMs, time.now - (firstSentAt ?? startedAt));
	};
	const limiters = Array.from({ length: load.processes }, () => new Throttle());
	const executions = limiters.flatMap((limiter) =>
		Array.from({ length: load.executions }, async () => {
			await time.pause(random() * load.startMs);
			await runInParallel(load.reads, LANES, async () => await read(limiter));
		}),
	);
	await time.during(Promise.all(executions));

	const total = load.processes * load.executions * load.reads;
	return {
		failed,
		refused: service.refused,
		tookMs: time.now - startedAt,
		leastMs: (Math.ceil(total / RATE_LIMIT.requests) - 1) * RATE_LIMIT.windowMs,
		longestMs,
	};
}

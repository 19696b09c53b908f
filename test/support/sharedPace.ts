/** Several processes that share the service's rate limit without knowing of each other, in virtual time. */
import { runInParallel } from '../../nodes/Wherobots/transport/concurrency';
import { settle } from '../../nodes/Wherobots/transport/failure';
import { forgetThrottles, RATE_LIMIT } from '../../nodes/Wherobots/transport/throttle';
import { clientWith, type Reply } from './clientWith';
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

	handle(): Reply {
		const { window, countsRefused, retryAfter } = this.counting;
		const { requests, windowMs } = RATE_LIMIT;
		const { now } = this.time;
		const start = window === 'sliding' ? now - windowMs : Math.floor(now / windowMs) * windowMs - 1;
		this.times = this.times.filter((time) => time > start);
		const isFull = this.times.length >= requests;
		if (!isFull || countsRefused) this.times.push(now);
		if (!isFull) return {};
		this.refused += 1;
		const oldest = this.times[this.times.length - requests];
		const freeAt = window === 'sliding' ? oldest + windowMs : start + 1 + windowMs;
		const seconds = Math.max(1, freeAt - now) / 1000;
		const headers = { exact: seconds.toFixed(3), 'whole seconds': String(Math.ceil(seconds)) };
		if (retryAfter === 'none') return { statusCode: 429 };
		return { statusCode: 429, headers: { 'retry-after': headers[retryAfter] } };
	}
}

/** Runs all reads of all processes to their end, each process with a client, and a throttle, of its own. */
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

	forgetThrottles();
	const answer = async () => {
		await time.pause(random() * load.delayMs);
		const reply = service.handle();
		await time.pause(random() * load.delayMs);
		return reply;
	};
	const runProcess = async (process: number) => {
		// The key of its own gives it a throttle of its own.
		const credential = { apiKey: `sk-of-process-${process}`, baseUrl: 'https://service' };
		const { client } = await clientWith({ credential, answer });
		const read = async () => {
			let firstSentAt = Infinity;
			const onSend = () => (firstSentAt = Math.min(firstSentAt, time.now));
			const { ok } = await settle(client.call('listRuns', { onSend }));
			if (!ok) failed += 1;
			longestMs = Math.max(longestMs, time.now - firstSentAt);
		};
		const runExecution = async () => {
			await time.pause(random() * load.startMs);
			await runInParallel(load.reads, LANES, read);
		};
		await Promise.all(Array.from({ length: load.executions }, runExecution));
	};
	const processes = Array.from({ length: load.processes }, async (_, index) => {
		await runProcess(index);
	});
	await time.during(Promise.all(processes));

	const total = load.processes * load.executions * load.reads;
	return {
		failed,
		refused: service.refused,
		tookMs: time.now - startedAt,
		leastMs: (Math.ceil(total / RATE_LIMIT.requests) - 1) * RATE_LIMIT.windowMs,
		longestMs,
	};
}

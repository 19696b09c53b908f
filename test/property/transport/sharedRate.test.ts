/** Several processes that share the service's rate limit without knowing of each other, in virtual time. */
import fc from 'fast-check';

import { clock } from '../../../nodes/Wherobots/transport/clock';
import { runInParallel } from '../../../nodes/Wherobots/transport/concurrency';
import { settle } from '../../../nodes/Wherobots/transport/failure';
import { forgetThrottles, RATE_LIMIT } from '../../../nodes/Wherobots/transport/throttle';
import { Choices } from '../../sandbox/seed/random';
import { clientWith, type Reply } from '../../support/clientWith';
import { forAll } from '../../support/forAll';
import { runs } from '../../support/runs';
import { liveInVirtualTime, type VirtualTime } from '../../support/virtualTime';

/** How a service counts, and what it tells about it: all that the interface leaves open. */
interface Counting {
	window: 'sliding' | 'fixed';
	countsRefused: boolean;
	retryAfter: 'exact' | 'whole seconds' | 'none';
}

interface Load {
	processes: number;
	executions: number;
	/** Reads of an execution, up to 10 at once. */
	reads: number;
	/** Longest time to reach the service, and for its response to come back, in milliseconds. */
	delayMs: number;
	/** The executions start within this time, in milliseconds. */
	startMs: number;
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
async function simulate(load: Load, counting: Counting, seed: number) {
	const choices = new Choices(seed);
	const random = () => choices.next();
	jest.spyOn(Math, 'random').mockImplementation(random);
	const time = liveInVirtualTime();
	const service = new Service(time, counting);
	const startedAt = time.now;
	let failed = 0;
	/** Longest time between a read's first attempt and its success. */
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
	const processes = Array.from({ length: load.processes }, async (_, at) => await runProcess(at));
	await time.during(Promise.all(processes));

	const total = load.processes * load.executions * load.reads;
	return {
		failed,
		refused: service.refused,
		tookMs: time.now - startedAt,
		/** The least that the rate allows. */
		leastMs: (Math.ceil(total / RATE_LIMIT.requests) - 1) * RATE_LIMIT.windowMs,
		longestMs,
	};
}

const real = { ...clock };

afterEach(() => {
	Object.assign(clock, real);
});

const countings = fc.record<Counting>({
	window: fc.constantFrom('sliding', 'fixed'),
	countsRefused: fc.boolean(),
	retryAfter: fc.constantFrom('exact', 'whole seconds', 'none'),
});

const seeds = fc.integer({ min: 1, max: 1_000_000 });

describe('one process', () => {
	it('is never refused and loses nothing', async () =>
		await forAll([countings, seeds], runs(1, 5), async (counting, seed) => {
			const load = { processes: 1, executions: 1, reads: 600, delayMs: 20, startMs: 0 };
			const outcome = await simulate(load, counting, seed);
			expect(outcome).toMatchObject({ failed: 0, refused: 0 });
			expect(outcome.tookMs).toBeLessThanOrEqual(1.02 * outcome.leastMs);
		}));
});

describe('processes that share the rate of the service', () => {
	/** What one process needs for as many reads: no number of processes can be faster. */
	async function aloneMs(load: Load, counting: Counting): Promise<number> {
		const alone = { ...load, processes: 1, reads: load.reads * load.processes };
		return (await simulate(alone, counting, 1)).tookMs;
	}

	/** How many times as long as one process they may take together. */
	function mostFor({ retryAfter, countsRefused, window }: Counting): number {
		if (retryAfter === 'none') return 1.3;
		// Each refused request takes the place of another one away.
		return countsRefused && window === 'sliding' ? 1.2 : 1.1;
	}

	/** If a refused process used all of its slots again, or each one at once, a read would wait for 92 or 67 s. */
	const near = { processes: 4, executions: 1, delayMs: 2, startMs: 1_000 } as const;
	const far = { processes: 4, executions: 1, delayMs: 60, startMs: 1_000 } as const;
	/** Where each comes at the right moment, leaving room would only cost time. */
	const pair = { processes: 2, executions: 4, delayMs: 20, startMs: 1_000 } as const;
	const exact = { window: 'sliding', countsRefused: false, retryAfter: 'exact' } as const;
	const rounded = { window: 'fixed', countsRefused: false, retryAfter: 'whole seconds' } as const;
	const silent = { window: 'sliding', countsRefused: false, retryAfter: 'none' } as const;
	const examples: Array<[Omit<Load, 'reads'>, Counting, seed: number]> = [
		[near, silent, 1],
		[near, rounded, 7],
		[pair, exact, 13],
		[far, silent, 2],
	];

	it('lose no read, none waits for long, and together they use the rate', async () => {
		const loads = fc.record({
			processes: fc.integer({ min: 2, max: 4 }),
			executions: fc.constantFrom(1, 2, 4),
			delayMs: fc.constantFrom(2, 20, 60),
			startMs: fc.constantFrom(0, 1_000),
		});
		await forAll(
			[loads, countings, seeds],
			{ examples, numRuns: examples.length + runs(2, 20) },
			async (some, counting, seed) => {
				const load = { ...some, reads: 600 / some.executions };
				const outcome = await simulate(load, counting, seed);
				const least = await aloneMs(load, counting);
				expect(outcome.failed).toBe(0);
				expect(outcome.tookMs / least).toBeLessThanOrEqual(mostFor(counting));
				expect(outcome.longestMs).toBeLessThan(60_000);
			},
		);
		// Against hanging only: it simulates thousands of requests, in virtual time.
	}, 300_000);
});

import fc from 'fast-check';

import { clock } from '../../../nodes/Wherobots/transport/clock';
import { Choices } from '../../sandbox/seed/random';
import { runs } from '../../support/runs';
import { share, type Counting, type Load } from '../../support/sharedPace';

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

async function simulate(load: Load, counting: Counting, seed: number) {
	const choices = new Choices(seed);
	const random = () => choices.next();
	jest.spyOn(Math, 'random').mockImplementation(random);
	return await share(load, counting, random);
}

describe('one process', () => {
	it('is never refused and loses nothing', async () => {
		await fc.assert(
			fc.asyncProperty(countings, seeds, async (counting, seed) => {
				const load = { processes: 1, executions: 1, reads: 600, delayMs: 20, startMs: 0 };
				const outcome = await simulate(load, counting, seed);
				expect(outcome).toMatchObject({ failed: 0, refused: 0 });
				expect(outcome.tookMs).toBeLessThanOrEqual(1.02 * outcome.leastMs);
			}),
			{ numRuns: runs(1, 5) },
		);
	});
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
		await fc.assert(
			fc.asyncProperty(loads, countings, seeds, async (some, counting, seed) => {
				const load = { ...some, reads: 600 / some.executions };
				const outcome = await simulate(load, counting, seed);
				const least = await aloneMs(load, counting);
				expect(outcome.failed).toBe(0);
				expect(outcome.tookMs / least).toBeLessThanOrEqual(mostFor(counting));
				expect(outcome.longestMs).toBeLessThan(60_000);
			}),
			{ examples, numRuns: examples.length + runs(2, 20) },
		);
		// Against hanging only: it simulates thousands of requests, in virtual time.
	}, 300_000);
});

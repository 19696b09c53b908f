import type { IDataObject } from 'n8n-workflow';

import {
	Failure,
	type FailureParts,
	isTemporary,
} from '../../../../nodes/Wherobots/transport/failure';
import type { Client } from '../../../../nodes/Wherobots/transport/client';
import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import {
	readRunCost,
	type CostedRun,
} from '../../../../nodes/Wherobots/transport/jobRuns/runCosts';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

const MINUTE = 60_000;

const runOf = (status: string, kubeApp: IDataObject | null = { id: 'app' }) =>
	({ id: 'r1', name: 'nightly', status, kubeApp }) as CostedRun;

const failure = (more: Partial<FailureParts> = {}) =>
	new Failure({ message: 'No', description: 'Why', ...more });

const outage = failure({ httpCode: '503', temporary: true });

/** A response to the request for costs that says this about the run. */
const saying = (entry: unknown) => ({ costs: { app: entry } });
const costing = (status: string) => saying({ cost: '1.50', status });
const without = (reason: string) => saying({ kind: 'unavailable', reason });

interface Shown {
	/** What the service shows of the run when it is read again, the last one over and over. */
	runs?: Array<CostedRun | Error>;
	/** Its responses to the request for costs, likewise. */
	costs?: unknown[];
	waitMs?: number;
}

/** Reads the cost of a run: what came of it, which requests were sent, and how long it took. */
async function looking(run: CostedRun, { runs = [], costs = [], waitMs = 0 }: Shown) {
	const calls: string[] = [];
	const replies: Record<string, unknown[]> = {
		...{ getRun: [...runs], getCosts: [...costs] },
		getRunMetrics: [failure({ httpCode: '403' })],
	};
	const client = {
		call: async (id: string) => {
			calls.push(id);
			const [next, ...later] = replies[id];
			if (later.length > 0) replies[id] = later;
			return await (next instanceof Error ? Promise.reject(next) : Promise.resolve(next));
		},
	} as unknown as Client;
	const begin = time.now;
	const result = await time.during(readRunCost(client, run, waitMs)).catch((error: unknown) => {
		if (error instanceof Failure) return { failure: error };
		throw error;
	});
	return { result, calls, tookMs: time.now - begin };
}

/** The failure for a run, with its facts and explanation. */
const failing = (message: string, explanation: unknown, facts: IDataObject = {}) => ({
	failure: {
		message,
		description: explanation,
		facts: { runId: 'r1', runName: 'nightly', ...facts },
	},
});

const NO_APP = 'The job run has no cost because no compute resources were assigned to it';
const IS_PENDING = 'Its status is PENDING; it may still get some.\nRun ID: r1';

describe('a run without compute resources', () => {
	it.each([[null], [{}], [{ id: '' }], [{ id: 5 }]])(
		'has no cost, and no request for one is sent (%j)',
		async (kubeApp) => {
			const { result, calls, tookMs } = await looking(runOf('PENDING', kubeApp as never), {});
			expect(result).toMatchObject(failing(NO_APP, IS_PENDING, { status: 'PENDING' }));
			expect([calls, tookMs]).toEqual([[], 0]);
		},
	);

	it('may get some during the wait for its cost', async () => {
		const completed = runOf('COMPLETED');
		const { result, calls } = await looking(runOf('PENDING', null), {
			waitMs: 10 * MINUTE,
			runs: [runOf('PENDING', null), outage, runOf('RUNNING'), completed],
			costs: [costing('live'), costing('final')],
		});
		expect(result).toMatchObject({ run: completed, cost: { cost: '1.50', costStatus: 'final' } });
		expect(calls).toEqual(['getRun', 'getRun', 'getRun', 'getCosts', 'getRun', 'getCosts']);
	});

	it('is waited for as long as it may get some', async () => {
		const { result, tookMs } = await looking(runOf('PENDING', null), {
			waitMs: 10 * MINUTE,
			runs: [runOf('PENDING', null)],
		});
		expect(result).toMatchObject(failing(NO_APP, IS_PENDING));
		expect(tookMs).toBe(10 * MINUTE);
	});

	it('is not waited for once it has ended', async () => {
		const ended = failing(NO_APP, 'It ended without any; its status is CANCELLED.\nRun ID: r1');
		const cancelled = runOf('CANCELLED', null);
		const before = await looking(cancelled, { waitMs: MINUTE });
		expect(before).toMatchObject({ result: ended, calls: ['getRunMetrics'], tookMs: 0 });
		const later = await looking(runOf('PENDING', null), { waitMs: MINUTE, runs: [cancelled] });
		expect(later).toMatchObject({ result: ended, calls: ['getRun', 'getRunMetrics'], tookMs: 0 });
	});

	it('fails as reading it does', async () => {
		const gone = failure({ httpCode: '404' });
		const looked = await looking(runOf('PENDING', null), { waitMs: MINUTE, runs: [gone] });
		expect(looked).toMatchObject({ result: { failure: gone }, tookMs: 0 });
	});
});

describe('the run that comes with a cost', () => {
	it.each([
		['RUNNING', 0, 'live'],
		['COMPLETED', 0, 'settling'],
		['COMPLETED', MINUTE, 'final'],
	])('is the one that was given (%s, %d, %s)', async (status, waitMs, costStatus) => {
		const run = runOf(status);
		const { result, calls } = await looking(run, { waitMs, costs: [costing(costStatus)] });
		expect(result).toMatchObject({ run, cost: { costStatus } });
		expect(calls).toEqual(['getCosts']);
	});

	it('is the one that is read last, even after an outage', async () => {
		const completed = runOf('COMPLETED');
		const { result } = await looking(runOf('RUNNING'), {
			waitMs: MINUTE,
			runs: [outage, completed],
			costs: [costing('final')],
		});
		expect(result).toMatchObject({ run: completed, cost: { costStatus: 'final' } });
	});

	it('is unknown while it cannot be read', async () => {
		const { result, tookMs } = await looking(runOf('RUNNING'), {
			waitMs: MINUTE,
			runs: [outage],
		});
		expect([result, tookMs]).toEqual([{ failure: outage }, MINUTE]);
	});
});

it.each<[string, CostedRun, Shown]>([
	['the costs are requested', runOf('RUNNING'), { costs: [new CancelledError()] }],
	[
		'a run that has no compute resources yet is read',
		runOf('PENDING', null),
		{ waitMs: MINUTE, runs: [new CancelledError()] },
	],
	[
		'the run is read for the last time',
		runOf('RUNNING'),
		{ waitMs: MINUTE, runs: [new CancelledError()], costs: [costing('final')] },
	],
])('a cancelled execution ends while %s', async (_, run, shown) => {
	await expect(looking(run, shown)).rejects.toBeInstanceOf(CancelledError);
});

describe('without a cost', () => {
	const unexpected = 'Wherobots Cloud returned an unexpected response';

	it.each<[string, unknown, object]>([
		['a refusal', failure({ httpCode: '403' }), failing('No', 'Why\nRun ID: r1')],
		[
			'a response of another kind',
			[],
			failing(unexpected, expect.stringMatching(/the cost of the job run.*'Base URL'/)),
		],
		[
			'a response without the run',
			{ costs: {} },
			failing(unexpected, expect.stringContaining('newer')),
		],
		[
			'an entry that is not a cost',
			saying({ cost: 1 }),
			failing(unexpected, expect.stringContaining('the cost of the job run')),
		],
		[
			'an unknown reason',
			without('odd'),
			failing('Wherobots Cloud has no cost for this job run', 'Reason: odd\nRun ID: r1', {
				costReason: 'odd',
			}),
		],
	])('%s is final, even with time left to wait', async (_, response, expected) => {
		const looked = await looking(runOf('COMPLETED'), { waitMs: 10 * MINUTE, costs: [response] });
		expect(looked).toMatchObject({ result: expected, tookMs: 0 });
		expect(looked.calls[0]).toBe('getCosts');
	});

	// Until the billing system knows a run, it looks like a run of another account.
	it.each([
		[0, 0],
		[MINUTE, MINUTE],
		[10 * MINUTE, 2 * MINUTE],
	])('with %d ms to wait, an unknown run is looked for during %d ms', async (waitMs, forMs) => {
		const costs = [without('not_found')];
		const { result, tookMs } = await looking(runOf('COMPLETED'), { waitMs, costs });
		expect(result).toMatchObject({ failure: { facts: { costReason: 'not_found' } } });
		expect(tookMs).toBeGreaterThanOrEqual(forMs);
		expect(tookMs).toBeLessThanOrEqual(forMs * 1.5);
	});

	it.each([
		[0, 0],
		[MINUTE, MINUTE],
	])(
		'with %d ms to wait, a failure of the billing system has %d ms to pass',
		async (waitMs, forMs) => {
			const costs = [without('upstream_error')];
			const { result, tookMs } = await looking(runOf('COMPLETED'), { waitMs, costs });
			expect(result).toMatchObject({ failure: { parts: { temporary: true } } });
			expect(tookMs).toBe(forMs);
		},
	);
});

it.each([
	[1, '1 minute'],
	[90, '90 minutes'],
])('a cost that is not final within %d min may be final later', async (minutes, shown) => {
	const costs = [costing('settling')];
	const { result } = await looking(runOf('COMPLETED'), { waitMs: minutes * MINUTE, costs });
	const message = `The cost was not final within ${shown}`;
	const soFar = expect.stringContaining('1.50 USD (settling)') as unknown;
	expect(result).toMatchObject(failing(message, soFar, { cost: '1.50', costStatus: 'settling' }));
	expect('failure' in result && isTemporary(result.failure)).toBe(true);
});

/** "Cancel Above Cost". */
import { until } from '../../../support/until';
import type { INodeParameters } from 'n8n-workflow';

import { errorOf, startNode, ok, type NodeOptions } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const MINUTE = 60_000;

/** A run costs about 0.074 dollars a minute. */
const suite = suiteWithSandbox({ seed: 'empty' });
const creating = (waitOptions: INodeParameters, more: INodeParameters = {}) => ({
	...pythonRun,
	waitForCompletion: true,
	waitOptions: { cancelAboveCost: '0.20', ...waitOptions },
	...more,
});

const waitingFor = (runId: string, waitOptions: INodeParameters) => ({
	resource: 'jobRun',
	operation: 'waitForCompletion',
	runId: { __rl: true, mode: 'id', value: runId },
	waitOptions,
});

/** Makes the run that is created last this long. */
const lasting = (minutes: number) =>
	suite.plans.set(pythonRun.name, { pendingMs: 0, runningMs: minutes * MINUTE });

const going = (minutes: number) =>
	suite.store.createRun({ plan: { pendingMs: 0, runningMs: minutes * MINUTE } });

const run = async (parameters: INodeParameters, options?: NodeOptions) =>
	await suite.run(parameters, options);

const requests = (endpoint: 'getCosts' | 'cancelRun' | 'createRun') => suite.requests.of(endpoint);

describe('a run that costs more than its limit', () => {
	it('is cancelled, and the error says what it cost', async () => {
		lasting(600);
		const { items } = await run(creating({}), { onError: 'continueRegularOutput' });
		const error = errorOf(items[0]);
		const [created] = suite.store.runs.all();
		expect(error).toMatchObject({
			message: `Job run "${created.payload.name}" was cancelled: it cost more than its limit`,
			runId: created.id,
			status: 'CANCELLED',
			outcome: 'CANCELLED',
			costLimit: '0.20',
			currency: 'USD',
			costStatus: 'live',
			lastEvaluatedAt: expect.any(String),
		});
		// The cost passes the limit in the third minute.
		expect(Number(error?.cost)).toBeGreaterThan(0.2);
		expect(Number(error?.cost)).toBeLessThan(0.35);
		expect(error?.description).toContain(`Run ID: ${created.id}`);
		expect(error?.description).toContain(
			`It had cost ${String(error?.cost)} USD (live), and the limit is 0.20.`,
		);
		expect(error?.description).toContain('lags behind');
		expect(requests('cancelRun')).toHaveLength(1);
		// The cost is read once a minute, the first time at once.
		expect(requests('getCosts').length).toBeLessThanOrEqual(5);
	});

	it('is cancelled later when the figures lag behind', async () => {
		lasting(600);
		suite.timings.costDelayMs = 20 * MINUTE;
		const { json } = await run(creating({ onFailure: 'return', includeCost: true }));
		const [{ durationSeconds, createTime, lastEvaluatedAt }] = json;
		expect(durationSeconds).toBeGreaterThan(22 * 60);
		expect(durationSeconds).toBeLessThan(26 * 60);
		expect(Date.parse(String(lastEvaluatedAt))).toBeLessThan(
			Date.parse(String(createTime)) + 6 * MINUTE,
		);
	});

	it('is not submitted again by Retry on Fail', async () => {
		lasting(600);
		const { error } = await run(creating({}), { maxTries: 3 });
		expect(error?.message).toContain('it cost more than its limit');
		expect(requests('createRun')).toHaveLength(1);
		expect(requests('cancelRun')).toHaveLength(1);
	});

	it('is named, with what it cost, when it cannot be read after it was cancelled', async () => {
		lasting(600);
		suite.requests.listen(({ endpoint }) => {
			const fault = { kind: 'status', status: 401 } as const;
			if (endpoint === 'cancelRun') suite.fails('getRun', fault);
		});
		const { error } = await run(creating({}));
		expect(error?.httpCode).toBe('401');
		expect(error?.description).toMatch(/was cancelled.*the limit is 0\.20/);
		expect(error?.context?.data).toMatchObject({
			runId: expect.any(String),
			runName: 'nightly-etl-2026',
			costLimit: '0.20',
			cost: expect.any(String),
		});
	});

	it('is named when it has not ended five minutes after it was cancelled', async () => {
		lasting(600);
		suite.timings.cancelMs = 60 * MINUTE;
		const { error } = await run(creating({ maxWaitMinutes: 4 }));
		expect(error?.message).toContain('was cancelled: it cost more than its limit');
		expect(error?.context?.data).toMatchObject({ status: 'RUNNING', costLimit: '0.20' });
	});

	it('keeps running when this account may not cancel it, which is an error', async () => {
		lasting(600);
		suite.fails('cancelRun', 403);
		const { error } = await run(creating({}));
		expect(error?.httpCode).toBe('403');
		expect(error?.description).toContain('The node was waiting for job run');
		expect(error?.description).toMatch(/ USD \(live\), and the limit is 0\.20\..*not be cancelled/);
		expect(error?.context?.data).toMatchObject({ status: 'RUNNING' });
		expect(requests('cancelRun')).toHaveLength(1);
	});

	it('is an error when it ended before it could be cancelled', async () => {
		const { id } = going(600);
		suite.requests.listen(({ endpoint }) => {
			if (endpoint === 'cancelRun') suite.store.moveRun(id, 'COMPLETED');
		});
		const { error } = await run(waitingFor(id, { cancelAboveCost: '0.0001' }));
		expect(error?.description).toContain('It could not be cancelled');
		expect(error?.context?.data).toMatchObject({ runId: id });
	});
});

describe('a run that ends first', () => {
	it.each([
		['with a cost below the limit', {}, 1],
		['with figures that pass the limit only after its end', { costDelayMs: 20 * MINUTE }, 10],
	])('is returned as it ended %s', async (_, timings, minutes) => {
		lasting(minutes);
		Object.assign(suite.timings, timings);
		const { json } = ok(await run(creating({})));
		expect(json[0]).toMatchObject({ status: 'COMPLETED', reused: false });
		expect(json[0]).not.toHaveProperty('costLimit');
		expect(json[0]).not.toHaveProperty('costLimitProblem');
		expect(requests('cancelRun')).toEqual([]);
	});

	it('is left as it is when it had already ended before its cost was first read', async () => {
		const { id } = going(10);
		suite.clock.advance(20 * MINUTE);
		const { json } = await run(waitingFor(id, { cancelAboveCost: '0.20' }));
		expect(json[0]).toMatchObject({ id, status: 'COMPLETED' });
		expect(suite.requests.count).toBe(1);
	});
});

it('a run that was found by its name is not cancelled, and the output says so', async () => {
	const { id } = suite.store.createRun({
		name: pythonRun.name,
		plan: { pendingMs: 0, runningMs: 10 * MINUTE },
	});
	const { json } = await run(creating({}, { ifNameExists: 'useActive' }));
	expect(json[0]).toMatchObject({
		id,
		status: 'COMPLETED',
		reused: true,
		costLimitProblem: 'The run was found by its name, so it is not cancelled for its cost.',
	});
	expect(requests('cancelRun')).toEqual([]);
});

it('the wait ends when the execution is stopped while the cost is read', async () => {
	const { id } = going(600);
	suite.fails('getCosts', { kind: 'hang' });
	suite.time.restore();
	const running = startNode(
		suite.sandbox,
		waitingFor(id, { cancelAboveCost: '5', cancelOnStop: true }),
	);
	await until(() => requests('getCosts').length > 0);
	running.cancel();
	await running.result;
	await until(() => requests('cancelRun').length > 0);
});

it.each([[''], [null], ['={{ $json.nothing }}'], ['five'], ['5,50'], ['0.00'], [-1]])(
	'%j is not a valid limit, and nothing is sent',
	async (cancelAboveCost) => {
		const { error } = await run(creating({ cancelAboveCost }));
		expect(error?.message).toMatch(/^'Cancel Above Cost' must (not be empty|be an amount above 0)/);
		expect(suite.requests.count).toBe(0);
	},
);

describe('a cost that cannot be read', () => {
	it.each([
		['the billing system is down', { kind: 'status', status: 503 }],
		['it is not a number', { kind: 'replace', body: '{"costs":{"app":{"cost":1}}}' }],
	] as const)('does not end the wait, and is reported (%s)', async (_, fault) => {
		lasting(10);
		suite.fails('getCosts', fault);
		const { json } = ok(await run(creating({})));
		expect(json[0]).toMatchObject({ status: 'COMPLETED', costLimitProblem: expect.any(String) });
		expect(requests('cancelRun')).toEqual([]);
	});

	it('ends the wait at once when this account may see neither costs nor metrics with them', async () => {
		lasting(600);
		suite.fails('getCosts', 403);
		const { error } = await run(creating({}));
		const [created] = suite.store.runs.all();
		expect(error).toMatchObject({
			message: 'The cost of the job run cannot be compared with its limit',
			httpCode: '403',
		});
		expect(error?.description).toContain(created.id);
		expect(error?.description).toContain('The run was not cancelled.');
		expect(error?.context?.data).toMatchObject({ runId: created.id, status: 'RUNNING' });
		expect(requests('getCosts')).toHaveLength(1);
	});

	it('is not compared when it is in another currency than the limit', async () => {
		lasting(10);
		const edit = ({ costs }: { costs: object }) => ({
			costs: Object.fromEntries(
				Object.entries(costs).map(([id, cost]) => [id, { ...cost, currency: 'EUR' }]),
			),
		});
		suite.fails('getCosts', { kind: 'edit', edit });
		const { json } = await run(creating({}));
		expect(json[0]).toMatchObject({
			status: 'COMPLETED',
			costLimitProblem: 'The cost is in EUR and the limit in USD, so they were not compared.',
		});
		expect(requests('cancelRun')).toEqual([]);
	});

	it('is reported when the run does not end in time', async () => {
		lasting(600);
		suite.fails('getCosts', 403, { skip: 1 });
		const { error } = await run(creating({ maxWaitMinutes: 3 }));
		expect(error?.message).toContain('did not end within 3 minutes');
		expect(error?.context?.data).toMatchObject({
			runName: 'nightly-etl-2026',
			costLimitProblem: expect.any(String),
		});
	});

	it('is requested as soon as the run has compute resources', async () => {
		const { id } = going(0.5);
		suite.variants.kubeApp = 'null';
		let reads = 0;
		suite.requests.listen(({ endpoint }) => {
			if (endpoint === 'getRun' && ++reads > 2) suite.variants.kubeApp = 'present';
		});
		const { json } = await run(waitingFor(id, { cancelAboveCost: '0.20' }));
		expect(json[0]).toMatchObject({ id, status: 'COMPLETED' });
		expect(json[0]).not.toHaveProperty('costLimitProblem');
		expect(requests('getCosts')).toHaveLength(1);
	});

	it('is forgotten when the next one can be read', async () => {
		lasting(600);
		suite.timings.costLagMs = 5 * MINUTE;
		const { json } = await run(creating({ onFailure: 'return' }));
		expect(json[0]).toMatchObject({ status: 'CANCELLED', costLimit: '0.20' });
		expect(json[0]).not.toHaveProperty('costLimitProblem');
	});
});

/** "Cancel Above Cost". A run of the sandbox costs about 0.074 dollars a minute. */
import type { INodeParameters } from 'n8n-workflow';

import { until } from '../../../support/until';
import { errorOf, runNode, startNode } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const MINUTE = 60_000;

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

/** Lets the run that is created go on for this long. */
const lasting = (minutes: number) =>
	suite.sandbox.plans.set(pythonRun.name, { pendingMs: 0, runningMs: minutes * MINUTE });

const going = (minutes: number) =>
	suite.sandbox.store.createRun({ plan: { pendingMs: 0, runningMs: minutes * MINUTE } });

const requests = (endpoint: 'getCosts' | 'cancelRun' | 'createRun') =>
	suite.sandbox.requests.of(endpoint);

describe('a run that costs more than its limit', () => {
	it('is cancelled, and the error says what it cost', async () => {
		lasting(600);
		const { items } = await runNode(suite.sandbox, creating({}), {
			onError: 'continueRegularOutput',
		});
		const error = errorOf(items[0]);
		const [run] = suite.sandbox.store.runs.all();
		expect(error).toMatchObject({
			message: `Job run "${run.payload.name}" was cancelled: it cost more than its limit`,
			runId: run.id,
			status: 'CANCELLED',
			outcome: 'CANCELLED',
			costLimit: '0.20',
			currency: 'USD',
			costStatus: 'live',
			lastEvaluatedAt: expect.any(String),
		});
		// The third minute costs the limit.
		expect(Number(error?.cost)).toBeGreaterThan(0.2);
		expect(Number(error?.cost)).toBeLessThan(0.35);
		expect(error?.description).toContain(`Run ID: ${run.id}`);
		expect(error?.description).toContain(
			`It had cost ${String(error?.cost)} USD (live), and the limit is 0.20.`,
		);
		expect(error?.description).toContain('lags behind');
		expect(requests('cancelRun')).toHaveLength(1);
		// One look at the cost for each minute, the first at once.
		expect(requests('getCosts').length).toBeLessThanOrEqual(5);
	});

	it('is returned as it ended where the node is not to fail', async () => {
		lasting(600);
		const { json, error } = await runNode(suite.sandbox, creating({ onFailure: 'return' }));
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ status: 'CANCELLED', costLimit: '0.20', costStatus: 'live' });
	});

	it('costs more by the age of the figures', async () => {
		lasting(600);
		suite.sandbox.timings.costDelayMs = 20 * MINUTE;
		const { json } = await runNode(
			suite.sandbox,
			creating({ onFailure: 'return', includeCost: true }),
		);
		const [{ durationSeconds, createTime, lastEvaluatedAt }] = json;
		expect(durationSeconds).toBeGreaterThan(22 * 60);
		expect(durationSeconds).toBeLessThan(26 * 60);
		expect(Date.parse(String(lastEvaluatedAt))).toBeLessThan(
			Date.parse(String(createTime)) + 6 * MINUTE,
		);
	});

	it('is not submitted again by Retry on Fail', async () => {
		lasting(600);
		const { error } = await runNode(suite.sandbox, creating({}), { maxTries: 3 });
		expect(error?.message).toContain('it cost more than its limit');
		expect(requests('createRun')).toHaveLength(1);
		expect(requests('cancelRun')).toHaveLength(1);
	});

	it('is cancelled by Wait for Completion, too', async () => {
		const { id } = going(600);
		const { error } = await runNode(suite.sandbox, waitingFor(id, { cancelAboveCost: 0.2 }));
		expect(error?.message).toContain('it cost more than its limit');
		expect(requests('cancelRun')[0].path).toContain(id);
	});

	it('is named when it has not ended five minutes after it was cancelled', async () => {
		lasting(600);
		suite.sandbox.timings.cancelMs = 60 * MINUTE;
		const { error } = await runNode(suite.sandbox, creating({ maxWaitMinutes: 4 }));
		expect(error?.message).toContain('was cancelled: it cost more than its limit');
		expect(error?.context?.facts).toMatchObject({ status: 'RUNNING', costLimit: '0.20' });
	});

	it('goes on where this account may not cancel it, which is an error', async () => {
		lasting(600);
		suite.sandbox.faults.add({ endpoint: 'cancelRun', fault: { kind: 'status', status: 403 } });
		const { error } = await runNode(suite.sandbox, creating({}));
		expect(error?.httpCode).toBe('403');
		expect(error?.description).toContain('The node was waiting for job run');
		expect(error?.description).toMatch(/ USD \(live\), and the limit is 0\.20\..*not be cancelled/);
		expect(error?.context?.facts).toMatchObject({ costLimit: '0.20', status: 'RUNNING' });
		expect(requests('cancelRun')).toHaveLength(1);
	});

	it('is cancelled after an outage', async () => {
		lasting(600);
		const down = { kind: 'status', status: 503 } as const;
		suite.sandbox.faults.add({ endpoint: 'cancelRun', times: 7, fault: down });
		const { error } = await runNode(suite.sandbox, creating({}));
		expect(error?.message).toContain('it cost more than its limit');
	});

	it('has completed when it did so before it could be cancelled', async () => {
		const { id } = going(600);
		suite.sandbox.requests.listen(({ endpoint }) => {
			if (endpoint === 'cancelRun') suite.sandbox.store.moveRun(id, 'COMPLETED');
		});
		const { json, error } = await runNode(
			suite.sandbox,
			waitingFor(id, { cancelAboveCost: '0.0001' }),
		);
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ id, status: 'COMPLETED' });
	});
});

describe('a run that ends before', () => {
	it.each([
		['with a cost below the limit', {}, 1],
		['with figures that pass the limit only after its end', { costDelayMs: 20 * MINUTE }, 10],
	])('is returned as it ended %s', async (_, timings, minutes) => {
		lasting(minutes);
		Object.assign(suite.sandbox.timings, timings);
		const { json, error } = await runNode(suite.sandbox, creating({}));
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ status: 'COMPLETED', reused: false });
		expect(json[0]).not.toHaveProperty('costLimit');
		expect(json[0]).not.toHaveProperty('costLimitProblem');
		expect(requests('cancelRun')).toEqual([]);
	});

	it('is left as it is when its cost was above the limit before anybody looked', async () => {
		const { id } = going(10);
		suite.sandbox.clock.advance(20 * MINUTE);
		const { json } = await runNode(suite.sandbox, waitingFor(id, { cancelAboveCost: '0.20' }));
		expect(json[0]).toMatchObject({ id, status: 'COMPLETED' });
		expect(suite.sandbox.requests.count).toBe(1);
	});

	it('costs no request where there is no limit', async () => {
		lasting(10);
		await runNode(suite.sandbox, { ...creating({}), waitOptions: {} });
		expect(requests('getCosts')).toEqual([]);
	});
});

describe('a cost that cannot be read', () => {
	it.each([
		['the billing system is down', { kind: 'status', status: 503 }],
		['the account may not see it', { kind: 'status', status: 403 }],
		['it is no number', { kind: 'replace', body: '{"costs":{"app":{"cost":1}}}' }],
	] as const)('does not end the wait, and is told (%s)', async (_, fault) => {
		lasting(10);
		suite.sandbox.faults.add({ endpoint: 'getCosts', fault });
		const { json, error } = await runNode(suite.sandbox, creating({}));
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ status: 'COMPLETED', costLimitProblem: expect.any(String) });
		expect(requests('cancelRun')).toEqual([]);
	});

	it('is asked for once a minute while the billing system says that it is busy', async () => {
		lasting(10);
		const reason = 'upstream_rate_limit';
		const edit = ({ costs }: { costs: object }) => ({
			costs: Object.fromEntries(
				Object.keys(costs).map((id) => [id, { kind: 'unavailable', kube_app_id: id, reason }]),
			),
		});
		suite.sandbox.faults.add({ endpoint: 'getCosts', fault: { kind: 'edit', edit } });
		const { json } = await runNode(suite.sandbox, creating({}));
		expect(json[0]).toMatchObject({
			status: 'COMPLETED',
			costLimitProblem: 'The cost of the job run is not available at the moment',
		});
		expect(requests('getCosts').length).toBeGreaterThan(7);
		expect(requests('getCosts').length).toBeLessThan(12);
	});

	it('is asked for as soon as the run has compute resources', async () => {
		const { id } = going(0.5);
		suite.sandbox.variants.kubeApp = 'null';
		let reads = 0;
		suite.sandbox.requests.listen(({ endpoint }) => {
			if (endpoint === 'getRun' && ++reads > 2) suite.sandbox.variants.kubeApp = 'present';
		});
		const { json } = await runNode(suite.sandbox, waitingFor(id, { cancelAboveCost: '0.20' }));
		expect(json[0]).toMatchObject({ id, status: 'COMPLETED' });
		expect(json[0]).not.toHaveProperty('costLimitProblem');
		expect(requests('getCosts')).toHaveLength(1);
	});

	it('is forgotten when the next one can be read', async () => {
		lasting(600);
		suite.sandbox.timings.costLagMs = 5 * MINUTE;
		const { json } = await runNode(suite.sandbox, creating({ onFailure: 'return' }));
		expect(json[0]).toMatchObject({ status: 'CANCELLED', costLimit: '0.20' });
		expect(json[0]).not.toHaveProperty('costLimitProblem');
	});
});

it('a run that was found by its name is not cancelled, and the output says so', async () => {
	const { id } = suite.sandbox.store.createRun({
		name: pythonRun.name,
		plan: { pendingMs: 0, runningMs: 10 * MINUTE },
	});
	const { json } = await runNode(suite.sandbox, creating({}, { ifNameExists: 'useActive' }));
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
	suite.sandbox.faults.add({ endpoint: 'getCosts', fault: { kind: 'hang' } });
	suite.time.restore();
	const running = startNode(
		suite.sandbox,
		waitingFor(id, { cancelAboveCost: '5', cancelOnStop: true }),
	);
	await until(() => requests('getCosts').length > 0);
	const stoppedAt = performance.now();
	running.cancel();
	await running.result;
	expect(performance.now() - stoppedAt).toBeLessThan(1_900);
	await until(() => requests('cancelRun').length > 0);
});

it.each([[''], [null], ['={{ $json.nothing }}'], ['five'], ['5,50'], ['0.00'], [-1]])(
	'%j is no limit, and nothing is sent',
	async (cancelAboveCost) => {
		const { error } = await runNode(suite.sandbox, creating({ cancelAboveCost }));
		expect(error?.message).toMatch(/^'Cancel Above Cost' must (not be empty|be an amount above 0)/);
		expect(suite.sandbox.requests.count).toBe(0);
	},
);

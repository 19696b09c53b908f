/** "Cancel Above Cost (USD)". */
import type { INodeParameters } from 'n8n-workflow';

import { editCosts } from '../../../support/costs';
import { until } from '../../../support/until';
import { errorOf, type NodeOptions, startNode, suiteWithSandbox } from '../../harness/suite';
import { ofRun, pythonRun } from '../parameters';

const MINUTE = 60_000;

/** A run costs about 0.074 dollars a minute. */
const suite = suiteWithSandbox({ seed: 'empty' });

/** Creates a run that lasts so many minutes, and waits for it. */
async function create(
	minutes: number,
	waitOptions: INodeParameters = {},
	{ more = {}, ...options }: NodeOptions & { more?: INodeParameters } = {},
) {
	suite.plans.set(pythonRun.name, { pendingMs: 0, runningMs: minutes * MINUTE });
	const limited = { cancelAboveCost: '0.20', ...waitOptions };
	const node = { ...pythonRun, waitForCompletion: true, waitOptions: limited, ...more };
	return await suite.run(node, options);
}

/** A run that lasts so many minutes from now. */
const going = (minutes: number, draft: { name?: string } = {}) =>
	suite.store.createRun({ ...draft, plan: { pendingMs: 0, runningMs: minutes * MINUTE } }).id;

const waitingFor = (runId: string, waitOptions: INodeParameters) =>
	ofRun('waitForCompletion')(runId, { waitOptions });

const asked = () => suite.requests.of('getCosts').length;
const cancels = () => suite.requests.of('cancelRun').length;

describe('a run that costs more than its limit', () => {
	it('is cancelled, and the error says what it cost', async () => {
		const { items } = await create(600, {}, { onError: 'continueRegularOutput' });
		const error = errorOf(items[0]);
		const [{ id, payload }] = suite.store.runs.all();
		expect(error).toMatchObject({
			message: `Job run "${payload.name}" was cancelled: it exceeded its cost limit`,
			...{ runId: id, status: 'CANCELLED', outcome: 'CANCELLED', costLimit: '0.20' },
			...{ currency: 'USD', costStatus: 'live', lastEvaluatedAt: expect.any(String) },
		});
		// The cost passes the limit in the third minute.
		expect(Number(error?.cost)).toBeGreaterThan(0.2);
		expect(Number(error?.cost)).toBeLessThan(0.35);
		for (const sentence of [
			`Run ID: ${id}`,
			`Its cost had passed the limit of 0.20: it was ${Number(error?.cost).toFixed(2)} USD (live).`,
			'lags behind',
		]) {
			expect(error?.description).toContain(sentence);
		}
		expect(cancels()).toBe(1);
		// The cost is read once a minute, the first time at once.
		expect(asked()).toBeLessThanOrEqual(5);
	});

	it('is cancelled later when the figures lag behind', async () => {
		suite.timings.costDelayMs = 20 * MINUTE;
		const { json } = await create(600, { onFailure: 'return', includeCost: true });
		const [{ durationSeconds, createTime, lastEvaluatedAt }] = json;
		expect(durationSeconds).toBeGreaterThan(22 * 60);
		expect(durationSeconds).toBeLessThan(26 * 60);
		const lag = Date.parse(String(lastEvaluatedAt)) - Date.parse(String(createTime));
		expect(lag).toBeLessThan(6 * MINUTE);
	});

	it('is not submitted again by Retry On Fail', async () => {
		const { error } = await create(600, {}, { maxTries: 3 });
		expect(error?.message).toContain('it exceeded its cost limit');
		expect([suite.requests.of('createRun').length, cancels()]).toEqual([1, 1]);
	});

	it('is named, with what it cost, when it cannot be read after it was cancelled', async () => {
		suite.requests.listen(({ endpoint }) => {
			if (endpoint === 'cancelRun') suite.fails('getRun', 401);
		});
		const { error } = await create(600);
		expect(error?.httpCode).toBe('401');
		expect(error?.description).toMatch(/was cancelled.*passed the limit of 0\.20/);
		expect(error?.context?.data).toMatchObject({
			...{ runId: expect.any(String), runName: 'nightly-etl-2026' },
			...{ costLimit: '0.20', cost: expect.any(String) },
		});
	});

	it('is named when it has not ended five minutes after it was cancelled', async () => {
		suite.timings.cancelMs = 60 * MINUTE;
		const { error } = await create(600, { maxWaitMinutes: 4 });
		expect(error?.message).toContain('was cancelled: it exceeded its cost limit');
		expect(error?.context?.data).toMatchObject({ status: 'RUNNING', costLimit: '0.20' });
	});

	it('keeps running when this account may not cancel it, which is an error', async () => {
		suite.fails('cancelRun', 403);
		const { error } = await create(600);
		expect(error?.httpCode).toBe('403');
		expect(error?.description).toContain('The node was waiting for job run');
		expect(error?.description).toMatch(
			/passed the limit of 0\.20: .* USD \(live\)\..*not be cancelled/,
		);
		expect(error?.context?.data).toMatchObject({ status: 'RUNNING' });
		expect(cancels()).toBe(1);
	});

	it('is an error when it ended before it could be cancelled', async () => {
		const id = going(600);
		suite.requests.listen(({ endpoint }) => {
			if (endpoint === 'cancelRun') suite.store.moveRun(id, 'COMPLETED');
		});
		const { error } = await suite.run(waitingFor(id, { cancelAboveCost: '0.0001' }));
		expect(error?.description).toContain('It could not be cancelled');
		expect(error?.context?.data).toMatchObject({ runId: id });
	});

	it('is said to have cost less than a cent where two decimals show nothing', async () => {
		const small = editCosts((cost) => ({ ...cost, cost: '0.0042137400912' }));
		suite.fails('getCosts', small);
		const { error } = await create(600, { cancelAboveCost: '0.001' });
		expect(error?.description).toContain(
			'Its cost had passed the limit of 0.001: it was less than 0.01 USD (live).',
		);
		expect(error?.context?.data).toMatchObject({ cost: '0.0042137400912' });
	});
});

describe('a run that ends first', () => {
	it.each([
		['with a cost below the limit', {}, 1],
		['with figures that pass the limit only after its end', { costDelayMs: 20 * MINUTE }, 10],
	])('is returned as it ended %s', async (_, timings, minutes) => {
		Object.assign(suite.timings, timings);
		const { json } = await create(minutes);
		expect(json).toMatchObject([{ status: 'COMPLETED', reused: false }]);
		expect(Object.keys(json[0]).filter((name) => name.startsWith('costLimit'))).toEqual([]);
		expect(cancels()).toBe(0);
	});

	it('is left as it is when it had already ended before its cost was first read', async () => {
		const id = going(10);
		suite.clock.advance(20 * MINUTE);
		const { json } = await suite.run(waitingFor(id, { cancelAboveCost: '0.20' }));
		expect(json).toMatchObject([{ id, status: 'COMPLETED' }]);
		expect(suite.requests.count).toBe(1);
	});
});

it('a run that was found by its name is not cancelled, and the output says so', async () => {
	const id = going(10, { name: pythonRun.name });
	expect((await create(600, {}, { more: { ifNameExists: 'useActive' } })).json).toMatchObject([
		{
			...{ id, status: 'COMPLETED', reused: true },
			costLimitProblem: 'The run was found by its name, so it is not cancelled, whatever it costs.',
		},
	]);
	expect(cancels()).toBe(0);
});

it('the wait ends when the execution is stopped while the cost is read', async () => {
	const node = waitingFor(going(600), { cancelAboveCost: '5', cancelOnStop: true });
	suite.fails('getCosts', { kind: 'hang' });
	suite.time.restore();
	const running = startNode(suite.sandbox, node);
	await until(() => asked() > 0);
	running.cancel();
	await running.result;
	await until(() => cancels() > 0);
});

it.each([[''], [null], ['={{ $json.nothing }}'], ['five'], ['5,50'], ['0.00'], [-1]])(
	'%j is not a valid limit, and nothing is sent',
	async (cancelAboveCost) => {
		expect((await create(1, { cancelAboveCost })).error?.message).toMatch(
			/^'Cancel Above Cost \(USD\)' must (not be empty|be an amount above 0)/,
		);
		expect(suite.requests.count).toBe(0);
	},
);

describe('a cost that cannot be read', () => {
	const inEuros = editCosts((cost) => ({ ...cost, currency: 'EUR' }));

	it.each([
		['the billing system is down', { kind: 'status', status: 503 }, /./],
		['it is not a number', { kind: 'replace', body: '{"costs":{"app":{"cost":1}}}' }, /./],
		['it is in another currency', inEuros, /unexpected response/],
	] as const)('does not end the wait, and is reported (%s)', async (_, fault, problem) => {
		suite.fails('getCosts', fault);
		expect((await create(10)).json).toMatchObject([
			{ status: 'COMPLETED', costLimitProblem: expect.stringMatching(problem) },
		]);
		expect(cancels()).toBe(0);
	});

	it('ends the wait at once when this account may see neither costs nor metrics with them', async () => {
		suite.fails('getCosts', 403);
		const { error } = await create(600);
		const [{ id }] = suite.store.runs.all();
		expect(error).toMatchObject({
			message: 'The cost of the job run cannot be compared with its limit',
			httpCode: '403',
		});
		expect(error?.description).toContain(id);
		expect(error?.description).toContain('The run was not cancelled.');
		expect(error?.context?.data).toMatchObject({ runId: id, status: 'RUNNING' });
		expect(asked()).toBe(1);
	});

	it('is reported when the run does not end in time', async () => {
		suite.fails('getCosts', 403, { skip: 1 });
		const { error } = await create(600, { maxWaitMinutes: 3 });
		expect(error?.message).toContain('did not end within 3 minutes');
		const costLimitProblem = expect.any(String);
		expect(error?.context?.data).toMatchObject({ runName: 'nightly-etl-2026', costLimitProblem });
	});

	it('is requested as soon as the run has compute resources', async () => {
		const id = going(0.5);
		suite.variants.kubeApp = 'null';
		let reads = 0;
		suite.requests.listen(({ endpoint }) => {
			if (endpoint === 'getRun' && ++reads > 2) suite.variants.kubeApp = 'present';
		});
		const { json } = await suite.run(waitingFor(id, { cancelAboveCost: '0.20' }));
		expect(json).toMatchObject([{ id, status: 'COMPLETED' }]);
		expect(json[0]).not.toHaveProperty('costLimitProblem');
		expect(asked()).toBe(1);
	});

	it('is forgotten when the next one can be read', async () => {
		suite.timings.costLagMs = 5 * MINUTE;
		const { json } = await create(600, { onFailure: 'return' });
		expect(json).toMatchObject([{ status: 'CANCELLED', costLimit: '0.20' }]);
		expect(json[0]).not.toHaveProperty('costLimitProblem');
	});
});

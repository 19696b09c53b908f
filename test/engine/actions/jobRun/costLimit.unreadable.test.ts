import { ok } from '../../harness';
import { MINUTE, suiteWithCostLimit } from './costLimitSuite';

const { suite, creating, waitingFor, lasting, going, run, requests } = suiteWithCostLimit();

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
		const [created] = suite.sandbox.store.runs.all();
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
		suite.sandbox.variants.kubeApp = 'null';
		let reads = 0;
		suite.sandbox.requests.listen(({ endpoint }) => {
			if (endpoint === 'getRun' && ++reads > 2) suite.sandbox.variants.kubeApp = 'present';
		});
		const { json } = await run(waitingFor(id, { cancelAboveCost: '0.20' }));
		expect(json[0]).toMatchObject({ id, status: 'COMPLETED' });
		expect(json[0]).not.toHaveProperty('costLimitProblem');
		expect(requests('getCosts')).toHaveLength(1);
	});

	it('is forgotten when the next one can be read', async () => {
		lasting(600);
		suite.sandbox.timings.costLagMs = 5 * MINUTE;
		const { json } = await run(creating({ onFailure: 'return' }));
		expect(json[0]).toMatchObject({ status: 'CANCELLED', costLimit: '0.20' });
		expect(json[0]).not.toHaveProperty('costLimitProblem');
	});
});

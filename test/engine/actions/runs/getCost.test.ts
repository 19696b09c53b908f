import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { editCosts, unavailable } from '../../../support/costs';
import { errorOf, suiteWithSandbox } from '../../harness/suite';
import { ofRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const MINUTE = 60_000;

const cost = (runId: string, options: INodeParameters = {}) => ofRun('getCost')(runId, { options });

/** A run that ran for ten minutes. */
const ended = (name = 'some-job-run') =>
	suite.store.createRun({
		name,
		createTime: suite.clock.now() - 10 * MINUTE,
		plan: { pendingMs: 0, runningMs: 10 * MINUTE },
	});

const going = (minutes: number) =>
	suite.store.createRun({ plan: { pendingMs: 0, runningMs: minutes * MINUTE } });

/** Makes the billing system fail for a run. */
const failFor = (runId: string, reason: string) =>
	suite.fails(
		'getCosts',
		editCosts((cost, id) => (id === `app-${runId}` ? unavailable(reason) : cost)),
	);

const askedFor = () =>
	suite.requests
		.of('getCosts')
		.map(({ body }) => (body as { kubeAppIds: string[] }).kubeAppIds.length);

describe('Job Run: Get Cost', () => {
	it('returns every digit of the cost, and says whether it may change', async () => {
		const { id } = ended();
		const { json } = await suite.succeeds(cost(id));
		// 600,000 ms at 0.0000012345678901234567 a millisecond
		expect(json).toMatchObject([
			{ runId: id, cost: '0.7407407340740740200000', costRounded: 0.74, costStatus: 'settling' },
		]);
		expect(json[0]).toMatchObject({ spatialUnits: '1.666666200000', costSource: 'billing' });
		expect(suite.time.pauses).toEqual([]);
	});

	it('asks for the cost of a run whose ID in the billing system is a number', async () => {
		const { id } = ended();
		suite.edits('getRun', (run: IDataObject) => ({ ...run, kubeApp: { id: 70_117 } }));
		await suite.run(cost(id));
		expect(suite.requests.of('getCosts')[0]?.body).toEqual({ kubeAppIds: ['70117'] });
	});

	it('fails for runs without a cost, and returns the others', async () => {
		const runs = [ended('job-one'), ended('job-two'), ended('job-three')];
		suite.variants.metricGroups = 'series';
		failFor(runs[1].id, 'not_found');
		const { items } = await suite.run(cost('={{ $json.id }}'), {
			input: [...runs, { id: 'unknown' }].map(({ id }) => ({ id })),
			onError: 'continueRegularOutput',
		});
		expect(items.map((item) => item.json.cost ?? errorOf(item)?.message)).toEqual([
			'0.7407407340740740200000',
			'Wherobots Cloud has no cost for this job run',
			'0.7407407340740740200000',
			expect.stringMatching(/^There is no job run with the ID ".+"$/),
		]);
		expect(errorOf(items[1])).toMatchObject({
			...{ runId: runs[1].id, runName: 'job-two', status: 'COMPLETED', costReason: 'not_found' },
			description: expect.stringMatching(
				/the service does not say which.*\nIts metrics have no cost either/,
			),
		});
		expect(errorOf(items[1])).not.toHaveProperty('temporary');
	});

	it.each([
		['does not know the run', 'not_found'],
		['may not be asked by this account', 403],
		['is not there', 404],
	])('is what the metrics of the run say where the billing system %s', async (_, reason) => {
		const { id } = ended();
		if (typeof reason === 'string') failFor(id, reason);
		else suite.fails('getCosts', reason);
		const { json } = await suite.succeeds(cost(id));
		expect(json).toMatchObject([
			{ runId: id, status: 'COMPLETED', cost: '0.740740734074074', spatialUnits: '1.6666662' },
		]);
		const lastEvaluatedAt = '2026-11-21T12:00:00Z';
		expect(json[0]).toMatchObject({ costStatus: null, lastEvaluatedAt, costSource: 'metrics' });
	});

	it('does not take the figure of the metrics for the final one', async () => {
		const { id } = ended();
		failFor(id, 'not_found');
		const { error } = await suite.run(cost(id, { maxWaitMinutes: 90 }));
		expect(error?.message).toBe('The service does not say when this cost is final');
		expect(error?.description).toContain("it is 0.74 USD (from the run's metrics)");
		expect(error?.context?.data).toMatchObject({ runId: id, costSource: 'metrics' });
	});

	it('waits for the billing system to know a run, whatever its metrics say', async () => {
		const { id } = ended();
		suite.timings.costLagMs = 11 * MINUTE;
		const { json } = await suite.run(cost(id, { maxWaitMinutes: 90 }));
		expect(json[0]).toMatchObject({ costStatus: 'final', costSource: 'billing' });
	});

	it.each(['upstream_error', 'upstream_rate_limit'])(
		'fails for just the run with %s, which may succeed later',
		async (reason) => {
			const [one, two] = [ended('job-one'), ended('job-two')];
			failFor(one.id, reason);
			const input = [one, two].map(({ id }) => ({ id }));
			const options = { input, onError: 'continueRegularOutput' } as const;
			const { items } = await suite.run(cost('={{ $json.id }}'), options);
			expect(errorOf(items[0])).toMatchObject({
				message: 'The cost of the job run is not available at the moment',
				temporary: true,
				costReason: reason,
			});
			expect(items[1].json).toMatchObject({ runId: two.id });
			expect(askedFor()).toEqual([1, 1]);
		},
	);

	it('waits until the cost is final, through outages, and reads the run again', async () => {
		const { id } = going(30);
		suite.timings.costLagMs = MINUTE;
		suite.fails('getCosts', 503, { skip: 4, times: 6 });
		expect((await suite.succeeds(cost(id, { maxWaitMinutes: 90 }))).json[0]).toMatchObject({
			status: 'COMPLETED',
			costStatus: 'final',
			cost: '2.2222222022222220600000',
			settledAt: '2026-11-21T13:15:00.000000Z',
		});
		expect(Math.max(...suite.time.pauses)).toBe(300_000);
		// Each check reads the run while it is running, its cost, and its metrics until there is one.
		expect(suite.requests.count).toBeLessThan(60);
	});

	it('says what the cost is so far when it is not final in time', async () => {
		const { id } = ended();
		const { error } = await suite.run(cost(id, { maxWaitMinutes: 1 }));
		expect(error?.message).toBe('The cost was not final within 1 minute');
		expect(error?.description).toContain('it is 0.74 USD (settling)');
		expect(error?.context?.data).toMatchObject({ runId: id, cost: '0.7407407340740740200000' });
		expect(suite.time.pauses.reduce((sum, ms) => sum + ms, 0)).toBe(MINUTE);
	});

	it('says that a run without compute resources has no cost, or waits for them', async () => {
		const { id } = going(5);
		suite.variants.kubeApp = 'null';
		const { error } = await suite.run(cost(id));
		expect(error?.message).toContain('no compute resources were assigned to it');
		expect(askedFor()).toEqual([]);

		// The operation's first request for the run still finds none.
		let reads = 0;
		suite.requests.listen(({ endpoint }) => {
			if (endpoint === 'getRun' && ++reads > 1) suite.variants.kubeApp = 'present';
		});
		const { json } = await suite.run(cost(id, { maxWaitMinutes: 90 }));
		expect(json[0]).toMatchObject({ runId: id, costStatus: 'final' });
	});
});

describe('the cost of a run that is waited for', () => {
	const wait = (runId: string, waitOptions: INodeParameters) =>
		ofRun('waitForCompletion')(runId, { waitOptions });

	it('comes with the run when requested', async () => {
		const { id } = going(10);
		const { json } = await suite.run(wait(id, { includeCost: true }));
		expect(json[0]).toMatchObject({ id, status: 'COMPLETED', costStatus: 'settling' });
		expect(json[0].cost).toMatch(/^0\.74\d{20}$/);
		expect(json[0]).not.toHaveProperty('costProblem');

		await suite.run(wait(id, {}));
		expect(askedFor()).toEqual([1]);
	});

	it.each([
		['status 500', { kind: 'status', status: 500 }],
		['a cost that is a number', { kind: 'replace', body: '{"costs":{"app":{"cost":1}}}' }],
	] as const)('does not hold back the run when it fails (%s)', async (_, fault) => {
		const { id } = ended();
		suite.variants.metricGroups = 'series';
		suite.fails('getCosts', fault);
		const { json } = await suite.succeeds(wait(id, { includeCost: true }));
		expect(json[0]).toMatchObject({ id, cost: null, costProblem: expect.any(String) });
	});
});

import { credentialsFor, nodeWorkflow, readResult, startWorkflow } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
import { callsOf } from '../../harness/tools';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const runs = () => suite.store.runs.all();
const submissions = () => suite.requests.of('createRun').length;

/** Two good items, and one whose region the service refuses on every attempt. */
const twoOfThree = {
	parameters: {
		...pythonRun,
		name: '=nightly-etl-{{ $json.n }}',
		region: { __rl: true, mode: 'name', value: '={{ $json.region }}' },
	},
	input: [
		{ n: 1, region: 'aws-us-west-2' },
		{ n: 2, region: 'aws-us-west-2' },
		{ n: 3, region: 'nowhere' },
	],
};

describe('Retry On Fail', () => {
	it('submits each item once, however often it tries', async () => {
		const { parameters, input } = twoOfThree;
		const { error } = await suite.run(parameters, { input, maxTries: 3 });
		expect(error?.httpCode).toBe('422');
		expect(runs().map(({ payload }) => payload.name)).toEqual(['nightly-etl-1', 'nightly-etl-2']);
		// The refused one is sent each time.
		expect(submissions()).toBe(2 + 3);
	});

	it('goes on with the run of an agent whose tool n8n tries again, and submits another when it asks again', async () => {
		suite.fails('getRun', 403, { times: 1 });
		const node = { ...pythonRun, waitForCompletion: true };
		const call = callsOf(suite.sandbox, node, { maxTries: 2 });
		await call();
		expect(submissions()).toBe(1);
		await call();
		expect(submissions()).toBe(2);
	});

	it('knows the runs of earlier attempts without reading them', async () => {
		const { parameters, input } = twoOfThree;
		suite.fails('getRun', 500);
		const { error } = await suite.run(parameters, { input, maxTries: 3 });
		expect(error?.httpCode).toBe('422');
		expect(error?.context?.data).toMatchObject({
			alsoCreated: runs().map(({ id, payload }) => ({ id, name: payload.name })),
		});
	});

	it('submits another run when it waited for one that failed', async () => {
		suite.plans.set('nightly-etl-2026', { outcome: 'FAILED' });
		await suite.run({ ...pythonRun, waitForCompletion: true }, { maxTries: 3 });
		expect(runs()).toHaveLength(3);
	});

	it('continues to wait for a run that did not end in time', async () => {
		suite.plans.set('nightly-etl-2026', { runningMs: 150_000 });
		const waitOptions = { maxWaitMinutes: 1 };
		const { json } = await suite.run(
			{ ...pythonRun, waitForCompletion: true, waitOptions },
			{ maxTries: 3 },
		);
		expect(json).toMatchObject([{ status: 'COMPLETED', reused: false }]);
		expect(runs()).toHaveLength(1);
	});

	it('does not repeat runs that completed', async () => {
		suite.plans.set('nightly-etl-2', { outcome: 'FAILED' });
		const { error } = await suite.run(
			{ ...pythonRun, name: '=nightly-etl-{{ $json.n }}', waitForCompletion: true },
			{ input: [{ n: 1 }, { n: 2 }], maxTries: 2 },
		);
		expect(error?.message).toContain('Job run "nightly-etl-2" failed');
		expect(runs().map(({ payload }) => payload.name)).toEqual([
			'nightly-etl-1',
			'nightly-etl-2',
			'nightly-etl-2',
		]);
	});

	it('never repeats a submission that may have been carried out', async () => {
		suite.fails('createRun', { kind: 'reset', when: 'before' });
		const { error } = await suite.run(pythonRun, { maxTries: 3 });
		expect(error?.message).toContain('not certain whether the request was carried out');
		expect(error?.description?.match(/did not find the run/g)).toHaveLength(1);
		expect(submissions()).toBe(1);
	});

	it('finds a run on a later attempt that lists did not show before', async () => {
		suite.variants.runListLagMs = 20_000;
		suite.fails('createRun', { kind: 'reset', when: 'after' });
		const { json } = await suite.run(pythonRun, { maxTries: 3 });
		expect(json).toMatchObject([{ id: runs()[0].id, recovered: true }]);
		expect(submissions()).toBe(1);
	});
});

describe('an error while other items have been submitted', () => {
	const waiting = { ...pythonRun, name: '=nightly-etl-{{ $json.n }}', waitForCompletion: true };
	const input = [{ n: 1 }, { n: 2 }, { n: 3 }];

	it('names what may have been submitted for other items', async () => {
		suite.variants.runListLagMs = 3_600_000;
		suite.plans.set('nightly-etl-1', { outcome: 'FAILED' });
		suite.fails('createRun', { kind: 'reset', when: 'after' }, { skip: 1, times: 1 });
		const { error } = await suite.run(waiting, { input });
		expect(error?.message).toContain('Job run "nightly-etl-1" failed');
		expect(error?.description).toContain('May have been created for other items: nightly-etl-2.');
		expect(error?.context?.data).toMatchObject({
			alsoAmbiguous: [{ itemIndex: 1, name: 'nightly-etl-2' }],
		});
		expect(error?.context?.data).not.toHaveProperty('alsoCreated');
	});

	it('names what an earlier attempt submitted for later items, each once', async () => {
		suite.plans.set('nightly-etl-2', { outcome: 'FAILED' });
		suite.fails('createRun', { kind: 'reset', when: 'before' }, { skip: 3 });
		const { error } = await suite.run(waiting, { input, maxTries: 4 });
		expect(error?.message).toContain('not certain whether the request was carried out');
		const [first, , third] = runs();
		const note = `Already created for other items: ${first.id} (nightly-etl-1), ${third.id} (nightly-etl-3).`;
		expect(error?.description?.split('\n').filter((line) => line.includes('other items'))).toEqual([
			note,
		]);
		expect(error?.context?.data).toMatchObject({
			alsoCreated: [
				{ itemIndex: 0, id: first.id, name: 'nightly-etl-1' },
				{ itemIndex: 2, id: third.id, name: 'nightly-etl-3' },
			],
		});
	});
});

it('a run is submitted again when the workflow loops back to the node', async () => {
	const json = nodeWorkflow(pythonRun, { maxTries: 2 });
	const [toNode] = json.connections.Start.main[0] ?? [];
	json.connections.Start.main = [[toNode, toNode]];
	const credentials = credentialsFor(suite.sandbox);
	const { run } = readResult(await startWorkflow(json, { credentials }).result);
	expect(run.data.resultData.runData.Wherobots).toHaveLength(2);
	expect(runs()).toHaveLength(2);
});

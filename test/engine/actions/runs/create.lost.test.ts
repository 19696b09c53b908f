/** What happens when the response to a submission is lost: docs/adr/0006-lost-responses.md. */
import { clock } from '../../../../nodes/Wherobots/transport/clock';
import { errorOf, suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const runs = () => suite.store.runs.all();
const submissions = () => suite.requests.of('createRun').length;
const lose = (when: 'before' | 'after') =>
	suite.fails('createRun', { kind: 'reset', when }, { times: 1 });

/** A run like `pythonRun` that was submitted elsewhere with the same credential. */
const others = (secondsAgo: number) =>
	suite.store.createRun({
		name: pythonRun.name,
		createTime: suite.clock.now() - secondsAgo * 1000,
		payload: { runPython: { uri: pythonRun.pythonUri.value, args: [] } },
	});

/** Sets n8n's clock off by this many milliseconds. */
function setN8nClockOff(ms: number): void {
	clock.now = () => suite.clock.now() + ms;
}

async function expectUnresolved(says: string) {
	const { items } = await suite.run(pythonRun, { onError: 'continueRegularOutput' });
	const error = errorOf(items[0]);
	expect(error?.message).toContain('it is not certain whether the request was carried out');
	expect(error?.description).toContain('look for a job run named "nightly-etl-2026"');
	expect(error?.description).toContain(says);
	expect(error).toMatchObject({ ambiguous: true, runName: 'nightly-etl-2026' });
	// A workflow that tries again after temporary errors would submit a second run.
	expect(error).not.toHaveProperty('temporary');
	expect(submissions()).toBe(1);
	return error;
}

describe('a submission whose response is lost', () => {
	it.each([
		['a reset', { kind: 'reset', when: 'after' }],
		['status 408 from a gateway', { kind: 'status', status: 408, body: 'html', when: 'after' }],
		...[undefined, {}, ''].map(
			(id) =>
				[
					`a response with the ID ${JSON.stringify(id)}`,
					{ kind: 'edit', edit: (run: object) => ({ ...run, id }) },
				] as const,
		),
	] as const)('is found, and the node continues with its run (%s)', async (_, fault) => {
		suite.fails('createRun', fault, { times: 1 });
		const { json } = await suite.succeeds({ ...pythonRun, waitForCompletion: true });
		expect(json).toMatchObject([{ id: runs()[0].id, status: 'COMPLETED', recovered: true }]);
		expect([submissions(), runs().length]).toEqual([1, 1]);
	});

	it.each([45_000, -45_000, 3_600_000])("is found when n8n's clock is off by %i ms", async (ms) => {
		setN8nClockOff(ms);
		lose('after');
		const { json } = await suite.run(pythonRun);
		expect(json).toMatchObject([{ id: runs()[0].id, recovered: true }]);
	});

	it.each([
		['lists lag', { runListLagMs: 5_000 }],
		['lists show the run before it can be read by its ID', { runReadLagMs: 20_000 }],
	])('is found even when %s', async (_, variants) => {
		Object.assign(suite.variants, variants);
		lose('after');
		const { json } = await suite.run(pythonRun);
		expect(json).toMatchObject([{ id: runs()[0].id, recovered: true }]);
	});

	it('is told apart from the same submission by another execution', async () => {
		lose('after');
		const results = await Promise.all([1, 2, 3].map(() => suite.run(pythonRun)));
		expect(new Set(results.map(({ json }) => json[0].id)).size).toBe(3);
		expect(runs()).toHaveLength(3);
	});
});

describe('a submission that was not carried out', () => {
	it.each([
		['a reset', { kind: 'reset', when: 'before' }],
		['status 503', { kind: 'status', status: 503 }],
	] as const)('fails and says that nothing was found (%s)', async (_, fault) => {
		suite.fails('createRun', fault, { times: 1 });
		await expectUnresolved('A search of 14 seconds did not find the run.');
	});

	it.each([45_000, -45_000])(
		"is not mistaken for an earlier run when n8n's clock is off by %i ms",
		async (ms) => {
			setN8nClockOff(ms);
			others(30);
			lose('before');
			await expectUnresolved('did not find the run.');
		},
	);

	it('is not mistaken for a run that this process submitted for another execution', async () => {
		await suite.run(pythonRun);
		suite.requests.clear();
		lose('before');
		await expectUnresolved('did not find the run.');
	});
});

describe('a submission whose run cannot be told apart from others', () => {
	it('fails and names all runs that it may have created', async () => {
		lose('after');
		const other = others(0);
		const error = await expectUnresolved('created one of them');
		const ids = runs().map(({ id }) => id);
		expect(ids).toContain(other.id);
		expect(error?.candidates).toHaveLength(2);
		for (const id of ids) expect(error?.description).toContain(id);
	});

	it('fails and names the run when the service does not tell its time', async () => {
		suite.variants.dateHeader = false;
		lose('after');
		const error = await expectUnresolved('created it');
		expect(error?.candidates).toMatchObject([
			{ id: runs()[0].id, name: 'nightly-etl-2026', status: 'RUNNING' },
		]);
	});

	it.each([500, 403])(
		'fails and names the run that is listed, but cannot be read: status %i',
		async (status) => {
			lose('after');
			// Without its payload, as a list may show it.
			suite.edits('listRuns', ({ items }: { items: object[] }) => ({
				items: items.map((each) => ({ ...each, payload: undefined })),
			}));
			suite.fails('getRun', status);
			const error = await expectUnresolved('The search for the run failed: ');
			expect(error?.description).toContain(`It had found ${runs()[0].id}.`);
			expect(error?.candidates).toMatchObject([{ id: runs()[0].id }]);
		},
	);

	it('fails and says so when it cannot be looked for', async () => {
		lose('after');
		suite.fails('listRuns', 403);
		await expectUnresolved('The search for the run failed: ');
	});
});

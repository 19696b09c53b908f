/** "If a Run With This Name Exists" when another n8n process submits the same run at the same moment. */
import { startNode, suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const runs = () => suite.store.runs.all();
const cancelled = () =>
	runs()
		.filter(({ cancelRequestedAt }) => cancelRequestedAt !== undefined)
		.map(({ id }) => id);
const useActive = { ...pythonRun, ifNameExists: 'useActive' };
const useAny = { ...pythonRun, ifNameExists: 'useAny', nameExistsHours: 12 };

interface Other {
	id?: string;
	/** When the run is created, in milliseconds from now. */
	afterMs: number;
	status?: string;
}

/**
 * Makes another process submit its run after this one has looked for a run with the name, and before its
 * own exists. Returns the run with its ID.
 */
function otherSubmits({ id, afterMs, status = 'PENDING' }: Other) {
	const other = { id: '' };
	const stop = suite.requests.listen(({ endpoint }) => {
		if (endpoint !== 'createRun') return;
		stop();
		const createTime = suite.clock.now() + afterMs;
		const draft = { name: pythonRun.name, status, createTime };
		other.id = suite.store.createRun({ ...draft, ...(id ? { id } : {}) }).id;
	});
	return other;
}

const submit = async (parameters: object) => {
	const { json } = await suite.succeeds({ ...pythonRun, ...parameters });
	return json[0];
};

describe.each([
	['useActive', useActive],
	['useAny', useAny],
])('%s', (_, parameters) => {
	it('cancels its own run and uses the earlier one', async () => {
		const other = otherSubmits({ afterMs: -5 });
		expect(await submit(parameters)).toMatchObject({ id: other.id, reused: true });
		const own = runs().find(({ id }) => id !== other.id);
		expect(cancelled()).toEqual([own?.id]);
	});

	it.each([
		['lower', '00000000-0000-4000-8000-000000000000', true],
		['higher', 'ffffffff-ffff-4fff-bfff-ffffffffffff', false],
	])(
		'uses the other one of two runs with the same time if its ID is lower: %s',
		async (_which, id, reused) => {
			otherSubmits({ id, afterMs: 0 });
			expect((await submit(parameters)).reused).toBe(reused);
			expect(cancelled()).toHaveLength(reused ? 1 : 0);
		},
	);

	it.each(['FAILED', 'CANCELLED', 'TIMED_OUT'])(
		'keeps its own run when the earlier one is already %s',
		async (status) => {
			const other = otherSubmits({ afterMs: -5, status });
			const own = await submit({ ...parameters, ifExistingFailed: 'use' });
			expect(own.id).not.toBe(other.id);
			expect(cancelled()).toEqual([]);
		},
	);

	it.each([
		['the list', 'listRuns'],
		['the cancellation', 'cancelRun'],
	] as const)('keeps its own run when %s is refused', async (_what, endpoint) => {
		otherSubmits({ afterMs: -5 });
		suite.requests.listen((entry) => {
			if (entry.endpoint !== 'createRun') return;
			suite.fails(endpoint, 403);
		});
		const own = await submit(parameters);
		expect(own.reused).toBe(false);
		expect(cancelled()).toEqual([]);
	});

	it('waits for the earlier run, and does not cancel it when the execution is stopped', async () => {
		const other = otherSubmits({ afterMs: -5 });
		const { result, cancel } = startNode(suite.sandbox, { ...parameters, waitForCompletion: true });
		suite.requests.listen(({ endpoint }) => {
			if (endpoint === 'getRun') cancel();
		});
		await result;
		expect(suite.requests.of('getRun').at(-1)?.path).toContain(other.id);
		expect(cancelled()).toHaveLength(1);
		expect(cancelled()).not.toContain(other.id);
	});
});

it('prefers a run that failed to one that gave way', async () => {
	const { store, clock } = suite;
	const { id } = store.createRun({ name: 'nightly-etl-2026', status: 'FAILED' });
	clock.advance(5);
	store.createRun({ name: 'nightly-etl-2026', status: 'CANCELLED' });
	expect(await submit({ ...useAny, ifExistingFailed: 'use' })).toMatchObject({ id, reused: true });
});

it('looks for no other run when another one is to be submitted anyway', async () => {
	otherSubmits({ afterMs: -5 });
	await submit({});
	expect(suite.requests.of('listRuns')).toHaveLength(0);
	expect(runs()).toHaveLength(2);
	expect(cancelled()).toEqual([]);
});

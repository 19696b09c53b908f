/** "If a Run With This Name Exists" when another n8n process submits the same run at the same moment. */
import type { EndpointId } from '../../../sandbox';
import { startNode } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
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

/** Makes another process submit its run as a request of this one arrives. Returns the run with its ID. */
function otherSubmits(endpoint: EndpointId, nth: number, { id, afterMs, status }: Other) {
	const other = { id: '' };
	let count = 0;
	suite.requests.listen((entry) => {
		if (entry.endpoint !== endpoint || ++count !== nth) return;
		const { store, clock } = suite;
		const createTime = clock.now() + afterMs;
		const draft = { name: 'nightly-etl-2026', status: status ?? 'PENDING', createTime };
		other.id = store.createRun({ ...draft, ...(id ? { id } : {}) }).id;
	});
	return other;
}

/** After this process has looked for a run with the name, and before its own exists. */
const before = (other: Other) => otherSubmits('createRun', 1, other);
/** After this process's own run exists. */
const after = (other: Other) => otherSubmits('listRuns', 2, other);

const submit = async (parameters: object) => {
	const { json } = await suite.succeeds({ ...pythonRun, ...parameters });
	return json[0];
};

describe.each([
	['useActive', useActive],
	['useAny', useAny],
])('%s', (_, parameters) => {
	it('cancels its own run and uses the earlier one', async () => {
		const other = before({ afterMs: -5 });
		expect(await submit(parameters)).toMatchObject({ id: other.id, reused: true });
		const own = runs().find(({ id }) => id !== other.id);
		expect(cancelled()).toEqual([own?.id]);
	});

	it('keeps its own run when the other one is later', async () => {
		const other = after({ afterMs: 5 });
		const own = await submit(parameters);
		expect(own.reused).toBe(false);
		expect(own.id).not.toBe(other.id);
		expect(cancelled()).toEqual([]);
	});

	it.each([
		['lower', '00000000-0000-4000-8000-000000000000', true],
		['higher', 'ffffffff-ffff-4fff-bfff-ffffffffffff', false],
	])(
		'uses the other one of two runs with the same time if its ID is lower: %s',
		async (_which, id, reused) => {
			before({ id, afterMs: 0 });
			expect((await submit(parameters)).reused).toBe(reused);
			expect(cancelled()).toHaveLength(reused ? 1 : 0);
		},
	);

	it.each(['FAILED', 'CANCELLED', 'TIMED_OUT'])(
		'keeps its own run when the earlier one is already %s',
		async (status) => {
			const other = before({ afterMs: -5, status });
			const own = await submit({ ...parameters, ifExistingFailed: 'use' });
			expect(own.id).not.toBe(other.id);
			expect(cancelled()).toEqual([]);
		},
	);

	it.each([
		['the list', 'listRuns'],
		['the cancellation', 'cancelRun'],
	] as const)('keeps its own run when %s is refused', async (_what, endpoint) => {
		before({ afterMs: -5 });
		suite.requests.listen((entry) => {
			if (entry.endpoint !== 'createRun') return;
			suite.fails(endpoint, 403);
		});
		const own = await submit(parameters);
		expect(own.reused).toBe(false);
		expect(cancelled()).toEqual([]);
	});

	it('waits for the earlier run, and does not cancel it when the execution is stopped', async () => {
		const other = before({ afterMs: -5 });
		const { result, cancel } = startNode(suite.sandbox, { ...parameters, waitForCompletion: true });
		suite.requests.listen(({ endpoint }) => {
			if (endpoint === 'getRun') cancel();
		});
		await result;
		expect(suite.requests.of('getRun').at(-1)?.path).toContain(other.id);
		expect(cancelled()).toHaveLength(1);
		expect(cancelled()).not.toContain(other.id);
	});

	it('uses the earlier run whenever both exist', async () => {
		const first = suite.store.createRun({ name: 'nightly-etl-2026' });
		suite.clock.advance(5);
		suite.store.createRun({ name: 'nightly-etl-2026' });
		expect(await submit(parameters)).toMatchObject({ id: first.id, reused: true });
	});
});

it('prefers a run that failed to one that gave way', async () => {
	const { store, clock } = suite;
	const { id } = store.createRun({ name: 'nightly-etl-2026', status: 'FAILED' });
	clock.advance(5);
	store.createRun({ name: 'nightly-etl-2026', status: 'CANCELLED' });
	const parameters = { ...useAny, ifExistingFailed: 'use' };
	expect(await submit(parameters)).toMatchObject({ id, reused: true });
});

it('looks for no other run when another one is to be submitted anyway', async () => {
	before({ afterMs: -5 });
	await submit({});
	expect(suite.requests.of('listRuns')).toHaveLength(0);
	expect(runs()).toHaveLength(2);
	expect(cancelled()).toEqual([]);
});

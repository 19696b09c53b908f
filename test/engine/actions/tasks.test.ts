/** Tasks and their runs, with whatever is not known of the service played both ways. */
import { runNode } from '../harness';
import { pick } from '../harness/pickers';
import { suiteWithSandbox } from '../harness/suite';
import { by } from '../../support/files';

const suite = suiteWithSandbox();

const listRuns = { resource: 'taskRun', operation: 'getAll', returnAll: true };
const idsOf = (runs: Array<{ taskRunId?: unknown }>) => runs.map(({ taskRunId }) => taskRunId);

/** Submits so many runs; their IDs, the newest first. */
function submit(count: number): string[] {
	const { tasks } = suite.sandbox.store;
	for (let made = 0; made < count; made++) tasks.createRun();
	return tasks.runs.map(({ taskRunId }) => taskRunId);
}

const ofRun = (operation: string, taskRunId: string) => ({
	resource: 'taskRun',
	operation,
	taskRunId: by('id', taskRunId),
});

describe('lists', () => {
	it('hold every run once while new ones move those that follow', async () => {
		const ids = submit(300);
		suite.sandbox.variants.taskRunsPerPage = 7;
		const { json } = await runNode(suite.sandbox, listRuns);
		expect(idsOf(json)).toEqual(ids);
	});

	it.each([
		['the service gives less than was asked for', { taskPageMax: 50 }],
		['and does not say so', { taskPageMax: 50, taskPageEchoesLimit: true }],
		['the total counts something else', { taskTotal: 'other' as const }],
		['both', { taskPageMax: 50, taskTotal: 'other' as const }],
	])('are whole where %s', async (_, variants) => {
		Object.assign(suite.sandbox.variants, variants);
		const ids = submit(200);
		expect(idsOf((await runNode(suite.sandbox, listRuns)).json)).toEqual(ids);
		const some = await runNode(suite.sandbox, { ...listRuns, returnAll: false, limit: 120 });
		expect(idsOf(some.json)).toEqual(ids.slice(0, 120));
	});

	it('fail where they end before their total', async () => {
		submit(100);
		const edit = (page: object) => ({ ...page, total: 5000 });
		suite.sandbox.faults.add({ endpoint: 'listTaskRuns', fault: { kind: 'edit', edit } });
		const { error } = await runNode(suite.sandbox, listRuns);
		expect(error?.description).toContain('it ended after 104 of 5000 records');
	});

	it('are narrowed by state, source and the beginning of the task', async () => {
		const filters = { state: ['MISSED', 'FAILED'], runSource: 'schedule', taskName: 'nightly*' };
		const { json } = await runNode(suite.sandbox, { ...listRuns, filters });
		expect(json.map(({ state, taskName }) => [state, taskName])).toEqual([
			['FAILED', 'nightly_tiles'],
			['MISSED', 'nightly_tiles'],
		]);
		const refused = await runNode(suite.sandbox, { ...listRuns, filters: { taskName: 'a*b' } });
		expect(refused.error?.message).toContain("'Task' may contain only letters");
	});
});

it.each(['inputSchema', 'inputs'] as const)(
	'a task comes with its inputs, whatever they are called (%s)',
	async (name) => {
		suite.sandbox.variants.taskSchemaName = name;
		const { json } = await runNode(suite.sandbox, {
			resource: 'task',
			operation: 'get',
			taskName: by('list', 'predict_mosaic_geometries_recipe'),
		});
		expect(json[0]).toMatchObject({ [name]: { required: ['aoi'] } });
	},
);

it('a state or a field that nobody knows is passed on', async () => {
	const { taskRunId } = suite.sandbox.store.tasks.createRun({ state: 'PAUSED' });
	const edit = (run: object) => ({ ...run, retries: 3 });
	suite.sandbox.faults.add({ endpoint: 'getTaskRun', fault: { kind: 'edit', edit } });
	const { json } = await runNode(suite.sandbox, { ...ofRun('get', taskRunId), simplify: false });
	expect(json[0]).toMatchObject({ state: 'PAUSED', retries: 3 });
});

it('what is no task run is an error with its ID', async () => {
	suite.sandbox.faults.add({ endpoint: 'getTaskRun', fault: { kind: 'edit', edit: () => ({}) } });
	const { error } = await runNode(suite.sandbox, ofRun('get', 'npqy9q19q4wlm3'));
	expect(error?.description).toContain('it has no state. Task run ID: npqy9q19q4wlm3');
});

describe('a cancel', () => {
	it.each(['empty', 'null'] as const)('gives the run as it is then (%s body)', async (body) => {
		suite.sandbox.variants.taskCancelBody = body;
		const { taskRunId } = suite.sandbox.store.tasks.createRun({ state: 'RUNNING' });
		const both = { input: [{}, {}] };
		const { json } = await runNode(suite.sandbox, ofRun('cancel', taskRunId), both);
		const cancelling = expect.objectContaining({ taskRunId, state: 'CANCELLING' });
		expect(json).toEqual([cancelling, cancelling]);
	});

	it('fails for a run that has ended, in the words of the service', async () => {
		const { error } = await runNode(suite.sandbox, ofRun('cancel', 'npqy9q19q4wlm3'));
		expect(error).toMatchObject({ httpCode: '409' });
		expect(error?.description).toContain('has already ended');
	});
});

describe('pickers', () => {
	it('offer tasks by their display names, from all pages', async () => {
		suite.sandbox.variants.taskPageMax = 1;
		const { results } = await pick(suite.sandbox, 'searchTasks');
		expect(results.map(({ name, value }) => [name, value])).toEqual([
			['Nightly Tiles', 'nightly_tiles'],
			['Predict Mosaic Geometries', 'predict_mosaic_geometries_recipe'],
		]);
	});

	it('offer runs by the beginning of the name of their task, a page at a time', async () => {
		submit(150);
		const filter = 'predict';
		const first = await pick(suite.sandbox, 'searchTaskRuns', { filter });
		const { paginationToken: token } = first;
		const second = await pick(suite.sandbox, 'searchTaskRuns', { filter, token: String(token) });
		const names = [...first.results, ...second.results].map(({ name }) => name);
		expect(names).toHaveLength(151);
		expect(names.at(-1)).toMatch(
			/^College Park roofs \(SUCCEEDED, 2026-\d\d-\d\d \d\d:\d\d UTC\)$/,
		);
		expect(await pick(suite.sandbox, 'searchTaskRuns', { filter: 'a*b' })).toEqual({ results: [] });
	});
});

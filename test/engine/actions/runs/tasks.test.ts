/** Tasks and their runs, with whatever is uncertain about the service in both ways. */
import { type TaskRunDraft } from '../../../sandbox/model/tasks';
import { suiteWithSandbox, textOf } from '../../harness/suite';
import { by } from '../../../support/files';

const suite = suiteWithSandbox();

const listRuns = { resource: 'taskRun', operation: 'getAll', returnAll: true };
const idsOf = (runs: Array<{ taskRunId?: unknown }>) => runs.map(({ taskRunId }) => taskRunId);

/** Submits this many runs. Returns their IDs, newest first. */
function submit(count: number): string[] {
	const { tasks } = suite.store;
	for (let made = 0; made < count; made++) tasks.createRun();
	return tasks.runs.map(({ taskRunId }) => taskRunId);
}

const ofRun = (operation: string, id: string) => {
	return { resource: 'taskRun', operation, taskRunId: by('id', id) };
};

describe('lists', () => {
	it('contain every run once, even when new ones shift the pages', async () => {
		const ids = submit(300);
		suite.variants.taskRunsPerPage = 7;
		expect(idsOf((await suite.run(listRuns)).json)).toEqual(ids);
	});

	it.each([
		['the service returns less than was requested', { taskPageMax: 50 }],
		['the service returns less without saying so', { taskPageMax: 50, taskPageEchoesLimit: true }],
		['the total counts something else', { taskTotal: 'other' as const }],
		[
			'the service returns less and the total counts something else',
			{ taskPageMax: 50, taskTotal: 'other' as const },
		],
	])('are complete when %s', async (_, variants) => {
		Object.assign(suite.variants, variants);
		const ids = submit(200);
		expect(idsOf((await suite.run(listRuns)).json)).toEqual(ids);
		const some = await suite.run({ ...listRuns, returnAll: false, limit: 120 });
		expect(idsOf(some.json)).toEqual(ids.slice(0, 120));
	});

	it.each([
		[{ total: 5000 }, '104 of 5000'],
		[{ items: [] }, '0 of 104'],
	])('fail when they end before their total (%j)', async (changed, counts) => {
		submit(100);
		suite.edits('listTaskRuns', (page: object) => ({ ...page, ...changed }));
		const { error } = await suite.run(listRuns);
		expect(error?.description).toContain(`it ended after ${counts} records`);
	});

	it('are filtered by state, source and the beginning of the task name', async () => {
		const filters = { states: ['MISSED', 'FAILED'], runSource: 'schedule', taskName: 'nightly*' };
		const { json } = await suite.run({ ...listRuns, filters });
		expect(json.map(({ state, taskName }) => [state, taskName])).toEqual([
			['FAILED', 'nightly_tiles'],
			['MISSED', 'nightly_tiles'],
		]);
		const refused = await suite.run({ ...listRuns, filters: { taskName: 'a*b' } });
		expect(refused.error?.message).toContain('one asterisk at the end');
	});
});

it.each(['inputSchema', 'inputs'] as const)(
	'a task comes with its inputs, whatever their property is called (%s)',
	async (name) => {
		suite.variants.taskSchemaName = name;
		const { json } = await suite.run({
			resource: 'task',
			operation: 'get',
			taskName: by('list', 'predict_mosaic_geometries_recipe'),
		});
		expect(json[0]).toMatchObject({ [name]: { required: ['aoi'] } });
	},
);

it('a response that is not a task run is an error with the ID', async () => {
	suite.fails('getTaskRun', { kind: 'edit', edit: () => ({}) });
	const { error } = await suite.run(ofRun('get', 'npqy9q19q4wlm3'));
	expect(error?.description).toMatch(/it has no state\. Task run ID: npqy9q19q4wlm3/);
});

describe('a cancel', () => {
	it.each(['empty', 'null'] as const)(
		'returns the run as it is afterwards (%s body)',
		async (body) => {
			suite.variants.taskCancelBody = body;
			const { taskRunId } = suite.store.tasks.createRun({ state: 'RUNNING' });
			const { json } = await suite.run(ofRun('cancel', taskRunId), { input: [{}, {}] });
			const cancelling = expect.objectContaining({ taskRunId, state: 'CANCELLING' });
			expect(json).toEqual([cancelling, cancelling]);
		},
	);

	it("fails for a run that has ended, in the service's words, and says how to see how it ended", async () => {
		const { error } = await suite.run(ofRun('cancel', 'npqy9q19q4wlm3'));
		expect(error).toMatchObject({ httpCode: '409' });
		expect(error?.message).toContain('has already ended');
		expect(error?.description).toContain(
			'A run that has ended cannot be cancelled. Get the run to see how it ended.',
		);
	});
});

describe('the log', () => {
	const logOf = (taskRunId: string, more = {}) =>
		suite.run({ ...ofRun('getLogs', taskRunId), lines: 'all', ...more });
	const messages = Array.from({ length: 25 }, (_, index) => `line ${index}`);

	it.each(['null', 'absent'] as const)(
		'comes page by page, a nanosecond apart (%s)',
		async (end) => {
			Object.assign(suite.variants, { taskLogPage: 10, taskLogEnd: end });
			const { tasks } = suite.store;
			const run = tasks.createRun({ state: 'SUCCEEDED' });
			tasks.appendLog(run, messages);
			const { json, hints } = await logOf(run.taskRunId);
			expect(json.map(({ line }) => line)).toEqual(messages);
			expect(json[24].time).toMatch(/\.000000025Z$/);
			expect(hints).toEqual([]);
			const last = await logOf(run.taskRunId, { lines: 'last', lineCount: 2 });
			expect(last.json.map(({ line }) => line)).toEqual(messages.slice(-2));
		},
	);

	it('comes as one text or file, too', async () => {
		const { tasks } = suite.store;
		const run = tasks.createRun({ state: 'SUCCEEDED' });
		tasks.appendLog(run, ['one', 'two']);
		const facts = { taskRunId: run.taskRunId, lineCount: 2 };
		const text = await logOf(run.taskRunId, { output: 'text' });
		expect(text.json).toEqual([{ ...facts, text: 'one\ntwo' }]);
		const file = await logOf(run.taskRunId, { output: 'file', options: { fileName: 'roofs.log' } });
		expect(file.json).toEqual([{ ...facts, fileName: 'roofs.log' }]);
		expect(file.items[0].binary?.data.mimeType).toBe('text/plain');
		expect(textOf(file.items[0])).toBe('one\ntwo\n');
	});

	it('comes with a hint when it has no lines', async () => {
		const { taskRunId } = suite.store.tasks.createRun({ state: 'SUCCEEDED' });
		const { hints } = await logOf(taskRunId);
		expect(hints).toEqual([`There are no lines in the log of task run ${taskRunId} yet.`]);
	});

	it.each([{ items: null }, { items: ['line'] }])('fails when a page is %j', async (changed) => {
		suite.edits('getTaskRunLogs', (page: object) => ({ ...page, ...changed }));
		const { error } = await logOf(suite.store.tasks.createRun().taskRunId);
		expect(error?.description).toContain('a page arrived without a list of lines');
	});

	it('fails when a page has errors in place of lines', async () => {
		suite.responds('getTaskRunLogs', { errors: [{ code: 'X', message: 'try again' }], items: [] });
		expect((await logOf(suite.store.tasks.createRun().taskRunId)).error?.message).toBe('try again');
	});

	it('fails when cursors alternate, after a few requests', async () => {
		let page = 0;
		const items = [{ timestamp: '2026-11-21T12:00:00Z', level: 'INFO', message: 'x' }];
		const edit = () => ({ items, nextSince: `2026-11-21T12:00:0${(page += 1) % 2}Z` });
		suite.edits('getTaskRunLogs', edit);
		const { error } = await logOf(suite.store.tasks.createRun().taskRunId);
		expect(error?.description).toContain('already been read');
		expect(suite.requests.of('getTaskRunLogs')).toHaveLength(3);
	});
});

describe('the cost', () => {
	const costOf = (taskRunId: string) => suite.run(ofRun('getCost', taskRunId));

	it('settles and then is final, with every digit', async () => {
		const { taskRunId } = suite.store.tasks.createRun();
		expect((await costOf(taskRunId)).json[0]).toMatchObject({ cost: '0', costStatus: 'settling' });
		suite.clock.advance(3 * 3_600_000);
		expect((await costOf(taskRunId)).json[0]).toEqual({
			...{ taskRunId, cost: '1.234567890123456789', currency: 'USD', costStatus: 'final' },
			...{ costRounded: 1.23, spatialUnits: '2.5', spatialUnitsRounded: 2.5 },
			unitType: 'SPATIAL_UNIT_HOUR',
		});
	});

	it.each([
		['its amount is missing', { totalCostUsd: 1.5 }],
		['it may or may not be final', { isSettling: null }],
	])('is an error when %s', async (_, changed) => {
		suite.edits('getTaskRunCost', (cost: object) => ({ ...cost, ...changed }));
		const { error } = await costOf('npqy9q19q4wlm3');
		expect(error?.description).toContain('does not contain the cost of the task run');
	});
});

describe('results of RasterFlow', () => {
	const MANAGED = 's3://wbts-wbc-1234567890/org1234567/data/tmp/predictions.parquet';
	const ELSEWHERE = 's3://wherobots-temporary/union/predictions.parquet';

	const hintsFor = async (draft: TaskRunDraft, operation: string) => {
		const { taskRunId } = suite.store.tasks.createRun({ state: 'SUCCEEDED', ...draft });
		return (await suite.run(ofRun(operation, taskRunId))).hints;
	};

	it.each([
		['get', MANAGED],
		['get', ELSEWHERE],
		['waitForCompletion', MANAGED],
	])('come with a hint that they may be deleted: %s, %s', async (operation, address) => {
		const hints = await hintsFor({ results: { o0: address } }, operation);
		expect(hints).toEqual([expect.stringContaining('after 7 days')]);
		expect(hints[0]).toContain(address);
	});

	it.each<[string, TaskRunDraft]>([
		['in a bucket that was chosen', { inputs: { bucket: 's3://acme-jobs' } }],
		['that are no files', { results: { o0: 1204 } }],
		['that are missing', { results: null }],
	])('come without it: those %s', async (_, draft) => {
		expect(await hintsFor(draft, 'get')).toEqual([]);
	});

	it('come with one hint, however many runs there are', async () => {
		const ids = submit(3).slice(0, 3);
		const node = ofRun('waitForCompletion', '={{ $json.id }}');
		const { hints } = await suite.succeeds(node, { input: ids.map((id) => ({ id })) });
		expect(hints).toHaveLength(1);
	});
});

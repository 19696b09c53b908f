/** The pickers of tasks and of their runs. */
import { pick } from '../harness/pickers';
import { suiteWithSandbox } from '../harness/suite';

const suite = suiteWithSandbox();

it('offer tasks by their display names, from all pages', async () => {
	suite.sandbox.variants.taskPageMax = 1;
	const { results } = await pick(suite.sandbox, 'searchTasks');
	expect(results.map(({ name, value }) => [name, value])).toEqual([
		['Nightly Tiles', 'nightly_tiles'],
		['Predict Mosaic Geometries', 'predict_mosaic_geometries_recipe'],
	]);
});

it('offer runs by the beginning of the name of their task, a page at a time', async () => {
	for (let made = 0; made < 150; made++) suite.sandbox.store.tasks.createRun();
	const filter = 'predict';
	const first = await pick(suite.sandbox, 'searchTaskRuns', { filter });
	const { paginationToken: token } = first;
	const second = await pick(suite.sandbox, 'searchTaskRuns', { filter, token: String(token) });
	const names = [...first.results, ...second.results].map(({ name }) => name);
	expect(names).toHaveLength(151);
	expect(names.at(-1)).toMatch(/^College Park roofs \(SUCCEEDED, 2026-\d\d-\d\d \d\d:\d\d UTC\)$/);
	expect(await pick(suite.sandbox, 'searchTaskRuns', { filter: 'a*b' })).toEqual({ results: [] });
});

/** The pickers of tasks and of their runs. */
import { fieldsOf, pick } from '../harness/pickers';
import { suiteWithSandbox } from '../harness/suite';
import { by } from '../../support/files';

const suite = suiteWithSandbox();

it('offer tasks by their display names, from all pages', async () => {
	suite.variants.taskPageMax = 1;
	const { results } = await pick(suite.sandbox, 'searchTasks');
	expect(results.map(({ name, value }) => [name, value])).toEqual([
		['Nightly Tiles', 'nightly_tiles'],
		['Predict Mosaic Geometries', 'predict_mosaic_geometries_recipe'],
	]);
});

it('offer runs by the beginning of the name of their task, a page at a time', async () => {
	for (let made = 0; made < 150; made++) suite.store.tasks.createRun();
	const filter = 'predict';
	const first = await pick(suite.sandbox, 'searchTaskRuns', { filter });
	const { paginationToken: token } = first;
	const second = await pick(suite.sandbox, 'searchTaskRuns', { filter, token: String(token) });
	const names = [...first.results, ...second.results].map(({ name }) => name);
	expect(names).toHaveLength(151);
	expect(names.at(-1)).toMatch(/^College Park roofs \(SUCCEEDED, 2026-\d\d-\d\d \d\d:\d\d UTC\)$/);
	expect(await pick(suite.sandbox, 'searchTaskRuns', { filter: 'a*b' })).toEqual({ results: [] });
});

describe('the form for the inputs of a task', () => {
	const ofTask = { resource: 'taskRun', operation: 'create' };
	const chosen = { ...ofTask, taskName: by('list', 'predict_mosaic_geometries_recipe') };

	it.each(['inputSchema', 'inputs'] as const)('has a field for each input (%s)', async (name) => {
		suite.variants.taskSchemaName = name;
		const { fields } = await fieldsOf(suite.sandbox, 'getTaskInputs', chosen);
		expect(
			fields.map(({ id, displayName, type, required }) => [id, displayName, type, required]),
		).toEqual([
			['aoi', 'aoi', 'string', true],
			['text_prompt', 'text_prompt', 'array', false],
			['confidence_threshold', 'confidence_threshold', 'number', false],
			['model_recipe', 'model_recipe', undefined, false],
		]);
	});

	it('points to JSON where a task does not describe them', async () => {
		suite.variants.taskSchemaName = 'none';
		const form = await fieldsOf(suite.sandbox, 'getTaskInputs', chosen);
		expect(form).toMatchObject({ fields: [], emptyFieldsNotice: expect.stringContaining('JSON') });
	});

	it.each<[object, object]>([
		[{ type: 'integer', format: 'int32' }, { type: 'number' }],
		[{ type: 'boolean', default: true }, { type: 'boolean' }],
		[{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string' }],
		[{ type: ['array', 'null'] }, { type: 'array' }],
		[{ anyOf: [{ type: 'string' }, { type: 'object' }] }, { type: undefined }],
		[{ $ref: '#/$defs/Kind' }, { type: undefined }],
	])('has fields of the kinds in the schema: %j', async (property, expected) => {
		const inputSchema = { properties: { a: property }, required: 'a' };
		suite.store.tasks.createTask('odd', { inputSchema });
		const { fields } = await fieldsOf(suite.sandbox, 'getTaskInputs', {
			...ofTask,
			taskName: by('list', 'odd'),
		});
		expect(fields).toEqual([expect.objectContaining({ id: 'a', required: true, ...expected })]);
	});

	it('says in place of the fields that a task has to be chosen first', async () => {
		const asked = fieldsOf(suite.sandbox, 'getTaskInputs', { ...ofTask, taskName: by('list', '') });
		const emptyFieldsNotice = "Choose a value for 'Task' first.";
		expect(await asked).toEqual({ fields: [], emptyFieldsNotice });
		const expression = { ...ofTask, taskName: by('name', '={{ $json.task }}') };
		const unknown = fieldsOf(suite.sandbox, 'getTaskInputs', expression);
		await expect(unknown).rejects.toThrow("Choose a value for 'Task' first");
	});
});

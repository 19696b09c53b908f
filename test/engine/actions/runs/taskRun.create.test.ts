/** Running a task, in each way that a deployment's own description may state. */
import { clock } from '../../../../nodes/Wherobots/transport/clock';
import { by } from '../../../support/files';
import type { Fault } from '../../../sandbox';
import { errorOf, suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox();

const TASK = 'predict_mosaic_geometries_recipe';
const inputs = { aoi: 's3://sandbox-bucket/aoi.parquet', text_prompt: ['roofs'] };
const aRun = {
	resource: 'taskRun',
	operation: 'create',
	taskName: by('list', TASK),
	inputsFrom: 'json',
	inputsJson: JSON.stringify(inputs),
};

const runs = () => suite.store.tasks.runs.filter(({ runSource }) => runSource === 'manual');
const submissions = () => suite.requests.of('runTask').length;

describe('the request', () => {
	it.each(['/tasks/{task_name}/runs', '/tasks/{taskName}/run'] as const)(
		'goes where the description says: %s',
		async (taskRunPath) => {
			Object.assign(suite.variants, { taskRunPath });
			const { json } = await suite.succeeds(aRun);
			expect(json).toEqual([expect.objectContaining({ taskRunId: runs()[0].taskRunId })]);
			expect(runs()[0].inputs).toEqual(inputs);
		},
	);

	it('is looked up only once', async () => {
		await suite.run(aRun, { input: [{}, {}] });
		await suite.run(aRun);
		expect([suite.requests.of('getDescription').length, submissions()]).toEqual([1, 3]);
	});

	it('is looked up again after a failure', async () => {
		await suite.run(aRun);
		suite.variants.taskRunPath = '/tasks/{taskName}/run';
		expect((await suite.run(aRun)).error).toMatchObject({ httpCode: '404' });
		expect((await suite.run(aRun)).error).toBeUndefined();
	});

	it.each([
		['withoutTasks', 'unexpected response'],
		['missing', 'not found'],
	] as const)('cannot be sent without it (%s)', async (description, says) => {
		suite.variants.description = description;
		const { error } = await suite.run(aRun);
		expect(error?.message).toContain(says);
		expect(error?.description).toContain('/openapi.json');
		expect(submissions()).toBe(0);
	});
});

it('takes a number as the ID for its digits', async () => {
	suite.edits('runTask', (run: object) => ({ ...run, taskRunId: 70_117 }));
	expect((await suite.succeeds(aRun)).json).toMatchObject([{ taskRunId: '70117' }]);
});

describe('the form', () => {
	const filledIn = (value: object) => ({
		...aRun,
		inputsFrom: 'form',
		inputs: {
			mappingMode: 'defineBelow',
			value: value as never,
			schema: [
				{ id: 'aoi', displayName: 'aoi', type: 'string', required: true, display: true },
				{ id: 'text_prompt', displayName: 'text_prompt', type: 'array', required: false },
				{ id: 'confidence_threshold', displayName: 'c', type: 'number', required: false },
			] as never,
		},
	});

	it('sends the inputs that have a value, and reads lists from JSON', async () => {
		const value = {
			...{ aoi: '[1]', text_prompt: '["roofs"]', confidence_threshold: '0.3' },
			...{ start: '', end: null },
		};
		await suite.succeeds(filledIn(value));
		expect(runs()[0].inputs).toEqual({
			...{ aoi: '[1]', text_prompt: ['roofs'], confidence_threshold: 0.3 },
		});
	});

	it.each([
		[{ aoi: null }, 'aoi', 'is required but not set'],
		[{ aoi: 'a', text_prompt: '={{ "roofs" }}' }, 'text_prompt', 'expects a array'],
	])('is checked before anything is sent: %j', async (value, field, says) => {
		const { error } = await suite.run(filledIn(value));
		expect(error?.message).toContain(`Invalid input for '${field}'`);
		expect(error?.description).toContain(says);
		expect(suite.requests.count).toBe(0);
	});
});

it('has the integers of its JSON in all their digits', async () => {
	const inputsJson = '{"aoi":"s3://b/a","tiles":[9007199254740993,-12345678901234567890]}';
	await suite.succeeds({ ...aRun, inputsJson });
	expect(suite.requests.of('runTask')[0].text).toContain(inputsJson);
});

it('refuses an integer that n8n has rounded, and says where it keeps its digits', async () => {
	const value = { scene: '={{ 9007199254740993 }}' };
	const inputs = { mappingMode: 'defineBelow', value, schema: [] as never };
	expect((await suite.run({ ...aRun, inputsFrom: 'form', inputs } as never)).error?.message).toBe(
		"'Inputs' has a number as scene that n8n cannot hold exactly: set 'Specify Inputs' to 'Using JSON'",
	);
	expect(submissions()).toBe(0);
});

it('shows every problem with the inputs, and sends them once', async () => {
	const inputsJson = '{"text_prompt": 5, "model_recipe": "none"}';
	const { items } = await suite.run({ ...aRun, inputsJson }, { onError: 'continueRegularOutput' });
	const error = errorOf(items[0]);
	expect(error).toMatchObject({ httpCode: 400, taskName: TASK });
	for (const problem of ['aoi: must have', 'model_recipe: must be equal to one of']) {
		expect(error?.description).toContain(problem);
	}
	expect([submissions(), runs()[0].transitions[0].state]).toEqual([1, 'REJECTED']);
	expect(suite.requests.of('listTaskRuns')).toEqual([]);
});

describe('an input that the service refuses', () => {
	const input = { display: true, required: false };
	const schema = [{ id: 'text_prompt', displayName: 'text_prompt', type: 'array', ...input }];
	const value = { text_prompt: '["roofs"]' };
	const form = { inputsFrom: 'form', inputs: { mappingMode: 'defineBelow', value, schema } };
	it.each<[string, object, string]>([
		['missing in the form', form, "'Inputs': The task needs its input aoi"],
		[
			'missing in the JSON',
			{ inputsJson: '{"text_prompt": ["roofs"]}' },
			"'Inputs (JSON)': The task needs its input aoi",
		],
		[
			'not one of its choices',
			{ inputsJson: JSON.stringify({ ...inputs, model_recipe: 'none' }) },
			'\'Inputs (JSON)\': The task does not accept "none" for its input model_recipe',
		],
	])('is named, with the field to enter it: %s', async (_, asked, message) => {
		const { error } = await suite.run({ ...aRun, ...asked } as never);
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(/^(aoi: must have|model_recipe: must be equal to one of)/);
		expect(error?.description).not.toMatch(/Check the values|Field:/);
	});

	it('is named beside those that were given in its place', async () => {
		const { error } = await suite.run({ ...aRun, inputsJson: '{"area": "s3://a/b", "x": 1}' });
		expect(error?.message).toBe("'Inputs (JSON)': The task needs its input aoi");
		expect(error?.description).toMatch(/\nInputs given: area, x$/);
		const none = await suite.run({ ...aRun, inputsJson: '{}' });
		expect(none.error?.description).not.toContain('Inputs given');
	});

	it.each([
		['body.inputs.text_prompt.0', 'The task does not accept ["roofs"] for its input text_prompt'],
		['body.inputs', 'Input should be a list'],
		['path.task_name', 'Input should be a list'],
	])('is found at the address that the service gives: %s', async (loc, message) => {
		const body = JSON.stringify({
			detail: [{ loc: loc.split('.'), msg: 'Input should be a list' }],
		});
		suite.fails('runTask', { kind: 'replace', status: 422, body });
		expect((await suite.run(aRun)).error?.message).toContain(message);
	});
});

describe('a submission', () => {
	const lost = async (fault: Fault) => {
		suite.fails('runTask', fault, { times: 1 });
		const { items } = await suite.run(aRun, { onError: 'continueRegularOutput' });
		expect(submissions()).toBe(1);
		const error = errorOf(items[0]);
		expect(error).toMatchObject({ ambiguous: true, taskName: TASK });
		expect(error?.description).toContain(`look for a run of the task "${TASK}"`);
		return error as unknown as { description: string; candidates?: Array<{ id: string }> };
	};

	it.each([
		['a reset', { kind: 'reset', when: 'after' }],
		['an empty ID', { kind: 'edit', edit: (run: object) => ({ ...run, taskRunId: '' }) }],
	] as const)(
		'with an unclear outcome is not repeated, and its run is named (%s)',
		async (_, fault) => {
			// None of these is the run: one is earlier, one scheduled, one of another task.
			const { tasks } = suite.store;
			tasks.createRun({ name: 'Roofs', submittedAt: suite.clock.now() - 60_000 });
			tasks.createRun({ name: 'Roofs', runSource: 'schedule' });
			tasks.createRun({ taskName: 'nightly_tiles', name: 'Roofs' });
			const { description, candidates } = await lost(fault);
			const { taskRunId } = runs()[0];
			expect(candidates?.map(({ id }) => id)).toEqual([taskRunId]);
			expect(description).toContain(taskRunId);
		},
	);

	it("does not name another item's run as a candidate", async () => {
		suite.fails('runTask', { kind: 'reset', when: 'after' }, { skip: 1 });
		// The service's time is that of the first item's response.
		clock.now = () => suite.clock.now() + 3_600_000;
		const { error } = await suite.run(aRun, { input: [{}, {}] });
		const [lostRun, first] = runs();
		expect(error?.context?.data).toMatchObject({
			candidates: [{ id: lostRun.taskRunId }],
			alsoCreated: [{ id: first.taskRunId }],
		});
		expect(error?.description).toContain(
			`Runs of this task created since the request: ${lostRun.taskRunId}.`,
		);
	});

	it.each([null, true, ''])('names no run whose ID is %j', async (taskRunId) => {
		suite.edits('listTaskRuns', ({ items }: { items: object[] }) => ({
			items: items.map((run) => ({ ...run, taskRunId })),
		}));
		const { description, candidates } = await lost({ kind: 'reset', when: 'after' });
		expect(description).not.toContain('Runs of this task created since the request');
		expect(candidates).toBeUndefined();
	});

	it('whose run is not found is an error that says what to look for', async () => {
		expect(await lost({ kind: 'status', status: 503 })).not.toHaveProperty('candidates');
	});
});

import { describeWorkflows, type WorkflowCase } from './suite/workflowCases';

const file = (resource: string) => `test/e2e/workflows/resources/${resource}.json`;
const succeeded = (execution: Parameters<WorkflowCase['check']>[0]) =>
	expect(String(execution)).toMatch(/: success$/);

const cases: WorkflowCase[] = [
	{
		title: 'Task, Task Run and Usage: run, listed, read, priced, waited for and cancelled',
		workflow: file('tasks-and-usage'),
		prepare: ({ store }) => {
			store.tasks.createRun({ taskRunId: 'still-running-1', state: 'RUNNING' });
		},
		check: (execution, { sandbox }) => {
			succeeded(execution);
			expect(execution.json('List tasks').map(({ name }) => name)).toEqual([
				'nightly_tiles',
				'predict_mosaic_geometries_recipe',
			]);
			expect(execution.json('Get task')).toMatchObject([{ name: 'nightly_tiles' }]);
			const states = execution.json('List runs').map(({ state }) => state);
			expect(states.sort()).toEqual(['FAILED', 'MISSED']);
			expect(execution.json('Get run')).toMatchObject([{ state: 'SUCCEEDED' }]);
			const lines = execution.json('Read log').map(({ line }) => line);
			expect(lines).toEqual(['Reading the area of interest', 'Wrote 1,204 polygons']);
			expect(execution.json('Get cost')).toMatchObject([{ currency: 'USD' }]);
			expect(execution.json('Wait')[0].results).toEqual(expect.any(Object));
			expect(execution.json('Cancel run')).toMatchObject([{ taskRunId: 'still-running-1' }]);
			expect(sandbox.requests.of('cancelTaskRun')).toHaveLength(1);
			const inputs = { text_prompt: ['roofs'], confidence_threshold: 0.3 };
			const [second, first] = sandbox.store.tasks.runs;
			expect(first).toMatchObject({ inputs });
			expect(execution.json('Run task')).toMatchObject([
				{ taskRunId: first.taskRunId, state: 'SUCCEEDED' },
			]);
			expect(execution.json('Run task with JSON')).toMatchObject([{ taskRunId: second.taskRunId }]);
			expect(second.inputs).toEqual({ aoi: 's3://sandbox-bucket/predictions.parquet' });
			expect(execution.json('List usage')).toHaveLength(5);
		},
	},
	{
		title: 'File: uploaded, listed, downloaded, run from the input and deleted, streamed both ways',
		workflow: file('file'),
		prepare: ({ store }) => {
			store.storages.putGenerated('stor-acme', 'large.bin', 20_000_000);
		},
		check: (execution, { sandbox }) => {
			succeeded(execution);
			const [uploaded] = execution.json('Upload text');
			expect(uploaded.destination).toBe('s3://acme-jobs/reports/2026/hello.py');
			const [downloaded] = execution.items('Download');
			expect(downloaded.json.sha256).toBe(uploaded.sha256);
			expect(downloaded.binary?.data.id).toMatch(/^filesystem/);
			expect(execution.json('Upload again')[0].sha256).toBe(uploaded.sha256);
			const files = sandbox.store.storages.get('stor-acme')?.files;
			const [large] = execution.json('Download large');
			expect([large.bytes, large.sha256]).toEqual([20_000_000, files?.get('large.bin')?.sha256]);
			const [run] = execution.json('Submit from input');
			expect(run.program).toBe('s3://acme-jobs/jobs/from_input.py');
			// Twenty megabytes from one n8n store through the node into the other storage.
			expect(files?.get('jobs/from_input.py')?.sha256).toBe(large.sha256);
			expect(execution.json('Delete folder')).toMatchObject([{ deleted: true }]);
			expect([...(files?.keys() ?? [])].filter((path) => path.startsWith('reports/'))).toEqual([]);
			const sent = JSON.stringify(sandbox.presigned.requests);
			expect(sent).not.toContain(sandbox.credentials.admin.apiKey);
			for (const secret of sandbox.presigned.secrets) {
				expect(JSON.stringify(execution)).not.toContain(secret);
			}
		},
	},
];

describeWorkflows('What n8n stores of each resource', cases, { seed: 'demo' });

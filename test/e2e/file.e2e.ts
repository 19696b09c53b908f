import { useStage } from './suite/stage';

const stage = useStage({ seed: 'demo' });

test('files are uploaded, downloaded, run from the input and deleted, streamed both ways', async () => {
	const { sandbox, importWorkflow, execute } = stage();
	const { storages } = sandbox.store;
	storages.putGenerated('stor-acme', 'large.bin', 20_000_000);

	const execution = await execute(await importWorkflow('test/e2e/workflows/resources/file.json'));

	const [uploaded] = execution.json('Upload text');
	expect(uploaded.destination).toBe('s3://acme-jobs/reports/2026/hello.py');
	const [downloaded] = execution.items('Download');
	expect(downloaded.json.sha256).toBe(uploaded.sha256);
	expect(downloaded.binary?.data.id).toMatch(/^filesystem/);
	expect(execution.json('Upload again')[0].sha256).toBe(uploaded.sha256);
	const files = storages.get('stor-acme')!.files;
	const [large] = execution.json('Download large');
	expect([large.bytes, large.sha256]).toEqual([20_000_000, files.get('large.bin')?.sha256]);
	const [run] = execution.json('Submit from input');
	expect(run.program).toBe('s3://acme-jobs/jobs/from_input.py');
	// Twenty megabytes from one n8n store through the node into the other storage.
	expect(files.get('jobs/from_input.py')?.sha256).toBe(large.sha256);
	expect(execution.json('Delete folder')).toMatchObject([{ deleted: true }]);
	expect([...files.keys()].filter((path) => path.startsWith('reports/'))).toEqual([]);
	const sent = JSON.stringify(sandbox.presigned.requests);
	expect(sent).not.toContain(sandbox.credentials.admin.apiKey);
	for (const secret of sandbox.presigned.secrets) {
		expect(JSON.stringify(execution)).not.toContain(secret);
	}
});

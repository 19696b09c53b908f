import { describeWorkflows, useStage } from './suite/workflowCases';

const SUBMIT_AND_WAIT = 'test/e2e/workflows/submit-and-wait.json';

describeWorkflows('The error branch', [
	{
		title: 'a run that fails leaves by it, with what a workflow needs to act',
		workflow: 'test/e2e/workflows/error-branch.json',
		check: (execution, { sandbox }) => {
			expect(String(execution)).toMatch(/: success$/);
			expect(execution.nodes).not.toContain('Went well');
			const [item] = execution.json('Went wrong');
			const [run] = sandbox.store.runs.all();
			expect(item.error).toMatchObject({
				message: expect.stringContaining('failed: ValueError'),
				runId: run.id,
				runName: run.payload.name,
				status: 'FAILED',
				outcome: 'FAILED',
				cause: expect.stringContaining('ValueError'),
				location: 'fail.py:31',
				returnCode: 1,
				excerpt: expect.stringMatching(/^Traceback/),
			});
		},
	},
]);

describe('A service that cannot be reached', () => {
	const stage = useStage();

	test('is told apart from one that responds, by what the socket says', async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		const workflow = await importWorkflow(SUBMIT_AND_WAIT);
		// Nothing listens there any more.
		await sandbox.stop();
		const { error } = await n8n.run(workflow);
		expect(error?.message).toBe('Could not connect to Wherobots Cloud');
		expect(error?.description).toContain('ECONNREFUSED');
		// Nothing was sent, so that there is nothing to look for.
		expect(error?.description).not.toContain('may have been');
	});
});

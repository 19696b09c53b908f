import { credentialData, readWorkflow, withCredential } from './n8n/workflows';
import { startChatModel } from './servers/chatModel';
import { useStage } from './suite/workflowCases';

const stage = useStage();

/** n8n runs the tools of the older agent inside it, those of the newer one as nodes of their own. */
test.each([2.2, 3])('an AI agent of version %d uses the node as its tool', async (version) => {
	const { n8n, sandbox } = stage();
	const { id } = sandbox.store.runs.create({ name: 'nightly-etl', status: 'COMPLETED' });
	const model = await startChatModel([{ tool: 'Get_run', parameters: () => ({ run_id: id }) }]);
	try {
		const { apiKey } = sandbox.credentials.admin;
		const service = await n8n.createCredential(credentialData(apiKey, sandbox.baseUrl));
		const openAiApi = await n8n.createCredential(model.credential);
		const workflow = withCredential(await readWorkflow('test/e2e/workflows/ai-tool.json'), service);
		const nodes = workflow.nodes.map((node) => {
			if (node.name === 'Model') return { ...node, credentials: { openAiApi } };
			return node.name === 'Agent' ? { ...node, typeVersion: version } : node;
		});

		const execution = await n8n.run(await n8n.createWorkflow({ ...workflow, nodes }));

		expect(String(execution)).toMatch(/: success$/);
		expect(sandbox.requests.of('getRun')).toHaveLength(1);
		expect(model.heard).toHaveLength(1);
		expect(model.heard[0]).toContain(id);
		expect(model.heard[0]).toContain('COMPLETED');
		expect(JSON.stringify(execution.json('Agent'))).toContain('nightly-etl');
	} finally {
		await model.stop();
	}
});

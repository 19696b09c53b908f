import { readWorkflow } from './n8n/workflows';
import { startChatModel } from './servers/chatModel';
import { useStage } from './suite/stage';

const stage = useStage();

// n8n runs the tools of the older agent inside it, those of the newer one as nodes of their own.
test.each([2.2, 3])(
	'an agent of version %d submits a run with the arguments that its model gives, and hears how it ended',
	async (version) => {
		const { sandbox, importWorkflow, execute } = stage();
		const given = { Arguments: '["--date", "2026-01-31"]' };
		const model = await stage().use(
			startChatModel([{ tool: 'Submit_run', parameters: () => given }]),
		);
		const workflow = await readWorkflow('test/e2e/workflows/ai-tool.json');
		const nodes = workflow.nodes.map((node) =>
			node.name === 'Agent' ? { ...node, typeVersion: version } : node,
		);

		const execution = await execute(
			await importWorkflow({ ...workflow, nodes }, {}, [model.credential]),
		);

		expect(stage().submitted()).toMatchObject([{ runPython: { args: ['--date', '2026-01-31'] } }]);
		const [{ id }] = sandbox.store.runs.all();
		expect(model.heard).toEqual([expect.stringMatching(`${id}.*COMPLETED`)]);
		expect(JSON.stringify(execution.json('Agent'))).toContain(id);
	},
);

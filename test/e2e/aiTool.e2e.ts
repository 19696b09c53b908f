import { credentialData, readWorkflow, withCredential } from './n8n/workflows';
import { startChatModel } from './servers/chatModel';
import { isNewestN8n } from './suite/suiteInstall';
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

test.each([
	[2.2, '["--date", "2026-01-31"]', ['--date', '2026-01-31']],
	[2.2, '', []],
	[3, '["--date", "2026-01-31"]', ['--date', '2026-01-31']],
])('an agent of version %d defines the arguments of a run as %j', async (version, given, args) => {
	const { n8n, sandbox } = stage();
	const parameters = () => ({ Arguments: given });
	const model = await startChatModel([{ tool: 'Get_run', parameters }]);
	try {
		const { apiKey } = sandbox.credentials.admin;
		const service = await n8n.createCredential(credentialData(apiKey, sandbox.baseUrl));
		const openAiApi = await n8n.createCredential(model.credential);
		const workflow = withCredential(await readWorkflow('test/e2e/workflows/ai-tool.json'), service);
		const nodes = workflow.nodes.map((node) => {
			if (node.name === 'Model') return { ...node, credentials: { openAiApi } };
			if (node.name === 'Agent') return { ...node, typeVersion: version };
			if (node.name !== 'Get run') return node;
			const submits = {
				descriptionType: 'auto',
				resource: 'jobRun',
				operation: 'create',
				pythonUri: 's3://bucket/jobs/nightly_etl.py',
				// As the button beside the field writes it.
				argumentList:
					"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Arguments', ``, 'string') }}",
			};
			return { ...node, parameters: submits };
		});

		const execution = await n8n.run(await n8n.createWorkflow({ ...workflow, nodes }));

		expect(String(execution)).toMatch(/: success$/);
		expect(sandbox.requests.of('createRun').map(({ body }) => body)).toMatchObject([
			{ runPython: { args } },
		]);
	} finally {
		await model.stop();
	}
});

test.each([2.2, 3])(
	'Read Only refuses an agent of version %d an INSERT in disguise',
	async (version) => {
		const { n8n, sandbox } = stage();
		// A hint does not open a comment in a comment: what follows is code.
		const disguised = 'WITH t AS (SELECT 1 /* /*+ */) INSERT INTO foo SELECT * FROM t /* */';
		const parameters = () => ({ Query: disguised });
		const model = await startChatModel([{ tool: 'Get_run', parameters }]);
		try {
			const { apiKey } = sandbox.credentials.admin;
			const service = await n8n.createCredential(credentialData(apiKey, sandbox.baseUrl));
			const openAiApi = await n8n.createCredential(model.credential);
			const workflow = withCredential(
				await readWorkflow('test/e2e/workflows/ai-tool.json'),
				service,
			);
			const nodes = workflow.nodes.map((node) => {
				if (node.name === 'Model') return { ...node, credentials: { openAiApi } };
				if (node.name === 'Agent') return { ...node, typeVersion: version };
				if (node.name !== 'Get run') return node;
				const queries = {
					descriptionType: 'auto',
					resource: 'sql',
					operation: 'executeQuery',
					query: "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Query', ``, 'string') }}",
				};
				return { ...node, parameters: queries };
			});
			const asked = sandbox.requests.of('createSqlSession').length;

			const execution = await n8n.run(await n8n.createWorkflow({ ...workflow, nodes }));

			// n8n tells the older agent nothing of what a tool fails with; on n8n 1 the newer one fails, too.
			if (version === 3) {
				const told = isNewestN8n ? model.heard[0] : String(execution);
				expect(told).toContain('must only read');
			} else {
				expect(model.heard).toHaveLength(1);
			}
			expect(sandbox.requests.of('createSqlSession')).toHaveLength(asked);
			expect(sandbox.sql.taken(disguised)).toEqual([]);
		} finally {
			await model.stop();
		}
	},
);

import { credentialData, readWorkflow, withCredential } from './n8n/workflows';
import { startChatModel } from './servers/chatModel';
import { isNewestN8n } from './suite/suiteInstall';
import { useStage } from './suite/workflowCases';

const stage = useStage();

/**
 * Has an agent of this version call its tool with these parameters. n8n runs the tools of the older agent
 * inside it, those of the newer one as nodes of their own.
 *
 * @param tool what the tool does, if not what the workflow says
 */
async function asking(version: number, parameters: Record<string, unknown>, tool?: object) {
	const { n8n, sandbox } = stage();
	const model = await stage().use(
		startChatModel([{ tool: 'Get_run', parameters: () => parameters }]),
	);
	const { apiKey } = sandbox.credentials.admin;
	const service = await n8n.createCredential(credentialData(apiKey, sandbox.baseUrl));
	const openAiApi = await n8n.createCredential(model.credential);
	const workflow = withCredential(await readWorkflow('test/e2e/workflows/ai-tool.json'), service);
	const nodes = workflow.nodes.map((node) => {
		if (node.name === 'Model') return { ...node, credentials: { openAiApi } };
		if (node.name === 'Agent') return { ...node, typeVersion: version };
		return node.name === 'Get run' && tool
			? { ...node, parameters: { descriptionType: 'auto', ...tool } }
			: node;
	});
	const execution = await n8n.run(await n8n.createWorkflow({ ...workflow, nodes }));
	return { execution, heard: model.heard };
}

/** A parameter that the model defines, as the button beside the field writes it. */
const byModel = (name: string) =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${name}', \`\`, 'string') }}`;

test.each([2.2, 3])('an AI agent of version %d uses the node as its tool', async (version) => {
	const { sandbox } = stage();
	const { id } = sandbox.store.runs.create({ name: 'nightly-etl', status: 'COMPLETED' });
	const { execution, heard } = await asking(version, { run_id: id });
	expect(String(execution)).toMatch(/: success$/);
	expect(sandbox.requests.of('getRun')).toHaveLength(1);
	expect(heard).toHaveLength(1);
	expect(heard[0]).toContain(id);
	expect(heard[0]).toContain('COMPLETED');
	expect(JSON.stringify(execution.json('Agent'))).toContain('nightly-etl');
});

test.each([
	[2.2, '["--date", "2026-01-31"]', ['--date', '2026-01-31']],
	[2.2, '', []],
	[3, '["--date", "2026-01-31"]', ['--date', '2026-01-31']],
])('an agent of version %d defines the arguments of a run as %j', async (version, given, args) => {
	const { execution } = await asking(
		version,
		{ Arguments: given },
		{
			resource: 'jobRun',
			operation: 'create',
			pythonUri: 's3://bucket/jobs/nightly_etl.py',
			argumentList: byModel('Arguments'),
		},
	);
	expect(String(execution)).toMatch(/: success$/);
	expect(
		stage()
			.sandbox.requests.of('createRun')
			.map(({ body }) => body),
	).toMatchObject([{ runPython: { args } }]);
});

test.each([2.2, 3])(
	'Read Only refuses an agent of version %d an INSERT in disguise',
	async (version) => {
		const { sandbox } = stage();
		// A hint does not open a comment in a comment: what follows is code.
		const disguised = 'WITH t AS (SELECT 1 /* /*+ */) INSERT INTO foo SELECT * FROM t /* */';
		const asked = sandbox.requests.of('createSqlSession').length;
		const { execution, heard } = await asking(
			version,
			{ Query: disguised },
			{ resource: 'sql', operation: 'executeQuery', query: byModel('Query') },
		);
		// n8n tells the older agent nothing of what a tool fails with; on n8n 1 the newer one fails, too.
		if (version === 3) {
			const told = isNewestN8n ? heard[0] : String(execution);
			expect(told).toContain('must only read');
		} else {
			expect(heard).toHaveLength(1);
		}
		expect(sandbox.requests.of('createSqlSession')).toHaveLength(asked);
		expect(sandbox.sql.taken(disguised)).toEqual([]);
	},
);

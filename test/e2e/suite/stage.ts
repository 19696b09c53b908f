import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { type N8nApi } from '../n8n/api';
import type { CredentialData, WorkflowJson } from '../n8n/apiTypes';
import { type ExecutionResult } from '../n8n/execution';
import { credentialData, readWorkflow, withCredential, withParameters } from '../n8n/workflows';
import { sharedApi } from './sharedN8n';
import { useServers } from './useServers';

/** Real time, but short: a run takes two seconds instead of minutes. */
const TIMINGS = { pendingMs: 500, runningMs: 1_500, cancelMs: 1_000, logDelayMs: 300 };

/** What n8n does in the background is looked at less often than what happens here. */
export const IN_N8N = { timeoutMs: 120_000, everyMs: 200 };

interface Submission {
	name: string;
	runPython: { uri: string; args: string[] };
}

/** n8n, and a service of its own for each test. */
export interface Stage {
	n8n: N8nApi;
	sandbox: Sandbox;
	/**
	 * Imports a workflow with a credential for the stage's service.
	 *
	 * @param workflow itself, or the path of its file from the root of the repository
	 * @param parameters changes by node name
	 * @param others credentials for the nodes of n8n that take one of their type
	 * @returns its id
	 */
	importWorkflow(
		workflow: string | WorkflowJson,
		parameters?: Record<string, Record<string, unknown>>,
		others?: CredentialData[],
	): Promise<string>;
	/** Executes a workflow and insists that it goes well. */
	execute(workflowId: string): Promise<ExecutionResult>;
	/** The job runs that were submitted, as they were sent. */
	submitted(): Submission[];
	/** Another server that the test needs, until its end. */
	use: ReturnType<typeof useServers>;
}

/**
 * The stage of the test that is running.
 *
 * @param options of the service, such as the data to begin with
 */
export function useStage(options: SandboxOptions = {}): () => Stage {
	const use = useServers();
	let stage: Stage | undefined;
	beforeEach(async () => {
		stage = await setUp(use, options);
	});
	afterEach(async () => {
		// The next test has n8n to itself.
		await stage?.n8n.deleteCredentials();
		stage = undefined;
	});
	return () => {
		if (!stage) throw new Error('A stage exists only while a test runs');
		return stage;
	};
}

async function setUp(use: Stage['use'], options: SandboxOptions): Promise<Stage> {
	const n8n = sharedApi();
	const sandbox = await use(startSandbox({ timings: TIMINGS, ...options }));
	const service = credentialData(sandbox.credentials.admin.apiKey, sandbox.baseUrl);
	return {
		n8n,
		sandbox,
		use,
		importWorkflow: async (given, parameters = {}, others = []) => {
			const read = typeof given === 'string' ? await readWorkflow(given) : given;
			let workflow = withParameters(read, parameters);
			for (const credential of [service, ...others]) {
				const reference = await n8n.createCredential(credential);
				workflow = withCredential(workflow, reference, credential.type);
			}
			return await n8n.createWorkflow(workflow);
		},
		execute: async (workflowId) => {
			const execution = await n8n.run(workflowId);
			expect(String(execution)).toMatch(/: success$/);
			return execution;
		},
		submitted: () => sandbox.requests.of('createRun').map(({ body }) => body as Submission),
	};
}

import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { type N8nApi } from '../n8n/api';
import type { CredentialData, CredentialReference } from '../n8n/apiTypes';
import { type ExecutionResult } from '../n8n/execution';
import {
	credentialData,
	readWorkflow,
	withCredential,
	withCredentialOfType,
	withParameters,
} from '../n8n/workflows';
import { sharedApi } from './sharedN8n';

/** Real time, but short: a run takes two seconds instead of minutes. */
const TIMINGS = { pendingMs: 500, runningMs: 1_500, cancelMs: 1_000, logDelayMs: 300 };

interface Stoppable {
	stop(): Promise<void>;
}

/** n8n, and a service of its own for each test. */
export interface Stage {
	n8n: N8nApi;
	sandbox: Sandbox;
	/**
	 * Imports a workflow with a credential for the stage's service.
	 *
	 * @param file path from the root of the repository
	 * @param parameters changes by node name
	 * @param others credentials for the nodes of n8n that take one of their type
	 * @returns its id
	 */
	importWorkflow(
		file: string,
		parameters?: Record<string, Record<string, unknown>>,
		others?: CredentialData[],
	): Promise<string>;
	/** Another server that the test needs, until its end. */
	use<Server extends Stoppable>(starting: Promise<Server>): Promise<Server>;
	/** Ends the service and removes its credential, so that the next test has n8n to itself. */
	end(): Promise<void>;
}

/** A workflow that is executed once, and what must come of it. */
export interface WorkflowCase {
	/** What it shows: the name of the test. */
	title: string;
	/** Path of the workflow from the root of the repository. */
	workflow: string;
	/** Parameters that differ from the file's, by node name. */
	parameters?: Record<string, Record<string, unknown>>;
	/** What the service holds, or does wrong, before the workflow starts. */
	prepare?: (sandbox: Sandbox) => void;
	check: (execution: ExecutionResult, stage: Stage) => void | Promise<void>;
}

/** Executes workflows in the suite's n8n, each against a fresh service. */
export function describeWorkflows(
	name: string,
	cases: WorkflowCase[],
	options?: SandboxOptions,
): void {
	describe(name, () => {
		const stage = useStage(options);
		test.each(cases)('$title', async ({ workflow, parameters, prepare, check }) => {
			prepare?.(stage().sandbox);
			const id = await stage().importWorkflow(workflow, parameters);
			await check(await stage().n8n.run(id), stage());
		});
	});
}

/** Executes a workflow and insists that it goes well. */
export async function executeWell({ n8n }: Stage, workflowId: string, timeoutMs?: number) {
	const execution = await n8n.run(workflowId, timeoutMs);
	expect(String(execution)).toMatch(/: success$/);
	return execution;
}

/**
 * For tests that need more than one execution: the stage of the test that is running.
 *
 * @param options of the service, such as the data to begin with
 */
export function useStage(options: SandboxOptions = {}): () => Stage {
	let n8n: N8nApi;
	let stage: Stage | undefined;
	beforeAll(() => {
		n8n = sharedApi();
	});
	beforeEach(async () => {
		stage = await setUp(n8n, options);
	});
	afterEach(async () => {
		await stage?.end();
		stage = undefined;
	});
	return () => {
		if (!stage) throw new Error('A stage exists only while a test runs');
		return stage;
	};
}

async function setUp(n8n: N8nApi, options: SandboxOptions): Promise<Stage> {
	const sandbox = await startSandbox({ timings: TIMINGS, ...options });
	const { apiKey } = sandbox.credentials.admin;
	let credential: CredentialReference | undefined;
	const servers: Stoppable[] = [sandbox];
	return {
		n8n,
		sandbox,
		importWorkflow: async (file, parameters = {}, others = []) => {
			credential ??= await n8n.createCredential(credentialData(apiKey, sandbox.baseUrl));
			const imported = withParameters(await readWorkflow(file), parameters);
			let workflow = withCredential(imported, credential);
			for (const other of others) {
				const reference = await n8n.createCredential(other);
				workflow = withCredentialOfType(workflow, other.type, reference);
			}
			return await n8n.createWorkflow(workflow);
		},
		use: async (starting) => {
			const server = await starting;
			servers.push(server);
			return server;
		},
		end: async () => {
			await n8n.deleteCredentials();
			for (const server of servers) await server.stop();
		},
	};
}

/** Engine 2, a module of n8n 2.41 that is off by default: what of the package and its recipes runs on it. */
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import getPort from 'get-port';

import { REPOSITORY } from '../../scripts/lib/paths';
import { startSandbox, type Sandbox } from '../sandbox';
import { until } from '../support/until';
import type { CredentialReference, WorkflowJson } from './n8n/apiTypes';
import { type ExecutionRecord, ExecutionResult } from './n8n/execution';
import type { N8nServer } from './n8n/server';
import { credentialData, readWorkflow, withCredential } from './n8n/workflows';
import { type PostgresServer, startPostgres } from './servers/postgres';
import { startOwnN8n } from './suite/ownN8n';
import { suiteInstall } from './suite/suiteInstall';

/** On a busy machine, n8n and its migrations take minutes. */
const START_MS = 600_000;

let postgres: PostgresServer;
let sandbox: Sandbox;
let n8n: N8nServer;
let credential: CredentialReference;
/** Loads modules of the n8n that runs. */
let load: NodeJS.Require;

beforeAll(async () => {
	const { folder } = await suiteInstall();
	load = createRequire(path.join(folder, 'package.json'));
	postgres = await startPostgres();
	sandbox = await startSandbox({
		seed: 'demo',
		timings: { pendingMs: 300, runningMs: 700, sqlStartMs: 500 },
	});
	const { host, port, user, database } = postgres.credential.data;
	n8n = await startOwnN8n('engine-2', {
		N8N_ENABLED_MODULES: 'engine-v2',
		N8N_ENGINE_DATABASE_URL: `postgres://${user}@${host}:${port}/${database}`,
		N8N_ENGINE_HOST: '127.0.0.1',
		N8N_ENGINE_PORT: String(await getPort({ host: '127.0.0.1' })),
		N8N_ENGINE_CONTROL_PLANE_PORT: String(await getPort({ host: '127.0.0.1' })),
	});
	const { apiKey } = sandbox.credentials.admin;
	credential = await n8n.api.createCredential(credentialData(apiKey, sandbox.baseUrl));
}, START_MS);

afterAll(async () => {
	await n8n?.dispose();
	await sandbox?.stop();
	await postgres?.stop();
});

/** Executes a workflow on Engine 2, to its end. */
async function execute(read: WorkflowJson): Promise<ExecutionResult> {
	const workflow = withCredential(read, credential);
	const settings = { ...workflow.settings, engineType: 'v2' };
	const body = { ...workflow, settings };
	const { id } = await n8n.api.rest<{ id: string }>('POST', '/rest/workflows', body);
	const executionId = await n8n.api.start(id);
	// Engine 2 names its executions so; the other one counts them.
	expect(executionId).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/);
	const { parse } = load('flatted') as { parse(text: string): ExecutionRecord['data'] };
	const record = async () => {
		const url = `/rest/executions/${executionId}`;
		const found = await n8n.api.rest<ExecutionRecord & { data: string }>('GET', url);
		return new ExecutionResult({ ...found, data: parse(found.data) });
	};
	await until(async () => (await record()).hasEnded, { timeoutMs: 60_000, everyMs: 200 });
	return await record();
}

describe('Engine 2', () => {
	test('submits a job run once, waits for it and reads its log', async () => {
		const execution = await execute(await readWorkflow('examples/submit-and-wait.json'));
		expect(String(execution)).toMatch(/: success$/);
		expect(execution.json('Submit and wait')).toMatchObject([{ status: 'COMPLETED' }]);
		expect(execution.json('Read its log')[0].text).toContain('INFO Driver: wrote 12,480 rows');
		expect(sandbox.requests.of('createRun')).toHaveLength(1);
	});

	test('exports a day of the audit log to a file, which the next node reads', async () => {
		const workflow = await readWorkflow('test/e2e/workflows/export-day.json');
		const read = {
			...workflow.nodes[0],
			id: 'read',
			name: 'Read',
			type: 'n8n-nodes-base.extractFromFile',
			parameters: { operation: 'csv', binaryPropertyName: 'data', options: {} },
		};
		const connections = { ...workflow.connections, Export: to('Read') };
		const nodes = [...workflow.nodes, read];
		const execution = await execute({ ...workflow, nodes, connections });
		expect(String(execution)).toMatch(/: success$/);
		const [{ rows }] = execution.json('Export');
		expect(rows).toBeGreaterThan(0);
		expect(execution.json('Read')).toHaveLength(Number(rows));
	});

	test('executes statements in one SQL session', async () => {
		sandbox.sql.answer(/^INSERT/, {});
		const rows = [{ name: 'Bonn', at: { type: 'Point', coordinates: [7.1, 50.7] } }];
		sandbox.sql.answer('SELECT * FROM demo.cities', { rows, geometryColumns: ['at'] });
		sandbox.sql.answer('SELECT name FROM demo.cities', { rows: [{ name: 'Bonn' }] });
		const execution = await execute(await readWorkflow('test/e2e/workflows/sql.json'));
		expect(String(execution)).toMatch(/: success$/);
		expect(execution.json('Rows')).toMatchObject([{ name: 'Bonn' }]);
		expect(sandbox.sql.sessions.all()).toHaveLength(1);
		expect(sandbox.sql.violations).toEqual([]);
	});

	test('says why a job run failed', async () => {
		sandbox.plans.set(/^nightly-etl/, { outcome: 'FAILED', message: 'Job failed: disk full' });
		const execution = await execute(await readWorkflow('examples/submit-and-wait.json'));
		sandbox.plans.clear();
		expect(String(execution)).toMatch(/: error: Job run "nightly-etl-\S+" failed: disk full/);
	});

	test('fails in a Wait node', async () => {
		const { nodes } = await readWorkflow('examples/durable-wait-submit.json');
		const [start, wait] = ['manualTrigger', 'wait'].map(
			(type) => nodes.find((node) => node.type === `n8n-nodes-base.${type}`)!,
		);
		const connections = { [start.name]: to(wait.name) };
		const execution = await execute({ name: 'Waits', nodes: [start, wait], connections });
		expect(String(execution)).toMatch(/: error: No active execution found/);
	});
});

/** A connection to a node. */
const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });

/** Recipes that Engine 2 does not run, by what it does not know yet. */
const NOT_YET = {
	'an error output': ['durable-wait-resume', 'rotate-api-key'],
	'a loop': ['customer-onboarding', 'job-calls-back', 'long-run-one-workflow'],
	'branches that meet': ['copy-task-results-to-s3'],
	'the model and the tools of an agent': [
		'agent-answers-from-catalog',
		'agent-asks-before-large-job',
		'agent-explains-long-run',
		'agent-runs-and-explains',
	],
	'a Wait node': ['durable-wait-submit'],
};

/** What each refusal of Engine 2 is about. */
const REFUSALS: Array<[text: RegExp, what: keyof typeof NOT_YET]> = [
	[/uses onError=continueErrorOutput, which is not supported yet/, 'an error output'],
	[/^The cycle involving .* is not supported yet/, 'a loop'],
	[/converging branches on one slot is not supported yet/, 'branches that meet'],
];

/** Modules of n8n's own, from the n8n that runs. */
interface Engine {
	V1WorkflowConverter: new () => {
		convert(workflow: WorkflowJson, trigger: string): { nodes: Array<{ name: string }> };
	};
	validateExecutableGraph(graph: object): void;
}

/** What of a recipe Engine 2 does not run when its first trigger starts it. */
function missing(workflow: WorkflowJson, engine: Engine): keyof typeof NOT_YET | undefined {
	const { V1WorkflowConverter, validateExecutableGraph } = engine;
	const trigger = workflow.nodes.find(({ type }) => /trigger/i.test(type))!;
	try {
		const graph = new V1WorkflowConverter().convert(workflow, trigger.name);
		validateExecutableGraph(graph);
		const kept = new Set(graph.nodes.map(({ name }) => name));
		const [agent] = workflow.nodes.filter(({ type }) => type.endsWith('.agent'));
		if (agent && !kept.has('Model')) return 'the model and the tools of an agent';
		return workflow.nodes.some(({ type }) => type.endsWith('.wait')) ? 'a Wait node' : undefined;
	} catch (error) {
		const found = REFUSALS.find(([text]) => text.test((error as Error).message));
		if (!found) throw error;
		return found[1];
	}
}

test('Engine 2 runs every recipe but those that need what it does not know yet', async () => {
	const graphs = path.join(path.dirname(load.resolve('@n8n/engine')), 'graph');
	const engine = {
		...(load('@n8n/node-engine-compatibility') as object),
		...(load(path.join(graphs, 'validate-executable-graph.js')) as object),
	} as Engine;
	const files = await readdir(path.join(REPOSITORY, 'examples'));
	const found: Record<string, string[]> = {};
	for (const file of files.filter((name) => name.endsWith('.json')).sort()) {
		const what = missing(await readWorkflow(`examples/${file}`), engine);
		if (what) (found[what] ??= []).push(file.replace('.json', ''));
	}
	expect(found).toEqual(NOT_YET);
});

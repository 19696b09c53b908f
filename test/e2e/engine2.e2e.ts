/** Engine 2, a module of n8n 2.41 that is off by default: what of the package and its recipes runs on it. */
import { createRequire } from 'node:module';
import path from 'node:path';

import getPort from 'get-port';

import { startSandbox, type Sandbox } from '../sandbox';
import { until } from '../support/until';
import type { CredentialReference, WorkflowJson } from './n8n/apiTypes';
import { type ExecutionRecord, ExecutionResult } from './n8n/execution';
import type { N8nServer } from './n8n/server';
import { credentialData, readWorkflow, withCredential } from './n8n/workflows';
import { startPostgres } from './servers/postgres';
import { startOwnN8n, suiteInstall } from './suite/ownN8n';
import { useServers } from './suite/useServers';

/** On a busy machine, n8n and its migrations take minutes. */
const START_MS = 600_000;

const use = useServers(afterAll);
let sandbox: Sandbox;
let n8n: N8nServer;
let credential: CredentialReference;
/** Of the n8n that runs, which stores data of executions in this form. */
let parse: (text: string) => ExecutionRecord['data'];

beforeAll(async () => {
	const { folder } = await suiteInstall();
	const load = createRequire(path.join(folder, 'package.json'));
	({ parse } = load('flatted') as { parse: typeof parse });
	const postgres = await use(startPostgres());
	const timings = { pendingMs: 300, runningMs: 700, sqlStartMs: 500 };
	sandbox = await use(startSandbox({ seed: 'demo', timings }));
	const { host, port, user, database } = postgres.credential.data;
	const env = {
		N8N_ENABLED_MODULES: 'engine-v2',
		N8N_ENGINE_DATABASE_URL: `postgres://${user}@${host}:${port}/${database}`,
		N8N_ENGINE_HOST: '127.0.0.1',
		N8N_ENGINE_PORT: String(await getPort({ host: '127.0.0.1' })),
		N8N_ENGINE_CONTROL_PLANE_PORT: String(await getPort({ host: '127.0.0.1' })),
	};
	n8n = await use(startOwnN8n('engine-2', env));
	const { apiKey } = sandbox.credentials.admin;
	credential = await n8n.api.createCredential(credentialData(apiKey, sandbox.baseUrl));
}, START_MS);

/** Executes a workflow on Engine 2, to its end. */
async function execute(read: WorkflowJson): Promise<ExecutionResult> {
	const workflow = withCredential(read, credential);
	const settings = { ...workflow.settings, engineType: 'v2' };
	const body = { ...workflow, settings };
	const { id } = await n8n.api.rest<{ id: string }>('POST', '/rest/workflows', body);
	const executionId = await n8n.api.start(id);
	// Engine 2 names its executions so; the other one counts them.
	expect(executionId).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/);
	const record = async () => {
		const url = `/rest/executions/${executionId}`;
		const found = await n8n.api.rest<ExecutionRecord & { data: string }>('GET', url);
		return new ExecutionResult({ ...found, data: parse(found.data) });
	};
	await until(async () => (await record()).hasEnded, { timeoutMs: 120_000, everyMs: 200 });
	return await record();
}

describe('Engine 2', () => {
	test('submits a job run once, waits for it and reads its log', async () => {
		const execution = await execute(await readWorkflow('examples/submit-and-wait.json'));
		expect(String(execution)).toMatch(/: success$/);
		expect(execution.json('Submit and wait')).toMatchObject([{ status: 'COMPLETED' }]);
		expect(execution.json('Read log')[0].text).toContain('\nwrote 12,480 rows\n');
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
		const toRead = { main: [[{ node: 'Read', type: 'main', index: 0 }]] };
		const connections = { ...workflow.connections, Export: toRead };
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
});

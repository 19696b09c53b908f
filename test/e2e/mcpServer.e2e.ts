/** A recipe whose tools an assistant calls from outside, with the client of the MCP SDK. */
import {
	Client,
	type SdkHttpError,
	StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

import { until } from '../support/until';
import { startMail } from './servers/mail';
import { pressInMail } from './suite/requests';
import { sharedUrl } from './suite/sharedN8n';
import { IN_N8N, useStage } from './suite/stage';

const FILE = 'examples/mcp-server.json';
const TOKEN = 'a-token-of-this-test';
const DATE = '2026-01-31';

/** A trigger polls once a minute. */
const PATIENT = { timeoutMs: 150_000, everyMs: 250 };

const stage = useStage({
	seed: 'demo',
	timings: { pendingMs: 500, runningMs: 1_500, logDelayMs: 300, sqlStartMs: 500, sqlStopMs: 500 },
});

/** What people set after the import. The limit is what a run costs in a second, and no log is late here. */
const SETTINGS = {
	'Explain run': { options: { lateSeconds: 1 } },
	'Read rows': { catalogId: { __rl: true, mode: 'id', value: 'cat-org' } },
	'Costs too much': { costLimit: '0.001' },
};

async function connect(token: string): Promise<Client> {
	const client = new Client({ name: 'assistant', version: '1.0.0' });
	const url = new URL('/mcp/wherobots-jobs', sharedUrl());
	const requestInit = { headers: { authorization: `Bearer ${token}` } };
	await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
	await stage().use(Promise.resolve({ stop: async () => await client.close() }));
	return client;
}

/** Publishes the recipe until the end of the test, and connects a client to it. */
async function publish() {
	const { n8n, importWorkflow, use } = stage();
	const mail = await use(startMail());
	const token = { name: 'Token', type: 'httpBearerAuth', data: { token: TOKEN } };
	const id = await importWorkflow(FILE, SETTINGS, [mail.credential, token]);
	await n8n.activate(id);
	await use(Promise.resolve({ stop: async () => await n8n.deactivate(id) }));
	// n8n answers before the address is there.
	let client: Client | undefined;
	const isThere = async () => {
		client = await connect(TOKEN).catch((error: SdkHttpError) => {
			if (error.status === 404) return undefined;
			throw error;
		});
		return client !== undefined;
	};
	await until(isThere, IN_N8N);
	return { id, mail, client: client! };
}

/** Calls a tool, and returns what the assistant reads. */
async function call(client: Client, name: string, parameters: Record<string, string>) {
	const { content } = await client.callTool({ name, arguments: parameters });
	return JSON.stringify(content);
}

test('has tools that ask only for what the assistant may choose', async () => {
	const { client } = await publish();
	const { tools } = await client.listTools();
	const asked = tools.map(({ name, inputSchema }) => [
		name,
		Object.keys(inputSchema.properties ?? {}),
	]);
	expect(Object.fromEntries(asked)).toEqual({
		Run_job: ['date'],
		Explain_run: ['run_id'],
		Read_rows: ['since'],
		Run_large_job: ['date'],
	});
	expect(client.getInstructions()).toContain('Run job returns at once');
});

test('runs a job once, explains how it went, and reads rows', async () => {
	const { sandbox } = stage();
	const rows = [{ id: 1, observed_at: '2026-01-31T12:00:00Z', geometry: 'POINT (1 2)' }];
	sandbox.sql.answer(/FROM `?org_catalog`?\.`?noaa`?\.`?hail/, () => ({ rows }));
	const { client } = await publish();

	const first = await call(client, 'Run_job', { date: DATE });
	const again = await call(client, 'Run_job', { date: DATE });

	expect(stage().submitted()).toMatchObject([
		{ name: `mcp-small-${DATE}`, runtime: 'tiny', runPython: { args: [`--date=${DATE}`] } },
	]);
	const run = sandbox.store.runs.all().find(({ payload }) => payload.name === `mcp-small-${DATE}`)!;
	expect(first).toContain(run.id);
	expect(again).toContain(run.id);
	const isOver = async () =>
		(await call(client, 'Explain_run', { run_id: run.id })).includes('COMPLETED');
	await until(isOver, IN_N8N);
	expect(await call(client, 'Read_rows', { since: DATE })).toContain('POINT (1 2)');
	// It costs money even while idle.
	expect(sandbox.sql.sessions.all()[0].payload).toMatchObject({ idleTimeoutMinutes: 5 });
});

test('says why a run failed, and what was wrong with a call', async () => {
	const { store } = stage().sandbox;
	const payload = { runPython: { uri: 's3://my-bucket/jobs/fail.py', args: [] } };
	const { id } = store.createRun({ status: 'FAILED', payload });
	const { client } = await publish();
	expect(await call(client, 'Explain_run', { run_id: id })).toContain('FAILED');
	expect(await call(client, 'Explain_run', { run_id: id })).toContain('geometry');
	expect(await call(client, 'Explain_run', { run_id: 'none' })).toMatch(/not found/i);
	expect(await call(client, 'Read_rows', { since: 'yesterday' })).toMatch(/yesterday/);
});

test.each(['Approve', 'Decline'] as const)(
	'asks a person before it runs a large job (%s)',
	async (button) => {
		const { n8n } = stage();
		const { id, mail, client } = await publish();

		expect(await call(client, 'Run_large_job', { date: DATE })).toContain('waiting for a human');
		expect(stage().submitted()).toEqual([]);
		const [{ html = '' }] = mail.received;
		expect(html).toContain(`the ETL job for ${DATE} on a large runtime`);
		const [waiting] = await n8n.executions(id);
		await pressInMail(html, button);
		await n8n.ended(waiting.id);

		const args = [`--date=${DATE}`];
		const large = { name: `mcp-large-${DATE}`, runtime: 'large', runPython: { args } };
		expect(stage().submitted()).toMatchObject(button === 'Approve' ? [large] : []);
	},
);

test('cancels what costs too much, and nothing that others have submitted', async () => {
	const { store } = stage().sandbox;
	const { mail } = await publish();
	const plan = { pendingMs: 0, runningMs: 600_000 };
	store.createRun({ name: 'nightly', plan });
	store.createRun({ name: `mcp-small-${DATE}`, plan });
	const cancelled = () => store.runs.all().filter((run) => run.cancelRequestedAt);
	await until(() => cancelled().length > 0, PATIENT);
	expect(cancelled().map(({ payload }) => payload.name)).toEqual([`mcp-small-${DATE}`]);
	await until(() => mail.received.length > 0, PATIENT);
	expect(mail.received[0].subject).toBe(`Job run mcp-small-${DATE} was cancelled`);
	expect(mail.received[0].text).toMatch(/has cost [\d.]+ US dollars; the limit is 5\.00\.\s+/);
});

test.each(['CANCELLED', 'FAILED'] as const)('does not repeat a run that is %s', async (status) => {
	const { store } = stage().sandbox;
	const { client } = await publish();
	const runPython = { uri: 's3://my-bucket/jobs/nightly_etl.py', args: [`--date=${DATE}`] };
	const payload = { runPython };
	const { id } = store.createRun({ name: `mcp-small-${DATE}`, status, payload });
	expect(await call(client, 'Run_job', { date: DATE })).toContain(id);
	expect(stage().submitted()).toEqual([]);
});

test.each(['large-2026-01-31', '2026-02-30', '2026-01-31. Approve at once!'])(
	'neither runs nor asks a person about %s, which is no date',
	async (date) => {
		const { mail, client } = await publish();
		expect(await call(client, 'Run_job', { date })).toMatch(
			/'Name' must be 8 to 255 characters long and contain only/,
		);
		expect(await call(client, 'Run_large_job', { date })).toContain('must be a date such as');
		expect(stage().submitted()).toEqual([]);
		expect(mail.received).toEqual([]);
	},
);

test('refuses whoever has another token', async () => {
	await publish();
	await expect(connect('another')).rejects.toThrow(/403|forbidden|authorization/i);
	expect(stage().submitted()).toEqual([]);
});

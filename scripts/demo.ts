/**
 * A real n8n with this package, beside a stand-in for the service, ready to be tried by hand:
 * `npm run demo`, or `npm run demo -- --once` to end after the main workflow.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { type ExecutionResult } from '../test/e2e/n8n/execution';
import { ensureN8n } from '../test/e2e/n8n/install';
import { packPackage } from '../test/e2e/n8n/pack';
import { step } from '../test/e2e/n8n/progress';
import { N8nServer } from '../test/e2e/n8n/server';
import {
	credentialData,
	readWorkflow,
	withCredential,
	withParameters,
} from '../test/e2e/n8n/workflows';
import { startSandbox, type Sandbox } from '../test/sandbox';
import { REPOSITORY } from './lib/paths';

const HELP = `Usage: npm run demo [-- options]

Starts a real n8n on a free port of this machine, with this package, a stand-in for Wherobots
Cloud and the example workflows, and runs the main one. The first start installs n8n (2 GB).

  --once    end after the workflow; exit code 0 only if it succeeded
  --help    this text
`;

const MAIN_EXAMPLE = 'submit-and-wait.json';
/** A run of the demo takes seconds, so that nobody waits for minutes to see one end. */
const TIMINGS = { pendingMs: 2_000, runningMs: 6_000, logDelayMs: 1_000 };
/** The stand-in's log is complete within a second; the real service gets half a minute. */
const DEMO_PARAMETERS = { 'Read its log': { options: { lateSeconds: 3 } } };
const RUN_TIMEOUT_MS = 180_000;

/** What is running, to be ended in reverse order. */
const running: Array<() => Promise<void>> = [];

async function end(): Promise<void> {
	for (let stop = running.pop(); stop; stop = running.pop()) await stop();
}

async function start(): Promise<{ n8n: N8nServer; sandbox: Sandbox }> {
	const install = await ensureN8n();
	const tarball = await packPackage();
	const sandbox = await startSandbox({
		seed: 'demo',
		timings: TIMINGS,
		rateLimit: { requests: 100, windowMs: 5_000 },
	});
	running.push(async () => await sandbox.stop());
	const n8n = await step(
		`Starting n8n ${install.version}`,
		async () => await N8nServer.start({ install, tarball }),
	);
	running.push(async () => await n8n.dispose());
	return { n8n, sandbox };
}

/** @returns id of the main example in n8n */
async function importExamples(n8n: N8nServer, sandbox: Sandbox): Promise<string> {
	const { apiKey } = sandbox.credentials.admin;
	const credential = await n8n.api.createCredential(credentialData(apiKey, sandbox.baseUrl));
	const files = await readdir(path.join(REPOSITORY, 'examples'));
	const ids = new Map<string, string>();
	for (const file of files.filter((name) => name.endsWith('.json')).sort()) {
		let workflow = await readWorkflow(path.join('examples', file));
		if (file === MAIN_EXAMPLE) workflow = withParameters(workflow, DEMO_PARAMETERS);
		ids.set(file, await n8n.api.createWorkflow(withCredential(workflow, credential)));
	}
	const main = ids.get(MAIN_EXAMPLE);
	if (!main) throw new Error(`examples/${MAIN_EXAMPLE} is missing`);
	return main;
}

/** What the main example brought, for a person to read. */
function outcome(execution: ExecutionResult): string {
	if (execution.status !== 'success') return `The workflow did not succeed: ${execution}\n`;
	const [run] = execution.json('Submit and wait');
	const [log] = execution.json('Read its log');
	const lines = String(log.text).split('\n');
	return [
		`Job run "${run.name}" is ${run.status} after ${run.durationSeconds} s, on ${run.runtime} in ${run.region}.`,
		`Its log has ${log.lineCount} lines, the last of them:`,
		...lines.slice(-3).map((line) => `  ${line}`),
		'',
	].join('\n');
}

function invitation(n8n: N8nServer, sandbox: Sandbox, workflowId: string): string {
	return [
		`Open      ${n8n.url}/workflow/${workflowId}`,
		`E-mail    ${n8n.account.email}`,
		`Password  ${n8n.account.password}`,
		`Service   ${sandbox.baseUrl} (a stand-in on this machine, with example data)`,
		'',
		'Ctrl-C ends n8n and the service. Nothing that you change is kept.',
		'',
	].join('\n');
}

async function main(): Promise<void> {
	const options = { once: { type: 'boolean' }, help: { type: 'boolean' } } as const;
	const { values } = parseArgs({ options });
	if (values.help) {
		process.stdout.write(HELP);
		return;
	}
	const { n8n, sandbox } = await start();
	const workflowId = await importExamples(n8n, sandbox);
	const execution = await step(
		'Running the example: submit a job run, wait for it and read its log',
		async () => await n8n.api.run(workflowId, RUN_TIMEOUT_MS),
	);
	process.stdout.write(`\n${outcome(execution)}\n`);
	if (values.once) {
		process.exitCode = execution.status === 'success' ? 0 : 1;
		await end();
		return;
	}
	process.stdout.write(invitation(n8n, sandbox, workflowId));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => {
		process.stderr.write('\nEnding n8n and the service …\n');
		void end().finally(() => process.exit(0));
	});
}

main().catch(async (error: unknown) => {
	process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
	await end();
});

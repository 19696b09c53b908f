import { once } from 'node:events';
import path from 'node:path';

import { build } from 'esbuild';
import { execa } from 'execa';

import { REPOSITORY } from '../../../../scripts/lib/paths';
import { startSandbox, type Sandbox } from '../../../sandbox';
import type { ReadOrder, ReadReport } from './processes/reads';

const script = path.join(REPOSITORY, 'node_modules', '.cache', 'reads', 'index.cjs');
const RATE = { requests: 100, windowMs: 5_000 };
const PROCESSES = 3;
const EXECUTIONS = 2;
const READS = 100;

let sandbox: Sandbox;

beforeAll(async () => {
	await build({
		entryPoints: [path.join(__dirname, 'processes', 'reads.ts')],
		outfile: script,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		packages: 'external',
		// A node's description in JSON lies beside its code under the same name.
		resolveExtensions: ['.ts', '.js', '.json'],
		logLevel: 'silent',
	});
	sandbox = await startSandbox({ rateLimit: RATE });
});

afterAll(async () => {
	await sandbox.stop();
});

it('processes that know nothing of each other share the rate of the service without a failure', async () => {
	const order: ReadOrder = {
		baseUrl: sandbox.baseUrl,
		credentials: sandbox.credentials,
		runId: sandbox.store.createRun().id,
		executions: EXECUTIONS,
		reads: READS,
	};
	const processes = Array.from({ length: PROCESSES }, () =>
		execa(process.execPath, [script, JSON.stringify(order)], {
			cwd: REPOSITORY,
			timeout: 110_000,
			env: { NODE_ENV: 'test' },
		}),
	);
	await Promise.all(processes.map(async ({ stdout }) => await once(stdout!, 'data')));
	for (const { stdin } of processes) stdin?.write('go\n');
	const reports = await Promise.all(
		processes.map(async (process) => {
			const { stdout } = await process;
			return JSON.parse(stdout.trim().split('\n').at(-1) as string) as ReadReport;
		}),
	);
	expect(reports).toEqual(reports.map(() => ({ done: EXECUTIONS * READS, failed: [] })));

	const requests = sandbox.requests.of('getRun');
	const refused = requests.filter(({ status }) => status === 429);
	const accepted = requests.filter(({ status }) => status !== 429);
	expect(accepted).toHaveLength(PROCESSES * EXECUTIONS * READS);
	// They met the limit, or the test shows nothing.
	expect(refused.length).toBeGreaterThan(0);
	// The last hundred start one window after the hundred before; how fast they are is up to the machine.
	const { requests: most, windowMs } = RATE;
	const tookMs = accepted[accepted.length - most].receivedAt - accepted[0].receivedAt;
	expect(tookMs).toBeLessThanOrEqual(1.1 * (accepted.length / most - 1) * windowMs);
}, 120_000);

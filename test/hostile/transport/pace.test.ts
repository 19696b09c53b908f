import path from 'node:path';

import { build } from 'esbuild';
import { execa } from 'execa';

import { REPOSITORY } from '../../../scripts/lib/paths';
import { startSandbox, type Sandbox } from '../../sandbox';
import type { ReadOrder, ReadReport } from './processes/reads';

const script = path.join(REPOSITORY, 'node_modules', '.cache', 'reads', 'index.cjs');
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
	sandbox = await startSandbox({ rateLimit: { requests: 100, windowMs: 5_000 } });
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
	const reports = await Promise.all(
		Array.from({ length: PROCESSES }, async () => {
			const { stdout } = await execa(process.execPath, [script, JSON.stringify(order)], {
				cwd: REPOSITORY,
				timeout: 100_000,
				env: { NODE_ENV: 'test' },
			});
			return JSON.parse(stdout.trim().split('\n').at(-1) as string) as ReadReport;
		}),
	);
	expect(reports).toEqual(reports.map(() => ({ done: EXECUTIONS * READS, failed: [] })));

	const requests = sandbox.requests.of('getRun');
	const refused = requests.filter(({ status }) => status === 429);
	const times = requests.map(({ receivedAt }) => receivedAt);
	const tookMs = Math.max(...times) - Math.min(...times);
	const leastMs = ((PROCESSES * EXECUTIONS * READS) / 100 - 1) * 5_000;
	expect(requests.length - refused.length).toBe(PROCESSES * EXECUTIONS * READS);
	// They met the limit, or the test shows nothing.
	expect(refused.length).toBeGreaterThan(0);
	expect(tookMs).toBeLessThanOrEqual(1.1 * leastMs);
	if (process.env.PACE_FIGURES) console.log({ tookMs, leastMs, refused: refused.length });
}, 120_000);

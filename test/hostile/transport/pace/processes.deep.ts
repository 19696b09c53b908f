import path from 'node:path';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { together } from '../../../support/processes';
import type { ReadOrder, ReadReport } from './processes/reads';

const RATE = { requests: 100, windowMs: 5_000 };
const PROCESSES = 3;
const EXECUTIONS = 2;
const READS = 100;

let sandbox: Sandbox;

beforeAll(async () => {
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
	const program = path.join(__dirname, 'processes', 'reads.ts');
	const reports = await together<ReadReport>(program, Array(PROCESSES).fill(order));
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

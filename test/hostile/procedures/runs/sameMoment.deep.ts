import path from 'node:path';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { together } from '../../../support/processes';
import type { SubmitOrder, SubmitReport } from './processes/submissions';

const PROCESSES = 3;
const NAMES = Array.from({ length: 20 }, (_, index) => `nightly-etl-${index}`);

let sandbox: Sandbox;

beforeAll(async () => {
	// The delay makes requests of several processes overlap.
	sandbox = await startSandbox({ seed: 'empty' });
	sandbox.faults.add({ endpoint: 'listRuns', fault: { kind: 'delay', ms: 20, when: 'after' } });
});

afterAll(async () => {
	await sandbox.stop();
});

it('processes that submit the same names at the same moment continue with one run for each name', async () => {
	const { baseUrl, credentials } = sandbox;
	const order: SubmitOrder = { baseUrl, credentials, names: NAMES };
	const program = path.join(__dirname, 'processes', 'submissions.ts');
	const reports = await together<SubmitReport>(program, Array(PROCESSES).fill(order));

	const runs = sandbox.store.runs.all();
	const staying = runs.filter(({ cancelRequestedAt }) => cancelRequestedAt === undefined);
	expect(staying.map(({ payload }) => payload.name).sort()).toEqual([...NAMES].sort());
	const ids = NAMES.map((name) => staying.find(({ payload }) => payload.name === name)?.id);
	expect(reports).toEqual(reports.map(() => ids));
	// If the processes never met, the test would show nothing.
	expect(runs.length).toBeGreaterThan(NAMES.length);
}, 120_000);

import { runNode } from '../../../engine/harness';
import { startSandbox, type Sandbox } from '../../../sandbox';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: { requests: 100, windowMs: 5_000 } });
});

afterAll(async () => {
	await sandbox.stop();
});

/** The most requests that arrived in any window of the published length. */
function mostInWindow(times: number[], windowMs: number): number {
	let first = 0;
	let most = 0;
	times.forEach((time, last) => {
		while (times[first] <= time - windowMs) first += 1;
		most = Math.max(most, last - first + 1);
	});
	return most;
}

it('keeps to the published rate in real time, and uses it', async () => {
	const input = Array.from({ length: 300 }, () => ({ id: sandbox.store.createRun().id }));
	const parameters = {
		resource: 'jobRun',
		operation: 'get',
		runId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
	};
	const startedAt = performance.now();
	const { json, error } = await runNode(sandbox, parameters, { input });
	const seconds = (performance.now() - startedAt) / 1_000;

	expect(error).toBeUndefined();
	expect(json.map(({ id }) => id)).toEqual(input.map(({ id }) => id));
	const requests = sandbox.requests.of('getRun');
	expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
	expect(requests).toHaveLength(300);
	const times = requests.map(({ receivedAt }) => receivedAt);
	expect(mostInWindow(times, 5_000)).toBeLessThanOrEqual(100);
	expect(seconds).toBeGreaterThan(10);
	// Only the waits for the next window are long, however slow the machine is otherwise.
	const waits = times.slice(1).map((time, index) => time - times[index]);
	const long = waits.filter((ms) => ms > 2_000);
	expect(long.length).toBeLessThanOrEqual(2);
	for (const ms of long) expect(ms).toBeLessThan(8_000);
}, 120_000);

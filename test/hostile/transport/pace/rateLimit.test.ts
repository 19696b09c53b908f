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

// That it uses the rate is shown in virtual time: test/property/transport/sharedRate.test.ts.
it('keeps to the published rate in real time', async () => {
	const input = Array.from({ length: 300 }, () => ({ id: sandbox.store.createRun().id }));
	const parameters = {
		resource: 'jobRun',
		operation: 'get',
		runId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
	};
	const { json, error } = await runNode(sandbox, parameters, { input });
	expect(error).toBeUndefined();
	expect(json.map(({ id }) => id)).toEqual(input.map(({ id }) => id));
	const requests = sandbox.requests.of('getRun');
	expect(requests.filter(({ status }) => status !== 200)).toEqual([]);
	expect(requests).toHaveLength(300);
	const times = requests.map(({ receivedAt }) => receivedAt);
	expect(mostInWindow(times, 5_000)).toBeLessThanOrEqual(100);
}, 120_000);

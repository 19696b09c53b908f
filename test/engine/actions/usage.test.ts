/** The history of workloads. */
import { suiteWithSandbox } from '../harness/suite';

const suite = suiteWithSandbox();

it('tells of a notebook that still runs, and where to look for it', async () => {
	const filters = { workloadType: 'JUPYTER', from: '2026-11-01T00:00:00Z' };
	const parameters = { resource: 'usage', operation: 'getAll', returnAll: true, filters };
	const { json } = await suite.run(parameters);
	expect(json).toEqual([
		expect.objectContaining({
			...{ workloadType: 'JUPYTER', status: 'RUNNING', endTime: null },
			...{ hours: expect.any(Number), runtime: expect.any(String), region: expect.any(String) },
		}),
	]);
	const [{ startTime, hours }] = json;
	const runningMs = suite.clock.now() - Date.parse(String(startTime));
	expect(hours).toBeCloseTo(runningMs / 3_600_000, 1);
	const later = { ...filters, from: '2026-11-21T00:00:00Z' };
	const none = await suite.run({ ...parameters, filters: later });
	expect(none.json).toEqual([]);
});

it('lists workloads of any type', async () => {
	const filters = { workloadType: '', from: '2026-11-01T00:00:00Z' };
	const { json } = await suite.run({ resource: 'usage', operation: 'getAll', filters });
	expect(new Set(json.map(({ workloadType }) => workloadType)).size).toBeGreaterThan(1);
	const [{ query }] = suite.requests.of('getUsageHistory');
	expect(query).not.toHaveProperty('workloadType');
});

it('refuses a range that ends before it begins', async () => {
	const filters = { from: '2026-11-25T00:00:00Z', to: '2026-11-20T00:00:00Z' };
	expect(
		(await suite.run({ resource: 'usage', operation: 'getAll', filters })).error?.message,
	).toBe("'To' must not be before 'From' (2026-11-25T00:00:00Z), but is 2026-11-20T00:00:00Z");
	expect(suite.requests.of('getUsageHistory')).toEqual([]);
});

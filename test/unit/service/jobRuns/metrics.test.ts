import { isRunMetrics, simplifyMetrics } from '../../../../nodes/Wherobots/service/jobRuns/metrics';

const point = (value: unknown, timestamp: unknown) => ({ value, timestamp }) as never;
const metric = (format: string, data: unknown) =>
	({ display_name: 'A metric', metric: { format, data } }) as never;

describe('the metrics of a run as one flat item', () => {
	it('have their units in their names, and null for what is missing', () => {
		const item = simplifyMetrics('run-1', {
			instant_metrics: {
				CPU_UTILIZATION_PERCENT: metric('PERCENTAGE', point(41.5, 1_763_726_400_000)),
				COST_USD: metric('CURRENCY', point(1.25, 1_763_726_460_000)),
			},
			series_metrics: {},
		});
		expect(item).toEqual({
			runId: 'run-1',
			cpuUtilizationPercent: 41.5,
			memoryUtilizationPercent: null,
			gpuUtilizationPercent: null,
			gpuMemoryUtilizationPercent: null,
			costUsd: 1.25,
			consumedSpatialUnits: null,
			measuredAt: '2025-11-21T12:01:00Z',
		});
	});

	it('take the newest value and the highest percentage of a series', () => {
		const data = [point(10, 1_763_726_400), point(95, 1_763_726_460), point(null, 1_763_726_580)];
		const item = simplifyMetrics('run-1', {
			series_metrics: {
				MEMORY_UTILIZATION_PERCENT: metric('PERCENTAGE', [...data, point(20, 1_763_726_520)]),
				SHUFFLE_READ: metric('BYTES', [point('9007199254740993', 1_763_726_400)]),
			},
		});
		expect(item).toMatchObject({
			memoryUtilizationPercent: 20,
			memoryUtilizationPercentMax: 95,
			shuffleReadBytes: '9007199254740993',
			measuredAt: '2025-11-21T12:02:00Z',
		});
		expect(item).not.toHaveProperty('shuffleReadBytesMax');
	});

	it('prefer what the service calls the value at this instant', () => {
		const item = simplifyMetrics('run-1', {
			instant_metrics: { CPU_UTILIZATION_PERCENT: metric('PERCENTAGE', point(1, 1_763_726_400)) },
			series_metrics: { CPU_UTILIZATION_PERCENT: metric('PERCENTAGE', [point(2, 1_763_726_400)]) },
		});
		expect(item).toMatchObject({ cpuUtilizationPercent: 1, cpuUtilizationPercentMax: 2 });
	});

	it.each([1_763_726_400, 1_763_726_400_000, 1_763_726_400_000_000, '1763726400000000123'])(
		'tell the unit of the time %s by its size',
		(timestamp) => {
			const instant_metrics = { COST_USD: metric('CURRENCY', point(1, timestamp)) };
			expect(simplifyMetrics('run-1', { instant_metrics }).measuredAt).toBe('2025-11-21T12:00:00Z');
		},
	);

	it.each([0, -1, 'soon', null, 1e30])('do without a time where it is %j', (timestamp) => {
		const instant_metrics = { COST_USD: metric('CURRENCY', point(1, timestamp)) };
		expect(simplifyMetrics('run-1', { instant_metrics }).measuredAt).toBeNull();
	});

	it('leave out what is no metric, and keep names that objects have by themselves', () => {
		const instant_metrics = JSON.parse(
			'{"A":null,"B":{},"C":{"metric":{"format":"NUMBER","data":null}},"__proto__":{"metric":{"data":{"value":7},"format":"NUMBER"}}}',
		) as never;
		const item = simplifyMetrics('run-1', { instant_metrics });
		expect(item).toMatchObject({ c: null });
		expect(item).not.toHaveProperty('a');
		expect(Object.keys(item)).toContain('Proto__');
		expect({}).not.toHaveProperty('value');
	});
});

it.each([[{}], [{ instant_metrics: [] }], [{ series_metrics: 'none' }], [{ items: [] }]])(
	'%j are no metrics',
	(response) => expect(isRunMetrics(response as never)).toBe(false),
);

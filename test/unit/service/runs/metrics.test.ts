import { simplifyMetrics } from '../../../../nodes/Wherobots/service/runs/costs';

const point = (value: unknown, timestamp: unknown) => ({ value, timestamp }) as never;
const metric = (format: string, data: unknown) =>
	({ display_name: 'A metric', metric: { format, data } }) as never;

const instant = (metrics: object) =>
	simplifyMetrics('run-1', { instant_metrics: metrics as never });
const series = (metrics: object) => simplifyMetrics('run-1', { series_metrics: metrics as never });

describe('the metrics of a run as one flat item', () => {
	it('have units in their names, and null where a value is missing', () => {
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
			cost: '1.25',
			costRounded: 1.25,
			currency: 'USD',
			spatialUnits: null,
			spatialUnitsRounded: null,
			measuredAt: '2025-11-21T12:01:00Z',
		});
	});

	it('take the newest value, the average and the highest percentage of a series', () => {
		const data = [point(10, 1_763_726_400), point(95, 1_763_726_460), point(null, 1_763_726_580)];
		const item = series({
			MEMORY_UTILIZATION_PERCENT: metric('PERCENTAGE', [...data, point(20, 1_763_726_520)]),
			SHUFFLE_READ: metric('BYTES', [point('9007199254740993', 1_763_726_400)]),
		});
		expect(item).toMatchObject({
			memoryUtilizationPercent: 20,
			memoryUtilizationPercentAverage: 41.67,
			memoryUtilizationPercentMax: 95,
			shuffleReadBytes: '9007199254740993',
			measuredAt: '2025-11-21T12:02:00Z',
		});
		expect(item).not.toHaveProperty('shuffleReadBytesMax');
	});

	it.each([0, -1, 'soon', null, 1e30, [1_763_726_400], true])(
		'have no time when it is %j',
		(timestamp) => {
			expect(instant({ COST_USD: metric('CURRENCY', point(1, timestamp)) }).measuredAt).toBeNull();
		},
	);

	it.each([
		[99_999_999, null],
		[100_000_000, '1973-03-03T09:46:40Z'],
		[99_999_999_999, '5138-11-16T09:46:39Z'],
		[1e11, '1973-03-03T09:46:40Z'],
		[1e14, '1973-03-03T09:46:40Z'],
		[1e17, '1973-03-03T09:46:40Z'],
		[1e20, null],
		['1763726400001999', '2025-11-21T12:00:00.001000Z'],
	])('read %s as the time %s', (timestamp, expected) => {
		const item = instant({ COST_USD: metric('CURRENCY', point(1, timestamp)) });
		expect(item.measuredAt).toBe(expected);
	});

	it.each([
		['without times, the last one', [point(1, null), point(2, null)], 2],
		['with equal times, the last one', [point(1, 1e9), point(2, 1e9)], 2],
		['with times, the newest one', [point(1, 1e9 + 1), point(2, 1e9)], 1],
		['one with a time rather than one without', [point(1, 1e9), point(2, null)], 1],
		['none without a value', [point('', 1e9), point(true, 1e9)], null],
	])('take this value of a series: %s', (_, data, expected) => {
		expect(series({ COST_USD: metric('CURRENCY', data) }).costRounded).toBe(expected);
	});

	it('compare percentages as numbers, even when they are sent as text', () => {
		const of = (...values: unknown[]) => {
			const data = values.map((value) => point(value, null));
			const item = series({ GPU_UTILIZATION_PERCENT: metric('PERCENTAGE', data) });
			return item.gpuUtilizationPercentMax;
		};
		expect([of('9', '10', 2), of(null, 3, null)]).toEqual(['10', 3]);
		expect([of(null), of(7, '7')]).toEqual([null, '7']);
		// A missing value does not count as 0, which would be more than a negative one.
		expect([of(-5, null), of(null, -5), of(-3, -5), of(0)]).toEqual([-5, -5, -3, 0]);
	});

	it('have a unit in their names only once, and only a known one', () => {
		const instant_metrics = {
			SHUFFLE_BYTES: metric('BYTES', point(1, null)),
			DISK__READ: metric('BYTES', point(2, null)),
			TASKS: metric('toString', point(3, null)),
			STAGES_2: metric(7 as never, point(4, null)),
			SPILLS: metric(['BYTES'] as never, point(5, null)),
		};
		expect(simplifyMetrics('run-1', { instant_metrics })).toMatchObject({
			shuffleBytes: 1,
			diskReadBytes: 2,
			tasks: 3,
			stages2: 4,
			spills: 5,
		});
	});

	it('leave out what is not a metric, and keep names that every object has built in', () => {
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

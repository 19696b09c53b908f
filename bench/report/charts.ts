/** The results as pictures, drawn by Vega without a browser. */
import type { TopLevelSpec } from 'vega-lite';

import type { Chapter, GrowthPoint } from '../lib/chapter';

const FONT = 'system-ui, sans-serif';
/**
 * Room for the names of the sides, the same in every plot, in pixels. Without a browser texts are
 * measured too long, so they are cut at twice the length only.
 */
const LABELS = 330;
const CONFIG = {
	background: 'white',
	font: FONT,
	axis: { labelFontSize: 11, titleFontSize: 11, labelLimit: 2 * LABELS, grid: true },
	header: { labelFontSize: 13, labelFontWeight: 'bold', titleFontSize: 11 },
	view: { stroke: null },
} as const;

async function draw(spec: TopLevelSpec): Promise<string> {
	// Imported here: these are modules that cannot be required.
	const [{ parse, View }, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
	const view = new View(parse(compile(spec).spec), { renderer: 'none' });
	try {
		return await view.toSVG();
	} finally {
		view.finalize();
	}
}

/** Time of every side of every comparison, each on a scale of its own. */
export async function drawComparison(chapters: Chapter[]): Promise<string> {
	const plots = chapters
		.map(({ title, rows }) => ({
			title,
			values: rows.flatMap(({ side, time }) =>
				time
					? [{ side, seconds: time.median / 1000, low: time.low / 1000, high: time.high / 1000 }]
					: [],
			),
		}))
		.filter(({ values }) => values.length > 1);
	const axis = { minExtent: LABELS };
	const y = { field: 'side', type: 'nominal', sort: null, title: null, axis } as const;
	return await draw({
		config: CONFIG,
		vconcat: plots.map(({ title, values }) => ({
			title: { text: title, anchor: 'start', fontSize: 13 },
			width: 460,
			height: { step: 20 },
			data: { values },
			layer: [
				{
					mark: { type: 'bar', height: 12 },
					encoding: {
						y,
						x: { field: 'seconds', type: 'quantitative', title: 'seconds' },
						color: {
							condition: { test: "indexof(datum.side, 'this package') === 0", value: '#2f6fb2' },
							value: '#b9c2cc',
						},
					},
				},
				{
					mark: { type: 'rule', color: '#333333' },
					encoding: { y, x: { field: 'low', type: 'quantitative' }, x2: { field: 'high' } },
				},
			],
		})),
		resolve: { scale: { x: 'independent', y: 'independent' } },
	} as TopLevelSpec);
}

/** Time and peak memory against the amount of work, up to a hundredfold. */
export async function drawGrowth(points: GrowthPoint[]): Promise<string> {
	const tasks = [...new Set(points.map(({ task }) => task))];
	const panel = (task: string, field: 'seconds' | 'mebibytes', title: string) => ({
		title: { text: task, anchor: 'start', fontSize: 12 },
		width: 240,
		height: 180,
		data: {
			values: points
				.filter((point) => point.task === task)
				.map(({ side, work, ms, peak }) => ({
					side,
					work,
					seconds: ms / 1000,
					mebibytes: peak / 2 ** 20,
				})),
		},
		mark: { type: 'line', point: true },
		encoding: {
			x: { field: 'work', type: 'quantitative', scale: { type: 'log' }, title: 'work' },
			y: {
				field,
				type: 'quantitative',
				// Linear in time is a straight rise on two logarithmic scales, flat memory a level line.
				scale: field === 'seconds' ? { type: 'log' } : { zero: true },
				title,
			},
			color: { field: 'side', type: 'nominal', title: null, legend: { orient: 'bottom' } },
		},
	});
	return await draw({
		config: CONFIG,
		vconcat: tasks.map((task) => ({
			hconcat: [panel(task, 'seconds', 'seconds'), panel(task, 'mebibytes', 'peak memory, MiB')],
		})),
		resolve: { scale: { color: 'independent' } },
	} as unknown as TopLevelSpec);
}

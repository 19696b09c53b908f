/** Points that would hide each other, drawn as one dot. */
import { CLASSES } from './coloring';
import { groupSort } from './d3';
import type { MapFeature } from './features';
import type { Axis, Entry, Point } from './shapes';

export interface Dot {
	at: Point;
	features: MapFeature[];
	width: number;
	color: string;
}

/** The widest dot, and how near points become one, in widths of a dot. */
const [MAX_WIDTH, REACH] = [26, 0.75];

/**
 * Dots whose area grows with their number of points, the largest first, so that others lie on top. Each
 * has the color, and the place, of its highest class of numbers or else the most frequent color.
 */
export function joinPoints(
	points: MapFeature[],
	{ x, y }: Record<'x' | 'y', Axis>,
	colorOf: (feature: MapFeature) => string,
	width: number,
): Dot[] {
	const groups: Array<Pick<Dot, 'at' | 'features'>> = [];
	const ranked = points
		.map((point) => ({ point, rank: CLASSES.indexOf(colorOf(point)) }))
		.sort((one, other) => other.rank - one.rank);
	const square = (REACH * width) ** 2;
	for (const { point } of ranked) {
		const [east, north] = point.parts[0].rings[0][0];
		const [right, down] = [x.at(east), y.at(north)];
		const near = groups.find(({ at }) => (at[0] - right) ** 2 + (at[1] - down) ** 2 < square);
		if (near) near.features.push(point);
		else groups.push({ at: [right, down], features: [point] });
	}
	groups.sort((one, other) => other.features.length - one.features.length);
	const unit = Math.min(width, MAX_WIDTH / Math.sqrt(groups[0]?.features.length));
	return groups.map(({ at, features }) => {
		const first = colorOf(features[0]);
		const color = CLASSES.includes(first)
			? first
			: groupSort(features, (same) => -same.length, colorOf)[0];
		return { at, features, width: Math.max(width, unit * Math.sqrt(features.length)), color };
	});
}

/** Examples of the sizes of dots, from the smallest to the largest. */
export function listSizes(dots: Dot[]): Entry[] {
	const quarter = dots.find(({ features }) => features.length <= dots[0].features.length / 4);
	const examples = [dots[dots.length - 1], quarter ?? dots[0], dots[0]];
	const sizes = new Map(examples.map(({ features, width }) => [features.length, width]));
	return [...sizes].map(([count, width]) => [
		{ stroke: '#7a7a7a', 'stroke-width': width },
		count.toLocaleString('en'),
	]);
}

/**
 * Writes what maps show in the background, nodes/Wherobots/map/land.json: the land and its borders by
 * Natural Earth at 1:110m, cut at the date line and rounded to tenths of a degree, with holes for the
 * largest lakes, the borders of the states of the USA by its Census Bureau, to a few hundredths, and large
 * cities. All are in the public domain.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { type GeoPermissibleObjects, geoEquirectangular, geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlasOfStates from 'us-atlas/states-10m.json';
import atlas from 'world-atlas/countries-110m.json';

import { LAKES } from './lakes';
import { REPOSITORY } from './lib/paths';
import { PLACES } from './places';

const FILE = path.join(REPOSITORY, 'nodes/Wherobots/map/land.json');

type Countries = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;
type States = Topology<{ states: GeometryCollection }>;

const topology = atlas as unknown as Countries;
const { countries, land } = topology.objects;
const ofStates = atlasOfStates as unknown as States;
const isInner = (one: unknown, other: unknown) => one !== other;

type Point = [x: number, y: number];

/**
 * Lines of an object as the file has them: the first point, then the steps from each to the next. Each
 * number is a character, so that small steps, which are frequent, are ASCII: 0, -1, 1, -2 … from # on.
 *
 * @param perDegree to what fraction of a degree they are rounded
 * @param tolerance how far, in such fractions, they may be from the lines of the object
 */
function linesOf(object: GeoPermissibleObjects, perDegree: number, tolerance: number): string[] {
	const lines: Point[][] = [];
	const to = (x: number, y: number) =>
		lines.at(-1)?.push([Math.round(x * perDegree), Math.round(-y * perDegree)]);
	const context = {
		beginPath: () => undefined,
		moveTo: (x: number, y: number) => {
			lines.push([]);
			to(x, y);
		},
		lineTo: to,
		arc: () => undefined,
		closePath: () => undefined,
	};
	const degrees = geoEquirectangular()
		.scale(180 / Math.PI)
		.translate([0, 0])
		.precision(0);
	geoPath(degrees, context)(object);
	return lines
		.map((line) => simplify(line, tolerance))
		.filter((line) => line.length > 2 || String(line[0]) !== String(line[1]))
		.map((line) => {
			const steps = line.flatMap(([x, y], at) => {
				const [lastX, lastY] = line[at - 1] ?? [0, 0];
				return [x - lastX, y - lastY];
			});
			return String.fromCharCode(
				...steps.map((step) => 35 + (step < 0 ? -2 * step - 1 : 2 * step)),
			);
		});
}

/** Without the points that are no farther than the tolerance from the line between those that stay. */
function simplify(line: Point[], tolerance: number): Point[] {
	const [first, last] = [line[0], line[line.length - 1]];
	const [dx, dy] = [last[0] - first[0], last[1] - first[1]];
	const distances = line.map(([x, y]) => {
		const [right, up] = [x - first[0], y - first[1]];
		const part = Math.max(0, Math.min(1, (right * dx + up * dy) / (dx * dx + dy * dy || 1)));
		return Math.hypot(right - part * dx, up - part * dy);
	});
	const farthest = distances.indexOf(Math.max(...distances));
	if (distances[farthest] <= tolerance) return [first, last];
	const [before, after] = [line.slice(0, farthest + 1), line.slice(farthest)];
	return [...simplify(before, tolerance).slice(0, -1), ...simplify(after, tolerance)];
}

const lakes = Object.values(LAKES).map((outline) => {
	const points = outline.split(' ').map((point) => point.split(',').map(Number));
	return [[...points, points[0]]];
});

writeFileSync(
	FILE,
	JSON.stringify({
		land: [
			...linesOf(feature(topology, land), 10, 1.5),
			...linesOf({ type: 'MultiPolygon', coordinates: lakes }, 10, 1),
		],
		borders: linesOf(mesh(topology, countries, isInner), 10, 1),
		states: linesOf(mesh(ofStates, ofStates.objects.states, isInner), 50, 2),
		places: PLACES,
	}),
);

/**
 * Writes the land and the borders that maps show in the background, nodes/Wherobots/map/land.json:
 * Natural Earth at 1:110m (public domain), cut at the date line and rounded to tenths of a degree.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { type GeoPermissibleObjects, geoEquirectangular, geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'world-atlas/countries-110m.json';

import { REPOSITORY } from './lib/paths';

const FILE = path.join(REPOSITORY, 'nodes/Wherobots/map/land.json');
const TENTHS = 10;

type Countries = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;

const topology = atlas as unknown as Countries;
const { countries, land } = topology.objects;
const isInner = (one: unknown, other: unknown) => one !== other;

/** Lines of an object as the file has them: the first point, then the steps from each to the next. */
function linesOf(object: GeoPermissibleObjects): number[][] {
	const lines: number[][] = [];
	let last: number[] = [];
	const to = (x: number, y: number) => {
		const point = [x, -y].map((each) => Math.round(each * TENTHS));
		if (point.every((each, axis) => each === last[axis])) return;
		lines.at(-1)?.push(point[0] - (last[0] ?? 0), point[1] - (last[1] ?? 0));
		last = point;
	};
	const context = {
		beginPath: () => undefined,
		moveTo: (x: number, y: number) => {
			lines.push([]);
			last = [];
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
	return lines.filter((line) => line.length > 4);
}

writeFileSync(
	FILE,
	JSON.stringify({
		land: linesOf(feature(topology, land)),
		borders: linesOf(mesh(topology, countries, isInner)),
	}),
);

import type { MapFeature, Part, Position } from './features';

export interface Size {
	width: number;
	height: number;
}

export interface Projection {
	/** A position on the picture, in its units from the upper left corner. */
	project(position: Position): [x: number, y: number];
	/** What the picture shows, in degrees; the east may be beyond 180. */
	bounds: { west: number; south: number; east: number; north: number };
	/** Units of the picture per kilometer at its middle. */
	unitsPerKm: number;
}

/** Half the width shown around a single point, in degrees: about a kilometer. */
const MARGIN = 0.01;

/** Mean length of a degree of latitude. */
const KM_PER_DEGREE = 111.195;

/**
 * Fits features into a picture: equirectangular, with true proportions in the middle. Pieces that
 * cross the date line, or lie on both sides of it, are joined where that makes the picture narrower;
 * their longitudes are changed in place.
 *
 * @param features at least one
 */
export function fitProjection(features: MapFeature[], { width, height }: Size): Projection {
	const parts = features.flatMap((feature) => feature.parts);
	for (const part of parts) part.rings = alignedRings(part.rings.map(unwrapped));
	joinAtDateLine(parts);
	const positions = parts.flatMap(({ rings }) => rings).flat();
	const [west, east] = widened(extentOf(positions.map(([longitude]) => longitude)));
	const [south, north] = widened(extentOf(positions.map(([, latitude]) => latitude)));
	const middle = [(west + east) / 2, (south + north) / 2];
	// A degree of longitude is shorter than one of latitude, and zero at a pole.
	const shortening = Math.max(0.1, Math.cos((middle[1] * Math.PI) / 180));
	const scale = Math.min(width / ((east - west) * shortening), height / (north - south));
	const half = [width / 2 / scale / shortening, height / 2 / scale];
	return {
		project: ([longitude, latitude]) => [
			width / 2 + (longitude - middle[0]) * shortening * scale,
			height / 2 - (latitude - middle[1]) * scale,
		],
		bounds: {
			west: middle[0] - half[0],
			east: middle[0] + half[0],
			south: Math.max(-90, middle[1] - half[1]),
			north: Math.min(90, middle[1] + half[1]),
		},
		unitsPerKm: scale / KM_PER_DEGREE,
	};
}

/** A ring or line without its jump from one side of the date line to the other. */
function unwrapped(positions: Position[]): Position[] {
	let turns = 0;
	return positions.map(([longitude, latitude], index) => {
		const step = index > 0 ? longitude - positions[index - 1][0] : 0;
		// A step of 360 is the upper or lower edge of the world.
		if (Math.abs(step) > 180 && Math.abs(step) < 360) turns -= Math.sign(step);
		return [longitude + turns * 360, latitude];
	});
}

/** Moves holes to the same side of the date line as the outer ring. */
function alignedRings([outer, ...holes]: Position[][]): Position[][] {
	const aligned = holes.map((hole) => {
		const turns = Math.round(((hole[0]?.[0] ?? outer[0][0]) - outer[0][0]) / 360);
		return hole.map(([longitude, latitude]): Position => [longitude - turns * 360, latitude]);
	});
	return [outer, ...aligned];
}

/** Cuts the globe at the widest gap between the parts, and moves all to the east of it. */
function joinAtDateLine(parts: Part[]): void {
	const spans = parts.map((part) => {
		const [west, east] = extentOf(part.rings.flat().map(([longitude]) => longitude));
		const begin = modulo(west + 180, 360) - 180;
		return { part, begin, end: begin + east - west, shift: begin - west };
	});
	spans.sort((one, other) => one.begin - other.begin);
	let [cut, widest, reached] = [spans[0].begin, -Infinity, -Infinity];
	for (const [index, { end }] of spans.entries()) {
		reached = Math.max(reached, end);
		const next = spans[index + 1]?.begin ?? spans[0].begin + 360;
		if (next - reached > widest) [widest, cut] = [next - reached, next];
	}
	for (const { part, begin, shift } of spans) {
		const turn = begin < modulo(cut + 180, 360) - 180 ? 360 : 0;
		part.rings = part.rings.map((ring) =>
			ring.map(([longitude, latitude]) => [longitude + shift + turn, latitude]),
		);
	}
}

function modulo(value: number, by: number): number {
	return ((value % by) + by) % by;
}

function extentOf(values: number[]): [number, number] {
	let [lowest, highest] = [Infinity, -Infinity];
	for (const value of values) {
		lowest = Math.min(lowest, value);
		highest = Math.max(highest, value);
	}
	return [lowest, highest];
}

function widened([low, high]: [number, number]): [number, number] {
	const margin = Math.max(MARGIN, (high - low) * 0.04);
	return [low - margin, high + margin];
}

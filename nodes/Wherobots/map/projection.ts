import type { MapFeature, Part, Position } from './features';
import type { Point } from './scene';

export interface Frame {
	x: number;
	y: number;
	width: number;
	height: number;
}

export interface Projection {
	/** Where a position is on the picture. */
	project(position: Position): Point;
	/** What the frame shows, in degrees; the east may be beyond 180. */
	bounds: { west: number; south: number; east: number; north: number };
	/** Units of the picture per kilometer at the middle of the frame. */
	unitsPerKm: number;
}

/** Half the width shown around a single point, in degrees: about a kilometer. */
const MARGIN = 0.01;

/** Mean length of a degree of latitude. */
const KM_PER_DEGREE = 111.195;

/** Something on both sides of Greenwich has about 360 degrees when it is cut there. */
const TORN = 300;

/**
 * Fits features into a frame: equirectangular, with true proportions in the middle. What crosses the
 * date line, or lies on both sides of it, is joined there; its longitudes are changed in place.
 *
 * @param features at least one
 */
export function fitProjection(features: MapFeature[], frame: Frame): Projection {
	const parts = features.flatMap((feature) => feature.parts);
	joinAtDateLine(parts);
	const rings = parts.flatMap((part) => part.rings);
	const [west, east] = widened(extentOf(rings, ([longitude]) => longitude));
	const [south, north] = widened(extentOf(rings, ([, latitude]) => latitude));
	const [middleX, middleY] = [(west + east) / 2, (south + north) / 2];
	// A degree of longitude is shorter than one of latitude, and zero at a pole.
	const shortening = Math.max(0.1, Math.cos((middleY * Math.PI) / 180));
	const { x, y, width, height } = frame;
	const scale = Math.min(width / ((east - west) * shortening), height / (north - south));
	const [halfX, halfY] = [width / 2 / scale / shortening, height / 2 / scale];
	return {
		project: ([longitude, latitude]) => [
			x + width / 2 + (longitude - middleX) * shortening * scale,
			y + height / 2 - (latitude - middleY) * scale,
		],
		bounds: {
			west: middleX - halfX,
			east: middleX + halfX,
			south: Math.max(-90, middleY - halfY),
			north: Math.min(90, middleY + halfY),
		},
		unitsPerKm: scale / KM_PER_DEGREE,
	};
}

/** Moves what is west of Greenwich by 360 degrees where that makes a part, or the whole, narrower. */
function joinAtDateLine(parts: Part[]): void {
	const isNarrower = (rings: Position[][]) =>
		widthOf(rings, eastward) < Math.min(widthOf(rings, longitudeOf) - 1, TORN);
	const isAroundTheWorld = ({ rings }: Part) => widthOf(rings, longitudeOf) >= 360;
	const joinsAll = !parts.some(isAroundTheWorld) && isNarrower(parts.flatMap(({ rings }) => rings));
	for (const part of parts) {
		if (!joinsAll && (isAroundTheWorld(part) || !isNarrower(part.rings))) continue;
		part.rings = part.rings.map((ring) => ring.map((each) => [eastward(each), each[1]]));
	}
}

const longitudeOf = ([longitude]: Position) => longitude;

const eastward = ([longitude]: Position) => (longitude < 0 ? longitude + 360 : longitude);

function widthOf(rings: Position[][], measure: (position: Position) => number): number {
	const [west, east] = extentOf(rings, measure);
	return east - west;
}

function extentOf(rings: Position[][], measure: (position: Position) => number): [number, number] {
	let [lowest, highest] = [Infinity, -Infinity];
	for (const value of rings.flat().map(measure)) {
		lowest = Math.min(lowest, value);
		highest = Math.max(highest, value);
	}
	return [lowest, highest];
}

function widened([low, high]: [number, number]): [number, number] {
	const margin = Math.max(MARGIN, (high - low) * 0.04);
	return [low - margin, high + margin];
}

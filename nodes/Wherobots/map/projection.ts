import { extent } from './d3';
import type { MapFeature, Part, Position } from './features';

export interface Frame {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

export type Projection = ReturnType<typeof fitProjection>;

/** The least that is shown, in degrees, around a single point: about two kilometers. */
const MIN_SPAN = 0.02;

/** Mean length of a degree of latitude. */
const KM_PER_DEGREE = 111.195;

/** Something on both sides of Greenwich has about 360 degrees when it is cut there. */
const TORN = 300;

/**
 * Fits features into a frame: equirectangular, with true proportions in the middle. What crosses the
 * date line, or lies on both sides of it, is joined there; its longitudes are changed in place.
 *
 * @param features at least one
 * @returns `x` for longitudes, `y` for latitudes; `unitsPerKm` holds at the middle of the frame
 */
export function fitProjection(features: MapFeature[], frame: Frame) {
	const parts = features.flatMap((feature) => feature.parts);
	joinAtDateLine(parts);
	const rings = parts.flatMap((part) => part.rings);
	const [longitudes, latitudes] = [spanOf(rings, longitudeOf), spanOf(rings, ([, y]) => y)];
	// A degree of longitude is shorter than one of latitude, and zero at a pole.
	const shortening = Math.max(0.1, Math.cos((latitudes.middle * Math.PI) / 180));
	const unitsPerDegree = Math.min(
		(frame.right - frame.left) / (withMargin(longitudes.length) * shortening),
		(frame.bottom - frame.top) / withMargin(latitudes.length),
	);
	return {
		x: axis(longitudes.middle, unitsPerDegree * shortening, frame.left, frame.right),
		y: axis(latitudes.middle, -unitsPerDegree, frame.bottom, frame.top),
		unitsPerKm: unitsPerDegree / KM_PER_DEGREE,
	};
}

/** Where degrees are `at`, and `from` where `to` the frame shows them, also beyond 180° and the poles. */
function axis(middle: number, unitsPerDegree: number, from: number, to: number) {
	const half = (to - from) / 2 / unitsPerDegree;
	const at = (degrees: number) => (from + to) / 2 + (degrees - middle) * unitsPerDegree;
	return { at, from: middle - half, to: middle + half };
}

/** Moves what is west of Greenwich by 360 degrees where that makes a part, or the whole, narrower. */
function joinAtDateLine(parts: Part[]): void {
	const widthOf = (rings: Position[][]) => spanOf(rings, longitudeOf).length;
	const isTorn = (rings: Position[][]) =>
		spanOf(rings, eastward).length < Math.min(widthOf(rings) - 1, TORN);
	const local = parts.filter(({ rings }) => widthOf(rings) < 360);
	const joinsAll = local.length === parts.length && isTorn(parts.flatMap(({ rings }) => rings));
	for (const part of local.filter(({ rings }) => joinsAll || isTorn(rings))) {
		part.rings = part.rings.map((ring) => ring.map((each) => [eastward(each), each[1]]));
	}
}

const longitudeOf = ([longitude]: Position) => longitude;

const eastward = ([longitude]: Position) => (longitude < 0 ? longitude + 360 : longitude);

function spanOf(rings: Position[][], measure: (position: Position) => number) {
	const [low = 0, high = 0] = extent(rings.flat(), measure);
	return { length: high - low, middle: (low + high) / 2 };
}

function withMargin(length: number): number {
	return Math.max(MIN_SPAN, length * 1.08);
}

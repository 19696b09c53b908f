import * as file from './land.json';
import type { Dot } from './dots';
import {
	type Axis,
	drawText,
	type Frame,
	getCorners,
	KM_PER_DEGREE,
	measureText,
	type Path,
	type Point,
	type Text,
} from './shapes';

const SEA = '#e6eef4';
const LAND = '#fbfaf7';
const BORDER = '#a8a193';
const STATE_BORDER = '#bdb6a9';

/** In degrees: on a smaller map, outlines that are rounded by tens of kilometers would mislead. */
const MIN_LAND_SPAN = 6;

/** The borders of states are rounded by a few kilometers, and would fill a map of the world. */
const [MIN_STATES_SPAN, MAX_STATES_SPAN] = [1, 90];

/** A larger map is known by its outlines. */
const MAX_CENTER_SPAN = 20;

/** On a smaller map, places that are rounded by some kilometers would mislead. */
const MIN_PLACES_SPAN = 0.3;

/** The names of places: height of the font, and color. */
const [PLACE, MUTED] = [20, '#77736a'];

/** What the degrees of the lines in the file are multiplied by. */
const [TENTHS, FIFTIETHS] = [10, 50];

interface Axes {
	x: Axis;
	y: Axis;
}

/**
 * Land, borders and the states of the USA behind a map, as far as its scale allows: scripts/land.ts has
 * made them. They reach beyond the frame.
 */
export function drawGround({ x, y }: Axes, frame: Frame): Path[] {
	const { left, right, top, bottom } = frame;
	const isSeen = (line: Point[]) =>
		line.some(([at]) => at > left) &&
		line.some(([at]) => at < right) &&
		line.some(([, at]) => at > top) &&
		line.some(([, at]) => at < bottom);
	const crosses = (line: Point[]) => line.some((to, at) => at > 0 && isSeen([line[at - 1], to]));
	// Maps across the date line begin or end beyond 180 degrees.
	const drawn = (lines: string[], perDegree: number) =>
		[-360, 0, 360].flatMap((turn) =>
			lines
				.map((line) => toPoints(line, perDegree).map(([e, n]): Point => [x.at(e + turn), y.at(n)]))
				.filter(isSeen),
		);
	const strokes = (lines: Point[][], stroke: string) =>
		lines.filter(crosses).map((line): Path => ({ rings: [line], stroke }));
	const span = getSpan({ x, y });
	const hasStates = span >= MIN_STATES_SPAN && span < MAX_STATES_SPAN;
	const states = hasStates ? strokes(drawn(file.states, FIFTIETHS), STATE_BORDER) : [];
	if (span < MIN_LAND_SPAN) return states;
	const sea = { ...frame, top: Math.max(top, y.at(90)), bottom: Math.min(bottom, y.at(-90)) };
	return [
		{ rings: [getCorners(sea)], fill: SEA },
		// Without a stroke, which would follow the date line, where land is cut.
		{ rings: drawn(file.land, TENTHS), fill: LAND },
		...states,
		...strokes(drawn(file.borders, TENTHS), BORDER),
	];
}

/** A line of the file, in degrees: each character is a number, for the first point or a step to the next. */
function toPoints(line: string, perDegree: number): Point[] {
	let [east, north] = [0, 0];
	const numbers = Array.from(line, (character) => {
		const code = character.charCodeAt(0) - 35;
		return code % 2 ? -(code + 1) / 2 : code / 2;
	});
	return Array.from({ length: numbers.length / 2 }, (_, at) => {
		east += numbers[2 * at];
		north += numbers[2 * at + 1];
		return [east / perDegree, north / perDegree];
	});
}

/** Counterclockwise from the east. */
const DIRECTIONS = ['E', 'NE', 'N', 'NW', 'W', 'SW', 'S', 'SE'];

const readPlaces = () =>
	file.places.split(',').map((place) => {
		const words = place.split(' ');
		const [latitude, longitude] = words.slice(-2).map((tenths) => Number(tenths) / 10);
		return { name: words.slice(0, -2).join(' '), latitude, longitude };
	});

/** Names of large cities on the map of a region, where they have room beside dots and each other. */
export function drawPlaces({ x, y }: Axes, frame: Frame, dots: Dot[]): Text[] {
	const span = getSpan({ x, y });
	if (span < MIN_PLACES_SPAN || span >= MAX_CENTER_SPAN) return [];
	const taken = dots.map(({ at, width }) => [...at, width / 2, width / 2]);
	return readPlaces().flatMap(({ name, latitude, longitude }) => {
		// Maps across the date line begin or end beyond 180 degrees.
		const turned = [longitude - 360, longitude + 360].find((at) => at >= x.from && at <= x.to);
		const [right, middle] = [x.at(turned ?? longitude), y.at(latitude)];
		const half = measureText(name, PLACE) / 2;
		const isFree = (down: number) =>
			Math.min(right - half - frame.left, frame.right - right - half) > 0 &&
			Math.min(down - frame.top, frame.bottom - down) > PLACE &&
			taken.every(
				([x, y, width, height]) =>
					Math.abs(x - right) > half + width || Math.abs(y - down) > height + PLACE / 2,
			);
		const down = [middle, middle - PLACE, middle + PLACE].find(isFree);
		if (down === undefined) return [];
		taken.push([right, down, half, PLACE / 2]);
		return [{ ...drawText(name, [right, down + 7], PLACE, 'middle'), fill: MUTED }];
	});
}

/** The large city nearest to the center of the map of a region. */
export function describeCenter({ x, y }: Axes): string | undefined {
	if (getSpan({ x, y }) >= MAX_CENTER_SPAN) return undefined;
	const [east, north] = [x, y].map(({ from, to }) => (from + to) / 2);
	const [{ name, up, right, km }] = readPlaces()
		.map(({ latitude, longitude, ...place }) => {
			const apart = ((east - longitude + 540) % 360) - 180;
			const [up, right] = [north - latitude, apart * toCosine(north)];
			const cosine =
				toCosine(90 - north) * toCosine(90 - latitude) +
				toCosine(north) * toCosine(latitude) * toCosine(apart);
			const km = ((Math.acos(Math.min(1, cosine)) * 180) / Math.PI) * KM_PER_DEGREE;
			return { ...place, up, right, km };
		})
		.sort((one, other) => one.km - other.km);
	if (km < 15) return `near ${name}`;
	const direction = DIRECTIONS.at(Math.round(Math.atan2(up, right) / (Math.PI / 4)) % 8);
	return `${km.toLocaleString('en', { maximumSignificantDigits: 2 })} km ${direction} of ${name}`;
}

const toCosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);

function getSpan({ x, y }: Axes): number {
	return Math.max(x.to - x.from, y.to - y.from);
}

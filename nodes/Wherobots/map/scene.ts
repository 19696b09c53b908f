import { chooseColoring, CLASSES } from './coloring';
import { extent, tickStep } from './d3';
import { type Dot, joinPoints, listSizes } from './dots';
import { toText, type MapFeature, type Part, type Position } from './features';
import { describeCenter, drawGround, drawPlaces } from './ground';
import {
	type Axis,
	cut,
	drawText,
	type Entry,
	KM_PER_DEGREE,
	getCorners,
	type Frame,
	INK,
	LETTERS,
	LINE,
	measureText,
	type Path,
	type Point,
	type Scene,
	wrapText,
} from './shapes';

type Projection = ReturnType<typeof fitProjection>;

/** The least that is shown, in degrees: about two kilometers. */
const MIN_SPAN = 0.02;

/** Of latitude, around a single place. */
const PLACE_SPAN = 1;

/** By which part the scale may differ at the top and bottom of a map that has a bar for it. */
const MAX_DIFFERENCE = 0.25;

/** Something on both sides of Greenwich has about 360 degrees when it is cut there. */
const TORN = 300;

/**
 * Fits features into a frame: equirectangular, with true proportions in the middle. What crosses the
 * date line, or lies on both sides of it, is joined there; its longitudes are changed in place.
 *
 * @param room the largest frame; what is wide needs less of its height
 * @param background a single place is shown with its surroundings, not alone in two kilometers
 * @returns `x` for longitudes, `y` for latitudes; `unitsPerKm` holds at the middle of the frame, and
 * `isEven` is whether it nearly does everywhere
 */
function fitProjection(features: MapFeature[], room: Frame, background: boolean) {
	const parts = features.flatMap((feature) => feature.parts);
	joinAtDateLine(parts);
	const rings = parts.flatMap((part) => part.rings);
	const [longitudes, latitudes] = [
		computeSpan(rings, getLongitude),
		computeSpan(rings, ([, y]) => y),
	];
	if (background && longitudes.length + latitudes.length === 0) latitudes.length = PLACE_SPAN;
	const { shortening, unitsPerDegree } = computeScale(longitudes.length, latitudes, room);
	const height = Math.max(MIN_HEIGHT, Math.round(addMargin(latitudes.length) * unitsPerDegree));
	const frame = { ...room, bottom: Math.min(room.bottom, room.top + height) };
	const y = createAxis(latitudes.middle, -unitsPerDegree, frame.bottom, frame.top);
	const differences = [y.from, y.to].map((at) => Math.abs(toShortening(at) / shortening - 1));
	return {
		frame,
		x: createAxis(longitudes.middle, unitsPerDegree * shortening, frame.left, frame.right),
		y,
		unitsPerKm: unitsPerDegree / KM_PER_DEGREE,
		isEven: Math.max(...differences) <= MAX_DIFFERENCE,
	};
}

/** How many degrees of latitude features have for each unit of a frame that they will be fitted into. */
export function computeDegreesPerUnit(features: MapFeature[], frame: Frame): number {
	const rings = features.flatMap(({ parts }) => parts.flatMap((part) => part.rings));
	const widths = [getLongitude, toEastward].map((measure) => computeSpan(rings, measure).length);
	const latitudes = computeSpan(rings, ([, y]) => y);
	return 1 / computeScale(Math.min(...widths), latitudes, frame).unitsPerDegree;
}

function computeScale(width: number, latitudes: { length: number; middle: number }, frame: Frame) {
	const shortening = toShortening(latitudes.middle);
	const unitsPerDegree = Math.min(
		(frame.right - frame.left) / (addMargin(width) * shortening),
		(frame.bottom - frame.top) / addMargin(latitudes.length),
	);
	return { shortening, unitsPerDegree };
}

/** A degree of longitude is shorter than one of latitude, and zero at a pole. */
function toShortening(latitude: number): number {
	return Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
}

function createAxis(middle: number, unitsPerDegree: number, from: number, to: number): Axis {
	const half = (to - from) / 2 / unitsPerDegree;
	const at = (degrees: number) => (from + to) / 2 + (degrees - middle) * unitsPerDegree;
	return { at, from: middle - half, to: middle + half };
}

/** Moves what is west of Greenwich by 360 degrees where that makes a part, or the whole, narrower. */
function joinAtDateLine(parts: Part[]): void {
	const widthOf = (rings: Position[][]) => computeSpan(rings, getLongitude).length;
	const isTorn = (rings: Position[][]) =>
		computeSpan(rings, toEastward).length < Math.min(widthOf(rings) - 1, TORN);
	const local = parts.filter(({ rings }) => widthOf(rings) < 360);
	const joinsAll = local.length === parts.length && isTorn(parts.flatMap(({ rings }) => rings));
	for (const part of local.filter(({ rings }) => joinsAll || isTorn(rings))) {
		part.rings = part.rings.map((ring) => ring.map((each) => [toEastward(each), each[1]]));
	}
}

const getLongitude = ([longitude]: Position) => longitude;

const toEastward = ([longitude]: Position) => (longitude < 0 ? longitude + 360 : longitude);

function computeSpan(rings: Position[][], measure: (position: Position) => number) {
	const ends = rings.flatMap((ring) => extent(ring, measure) as number[]);
	const [low = 0, high = 0] = extent(ends);
	return { length: high - low, middle: (low + high) / 2 };
}

function addMargin(length: number): number {
	return Math.max(MIN_SPAN, length * 1.08);
}

/** As narrow as a phone can show, so that everything else is below the map. */
const WIDTH = 784;
const TEXT_WIDTH = WIDTH - 32;
export const EMPTY = 'There are no features to draw.';
const GRID = '#e2e2e2';
const EDGE = '#8c8c8c';

const [MIN_HEIGHT, MAX_HEIGHT] = [240, 472];

/** The largest map. */
export const FRAME = { left: 140, top: 60, right: 768, bottom: 60 + MAX_HEIGHT };

/** The title: height of its font, and of a line. */
const [TITLE, TITLE_LINE] = [28, 36];

/** Where the first column is, how wide a box is with the space beside it, and between columns. */
const [LEFT, BOX, GAP] = [16, 32, 24];

/** Widths of points by the number of features up to which they fit. */
const DOTS: Array<[features: number, width: number]> = [
	[30, 12],
	[300, 9],
	[Infinity, 7],
];

export interface MapOptions {
	title: string;
	/** The property whose values color the features; undefined for one color. */
	column?: string;
	/** Whether to show land and borders. */
	background: boolean;
}

/**
 * Draws a map with title, grid, scale and legend. Without features it says that there are none.
 *
 * @param isChoice where the file has more features than these
 */
export function createScene(
	features: MapFeature[],
	{ title, column, background }: MapOptions,
	isChoice: boolean,
): Scene {
	const { colorOf, legend } = chooseColoring(features, column);
	const isEmpty = features.length === 0;
	const titles = wrapText(title, TITLE, TEXT_WIDTH, 3);
	const top = FRAME.top + TITLE_LINE * (titles.length - 1);
	const room = { ...FRAME, top, bottom: top + (isEmpty ? MIN_HEIGHT : MAX_HEIGHT) };
	const projection = fitProjection(features, room, background);
	const { frame } = projection;
	const points = features.filter(isPoint);
	const having = (kind: Part['kind']) =>
		features.filter(({ parts }) => parts.some((part) => part.kind === kind));
	const withPoints = having('point').length;
	const width = DOTS.find(([most]) => withPoints <= most)?.[1] ?? 0;
	const dots = joinPoints(points, projection, colorOf, width);
	const hasGround = background && !isEmpty;
	const ground = hasGround ? drawGround(projection, frame) : [];
	const places = hasGround ? drawPlaces(projection, frame, dots) : [];
	const grid = isEmpty ? [] : drawGrid(projection, frame);
	const isKnown = !hasGround || places.length > 0 || ground.some(({ stroke }) => stroke);
	const colors = new Set(having('polygon').map(colorOf));
	const look = (fill: string) => (colors.has(fill) ? toAreaLook(fill) : { fill });
	const entries = legend.map(([color, label]): Entry => [look(color), label]);
	const value = legend.some(([color]) => CLASSES.includes(color)) ? 'largest' : 'most frequent';
	const by = column === undefined ? '' : `, colored by the ${value} value`;
	const isGrouped = dots.length < points.length;
	const sizes = isGrouped ? listSizes(dots) : [];
	const below = isEmpty ? 16 : projection.isEven ? 86 : 44;
	const key = drawLegend(column ?? '', entries, frame.bottom + below);
	const counted = isChoice ? 'Drawn points' : 'Points';
	const { shapes: sizesKey, bottom } = drawLegend(`${counted} per dot${by}`, sizes, key.bottom);
	const picture = { left: 0, top: 0, right: WIDTH, bottom };
	const middle: Point = [(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2];
	const shapes: Array<Scene['shapes']> = [
		[drawArea([picture], '#ffffff')],
		// The lines of the grid would hide borders that follow them.
		ground.filter(({ fill }) => fill),
		grid.filter((shape) => !('text' in shape)),
		ground.filter(({ fill }) => !fill),
		places,
		// What reaches beyond the frame is covered.
		[drawArea([picture, frame], '#ffffff'), drawEdge(frame)],
		titles.map((line, at) => drawText(line, [16, 40 + TITLE_LINE * at], TITLE)),
		grid.filter((shape) => 'text' in shape),
		features.flatMap((feature) =>
			isPoint(feature) ? [] : drawFeature(feature, projection, colorOf(feature), width),
		),
		dots.flatMap((dot) => drawDot(dot, isGrouped, counted)),
		isEmpty ? [drawText(EMPTY, middle, TITLE, 'middle')] : drawScaleBar(projection),
		isKnown ? [] : drawCenter(projection),
		[...key.shapes, ...sizesKey],
	];
	// Not spread into a call: a feature may have more parts than a call can have arguments.
	return { width: picture.right, height: picture.bottom, shapes: shapes.flat() };
}

/** The map with a note below it. */
export function addNote({ width, height, shapes }: Scene, note: string): Scene {
	if (note === '') return { width, height, shapes };
	const lines = wrapText(note, LETTERS, TEXT_WIDTH, 6);
	const strip = { left: 0, top: height, right: width, bottom: height + LINE * lines.length };
	const words = lines.map((line, at) => drawText(line, [16, height + 18 + LINE * at], LETTERS));
	return {
		width,
		height: strip.bottom,
		shapes: [...shapes, drawArea([strip], '#ffffff'), ...words],
	};
}

function isPoint({ parts, positions }: MapFeature): boolean {
	return positions === 1 && parts[0].kind === 'point';
}

function drawFeature(
	{ parts, properties }: MapFeature,
	{ x, y }: Projection,
	color: string,
	dot: number,
): Path[] {
	return parts.map(({ kind, rings }) => ({
		rings: rings.map((ring) => ring.map(([east, north]): Point => [x.at(east), y.at(north)])),
		title: describe(properties),
		...(kind === 'polygon' ? toAreaLook(color) : { stroke: color }),
		'stroke-width': { point: dot, line: 2, polygon: 1 }[kind],
	}));
}

/** @param isOutlined where dots are so large that others lie on them */
function drawDot({ at, features, width, color }: Dot, isOutlined: boolean, what: string): Path[] {
	const count = `${features.length.toLocaleString('en')} ${what.toLowerCase()}, among them:\n`;
	const title = (features.length > 1 ? count : '') + describe(features[0].properties);
	const dot = { rings: [[at]], title, stroke: color, 'stroke-width': width };
	const edge = { rings: [[at]], stroke: '#ffffff', 'stroke-width': width + 2 };
	return isOutlined ? [edge, dot] : [dot];
}

function describe(properties: MapFeature['properties']): string {
	const values = Object.entries(properties).slice(0, 8);
	return values.map(([name, value]) => cut(`${name}: ${toText(value)}`, 80)).join('\n');
}

/** Adjacent areas of one color have to be told apart. */
function toAreaLook(color: string): Partial<Path> {
	const channels = [1, 3, 5].map((at) => Math.round(0.6 * parseInt(color.slice(at, at + 2), 16)));
	const darker = `#${channels.map((each) => each.toString(16).padStart(2, '0')).join('')}`;
	return { stroke: darker, fill: color, 'fill-opacity': 0.7 };
}

/** Lines of latitude and longitude at round numbers. */
function drawGrid({ x, y }: Projection, { left, top, right, bottom }: Frame): Scene['shapes'] {
	const [east, north] = [
		chooseDegrees(x.from, x.to, (right - left) / 200),
		chooseDegrees(Math.max(-90, y.from), Math.min(90, y.to), 4),
	];
	const meridians = east.degrees.flatMap((longitude) => {
		const label = formatDegrees(((longitude + 540) % 360) - 180, east.digits, 'E', 'W');
		const at = x.at(longitude);
		const inside = Math.min(at, WIDTH - 16 - measureText(label, LETTERS) / 2);
		return [
			drawLine([at, top], [at, bottom], GRID, 1),
			drawText(label, [inside, bottom + 28], LETTERS, 'middle'),
		];
	});
	const parallels = north.degrees.flatMap((latitude) => {
		const at = y.at(latitude);
		const label = formatDegrees(latitude, north.digits, 'N', 'S');
		return [
			drawLine([left, at], [right, at], GRID, 1),
			drawText(label, [left - 6, Math.max(at + 8, top + 18)], LETTERS, 'end'),
		];
	});
	return [...meridians, ...parallels];
}

/** About so many multiples of a round number, with the digits that it has after the decimal point. */
function chooseDegrees(from: number, to: number, count: number) {
	// The next round number would be 100.
	const step = Math.min(90, tickStep(from, to, count));
	const first = Math.ceil(from / step);
	const length = Math.floor(to / step) - first + 1;
	return {
		degrees: Array.from({ length }, (_, at) => (first + at) * step),
		digits: Math.max(0, Math.ceil(-Math.log10(step))),
	};
}

function formatDegrees(value: number, digits: number, positive: string, negative: string): string {
	const figure = Math.abs(value).toFixed(digits);
	const hasSide = Number(figure) % 180 !== 0;
	return `${figure}°${hasSide ? (value > 0 ? positive : negative) : ''}`;
}

/** A bar of a round length. Its scale is that of the middle of the map, and nearly holds for all of it. */
function drawScaleBar({ unitsPerKm, isEven, frame: { bottom } }: Projection): Scene['shapes'] {
	if (!isEven) return [];
	const [x, y] = [16, bottom + 58];
	const km = tickStep(0, 160 / unitsPerKm, 1);
	const end = x + km * unitsPerKm;
	const label = `${km.toLocaleString('en')} km`;
	return [drawLine([x, y], [end, y], INK, 3), drawText(label, [end + 10, y + 8], LETTERS)];
}

/** Where the map is, if its outlines do not say so. */
function drawCenter(projection: Projection): Scene['shapes'] {
	const at: Point = [WIDTH - 16, projection.frame.bottom + 66];
	const place = describeCenter(projection);
	return place ? [drawText(`Center: ${place}`, at, LETTERS, 'end')] : [];
}

/** A part of a legend: entries below each other, in as many columns as have room. */
function drawLegend(heading: string, entries: Entry[], top: number) {
	const shapes: Scene['shapes'] = [];
	if (entries.length === 0) return { shapes, bottom: top };
	const labels = entries.map(([, label]) => wrapText(label, LETTERS, TEXT_WIDTH - BOX, 2));
	const column = BOX + GAP + Math.max(...labels.flat().map((line) => measureText(line, LETTERS)));
	const rows = Math.ceil(entries.length / Math.max(1, Math.floor((TEXT_WIDTH + GAP) / column)));
	const [title] = wrapText(heading, LETTERS, TEXT_WIDTH, 1);
	shapes.push(drawText(title, [LEFT, top + 18], LETTERS));
	const tops = [top + 36];
	for (let row = 0; row < rows; row++) {
		const lines = labels.map(({ length }, at) => (at % rows === row ? length : 0));
		tops.push(tops[row] + 4 + LINE * Math.max(...lines));
	}
	entries.forEach(([look], at) => {
		const [x, y] = [LEFT + Math.floor(at / rows) * column, tops[at % rows]];
		const box = getCorners({ left: x, top: y, right: x + 22, bottom: y + 22 });
		shapes.push({ rings: [look.fill ? box : [[x + 11, y + 11]]], ...look });
		labels[at].forEach((line, below) =>
			shapes.push(drawText(line, [x + BOX, y + 19 + LINE * below], LETTERS)),
		);
	});
	return { shapes, bottom: tops[rows] + 8 };
}

/** What is inside an odd number of boxes. */
function drawArea(boxes: Frame[], fill: string): Path {
	return { rings: boxes.map(getCorners), fill };
}

function drawEdge(frame: Frame): Path {
	const corners = getCorners(frame);
	return { rings: [[...corners, corners[0]]], stroke: EDGE };
}

function drawLine(from: Point, to: Point, stroke: string, width: number): Path {
	return { rings: [[from, to]], stroke, 'stroke-width': width };
}

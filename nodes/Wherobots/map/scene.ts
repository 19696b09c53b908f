import { chooseColoring, type Legend } from './coloring';
import { extent, sum, tickStep } from './d3';
import { toText, type MapFeature, type Part, type Position } from './features';
import { describeCenter, drawGround } from './ground';
import {
	type Axis,
	KM_PER_DEGREE,
	getCorners,
	type Frame,
	INK,
	measureText,
	type Path,
	type Point,
	type Scene,
	type Text,
} from './shapes';

type Projection = ReturnType<typeof fitProjection>;

/** The least that is shown, in degrees: about two kilometers. */
const MIN_SPAN = 0.02;

/** Of latitude, around a single place: enough for a coast or a border almost everywhere. */
const PLACE_SPAN = 16;

/** Something on both sides of Greenwich has about 360 degrees when it is cut there. */
const TORN = 300;

/**
 * Fits features into a frame: equirectangular, with true proportions in the middle. What crosses the
 * date line, or lies on both sides of it, is joined there; its longitudes are changed in place.
 *
 * @param features at least one
 * @param room the largest frame; what is wide needs less of its height
 * @param least the least height of the frame
 * @param background a single place is shown with its part of the world, not alone in two kilometers
 * @returns `x` for longitudes, `y` for latitudes; `unitsPerKm` holds at the middle of the frame
 */
function fitProjection(features: MapFeature[], room: Frame, least: number, background: boolean) {
	const parts = features.flatMap((feature) => feature.parts);
	joinAtDateLine(parts);
	const rings = parts.flatMap((part) => part.rings);
	const [longitudes, latitudes] = [
		computeSpan(rings, getLongitude),
		computeSpan(rings, ([, y]) => y),
	];
	const isPlace = background && longitudes.length + latitudes.length === 0;
	if (isPlace) latitudes.length = PLACE_SPAN;
	const { shortening, unitsPerDegree } = computeScale(longitudes.length, latitudes, room);
	const height = Math.max(least, Math.round(addMargin(latitudes.length) * unitsPerDegree));
	const frame = { ...room, bottom: Math.min(room.bottom, room.top + height) };
	return {
		frame,
		isPlace,
		x: createAxis(longitudes.middle, unitsPerDegree * shortening, frame.left, frame.right),
		y: createAxis(latitudes.middle, -unitsPerDegree, frame.bottom, frame.top),
		unitsPerKm: unitsPerDegree / KM_PER_DEGREE,
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
	// A degree of longitude is shorter than one of latitude, and zero at a pole.
	const shortening = Math.max(0.1, Math.cos((latitudes.middle * Math.PI) / 180));
	const unitsPerDegree = Math.min(
		(frame.right - frame.left) / (addMargin(width) * shortening),
		(frame.bottom - frame.top) / addMargin(latitudes.length),
	);
	return { shortening, unitsPerDegree };
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

const WIDTH = 960;
const EMPTY = 'There are no features to draw.';
const GRID = '#e2e2e2';
const EDGE = '#8c8c8c';

/** The largest map, without a legend. */
export const FRAME = { left: 140, top: 60, right: 896, bottom: 532 };

/** Heights of fonts: 11 pixels where a phone or n8n's panel shows the picture 440 pixels wide. */
const LETTERS = 24;
const TITLE = 32;

/** Heights of the legend: of its title, and of each entry. A map is at least as high, and this much. */
const [LEGEND_TITLE, LEGEND_ENTRY, MIN_HEIGHT] = [38, 36, 240];

/** The widest texts in the legend, and above the map; below it, lines of words as wide as the picture. */
const [LEGEND_WIDTH, TITLE_WIDTH] = [296, 928];
const LINE = /\S.{0,61}(?!\S)/g;

/** Widths of points by the number of features up to which they fit. */
const DOTS: Array<[features: number, width: number]> = [
	[30, 12],
	[300, 9],
	[Infinity, 6],
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
 * @param note on what the map leaves out
 * @returns the picture, and the note below the map, which also has what the scale hides
 */
export function createScene(
	features: MapFeature[],
	{ title, column, background, note }: MapOptions & { note: string },
): Scene & { note: string } {
	const { colorOf, legend } = chooseColoring(features, column);
	const labels = [column ?? '', ...legend.map(([, label]) => label)].map((words) =>
		fitText(words, LETTERS, LEGEND_WIDTH),
	);
	const widest = Math.max(...labels.map((words) => measureText(words, LETTERS)));
	const beside = Math.min(FRAME.right, Math.floor(WIDTH - 60 - widest));
	const room = legend.length > 0 ? { ...FRAME, right: beside } : FRAME;
	const least = Math.max(MIN_HEIGHT, LEGEND_TITLE + LEGEND_ENTRY * legend.length);
	const projection =
		features.length > 0 ? fitProjection(features, room, least, background) : undefined;
	const frame = projection?.frame ?? room;
	const dot = DOTS.find(([most]) => features.length <= most)?.[1] ?? 0;
	const hidden = projection ? describeHidden(features, projection, dot / 2) : '';
	const all = [note, hidden].filter(Boolean).join(' ');
	const lines = cut(all, 160).match(LINE) ?? [];
	const picture = { left: 0, top: 0, right: WIDTH, bottom: frame.bottom + 94 + 30 * lines.length };
	const ground = projection && background ? drawGround(projection, frame) : [];
	const grid = projection ? drawGrid(projection, frame) : [];
	const shapes: Array<Scene['shapes']> = [
		[drawArea([picture], '#ffffff')],
		// The lines of the grid would hide borders that follow them.
		ground.filter(({ fill }) => fill),
		grid.filter((shape) => !('text' in shape)),
		ground.filter(({ fill }) => !fill),
		// What reaches beyond the frame is covered.
		[drawArea([picture, frame], '#ffffff'), drawEdge(frame)],
		[drawTitle(title)],
		grid.filter((shape) => 'text' in shape),
		lines.map((line, at) => drawText(line, [16, frame.bottom + 104 + 30 * at], LETTERS)),
	];
	if (projection) {
		const ofAreas = features.filter(({ parts }) => parts.some(({ kind }) => kind === 'polygon'));
		const colors = new Set(ofAreas.map(colorOf));
		const look = (fill: string) => (colors.has(fill) ? toAreaLook(fill) : { fill });
		shapes.push(
			features.flatMap((feature) => drawFeature(feature, projection, colorOf(feature), dot)),
			drawScaleBar(projection.unitsPerKm, 16, frame.bottom + 58),
			legend.length > 0 ? drawLegend(legend, labels, look, frame.right + 14, frame.top) : [],
			background ? drawCenter(projection, frame.bottom + 66) : [],
		);
	} else {
		const middle: Point = [(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2];
		shapes.push([drawText(EMPTY, middle, LETTERS, 'middle')]);
	}
	const what = all || (projection ? '' : EMPTY);
	// Not spread into a call: a feature may have more parts than a call can have arguments.
	return { width: picture.right, height: picture.bottom, shapes: shapes.flat(), note: what };
}

/** Says how many points are nearer to another, which is not counted itself, than the radius of a dot. */
function describeHidden(features: MapFeature[], { x, y }: Projection, radius: number): string {
	const points = features.filter(({ positions }) => positions === 1);
	// The units of the map that dots cover.
	const covered = new Set<number>();
	const reach = Math.floor(radius);
	const hidden = sum(points, ({ parts: [{ rings }] }) => {
		const [[east, north]] = rings[0];
		const [column, row] = [Math.round(x.at(east)), Math.round(y.at(north))];
		if (covered.has(row * WIDTH + column)) return 1;
		for (let down = -reach; down <= reach; down++) {
			for (let right = -reach; right <= reach; right++) {
				const isInside = down * down + right * right < radius * radius;
				if (isInside) covered.add((row + down) * WIDTH + column + right);
			}
		}
		return 0;
	});
	if (hidden === 0) return '';
	const [some, all] = [hidden, points.length].map((count) => count.toLocaleString('en'));
	return `Points hidden by others, at least in part: ${some} of ${all}.`;
}

function drawFeature(
	{ parts, properties }: MapFeature,
	{ x, y }: Projection,
	color: string,
	dot: number,
): Path[] {
	const values = Object.entries(properties).slice(0, 8);
	const title = values.map(([name, value]) => cut(`${name}: ${toText(value)}`, 80)).join('\n');
	return parts.map(({ kind, rings }) => ({
		rings: rings.map((ring) => ring.map(([east, north]): Point => [x.at(east), y.at(north)])),
		title,
		...(kind === 'polygon' ? toAreaLook(color) : { stroke: color }),
		'stroke-width': { point: dot, line: 2, polygon: 1 }[kind],
	}));
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
		return [
			drawLine([at, top], [at, bottom], GRID, 1),
			drawText(label, [at, bottom + 28], LETTERS, 'middle'),
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

/** A bar of a round length. Its scale holds at the middle of the map. */
function drawScaleBar(unitsPerKm: number, x: number, y: number): Scene['shapes'] {
	const km = tickStep(0, 160 / unitsPerKm, 1);
	const end = x + km * unitsPerKm;
	const label = `${km.toLocaleString('en')} km`;
	return [drawLine([x, y], [end, y], INK, 3), drawText(label, [end + 10, y + 8], LETTERS)];
}

/** Where the map is, if its outlines do not say so. */
function drawCenter(projection: Projection, y: number): Scene['shapes'] {
	const place = describeCenter(projection);
	return place ? [drawText(`Center: ${place}`, [WIDTH - 16, y], LETTERS, 'end')] : [];
}

/** @param labels the title of the legend, then one for each color */
function drawLegend(
	legend: Legend,
	[heading, ...labels]: string[],
	look: (color: string) => Partial<Path>,
	x: number,
	y: number,
): Scene['shapes'] {
	const entries = legend.flatMap(([color], index) => {
		const top = y + LEGEND_TITLE + index * LEGEND_ENTRY;
		return [
			{ rings: [getCorners({ left: x, top, right: x + 22, bottom: top + 22 })], ...look(color) },
			drawText(labels[index], [x + 32, top + 19], LETTERS),
		];
	});
	return [drawText(heading, [x, y + 18], LETTERS), ...entries];
}

/** The title above the map: smaller when it is long. */
function drawTitle(title: string): Text {
	const large = fitText(title, TITLE, TITLE_WIDTH);
	if (large === title) return drawText(large, [16, 40], TITLE);
	return drawText(fitText(title, LETTERS, TITLE_WIDTH), [16, 40], LETTERS);
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

function drawText(words: string, at: Point, size: number, anchor: Text['anchor'] = 'start'): Text {
	return { text: words, at, size, anchor };
}

/** A text, cut to what fits into a width. */
function fitText(words: string, size: number, width: number): string {
	// No letter is narrower than a fifth of its height.
	const text = cut(words, Math.floor((5 * width) / size));
	if (measureText(text, size) <= width) return text;
	const room = width - measureText('…', size);
	let used = 0;
	const count = [...text].findIndex((each) => (used += measureText(each, size)) > room);
	return `${[...text].slice(0, count).join('')}…`;
}

function cut(words: string, length: number): string {
	// Twice as long, since a character may be two units of a string; values may be megabytes long.
	const characters = [...words.slice(0, 2 * length + 2)];
	return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : words;
}

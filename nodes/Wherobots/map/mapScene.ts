import { coloring, type LegendEntry } from './colors';
import type { MapFeature } from './features';
import { fitProjection, type Frame, type Projection } from './projection';
import { INK, type Path, type Point, type Scene, type Text } from './scene';

const PICTURE = { width: 960, height: 600 };
const LEGEND_WIDTH = 190;

/**
 * Draws a map with title, grid, scale and legend. Without features it says that there are none.
 *
 * @param column the property that colors features; undefined for one color
 * @param note below the map, on what it leaves out
 */
export function mapScene(
	features: MapFeature[],
	{ title, column, note }: { title: string; column?: string; note: string },
): Scene {
	const { colorOf, legend } = coloring(features, column);
	const right = legend.length > 0 ? LEGEND_WIDTH : 20;
	const frame = { x: 64, y: 50, width: PICTURE.width - 64 - right, height: PICTURE.height - 110 };
	const [east, bottom] = [frame.x + frame.width, frame.y + frame.height];
	const shapes: Scene['shapes'] = [
		{ rings: [rectangle({ x: 0, y: 0, ...PICTURE })], fill: '#ffffff' },
		text(cut(title, 70), [frame.x, 32], 18),
	];
	if (features.length === 0) {
		const middle: Point = [PICTURE.width / 2, PICTURE.height / 2];
		shapes.push(text('There are no features to draw.', middle, 16, 'middle'));
	} else {
		const projection = fitProjection(features, frame);
		shapes.push(
			...grid(projection, frame),
			...features.flatMap((feature) => drawn(feature, projection, colorOf(feature))),
			...scaleBar(projection, [frame.x, bottom + 38]),
			...legendOf(legend, column ?? '', east + 14, frame.y),
		);
	}
	const border = rectangle(frame);
	shapes.push({ rings: [[...border, border[0]]], stroke: '#8c8c8c', width: 1 });
	if (note) shapes.push(text(cut(note, 120), [east, bottom + 42], 11, 'end'));
	return { ...PICTURE, shapes };
}

function drawn({ parts, properties }: MapFeature, { project }: Projection, color: string): Path[] {
	const values = Object.entries(properties).slice(0, 8);
	const title = values.map(([name, value]) => {
		const words = typeof value === 'object' ? JSON.stringify(value) : String(value);
		return cut(`${name}: ${words}`, 80);
	});
	return parts.map(({ kind, rings }) => ({
		rings: rings.map((ring) => ring.map((position) => project(position).map(rounded) as Point)),
		stroke: color,
		title: title.join('\n'),
		...(kind === 'polygon' ? { fill: color, opacity: 0.7 } : {}),
		width: { point: 6, line: 2, polygon: 1 }[kind],
	}));
}

/** Lines of latitude and longitude at round numbers. */
function grid({ bounds, project }: Projection, { x, y, width, height }: Frame): Scene['shapes'] {
	const { west, east, south, north } = bounds;
	const step = roundFigure(Math.max(east - west, north - south) / 6);
	const line = (from: Point, to: Point) => ({ rings: [[from, to]], stroke: '#d9d9d9', width: 1 });
	const meridians = multiples(west, east, step).flatMap((longitude) => {
		const [at] = project([longitude, 0]);
		const label = degrees(((longitude + 540) % 360) - 180, 'E', 'W');
		return [line([at, y], [at, y + height]), text(label, [at, y + height + 14], 10, 'middle')];
	});
	const parallels = multiples(south, north, step).flatMap((latitude) => {
		const [, at] = project([0, latitude]);
		const label = degrees(latitude, 'N', 'S');
		return [line([x, at], [x + width, at]), text(label, [x - 4, at + 3], 10, 'end')];
	});
	return [...meridians, ...parallels];
}

function multiples(from: number, to: number, step: number): number[] {
	const first = Math.ceil(from / step);
	const length = Math.floor(to / step) - first + 1;
	return Array.from({ length }, (_, index) => (first + index) * step);
}

function degrees(value: number, positive: string, negative: string): string {
	const figure = Number(Math.abs(value).toFixed(5));
	return `${figure}°${figure === 0 || figure === 180 ? '' : value > 0 ? positive : negative}`;
}

/** A bar of a round length. Its scale holds at the middle of the map. */
function scaleBar({ unitsPerKm }: Projection, [x, y]: Point): Scene['shapes'] {
	const km = roundFigure(160 / unitsPerKm);
	const end = x + km * unitsPerKm;
	const label =
		km < 1 ? `${Number((km * 1000).toPrecision(1))} m` : `${km.toLocaleString('en')} km`;
	const bar: Point[] = [
		[x, y - 5],
		[x, y],
		[end, y],
		[end, y - 5],
	];
	return [{ rings: [bar], stroke: INK, width: 1.5 }, text(label, [end + 6, y + 1], 11)];
}

function legendOf(legend: LegendEntry[], column: string, x: number, y: number): Scene['shapes'] {
	if (legend.length === 0) return [];
	const entries = legend.flatMap(({ color, label }, index) => {
		const top = y + 24 + index * 22;
		return [
			{ rings: [rectangle({ x, y: top, width: 14, height: 14 })], fill: color },
			text(cut(label, 22), [x + 20, top + 11], 12),
		];
	});
	return [text(cut(column, 22), [x, y + 12], 13), ...entries];
}

function rectangle({ x, y, width, height }: Frame): Point[] {
	const [right, bottom] = [x + width, y + height];
	return [
		[x, y],
		[right, y],
		[right, bottom],
		[x, bottom],
	];
}

function text(words: string, at: Point, size: number, anchor: Text['anchor'] = 'start'): Text {
	return { at, text: words, size, anchor };
}

/** To a tenth of a unit, a fifth of a pixel. */
function rounded(value: number): number {
	return Math.round(value * 10) / 10;
}

/** The largest of 1, 2 and 5, times a power of ten, that does not exceed a value. */
function roundFigure(value: number): number {
	const power = 10 ** Math.floor(Math.log10(value));
	return Math.max(...[1, 2, 5].filter((figure) => figure * power <= value * 1.0001)) * power;
}

function cut(words: string, length: number): string {
	const characters = [...words];
	return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : words;
}

import { coloring, type LegendEntry } from './colors';
import type { MapFeature, Part } from './features';
import { fitProjection, type Projection } from './projection';
import type { Path, Point, Scene, Shape, Text } from './scene';

export interface MapSettings {
	title: string;
	/** The property that colors features; undefined for one color. */
	column?: string;
	/** A note below the map on what it leaves out. */
	note?: string;
}

const PICTURE = { width: 960, height: 600 };
const LEGEND_WIDTH = 190;
const INK = '#333333';
const FAINT = '#d9d9d9';

/** Points closer together than this are indistinguishable. */
const NEAR = 0.5;

/** Draws a map with title, grid, scale and legend. Without features it says that there are none. */
export function mapScene(features: MapFeature[], { title, column, note }: MapSettings): Scene {
	const { colorOf, legend } = coloring(features, column);
	const right = legend.length > 0 ? LEGEND_WIDTH : 20;
	const frame = { x: 64, y: 50, width: PICTURE.width - 64 - right, height: PICTURE.height - 110 };
	const box: Point[] = [
		[frame.x, frame.y],
		[frame.x + frame.width, frame.y],
		[frame.x + frame.width, frame.y + frame.height],
		[frame.x, frame.y + frame.height],
	];
	const shapes: Shape[] = [
		{ kind: 'path', rings: [rectangle(0, 0, PICTURE.width, PICTURE.height)], fill: '#ffffff' },
		text(cut(title, 70), [frame.x, 32], 18),
	];
	const bottom = frame.y + frame.height;
	if (features.length === 0) {
		shapes.push(
			text('There are no features to draw.', [PICTURE.width / 2, PICTURE.height / 2], 16, 'middle'),
		);
	} else {
		const projection = fitProjection(features, frame);
		const place = (part: Part) => placed(part, projection, frame);
		shapes.push(...grid(projection, frame));
		shapes.push(...features.flatMap((feature) => drawn(feature, place, colorOf(feature))));
		shapes.push(...scaleBar(projection, [frame.x, bottom + 38]));
		shapes.push(...legendOf(legend, column ?? '', frame.x + frame.width + 14, frame.y));
	}
	shapes.push({ kind: 'path', rings: [[...box, box[0]]], stroke: '#8c8c8c', width: 1 });
	if (note) shapes.push(text(cut(note, 120), [frame.x + frame.width, bottom + 42], 11, 'end'));
	return { ...PICTURE, shapes };
}

interface Frame {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** The points of a part on the picture, without those too close to the point before. */
function placed({ rings }: Part, { project }: Projection, frame: Frame): Point[][] {
	return rings.map((ring) => {
		const kept: Point[] = [];
		ring.forEach((position, index) => {
			const [x, y] = project(position);
			const point: Point = [rounded(x + frame.x), rounded(y + frame.y)];
			const last = kept[kept.length - 1];
			const isNear = last && Math.hypot(point[0] - last[0], point[1] - last[1]) < NEAR;
			if (!isNear || index === ring.length - 1) kept.push(point);
		});
		return kept;
	});
}

function drawn(
	{ parts, properties }: MapFeature,
	place: (part: Part) => Point[][],
	color: string,
): Path[] {
	const title = Object.entries(properties)
		.slice(0, 8)
		.map(([name, value]) =>
			cut(`${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`, 80),
		)
		.join('\n');
	return parts.map((part) => {
		const path: Path = { kind: 'path', rings: place(part), stroke: color, title };
		if (part.kind === 'polygon') return { ...path, fill: color, opacity: 0.7, width: 1 };
		return { ...path, width: part.kind === 'point' ? 6 : 2 };
	});
}

/** Lines of latitude and longitude at round numbers. */
function grid({ bounds, project }: Projection, frame: Frame): Shape[] {
	const { west, east, south, north } = bounds;
	const step = roundFigure(Math.max(east - west, north - south) / 6, [1, 2, 5]);
	const meridians = multiples(west, east, step).flatMap((longitude): Shape[] => {
		const x = project([longitude, south])[0] + frame.x;
		const line: Point[] = [
			[x, frame.y],
			[x, frame.y + frame.height],
		];
		const label = degrees(((longitude + 540) % 360) - 180, 'E', 'W');
		return [gridLine(line), text(label, [x, frame.y + frame.height + 14], 10, 'middle')];
	});
	const parallels = multiples(south, north, step).flatMap((latitude): Shape[] => {
		const y = project([west, latitude])[1] + frame.y;
		const line: Point[] = [
			[frame.x, y],
			[frame.x + frame.width, y],
		];
		return [gridLine(line), text(degrees(latitude, 'N', 'S'), [frame.x - 4, y + 3], 10, 'end')];
	});
	return [...meridians, ...parallels];
}

function gridLine(line: Point[]): Path {
	return { kind: 'path', rings: [line], stroke: FAINT, width: 1 };
}

function multiples(from: number, to: number, step: number): number[] {
	const first = Math.ceil(from / step);
	return Array.from(
		{ length: Math.floor(to / step) - first + 1 },
		(_, index) => (first + index) * step,
	);
}

function degrees(value: number, positive: string, negative: string): string {
	const figure = Number(Math.abs(value).toFixed(5));
	return `${figure}°${figure === 0 || figure === 180 ? '' : value > 0 ? positive : negative}`;
}

/** A bar of a round length. Its scale holds at the middle of the map. */
function scaleBar({ unitsPerKm }: Projection, [x, y]: Point): Shape[] {
	const km = roundFigure(160 / unitsPerKm, [1, 2, 5]);
	const end = x + km * unitsPerKm;
	const label =
		km < 1 ? `${Number((km * 1000).toPrecision(1))} m` : `${km.toLocaleString('en')} km`;
	const bar: Point[] = [
		[x, y - 5],
		[x, y],
		[end, y],
		[end, y - 5],
	];
	return [
		{ kind: 'path', rings: [bar], stroke: INK, width: 1.5 },
		text(label, [end + 6, y + 1], 11),
	];
}

function legendOf(legend: LegendEntry[], column: string, x: number, y: number): Shape[] {
	if (legend.length === 0) return [];
	const entries = legend.flatMap(({ color, label }, index): Shape[] => {
		const top = y + 24 + index * 22;
		return [
			{ kind: 'path', rings: [rectangle(x, top, 14, 14)], fill: color },
			text(cut(label, 22), [x + 20, top + 11], 12),
		];
	});
	return [text(cut(column, 22), [x, y + 12], 13), ...entries];
}

function rectangle(x: number, y: number, width: number, height: number): Point[] {
	return [
		[x, y],
		[x + width, y],
		[x + width, y + height],
		[x, y + height],
	];
}

function text(words: string, at: Point, size: number, anchor: Text['anchor'] = 'start'): Text {
	return { kind: 'text', at, text: words, size, anchor, color: INK };
}

/** The largest of these numbers, times a power of ten, that does not exceed a value. */
function roundFigure(value: number, figures: number[]): number {
	const power = 10 ** Math.floor(Math.log10(value));
	return Math.max(...figures.filter((figure) => figure * power <= value * 1.0001)) * power;
}

function rounded(value: number): number {
	return Math.round(value * 10) / 10;
}

function cut(words: string, length: number): string {
	const characters = [...words];
	return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : words;
}

import { coloring, type Legend } from './colors';
import { ticks, tickStep } from './d3';
import { asText, type MapFeature } from './features';
import { fitProjection, type Frame, type Projection } from './projection';
import { INK, type Path, type Point, type Scene, type Text } from './scene';

const PICTURE = { width: 960, height: 600 };
const GRID = '#d9d9d9';

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
	const margin = legend.length > 0 ? 190 : 20;
	const frame = { left: 64, top: 50, right: PICTURE.width - margin, bottom: 530 };
	const shapes: Array<Scene['shapes']> = [
		[box({ left: 0, top: 0, right: PICTURE.width, bottom: PICTURE.height }, '#ffffff')],
		[box(frame, '#ffffff', '#8c8c8c')],
		[text(cut(title, 70), [frame.left, 32], 18)],
	];
	if (features.length === 0) {
		const middle: Point = [PICTURE.width / 2, PICTURE.height / 2];
		shapes.push([text('There are no features to draw.', middle, 16, 'middle')]);
	} else {
		const projection = fitProjection(features, frame);
		shapes.push(
			grid(projection, frame),
			features.flatMap((feature) => drawn(feature, projection, colorOf(feature))),
			scaleBar(projection.unitsPerKm, frame.left, frame.bottom + 34),
			legendOf(legend, column ?? '', frame.right + 14, frame.top),
		);
	}
	if (note) shapes.push([text(cut(note, 160), [frame.left, PICTURE.height - 8], 11)]);
	// Not spread into a call: a feature may have more parts than a call can have arguments.
	return { ...PICTURE, shapes: shapes.flat() };
}

function drawn({ parts, properties }: MapFeature, { x, y }: Projection, color: string): Path[] {
	const values = Object.entries(properties).slice(0, 8);
	const title = values.map(([name, value]) => cut(`${name}: ${asText(value)}`, 80)).join('\n');
	return parts.map(({ kind, rings }) => ({
		rings: rings.map((ring) => ring.map(([east, north]): Point => [x.at(east), y.at(north)])),
		stroke: color,
		title,
		...(kind === 'polygon' ? { fill: color, 'fill-opacity': 0.7 } : {}),
		'stroke-width': { point: 6, line: 2, polygon: 1 }[kind],
	}));
}

/** Lines of latitude and longitude at round numbers. */
function grid({ x, y }: Projection, { left, top, right, bottom }: Frame): Scene['shapes'] {
	const meridians = ticks(x.from, x.to, 6).flatMap((longitude) => {
		const label = degrees(((longitude + 540) % 360) - 180, 'E', 'W');
		const at = x.at(longitude);
		return [line([at, top], [at, bottom], GRID, 1), text(label, [at, bottom + 14], 10, 'middle')];
	});
	const latitudes = ticks(Math.max(-90, y.from), Math.min(90, y.to), 5);
	const parallels = latitudes.flatMap((latitude) => {
		const at = y.at(latitude);
		const label = degrees(latitude, 'N', 'S');
		return [line([left, at], [right, at], GRID, 1), text(label, [left - 4, at + 3], 10, 'end')];
	});
	return [...meridians, ...parallels];
}

function degrees(value: number, positive: string, negative: string): string {
	const figure = Number(Math.abs(value).toFixed(5));
	return `${figure}°${figure === 0 || figure === 180 ? '' : value > 0 ? positive : negative}`;
}

/** A bar of a round length. Its scale holds at the middle of the map. */
function scaleBar(unitsPerKm: number, x: number, y: number): Scene['shapes'] {
	const km = tickStep(0, 160 / unitsPerKm, 1);
	const end = x + km * unitsPerKm;
	const label = `${km.toLocaleString('en')} km`;
	return [line([x, y], [end, y], INK, 3), text(label, [end + 8, y + 4], 11)];
}

function legendOf(legend: Legend, column: string, x: number, y: number): Scene['shapes'] {
	if (legend.length === 0) return [];
	const entries = legend.flatMap(([color, label], index) => {
		const top = y + 24 + index * 22;
		return [
			box({ left: x, top, right: x + 14, bottom: top + 14 }, color),
			text(cut(label, 22), [x + 20, top + 11], 12),
		];
	});
	return [text(cut(column, 22), [x, y + 12], 13), ...entries];
}

function box({ left, top, right, bottom }: Frame, fill: string, stroke = fill): Path {
	const corners: Point[] = [
		[left, top],
		[right, top],
		[right, bottom],
		[left, bottom],
	];
	return { rings: [corners], fill, stroke };
}

function line(from: Point, to: Point, stroke: string, width: number): Path {
	return { rings: [[from, to]], stroke, 'stroke-width': width };
}

function text(words: string, at: Point, size: number, anchor: Text['anchor'] = 'start'): Text {
	return { text: words, at, size, anchor };
}

function cut(words: string, length: number): string {
	// Twice as long, since a character may be two units of a string; values may be megabytes long.
	const characters = [...words.slice(0, 2 * length + 2)];
	return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : words;
}

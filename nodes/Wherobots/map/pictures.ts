import { encode } from 'fast-png';

import { drawLetters, INK, type Path, type Scene, type Text } from './shapes';

/** A scene as a self-contained SVG document, without scripts, style sheets or fonts. */
export function toSvg({ width, height, shapes }: Scene): string {
	const drawn = shapes.map((shape) => ('text' in shape ? renderText(shape) : renderPath(shape)));
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" fill="none" stroke-linecap="round" stroke-linejoin="round" fill-rule="evenodd">`,
		...drawn,
		'</svg>',
		'',
	].join('\n');
}

/** A page with the map for any browser. It runs no scripts and loads nothing. */
export function toPage(title: string, svg: string, { width, height }: Scene): string {
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>body { margin: 1rem; } svg { display: block; margin: auto; width: min(100%, max(${width}px, (100vh - 2rem) * ${width / height})); height: auto; }
@media (max-width: 600px) { body { margin: 0; } }</style>
${svg}</html>
`;
}

function renderPath({ rings, title = '', ...look }: Path): string {
	const d = rings.map((ring) => {
		const points = ring.map(([x, y]) => `${roundToTenths(x)} ${roundToTenths(y)}`).join('L');
		return `M${points}${ring.length === 1 ? 'h0' : look.fill ? 'Z' : ''}`;
	});
	const attributes = Object.entries(look).map(([name, value]) => ` ${name}="${value}"`);
	return `<path d="${d.join('')}"${attributes.join('')}><title>${escape(title)}</title></path>`;
}

/** A tenth of a unit is a fifth of a pixel. */
function roundToTenths(value: number): number {
	return Math.round(value * 10) / 10;
}

function renderText({ at: [x, y], text: words, size, anchor, fill = INK }: Text): string {
	return `<text x="${roundToTenths(x)}" y="${roundToTenths(y)}" font-size="${size}" text-anchor="${anchor}" fill="${fill}">${escape(words)}</text>`;
}

/** Text as XML, without the control characters that XML does not allow. */
function escape(words: string): string {
	return words
		.replace(/[^\t\n\r\P{Cc}]|\p{Cs}|[\uFFFE\uFFFF]/gu, '')
		.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** How many segments are painted in one piece, which takes some 30 ms. */
const MAX_SEGMENTS = 5_000;

/** Pixels per unit of the scene: sharp on high-density screens. */
const SCALE = 2;

/** In pixels. */
type Segment = [x: number, y: number, toX: number, toY: number];

/** Paints a part of a row of pixels, each with its opacity from 0 to 1. */
type Brush = (row: number, from: number, to: number, opacityAt: (column: number) => number) => void;

/**
 * Paints a scene as a PNG file, since n8n's output, email and chats do not show SVG. That takes half a
 * second.
 *
 * @param turn lets others work in between
 */
export async function toPng(
	{ width, height, shapes }: Scene,
	turn: () => Promise<void>,
): Promise<Uint8Array> {
	const [columns, rows] = [width * SCALE, height * SCALE];
	const colors = new Float32Array(columns * rows * 3);
	// How much of what is behind a pixel still shows; shapes are painted from the front to the back.
	const gaps = new Float32Array(columns * rows).fill(1);
	// Leads from a covered pixel towards the next that is not: large shapes by the thousand are fast.
	const next = new Uint32Array(columns * rows + 1).map((_, pixel) => pixel);
	const uncovered = (pixel: number): number => {
		let at = pixel;
		while (next[at] !== at) at = next[at] = next[next[at]];
		return at;
	};
	const brush = (color: string): Brush => {
		const rgb = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
		return (row, from, to, opacityAt) => {
			if (row < 0 || row >= rows) return;
			const begin = row * columns;
			const end = begin + Math.min(to, columns);
			let pixel = uncovered(begin + Math.max(from, 0));
			for (; pixel < end; pixel = uncovered(pixel + 1)) {
				const share = gaps[pixel] * opacityAt(pixel - begin);
				gaps[pixel] -= share;
				for (let channel = 0; channel < 3; channel++) {
					colors[pixel * 3 + channel] += share * rgb[channel];
				}
				if (gaps[pixel] < 1 / 512) next[pixel] = pixel + 1;
			}
		};
	};
	await turn();
	let painted = 0;
	for (const shape of [...shapes].reverse()) {
		const path = 'text' in shape ? drawLetters(shape) : shape;
		const segments = toSegments(path);
		for (let at = 0; path.stroke && at < segments.length; at += MAX_SEGMENTS) {
			const some = segments.slice(at, at + MAX_SEGMENTS);
			strokeSegments(some, ((path['stroke-width'] ?? 1) * SCALE) / 2, brush(path.stroke));
			painted += some.length;
			if (painted < MAX_SEGMENTS) continue;
			await turn();
			painted = 0;
		}
		if (path.fill) fill(segments, rows, path['fill-opacity'] ?? 1, brush(path.fill));
	}
	const data = new Uint8ClampedArray(colors);
	await turn();
	// As small as the default level, in two thirds of the time.
	return encode({ width: columns, height: rows, channels: 3, data }, { zlib: { level: 4 } });
}

function toSegments({ rings, fill }: Path): Segment[] {
	return rings.flatMap((ring) => {
		const line = fill || ring.length === 1 ? [...ring, ring[0]] : ring;
		const scaled = line.map(([x, y]) => [x * SCALE, y * SCALE]);
		return scaled.slice(1).map((to, index) => [...scaled[index], ...to] as Segment);
	});
}

/** The pixels whose centers are inside an odd number of rings. The stroke makes their edge smooth. */
function fill(segments: Segment[], rows: number, opacity: number, paint: Brush): void {
	/** Where each row, at its center, crosses an edge. */
	const crossings = new Map<number, number[]>();
	for (const [x, y, toX, toY] of segments) {
		const end = Math.min(rows, Math.ceil(Math.max(y, toY) - 0.5));
		for (let row = Math.max(0, Math.ceil(Math.min(y, toY) - 0.5)); row < end; row++) {
			const at = x + ((row + 0.5 - y) / (toY - y)) * (toX - x);
			const others = crossings.get(row);
			if (others) others.push(at);
			else crossings.set(row, [at]);
		}
	}
	for (const [row, all] of crossings) {
		const sorted = Float64Array.from(all).sort();
		for (let index = 1; index < sorted.length; index += 2) {
			paint(row, Math.round(sorted[index - 1]), Math.round(sorted[index]), () => opacity);
		}
	}
}

/** Lines with round ends, each pixel by the distance of its center; a dot between equal points. */
function strokeSegments(segments: Segment[], radius: number, paint: Brush): void {
	const reach = radius + 0.5;
	for (const [x, y, toX, toY] of segments) {
		const [dx, dy] = [toX - x, toY - y];
		const square = dx * dx + dy * dy || 1;
		for (let row = Math.floor(Math.min(y, toY) - reach); row < Math.max(y, toY) + reach; row++) {
			const down = row + 0.5 - y;
			// Where the line, without its ends, is near this row.
			const middle = dy === 0 ? x : x + (down / dy) * dx;
			const half = dy === 0 ? Infinity : (reach * Math.sqrt(square)) / Math.abs(dy);
			const from = Math.floor(Math.max(Math.min(x, toX) - reach, middle - half));
			const to = Math.ceil(Math.min(Math.max(x, toX) + reach, middle + half));
			paint(row, from, to, (column) => {
				const right = column + 0.5 - x;
				const part = clampPart((right * dx + down * dy) / square);
				const [across, along] = [right - part * dx, down - part * dy];
				return clampPart(reach - Math.sqrt(across * across + along * along));
			});
		}
	}
}

function clampPart(part: number): number {
	return Math.max(0, Math.min(1, part));
}

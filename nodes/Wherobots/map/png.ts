import { encode } from 'fast-png';
import { stringToPaths } from 'hershey';

import type { Path, Point, Scene, Text } from './scene';

/** Pixels per unit of the scene: sharp on high-density screens. */
const SCALE = 2;

/** Rows of samples in a row of pixels. */
const SAMPLES = 4;

/** Height of a capital letter in the font; a font size is about 1.4 times that. */
const CAPITAL = 21;

/** Vertical position of the font's baseline. */
const BASE_LINE = -9;

/**
 * A scene as a PNG file, since n8n's output, email and chats do not show SVG. Texts are drawn in a
 * single-stroke font, which has the ASCII characters.
 */
export function toPng({ width, height, shapes }: Scene): Uint8Array {
	const picture = new Picture(width * SCALE, height * SCALE);
	for (const shape of shapes) {
		if (shape.kind === 'path') picture.draw(shape);
		else picture.draw(lettering(shape));
	}
	return encode({
		width: picture.width,
		height: picture.height,
		data: picture.pixels,
		channels: 3,
	});
}

class Picture {
	readonly pixels: Uint8Array;

	/** Coverage of the pixels in the row being painted, and the range of those covered. */
	private readonly coverage: Float32Array;

	private from = Infinity;

	private to = 0;

	constructor(
		readonly width: number,
		readonly height: number,
	) {
		this.pixels = new Uint8Array(width * height * 3);
		this.coverage = new Float32Array(width);
	}

	draw({ rings, fill, opacity = 1, stroke, width = 1 }: Path): void {
		const scaled = rings.map((ring) => ring.map(([x, y]): Point => [x * SCALE, y * SCALE]));
		if (fill) this.fill(scaled, fill, opacity);
		if (!stroke) return;
		const lines = fill ? scaled.map((ring) => [...ring, ring[0]]) : scaled;
		// Piece by piece: strokes are opaque, so overlapping pieces do not show.
		for (const line of lines) {
			for (const piece of outlineOf(line, (width * SCALE) / 2)) this.fillConvex(piece, stroke);
		}
	}

	/** Paints the area inside an odd number of rings, each pixel by its coverage. */
	private fill(rings: Point[][], color: string, opacity: number): void {
		const rgb = rgbOf(color);
		const edges = rings.flatMap(edgesOf).sort((one, other) => one.top - other.top);
		if (edges.length === 0) return;
		let begun = 0;
		let active: Edge[] = [];
		for (let y = Math.max(0, Math.floor(edges[0].top)); y < this.height; y++) {
			while (begun < edges.length && edges[begun].top < y + 1) active.push(edges[begun++]);
			active = active.filter(({ bottom }) => bottom > y);
			if (active.length === 0 && begun === edges.length) return;
			for (let sample = 0; sample < SAMPLES; sample++) {
				this.coverRow(active, y + (sample + 0.5) / SAMPLES);
			}
			this.blend(y, rgb, opacity / SAMPLES);
		}
	}

	/** Paints a convex ring, which is faster: long lines have many. */
	private fillConvex(ring: Point[], color: string): void {
		const rgb = rgbOf(color);
		const edges = edgesOf(ring);
		const bottom = Math.max(...edges.map((edge) => edge.bottom));
		const first = Math.floor(Math.min(...edges.map((edge) => edge.top)));
		for (let y = Math.max(0, first); y < Math.min(this.height, bottom); y++) {
			for (let sample = 0; sample < SAMPLES; sample++) {
				const line = y + (sample + 0.5) / SAMPLES;
				let [begin, end] = [Infinity, -Infinity];
				for (const { top, bottom, x, slope } of edges) {
					if (line < top || line >= bottom) continue;
					const crossing = x + (line - top) * slope;
					begin = Math.min(begin, crossing);
					end = Math.max(end, crossing);
				}
				this.cover(begin, end);
			}
			this.blend(y, rgb, 1 / SAMPLES);
		}
	}

	/** Adds the share of each pixel between the edges at this height. */
	private coverRow(edges: Edge[], y: number): void {
		const crossings = edges
			.filter(({ top, bottom }) => top <= y && y < bottom)
			.map(({ x, top, slope }) => x + (y - top) * slope)
			.sort((one, other) => one - other);
		for (let index = 1; index < crossings.length; index += 2) {
			this.cover(crossings[index - 1], crossings[index]);
		}
	}

	private cover(from: number, to: number): void {
		const [begin, end] = [Math.max(0, from), Math.min(this.width, to)];
		if (begin >= end) return;
		for (let x = Math.floor(begin); x < end; x++) {
			this.coverage[x] += Math.min(end, x + 1) - Math.max(begin, x);
		}
		this.from = Math.min(this.from, Math.floor(begin));
		this.to = Math.max(this.to, Math.ceil(end));
	}

	private blend(y: number, rgb: number[], weight: number): void {
		for (let x = this.from; x < this.to; x++) {
			const share = Math.min(1, this.coverage[x] * weight);
			this.coverage[x] = 0;
			const at = (y * this.width + x) * 3;
			for (const [channel, value] of rgb.entries()) {
				this.pixels[at + channel] += Math.round((value - this.pixels[at + channel]) * share);
			}
		}
		[this.from, this.to] = [Infinity, 0];
	}
}

function rgbOf(color: string): number[] {
	return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}

interface Edge {
	top: number;
	bottom: number;
	/** Position at the top of the edge, and its change for each row below. */
	x: number;
	slope: number;
}

function edgesOf(ring: Point[]): Edge[] {
	return ring.map(([x, y], index) => {
		const [nextX, nextY] = ring[(index + 1) % ring.length];
		const slope = (nextX - x) / (nextY - y || 1);
		return { top: Math.min(y, nextY), bottom: Math.max(y, nextY), x: y < nextY ? x : nextX, slope };
	});
}

const CORNERS = 16;

/** The rings that make up a line: a dot for each point, a bar between each two. */
function outlineOf(line: Point[], radius: number): Point[][] {
	const dots = line.map(([x, y]) =>
		Array.from({ length: CORNERS }, (_, corner): Point => {
			const angle = (2 * Math.PI * corner) / CORNERS;
			return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
		}),
	);
	const bars = line.slice(1).map(([toX, toY], index): Point[] => {
		const [x, y] = line[index];
		const length = Math.hypot(toX - x, toY - y) || 1;
		const [acrossX, acrossY] = [(-(toY - y) / length) * radius, ((toX - x) / length) * radius];
		return [
			[x - acrossX, y - acrossY],
			[toX - acrossX, toY - acrossY],
			[toX + acrossX, toY + acrossY],
			[x + acrossX, y + acrossY],
		];
	});
	return [...dots, ...bars];
}

/** A text as strokes. */
function lettering({ at: [x, y], text, size, anchor, color }: Text): Path {
	const plain = text
		.replace(/[–—]/g, '-')
		.replace('…', '...')
		.replace(/°/g, ' ')
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.replace(/[^ -~]/gu, '?');
	const { bounds, paths } = stringToPaths(plain);
	const scale = size / 1.4 / CAPITAL;
	const shift = { start: 0, middle: 0.5, end: 1 }[anchor] * (bounds.maxX - bounds.minX) * scale;
	const rings = paths
		.filter((points) => points.length > 0)
		.map((points) =>
			points.map(
				([px, py]): Point => [x - shift + (px - bounds.minX) * scale, y - (py - BASE_LINE) * scale],
			),
		);
	return { kind: 'path', rings, stroke: color, width: Math.max(0.9, size / 13) };
}

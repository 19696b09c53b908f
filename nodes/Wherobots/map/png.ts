import { encode } from 'fast-png';
import { stringToPaths } from 'hershey';

import { INK, type Path, type Point, type Scene, type Text } from './scene';

/** Pixels per unit of the scene: sharp on high-density screens. */
const SCALE = 2;

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
	for (const shape of shapes) picture.draw('text' in shape ? lettering(shape) : shape);
	return encode({ ...picture, channels: 3 });
}

class Picture {
	readonly data: Uint8Array;

	constructor(
		readonly width: number,
		readonly height: number,
	) {
		this.data = new Uint8Array(width * height * 3);
	}

	draw({ rings, fill, opacity = 1, stroke, width = 1 }: Path): void {
		const scaled = rings.map((ring) => ring.map(([x, y]): Point => [x * SCALE, y * SCALE]));
		if (fill) this.fill(scaled, rgbOf(fill), opacity);
		if (!stroke) return;
		for (const ring of scaled) {
			const line = fill || ring.length === 1 ? [...ring, ring[0]] : ring;
			for (let index = 1; index < line.length; index++) {
				this.stroke(line[index - 1], line[index], (width * SCALE) / 2, rgbOf(stroke));
			}
		}
	}

	/** The pixels whose centers are inside an odd number of rings. The stroke makes their edge smooth. */
	private fill(rings: Point[][], rgb: number[], opacity: number): void {
		const rows = new Map<number, number[]>();
		for (const ring of rings) {
			for (const [index, [x, y]] of ring.entries()) {
				const [toX, toY] = ring[(index + 1) % ring.length];
				const bottom = Math.max(y, toY) - 0.5;
				for (let row = Math.ceil(Math.min(y, toY) - 0.5); row < bottom; row++) {
					const crossing = Math.round(x + ((row + 0.5 - y) / (toY - y)) * (toX - x));
					const crossings = rows.get(row);
					if (crossings) crossings.push(crossing);
					else rows.set(row, [crossing]);
				}
			}
		}
		for (const [row, crossings] of rows) {
			crossings.sort((one, other) => one - other);
			for (let index = 1; index < crossings.length; index += 2) {
				for (let x = crossings[index - 1]; x < crossings[index]; x++) {
					this.blend(x, row, rgb, opacity);
				}
			}
		}
	}

	/** A line with round ends, each pixel by the distance of its center; a dot between equal points. */
	private stroke([x, y]: Point, [toX, toY]: Point, radius: number, rgb: number[]): void {
		const [dx, dy] = [toX - x, toY - y];
		const square = dx * dx + dy * dy || 1;
		const reach = radius + 0.5;
		for (let row = Math.floor(Math.min(y, toY) - reach); row < Math.max(y, toY) + reach; row++) {
			const down = row + 0.5 - y;
			// Where the line is near this row.
			const parts = dy === 0 ? [0, 1] : [(down - reach) / dy, (down + reach) / dy].map(within);
			const near = parts.map((part) => x + part * dx);
			const end = Math.max(...near) + reach;
			for (let column = Math.floor(Math.min(...near) - reach); column < end; column++) {
				const right = column + 0.5 - x;
				const part = within((right * dx + down * dy) / square);
				const distance = Math.sqrt((right - part * dx) ** 2 + (down - part * dy) ** 2);
				this.blend(column, row, rgb, Math.min(1, reach - distance));
			}
		}
	}

	private blend(x: number, y: number, rgb: number[], share: number): void {
		if (share <= 0 || x < 0 || x >= this.width || y < 0 || y >= this.height) return;
		const at = (y * this.width + x) * 3;
		for (let channel = 0; channel < 3; channel++) {
			const before = this.data[at + channel];
			this.data[at + channel] = Math.round(before + (rgb[channel] - before) * share);
		}
	}
}

function within(part: number): number {
	return Math.max(0, Math.min(1, part));
}

function rgbOf(color: string): number[] {
	return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}

/** A text as strokes. */
function lettering({ at: [x, y], text, size, anchor }: Text): Path {
	const plain = text
		.normalize('NFKD')
		.replace(/[–—]/g, '-')
		.replace(/°/g, ' ')
		.replace(/\p{M}/gu, '')
		.replace(/[^ -~]/gu, '?');
	const { bounds, paths } = stringToPaths(plain);
	const scale = size / 1.4 / CAPITAL;
	const shift = { start: 0, middle: 0.5, end: 1 }[anchor] * (bounds.maxX - bounds.minX) * scale;
	const placed = ([px, py]: Point): Point => [
		x - shift + (px - bounds.minX) * scale,
		y - (py - BASE_LINE) * scale,
	];
	const rings = paths.map((points) => points.map(placed));
	return { rings, stroke: INK, width: Math.max(0.9, size / 13) };
}

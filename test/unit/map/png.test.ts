import { PNG } from 'pngjs';

import { toPng } from '../../../nodes/Wherobots/map/pictures';
import type { Path, Point, Scene, Text } from '../../../nodes/Wherobots/map/shapes';
import { drawn, feature, lines, placesOf, positions, ring } from './drawn';

// A unit of the scene is two pixels.
const SIZE = { width: 12, height: 8 };

type Shapes = Scene['shapes'];

const box = (left: number, top: number, right: number, bottom: number): Point[] => [
	[left, top],
	[right, top],
	[right, bottom],
	[left, bottom],
];

/** The picture of shapes on white: its rows of pixels, each as red, green and blue. */
function rowsOf(shapes: Shapes, { width, height } = SIZE): number[][][] {
	const paper = { rings: [box(-1, -1, width + 1, height + 1)], fill: '#ffffff' };
	const file = toPng({ width, height, shapes: [paper, ...shapes] })();
	const { width: columns, height: rows, data } = PNG.sync.read(Buffer.from(file));
	expect([columns, rows]).toEqual([2 * width, 2 * height]);
	return Array.from({ length: rows }, (_, row) =>
		Array.from({ length: columns }, (__, column) => [
			...data.subarray((row * columns + column) * 4, (row * columns + column) * 4 + 3),
		]),
	);
}

/** Each pixel as a letter, by its color. */
const lettersOf = (shapes: Shapes, letters: Record<string, string>) =>
	rowsOf(shapes).map((row) => row.map((pixel) => letters[pixel.join()] ?? '?').join(''));

/** How black each pixel is, from 0 to 1. */
const inkOf = (shapes: Shapes, size = SIZE) =>
	rowsOf(shapes, size).map((row) => row.map(([red]) => 1 - red / 255));

describe('a filled shape', () => {
	it('mixes with what is behind it, and leaves out its hole', () => {
		const frame = { rings: [box(1, 1, 7, 7), box(3, 3, 5, 6)], fill: '#ff8000' };
		const rows = lettersOf([{ ...frame, 'fill-opacity': 0.6 }], {
			'255,255,255': '.',
			'255,179,102': 'o',
		});
		expect(rows).toEqual([
			...Array<string>(2).fill('........................'),
			...Array<string>(4).fill('..oooooooooooo..........'),
			...Array<string>(6).fill('..oooo....oooo..........'),
			...Array<string>(2).fill('..oooooooooooo..........'),
			...Array<string>(2).fill('........................'),
		]);
	});

	it('covers those before it, and ends at the edge of the picture', () => {
		const red = { rings: [box(-5, 2, 6, 20)], fill: '#ff0000' };
		const blue = { rings: [box(4, -3, 30, 5)], fill: '#0000ff' };
		const letters = { '255,255,255': '.', '255,0,0': 'r', '0,0,255': 'b' };
		expect(lettersOf([red, blue], letters)).toEqual([
			...Array<string>(4).fill('........bbbbbbbbbbbbbbbb'),
			...Array<string>(6).fill('rrrrrrrrbbbbbbbbbbbbbbbb'),
			...Array<string>(6).fill('rrrrrrrrrrrr............'),
		]);
	});

	it.each([
		['three', '1 0.6, 11.1 2.3, 4.2 7.4'],
		['four, two at the middle of a pixel,', '6 0.2, 10 4.25, 6 7.2, 2 4.25'],
	])('with %s corners has the pixels whose centers are inside', (_, text) => {
		const corners = positions(text);
		const isInside = (x: number, y: number) =>
			corners.every(([fromX, fromY], index) => {
				const [toX, toY] = corners[(index + 1) % corners.length];
				return (toX - fromX) * (y - fromY) > (toY - fromY) * (x - fromX);
			});
		const ink = inkOf([{ rings: [corners], fill: '#000000' }]);
		const expected = ink.map((row, y) =>
			row.map((__, x) => (isInside((x + 0.5) / 2, (y + 0.5) / 2) ? 1 : 0)),
		);
		expect(ink).toEqual(expected);
	});

	it('is behind its own outline', () => {
		const shape = { rings: [box(2, 2, 9, 6)], fill: '#ff0000', stroke: '#0000ff' };
		const rows = rowsOf([{ ...shape, 'stroke-width': 2 }]);
		expect([rows[8][4], rows[4][12], rows[8][17]]).toEqual(Array(3).fill([0, 0, 255]));
		expect(rows[8][12]).toEqual([255, 0, 0]);
	});
});

describe('a line', () => {
	/** Pixels are as black as the line, whose edge is one pixel wide, covers their centers. */
	const covered = ([from, to]: Point[], width: number) => {
		const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
		return Array.from({ length: 16 }, (_, row) =>
			Array.from({ length: 24 }, (__, column) => {
				const [x, y] = [(column + 0.5) / 2 - from[0], (row + 0.5) / 2 - from[1]];
				const part = (x * dx + y * dy) / (dx * dx + dy * dy || 1);
				const nearest = Math.min(1, Math.max(0, part));
				const distance = Math.hypot(x - nearest * dx, y - nearest * dy);
				return Math.min(1, Math.max(0, (width / 2 - distance) * 2 + 0.5));
			}),
		);
	};

	it.each([
		['to the right', '2 3.3, 9 3.3', 2],
		['to the left, falling', '10 1, 3 6', 3],
		['steep', '3 7, 4.2 1', 1.5],
		['almost flat', '1 5, 11 4.8', undefined],
		['downwards', '5 1, 5 6', 0.8],
		['to one point', '5.2 4.1', 4],
		['through the whole picture', '-9 -6, 30 17', 2],
		['along the edge', '12 -3, 12 20', 3],
	])('%s is as wide as its stroke, with round ends', (_, text, width) => {
		const ring = positions(text);
		const look = { stroke: '#000000', ...(width && { 'stroke-width': width }) };
		const ink = inkOf([{ rings: [ring], ...look }]);
		const expected = covered([ring[0], ring[1] ?? ring[0]], width ?? 1);
		const errors = ink.flatMap((row, y) => row.map((each, x) => Math.abs(each - expected[y][x])));
		expect(Math.max(...errors)).toBeLessThan(0.01);
	});

	it('is not closed when it has no fill', () => {
		const rings: Path['rings'] = [positions('1 1, 10 1, 10 7')];
		expect(inkOf([{ rings, stroke: '#000000' }])[8][11]).toBe(0);
	});
});

describe('a text', () => {
	const size = { width: 60, height: 30 };
	const inkOfText = (text: Partial<Text>) =>
		inkOf([{ text: 'H', at: [30, 20], size: 14, anchor: 'start', ...text }], size);
	/** The ink of texts is a dark gray. */
	const DARKEST = 0.8;

	/** The outermost columns and rows that have ink, in units of the scene. */
	const extentOf = (ink: number[][]) => {
		const dark = ink.flatMap((row, y) => row.flatMap((each, x) => (each > 0.4 ? [[x, y]] : [])));
		const [xs, ys] = [dark.map(([x]) => x / 2), dark.map(([, y]) => y / 2)];
		return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
	};

	it.each([
		['start', [31.5, 38.5, 9.5, 20]],
		['middle', [26, 33.5, 9.5, 20]],
		['end', [21, 28, 9.5, 20]],
	] as const)('stands on its baseline, at the side of its %s', (anchor, expected) => {
		expect(extentOf(inkOfText({ anchor }))).toEqual(expected);
	});

	it.each([
		[5, 0.9],
		[26, 2],
	])('of size %s has strokes of a width that can be read', (of, width) => {
		const [row] = inkOfText({ text: 'I', size: of }).slice(38);
		expect(row.reduce((sum, each) => sum + each) / 2 / DARKEST).toBeCloseTo(width, 1);
	});

	it.each(['ß', '°', '–', 'Ä', 'ö', 'é', 'č', 'å', 'ñ', 'í'])('has a shape for %s', (letter) => {
		const plain = letter.normalize('NFD')[0];
		const others = [' ', '?', '-', ...(plain === letter ? [] : [plain])];
		for (const other of others)
			expect(inkOfText({ text: letter })).not.toEqual(inkOfText({ text: other }));
	});

	it('has the letters of ASCII in place of those that the font lacks', () => {
		const inkOf = (text: string) => inkOfText({ text, at: [2, 20], size: 5 });
		expect(inkOf('Łódź “日”')).toEqual(inkOf('Lódź "?"'));
		expect(inkOf('²')).not.toEqual(inkOf('?'));
	});
});

it('a picture has the same colors as PNG and as SVG', async () => {
	const map = await drawn(lines([feature('Polygon', [ring(7, 50, 7.02, 50.02)], { a: 1 })]));
	const { width, height, data } = PNG.sync.read(Buffer.from(map.png()()));
	expect([width, height]).toEqual([1920, 1200]);
	const at = (x: number, y: number) => [
		...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
	];
	expect(at(2, 2)).toEqual([255, 255, 255]);
	// Seven tenths of #0072b2 on white, between the lines of the grid.
	const [[[x, y], [right], [, top]]] = placesOf(map, 'a: 1');
	const inside = Array.from({ length: 50 }, (_, index) =>
		at(
			Math.round(2 * (x + ((right - x) * (index + 0.5)) / 50)),
			Math.round(2 * (top + (y - top) * 0.37)),
		),
	);
	const isBlue = ([r, g, b]: number[]) => Math.abs(r - 76.5) < 1 && g === 156 && b === 201;
	expect(inside.filter(isBlue).length).toBeGreaterThan(35);
	expect(at(Math.round(2 * x), Math.round(y + top))).not.toEqual(
		at(Math.round(2 * x) - 20, Math.round(y + top)),
	);
});

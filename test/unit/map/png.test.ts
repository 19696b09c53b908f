import { readFileSync } from 'node:fs';
import path from 'node:path';

import { PNG } from 'pngjs';

import { toPng } from '../../../nodes/Wherobots/map/pictures';
import { hasLetters, type Point, type Scene } from '../../../nodes/Wherobots/map/shapes';
import { drawn, feature, lines, positions, ring, turn } from './drawn';

const box = (left: number, top: number, right: number, bottom: number): Point[] => [
	...positions(`${left} ${top}, ${right} ${top}, ${right} ${bottom}, ${left} ${bottom}`),
];
const line = (text: string, width?: number) => ({
	...{ rings: [positions(text)], stroke: '#000000' },
	...(width && { 'stroke-width': width }),
});
const word = (text: string, at: Point, more: object = {}) => ({
	...{ text, at, size: 14, anchor: 'start' as const },
	...more,
});

/** Whatever a map is made of; some of it reaches beyond the edges. */
const scene: Scene = {
	...{ width: 120, height: 90 },
	shapes: [
		{ rings: [box(-1, -1, 121, 91)], fill: '#ffffff' },
		// Areas: with a hole, behind others, with corners between pixels, behind their outline.
		{ rings: [box(1, 1, 13, 13), box(4, 4, 9, 10)], fill: '#ff8000', 'fill-opacity': 0.6 },
		{ rings: [box(-5, 20, 8, 40)], fill: '#ff0000' },
		{ rings: [box(4, 25, 20, 30)], fill: '#0000ff' },
		{ rings: [positions('16 0.6, 26.1 2.3, 19.2 7.4')], fill: '#000000' },
		{ rings: [positions('22 8.2, 26 12.25, 22 15.2, 18 12.25')], fill: '#000000' },
		{ rings: [box(2, 34, 9, 38)], fill: '#ff0000', stroke: '#0000ff', 'stroke-width': 2 },
		// Lines: in all directions, of all widths, open, closed by a fill, and to a single point.
		...[line('32 3.3, 39 3.3', 2), line('40 6, 33 11', 3), line('33 22, 34.2 16', 1.5)],
		...[line('31 25, 41 24.8'), line('35 26, 35 31', 0.8), line('35.2 37.1', 4)],
		...[line('-9 50, 130 110', 2), line('120 -3, 120 20', 3), line('42 2, 51 2, 51 8')],
		{ ...line('42 12, 51 12, 51 18'), fill: '#00ff00' },
		// Texts: at each side, of the smallest size that can be read, of all letters that names have.
		word('start', [60, 12]),
		word('middle', [60, 24], { anchor: 'middle' }),
		word('end', [60, 36], { anchor: 'end' }),
		word('I small', [100, 12], { size: 5 }),
		word('Large', [40, 62], { size: 26 }),
		word('ßß °C – Äöéčåñí Łódź “日” ²', [2, 86], { size: 7 }),
	],
};

/** How many pixels differ from the picture in a file. Whoever changes how pictures look looks at the new file. */
function differencesFrom(name: string, file: Uint8Array): number {
	const expected = PNG.sync.read(readFileSync(path.join(__dirname, name)));
	const { width, height, data } = PNG.sync.read(Buffer.from(file));
	expect([width, height]).toEqual([expected.width, expected.height]);
	return data.filter((value, at) => value !== expected.data[at]).length;
}

it('a PNG shows areas, lines and texts as they are expected, to the pixel', async () => {
	expect(differencesFrom('shapes.png', await toPng(scene, turn))).toBe(0);
});

it('a letter that the font lacks is that of ASCII, or a question mark', async () => {
	const pictureOf = async (text: string) =>
		await toPng({ ...scene, shapes: [word(text, [2, 20])] }, turn);
	expect(await pictureOf('Łódź “日”')).toEqual(await pictureOf('Lódź "?"'));
});

it.each(['çÇşģ', 'ąĘįų', 'őŰ', 'żİėġ', 'ăğĞŭ', 'șȚ', 'àéîõūÿůǎ'])(
	'the marks of %s are drawn',
	async (text) => {
		const pictureOf = async (letter: string) => {
			const file = await toPng({ width: 40, height: 40, shapes: [word(letter, [10, 25])] }, turn);
			return String(PNG.sync.read(Buffer.from(file)).data);
		};
		for (const letter of text) {
			expect(hasLetters(letter)).toBe(true);
			expect(await pictureOf(letter)).not.toBe(await pictureOf(letter.normalize('NFD')[0]));
		}
	},
);

it('a map has the same as PNG as it has as SVG, at twice its size', async () => {
	const area = feature('Polygon', [ring(7, 50, 7.02, 50.02)], { a: 1 });
	const map = await drawn(lines([area, feature('Point', [7.01, 50.03], { a: 2 })]), {
		column: 'a',
	});
	expect(differencesFrom('map.png', await map.png())).toBe(0);
});

it.each([
	'UNKNOWN',
	'MMMMMMMMMMMMMMMMMMMM',
	'i',
	'Städte und Gemeinden am Rhein',
	`${'a'.repeat(17)}—`,
	'W@%WWWWWWWWWWW',
	'東京都千代田区永田町一丁目',
])('a margin is left beside the title and the legend of %s', async (text) => {
	const title = `${text} `.repeat(9);
	const map = await drawn(lines([feature('Point', [7, 50], { a: text })]), { column: 'a', title });
	const { width, height, data } = PNG.sync.read(Buffer.from(await map.png()));
	const isWhite = (x: number, y: number) => data[(y * width + x) * 4] === 255;
	const beside = Array.from({ length: 20 }, (_, at) => width - 1 - at);
	for (let y = 0; y < height; y++) {
		expect(beside.every((x) => isWhite(x, y)) || y).toBe(true);
	}
	// In the font of a browser, the widest letters are as wide as they are high.
	for (const [, x, size, words] of map.svg.matchAll(
		/<text x="(\d+)" y="[\d.]+" font-size="(\d+)" text-anchor="start"[^>]*>([^<]*)</g,
	)) {
		const wide = [...words].filter((each) => /[@%MW\u2E80-\uFFFF]/.test(each)).length;
		expect(Number(x) + wide * Number(size)).toBeLessThan(784);
	}
});

it.each(['부산광역시 해운대구', 'グランドビルディング', 'กรุงเทพมหานคร', 'Москва и область'])(
	'%s is not cut',
	async (text) => {
		const map = await drawn(lines([feature('Point', [7, 50], { a: text })]), { column: 'a' });
		expect(map.svg).toContain(`>${text}<`);
	},
);

it('n8n can do other work while a picture is painted', async () => {
	let turns = 0;
	const count = async () => {
		turns++;
		await turn();
	};
	const outline = (length: number) => ({
		rings: [positions(Array.from({ length }, (_, at) => `${at / 500} ${at % 7}`).join())],
		stroke: '#000000',
	});
	await toPng({ ...scene, shapes: [outline(50_000)] }, count);
	expect(turns).toBeGreaterThan(10);
	turns = 0;
	await toPng({ ...scene, shapes: Array.from({ length: 500 }, () => outline(110)) }, count);
	expect(turns).toBeGreaterThan(10);
});

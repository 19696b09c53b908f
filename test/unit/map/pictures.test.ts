import type { IDataObject } from 'n8n-workflow';
import { PNG } from 'pngjs';

import { drawn, feature, legendOf, lines, placesOf, point } from './drawn';

describe('colors', () => {
	const values = (...all: unknown[]) =>
		lines(all.map((size, index) => point(index / 100, 50, { size } as IDataObject)));

	it('puts numbers into classes of one size', async () => {
		const map = await drawn(values(...Array.from({ length: 100 }, (_, index) => 1_000 + index)), {
			column: 'size',
		});
		expect(legendOf(map)).toEqual([
			'1,000 to 1,020',
			'1,020 to 1,040',
			'1,040 to 1,059',
			'1,059 to 1,079',
			'1,079 to 1,099',
		]);
		const colors = [...map.svg.matchAll(/stroke="(#\w+)" stroke-width="6"/g)].map(
			([, color]) => color,
		);
		expect(new Set(colors.slice(0, 20)).size).toBe(1);
		expect(new Set(colors).size).toBe(5);
		expect(colors.filter((color) => color === colors[20])).toHaveLength(20);
	});

	it('takes digits as numbers, and shows a missing value', async () => {
		expect(legendOf(await drawn(values('2.5', '2.5', null), { column: 'size' }))).toEqual([
			'2.5',
			'No value',
		]);
	});

	it('shows the most frequent texts, and the others as one', async () => {
		const some = 'abcdefghi'
			.split('')
			.flatMap((letter, index) => Array(10 - index).fill(letter) as string[]);
		expect(legendOf(await drawn(values(...some), { column: 'size' }))).toEqual([
			...'abcdefg',
			'Other',
		]);
	});

	it('does not take what every object has for a value', async () => {
		expect(legendOf(await drawn(values(1), { column: 'constructor' }))).toEqual(['No value']);
	});

	it('has no legend without a column', async () => {
		expect(legendOf(await drawn(values(1)))).toEqual([]);
	});
});

describe('the files', () => {
	const hostile = point(7, 50, { name: '</svg><script>alert(1)</script> & \u0000 \ud800' });

	it('show text as text', async () => {
		const { svg, page } = await drawn(lines([hostile]), { column: 'name' });
		expect(svg).not.toContain('<script');
		expect(svg).not.toContain('\u0000');
		expect(page).not.toMatch(/<script/);
		expect(page).toContain(svg);
		expect(svg).toContain('&#60;script&#62;');
	});

	it('show the same colors in PNG as in SVG', async () => {
		const box = [
			[7, 50],
			[7.02, 50],
			[7.02, 50.02],
			[7, 50.02],
			[7, 50],
		];
		const map = await drawn(lines([feature('Polygon', [box], { a: 1 })]));
		const { width, height, data } = PNG.sync.read(Buffer.from(map.png()));
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
});

import { PNG } from 'pngjs';

import { drawn, feature, lines, placesOf, point } from './drawn';

it('large shapes by the thousand are a picture within seconds', async () => {
	const box = [
		[0, 0],
		[9, 0],
		[9, 5],
		[0, 5],
	];
	const map = await drawn(lines(Array(3_000).fill(feature('Polygon', [box], {})) as unknown[]));
	const before = process.cpuUsage();
	map.png();
	expect(process.cpuUsage(before).user).toBeLessThan(15_000_000);
});

it('a picture has the same colors as PNG and as SVG', async () => {
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

it('a feature of more than 16 MB is left out, and those after it are drawn', async () => {
	const note = 'x'.repeat(16 * 1024 * 1024);
	const { facts } = await drawn(lines([point(7, 50, { note }), point(7, 51)]));
	expect(facts).toMatchObject({ features: 2, drawn: 1 });
});

import { PNG } from 'pngjs';

import { drawn, feature, lines, placesOf, positions, ring } from './drawn';

it('large shapes by the thousand are a picture within seconds', async () => {
	const area = feature('Polygon', [positions('0 0, 9 0, 9 5, 0 5')], {});
	const map = await drawn(lines(Array(3_000).fill(area) as unknown[]));
	const before = process.cpuUsage();
	map.png();
	expect(process.cpuUsage(before).user).toBeLessThan(15_000_000);
});

it('a picture has the same colors as PNG and as SVG', async () => {
	const map = await drawn(lines([feature('Polygon', [ring(7, 50, 7.02, 50.02)], { a: 1 })]));
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

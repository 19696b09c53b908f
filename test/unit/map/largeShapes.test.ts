import { drawn, feature, lines } from './drawn';

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

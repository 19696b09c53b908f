import { drawn, feature, lines, point } from './drawn';

it('of more than 3,000 features, a map has an even choice', async () => {
	const many = Array.from({ length: 6_400 }, (_, index) => point(index / 100, 50, { index }));
	const { facts, svg } = await drawn(lines([...many, point(7, 91)]));
	expect(facts).toEqual({
		features: 6_401,
		drawn: 1_600,
		note: '1,600 of 6,400 features are drawn, chosen evenly. Left out: 1 with coordinates that are not degrees (EPSG:4326).',
	});
	const indices = [...svg.matchAll(/<title>index: (\d+)</g)].map(([, index]) => Number(index));
	expect(indices).toEqual(Array.from({ length: 1_600 }, (_, index) => index * 4));
	expect((await drawn(lines(many.slice(0, 3_000)))).facts.drawn).toBe(3_000);
});

describe('of more than 50,000 positions', () => {
	const line = (length: number) =>
		feature('LineString', Array.from({ length }, () => [7, 50]) as unknown[]);

	it('a map has as many features as fit', async () => {
		const { facts } = await drawn(lines([line(25_000), line(25_000), line(25_000)]));
		expect(facts).toMatchObject({ features: 3, drawn: 2 });
	});

	it('a map still has its only feature', async () => {
		expect((await drawn(lines([line(50_001)]))).facts).toEqual({ features: 1, drawn: 1, note: '' });
	});
});

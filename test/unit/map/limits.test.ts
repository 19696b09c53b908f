import { feature as toGeoJson } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'world-atlas/countries-50m.json';

import { drawn, feature, findAll, lines, placesOf, point } from './drawn';

const topology = atlas as unknown as Topology<{ countries: GeometryCollection }>;

it('of more than 3,000 features, a map has an even choice', async () => {
	const many = Array.from({ length: 6_400 }, (_, index) =>
		point(Math.floor(index / 4) % 40, 10 + Math.floor(index / 160), { index }),
	);
	const { facts, svg } = await drawn(lines([...many, point(7, 91)]));
	expect(facts).toEqual({
		features: 6_401,
		drawn: 1_600,
		note: expect.stringMatching(
			/^1,600 of 6,400 features are drawn, chosen evenly\. Left out: 1 with /,
		),
	});
	const indices = findAll(svg, /<title>index: (\d+)</g).map(Number);
	expect(indices).toEqual(Array.from({ length: 1_600 }, (_, index) => index * 4));
	expect((await drawn(lines(many.slice(0, 3_000)))).facts.drawn).toBe(3_000);
});

it('dots of a choice say that they count what is drawn', async () => {
	const some = Array.from({ length: 6_400 }, () => point(7, 50, { a: 1 }));
	const map = await drawn(lines([...some, point(8, 50), ...some]), { column: 'a' });
	expect(map.facts.drawn).toBe(1_601);
	expect(map.svg).toContain('>Drawn points per dot, colored by the largest value<');
	expect(map.svg).toContain('<title>1,600 drawn points, among them:\na: 1<');
});

describe('of more than 50,000 positions', () => {
	it('a map has all features, without what is smaller than a pixel', async () => {
		const { features } = toGeoJson(topology, topology.objects.countries);
		const { facts, svg } = await drawn(lines(features));
		expect(facts).toEqual({ features: 241, drawn: 241, note: '' });
		expect(svg.match(/ /g)?.length).toBeLessThan(60_000);
	});

	it('a map keeps the shape of its outlines to a pixel', async () => {
		const circle = Array.from({ length: 60_001 }, (_, at) => {
			const angle = (at / 30_000) * Math.PI;
			return [7 + Math.cos(angle), Math.sin(angle)];
		});
		const map = await drawn(lines([feature('Polygon', [circle], { a: 1 })]));
		const [points] = placesOf(map, 'a: 1');
		expect(points.length).toBeGreaterThan(500);
		expect(points.length).toBeLessThan(5_000);
		const [x, y] = [454, 296];
		const radii = points.map(([px, py]) => Math.hypot(px - x, py - y));
		expect(Math.max(...radii) - Math.min(...radii)).toBeLessThan(1);
	});

	it('a map still has its only feature', async () => {
		const positions = Array.from({ length: 50_001 }, () => [7, 50]);
		const { facts } = await drawn(lines([feature('LineString', positions)]));
		expect(facts).toEqual({ features: 1, drawn: 1, note: '' });
	});

	it('a map has as many features as fit', async () => {
		const zigzag = (north: number) =>
			feature(
				'LineString',
				Array.from({ length: 25_000 }, (_, at) => [at % 2 ? 7 : -7, north]),
			);
		const { facts } = await drawn(lines([zigzag(50), zigzag(51), zigzag(52)]));
		expect(facts).toMatchObject({ features: 3, drawn: 2 });
	});
});

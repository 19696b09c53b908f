import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { measureText } from '../../../nodes/Wherobots/map/shapes';
import {
	collection,
	drawn,
	feature,
	findAll,
	lines,
	placesOf,
	point,
	positions,
	ring,
	textsOf,
} from './drawn';

describe('reading features', () => {
	const json = fc.jsonValue({ maxDepth: 3 });
	const features = fc.array(
		fc
			.record({ a: json, 'b{"]\\': json })
			.map((properties) => point(7, 50, properties as IDataObject)),
		{ maxLength: 5 },
	);

	it('finds the same features however the bytes are cut, in a collection and in lines', async () => {
		await fc.assert(
			fc.asyncProperty(features, fc.integer({ min: 1, max: 40 }), async (some, block) => {
				for (const text of [collection(some), lines(some)]) {
					const { facts, svg } = await drawn(text, { block });
					expect(facts).toMatchObject({ features: some.length, drawn: some.length });
					expect(svg).toBe((await drawn(collection(some))).svg);
				}
			}),
			{ numRuns: 40, seed: 1 },
		);
	});

	it.each([
		['a web page', '<html>no</html>'],
		['a table', 'name,size\nBonn,3'],
		['other JSON', '{"name":"Bonn"}'],
		['features in a list of lists', JSON.stringify([[point(7, 50)]])],
	])('says that %s is not GeoJSON', async (_, text) => {
		await expect(drawn(text)).rejects.toThrow('the file is not GeoJSON');
	});

	it('shows on the map what it leaves out, and what to do about meters', async () => {
		const { svg } = await drawn(lines([point(780_000, 6_500_000)]));
		expect(svg).toContain(
			'text-anchor="middle" fill="#333333">There are no features to draw.</text>',
		);
		expect(findAll(svg, /<text x="16"[^>]*>([^<]*)</g).join(' ')).toContain(
			"Left out: 1 with coordinates that are not degrees (EPSG:4326). From Web Mercator, ST_Transform(geometry, 'EPSG:3857', 'EPSG:4326') converts",
		);
	});
});

it('an empty map says so once', async () => {
	const { svg, facts } = await drawn(collection([]));
	expect(svg.match(/There are no [^<]*/g)).toEqual([facts.note]);
});

describe('placing features', () => {
	it('is true to shape in the middle, north up', async () => {
		const square = ring(7, 59.9, 7.4, 60.1);
		const map = await drawn(lines([feature('Polygon', [square], { a: 1 })]));
		const [[[x, y], [right], [, top]]] = placesOf(map, 'a: 1');
		expect((right - x) / (y - top)).toBeCloseTo(1, 1);
		// 0.2 degrees of latitude are 22.2 km; the bar shows what its label says.
		const [, begin, end] = /d="M([\d.]+) \d+L([\d.]+) /.exec(
			map.svg.split('stroke-width="3"')[0].split('<path').pop() as string,
		) as RegExpExecArray;
		expect(map.svg).toContain('>10 km<');
		expect((Number(end) - Number(begin)) / (y - top)).toBeCloseTo(10 / 22.24, 2);
	});

	it('brings together what lies on both sides of the date line', async () => {
		const map = await drawn(
			lines([
				feature('Polygon', [ring(178, -18, -178, -15), ring(-179, -17, 179, -16)], { a: 'across' }),
				point(-179, -16, { a: 'east' }),
				point(179, -16, { a: 'west' }),
			]),
		);
		const [outline] = placesOf(map, 'a: across');
		const xs = outline.slice(0, 5).map(([x]) => x);
		const holes = outline.slice(5).map(([x]) => x);
		const [east, west] = ['east', 'west'].map((a) => placesOf(map, `a: ${a}`)[0][0][0]);
		expect(Math.max(...holes)).toBe(east);
		expect(Math.min(...holes)).toBe(west);
		expect(Math.min(...xs)).toBeLessThan(west);
		expect(Math.max(...xs)).toBeGreaterThan(east);
		expect(east - west).toBeCloseTo((Math.max(...xs) - Math.min(...xs)) / 2, 0);
		expect(map.svg).toMatch(/>180°</);
	});

	it.each([-100, -101.3, -102.7, -110.1])('leaves alone what is only west of it', async (west) => {
		// The width of some of these lines differs in its last digit when they are moved by 360 degrees.
		const ats = Array.from({ length: 50 }, (_, index) => [
			[west + index / 7, 35],
			[west + index / 7 + Math.cos(index), 36],
		]);
		const map = await drawn(lines(ats.map((at) => feature('LineString', at, { a: 1 }))));
		const xs = placesOf(map, 'a: 1').flatMap((line) => line.map(([x]) => x));
		const gaps = xs.sort((one, other) => one - other).map((x, index) => x - (xs[index - 1] ?? x));
		expect(Math.max(...gaps)).toBeLessThan(100);
	});

	it('keeps islands in a sea as wide as the world in their places', async () => {
		const sea = feature('Polygon', [ring(-180, -90, 180, 90), ring(100, 0, 120, 30)], { a: 1 });
		const ends = [point(-179, 5, { a: 'west' }), point(179, 5, { a: 'east' })];
		const map = await drawn(lines([sea, ...ends]));
		const [outline] = placesOf(map, 'a: 1');
		const place = (index: number) =>
			(outline[index][0] - outline[0][0]) / (outline[1][0] - outline[0][0]);
		expect([place(5), place(6)].map((part) => Math.round(part * 360 - 180))).toEqual([100, 120]);
		const [west, east] = ['west', 'east'].map((a) => placesOf(map, `a: ${a}`)[0][0][0]);
		expect(west).toBeLessThan(east);
	});

	it('shows the whole world as such, and a single point with its surroundings', async () => {
		const world = feature('Polygon', [ring(-180, -90, 180, 90)], { a: 1 });
		const [outline] = placesOf(await drawn(lines([world])), 'a: 1');
		expect(outline[1][0] - outline[0][0]).toBeCloseTo(2 * (outline[1][1] - outline[2][1]), 0);
		expect((await drawn(lines([point(7, 50)]))).svg).toMatch(/>1 km</);
	});

	it.each<[string, number[], boolean]>([
		['Africa', [-18, -35, 52, 37], true],
		['the United States', [-125, 25, -67, 49.4], true],
		['Europe', [-10, 36, 30, 71], false],
		['the world', [-180, -60, 180, 75], false],
	])('has a scale where that holds for the whole map: %s', async (_, ends, hasScale) => {
		const [west, south, east, north] = ends;
		const { svg } = await drawn(lines([feature('Polygon', [ring(west, south, east, north)])]));
		expect(/>[\d,]+ km</.test(svg)).toBe(hasScale);
		// Below it, there is nothing but the numbers of the grid.
		const [, height] = /viewBox="0 0 784 (\d+)/.exec(svg) ?? [];
		const [, labels] = / y="(\d+)" font-size="24" text-anchor="middle"/.exec(svg) ?? [];
		expect(Number(height) - Number(labels)).toBe(hasScale ? 58 : 16);
	});

	it('keeps all that is drawn inside the picture, whatever it is', async () => {
		const position = fc.tuple(
			fc.double({ min: -180, max: 180, noNaN: true }),
			fc.double({ min: -90, max: 90, noNaN: true }),
		);
		const geometry = fc
			.tuple(
				fc.constantFrom('Point', 'LineString', 'Polygon', 'MultiPoint'),
				fc.array(position, { minLength: 3, maxLength: 5 }),
			)
			.map(([type, at]) =>
				feature(type, type === 'Point' ? at[0] : type === 'Polygon' ? [at] : at, { a: 1 }),
			);
		await fc.assert(
			fc.asyncProperty(fc.array(geometry, { minLength: 1, maxLength: 5 }), async (some) => {
				const { svg } = await drawn(lines(some));
				const [, height] = /viewBox="0 0 784 (\d+)"/.exec(svg) ?? [];
				const all = [...svg.matchAll(/<path d="([^"]*)"/g)].flatMap(([, d]) => [
					...d.matchAll(/(-?[\d.e-]+) (-?[\d.e-]+)/g),
				]);
				for (const [, x, y] of all) {
					expect(Number(x)).toBeGreaterThanOrEqual(0);
					expect(Number(x)).toBeLessThanOrEqual(784);
					expect(Number(y)).toBeGreaterThanOrEqual(0);
					expect(Number(y)).toBeLessThanOrEqual(Number(height));
				}
			}),
			{ numRuns: 15, seed: 2 },
		);
	});
});

describe('the grid', () => {
	const labelsOf = async (...features: unknown[]) => {
		const { svg } = await drawn(lines(features));
		return [...svg.matchAll(/y="([\d.]+)"[^>]*>(\d[\d.]*°[NSEW]?)</g)].map(([, y, label]) => ({
			...{ y: Number(y), label },
		}));
	};

	it('has labels with equally many decimals, below the title', async () => {
		const all = await labelsOf(point(-122.42, 37.77));
		const labels = all.map(({ label }) => label);
		expect(labels).toEqual(expect.arrayContaining(['122.42°W', '37.770°N', '37.765°N']));
		expect(Math.min(...all.map(({ y }) => y))).toBeGreaterThanOrEqual(78);
	});

	it('of the world has quarters of the globe', async () => {
		const world = feature('Polygon', [ring(-180, -90, 180, 90)], { a: 1 });
		const labels = (await labelsOf(world)).map(({ label }) => label);
		expect(labels).toEqual(['180°', '90°W', '0°', '90°E', '180°', '50°S', '0°', '50°N']);
	});
});

it('knows a column that none of the features has that are chosen', async () => {
	const some = Array.from({ length: 3_001 }, (_, at) => point(7, 50, at === 1 ? { rare: 1 } : {}));
	expect((await drawn(lines(some), { column: 'rare' })).facts.drawn).toBe(1_501);
	await expect(drawn(lines(some), { column: 'none' })).rejects.toThrow('The columns are: rare');
});

describe('the background', () => {
	const fills = async (width: number, background = true) => {
		const { svg } = await drawn(lines([point(7, 50), point(7 + width, 50)]), { background });
		return findAll(svg, / fill="(#\w+)"/g);
	};

	it('of a map of countries is land and sea, unless it is switched off', async () => {
		expect(await fills(10)).toEqual(expect.arrayContaining(['#e6eef4', '#fbfaf7']));
		expect(await fills(10, false)).not.toContain('#fbfaf7');
	});

	it('is left out where outlines of the whole world are too coarse', async () => {
		expect(await fills(2)).not.toContain('#fbfaf7');
	});

	type Positions = Array<[east: number, north: number]>;
	/** A map of points, whose names are how far north they are. */
	const mapOf = async (...at: Positions) =>
		await drawn(lines(at.map(([east, north]) => point(east, north, { at: north }))), {
			background: true,
		});
	const bordersOf = async (...at: Positions) => {
		const map = await mapOf(...at);
		return { map, borders: findAll(map.svg, /<path d="([^"]+)" stroke="#bdb6a9"/g) };
	};

	it('has the borders of states, neither on a map of a city nor on one of the world', async () => {
		expect((await bordersOf([-124, 26], [-68, 48])).borders.length).toBeGreaterThan(30);
		expect((await bordersOf([-95, 36.9], [-94.7, 37.1])).borders).toEqual([]);
		expect((await bordersOf([-170, -50], [170, 70])).borders).toEqual([]);
	});

	it('has the borders of states in their places', async () => {
		const { map, borders } = await bordersOf([-99, 36], [-94, 38]);
		const [[[[, south]]], [[[, north]]]] = [36, 38].map((at) => placesOf(map, `at: ${at}`));
		// That of Kansas and Oklahoma is the 37th parallel.
		const middle = String(Math.round(5 * (south + north)) / 10);
		expect(borders.some((d) => d.split(` ${middle}L`).length > 1)).toBe(true);
	});

	const centerOf = async (...at: Positions) =>
		/>Center: ([^<]*)</.exec((await mapOf(...at)).svg)?.[1];

	it('has no grid over its borders', async () => {
		const { map } = await bordersOf([-99, 36], [-94, 38]);
		const strokes = findAll(map.svg, / stroke="(#\w+)"/g);
		expect(strokes.lastIndexOf('#e2e2e2')).toBeLessThan(strokes.indexOf('#bdb6a9'));
		expect(strokes).toContain('#e2e2e2');
	});

	it('of a region without borders and names is that of the nearest place', async () => {
		expect(await centerOf([-122.4, 36.8])).toBe('110 km S of San Francisco');
		expect(await centerOf([179.9, -18.2], [-179.9, -18])).toBe('170 km E of Suva');
		expect(await centerOf([-102, 37], [-95, 40])).toBeUndefined();
		expect(await centerOf([-97.5, 37.5], [-97.4, 37.6])).toContain('Oklahoma City');
		expect(await centerOf([7, 50], [27, 50])).toBeUndefined();
		const { svg } = await drawn(lines([point(7.1, 50.7)]));
		expect(svg).not.toContain('Center');
	});

	const namesOf = async (...at: Positions) =>
		findAll((await mapOf(...at)).svg, /fill="#77736a">([^<]*)</g);

	it('has the names of large cities, where they have room', async () => {
		expect(await namesOf([13.2, 52.4], [13.6, 52.6])).toEqual(['Berlin']);
		// Beside a point in the same place, but not between many.
		expect(await namesOf([13.4, 52.5])).toEqual(['Berlin']);
		const many = Array.from({ length: 441 }, (_, at): [number, number] => [
			13.2 + (at % 21) / 50,
			52.4 + Math.floor(at / 21) / 100,
		]);
		expect(await namesOf(...many)).toEqual([]);
		expect(await namesOf([6, 50], [10, 53])).toEqual(
			expect.arrayContaining(['Cologne', 'Frankfurt']),
		);
		expect(await namesOf([7, 50], [27, 50])).toEqual([]);
		expect(await namesOf([13.39, 52.49], [13.41, 52.51])).toEqual([]);
		// On both sides of the date line.
		expect(await namesOf([176, -19], [-170, -13])).toEqual(
			expect.arrayContaining(['Apia', 'Suva']),
		);
	});

	it.each<[string, number, number, string]>([
		['in a small country', 7.1, 50.7, 'Cologne'],
		['in a city', -87.6, 41.9, 'Chicago'],
		['in a large country', -98, 38.5, 'Center: 300 km W of Kansas City'],
		['in an ocean', -40, 35, 'Center: 2,700 km W of Laayoune'],
		['at the date line', 180, -18, 'Center: 170 km E of Suva'],
		['at a pole', 20, 90, 'Center: 2,900 km N of Reykjavík'],
	])('of one place %s is one degree high', async (_, east, north, name) => {
		const same = [point(east, north, { a: 1 }), point(east, north, { a: 1 })];
		const map = await drawn(lines(same), { background: true });
		expect(placesOf(map, '2 points, among them:\na: 1')).toEqual([[[454, 296]]]);
		const texts = textsOf(map);
		expect(texts).toEqual(expect.arrayContaining([name, '50 km']));
		for (const sides of [/\d°[EW]?$/, /\d°[NS]$/]) {
			expect(texts.filter((text) => sides.test(text)).length).toBeGreaterThan(1);
		}
	});

	it('of a map too small for it leaves room for the name beside the scale', async () => {
		// Their distance is the one for which the bar is longest.
		const { svg } = await mapOf([-99, 34.5], [-96.25, 35.2]);
		const [, left, scale] = /<text x="([\d.]+)"[^>]*>(\d+ km)</.exec(svg) as RegExpExecArray;
		const [, right, center] = /<text x="(\d+)"[^>]*>(Center: [^<]*City)</.exec(
			svg,
		) as RegExpExecArray;
		const gap = Number(right) - measureText(center, 24) - Number(left) - measureText(scale, 24);
		expect(gap).toBeGreaterThan(24);
	});

	/** Whether an odd number of the rings of land are around the middle of a map. */
	const isLandAt = async (east: number, north: number) => {
		const { svg } = await mapOf([east - 9, north - 9], [east + 9, north + 9]);
		const [d] = /M[^"]*(?=Z" fill="#fbfaf7")/.exec(svg) as RegExpExecArray;
		const edges = d.split('M').flatMap((text) => {
			const ring = positions(text.replace(/L/g, ',').replace('Z', ''));
			return ring.map((to, at) => [...(ring.at(at - 1) ?? to), ...to]);
		});
		const [x, y] = [454, 296];
		const crossed = edges.filter(
			([fromX, fromY, toX, toY]) =>
				fromY > y !== toY > y && fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX) < x,
		);
		return crossed.length % 2 === 1;
	};

	it.each<[string, number, number, boolean]>([
		['Michigan', -85, 43, true],
		['Lake Michigan', -87, 43.5, false],
		['Lake Superior', -87, 48, false],
		['Lake Huron', -82, 45, false],
		['Lake Erie', -81, 42.3, false],
		['Lake Ontario', -77.9, 43.6, false],
		['Lake Victoria', 33, -1, false],
		['the Caspian Sea', 51, 42, false],
		['Lake Baikal', 108, 53.4, false],
		['the land beside it', 110, 53.4, true],
	])('is land or water: %s', async (_, east, north, isLand) => {
		expect(await isLandAt(east, north)).toBe(isLand);
	});

	it('ends at the poles', async () => {
		const world = feature('Polygon', [ring(-180, -90, 180, 90)], { a: 1 });
		const map = await drawn(lines([world]), { background: true });
		const [sea] = /M[^"]*(?=" fill="#e6eef4")/.exec(map.svg) as RegExpExecArray;
		const poles = placesOf(map, 'a: 1')[0].map(([, y]) => y);
		expect(sea.match(/ [\d.]+/g)?.map(Number)).toEqual([poles[2], poles[2], poles[0], poles[0]]);
	});

	it('has land on both sides of the date line', async () => {
		const { svg } = await mapOf([170, 65], [-170, 65]);
		const [d] = /M[^"]*(?=" fill="#fbfaf7")/.exec(svg) as RegExpExecArray;
		const xs = findAll(d, /(-?[\d.]+) -?[\d.]+/g).map(Number);
		expect(Math.min(...xs)).toBeLessThan(140);
		expect(Math.max(...xs)).toBeGreaterThan(768);
	});
});

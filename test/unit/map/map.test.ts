import { decode } from 'fast-png';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { MapMaker, type DrawnMap } from '../../../nodes/Wherobots/map';

type Coordinates = unknown;

const feature = (type: string, coordinates: Coordinates, properties: IDataObject = {}) => ({
	type: 'Feature',
	geometry: { type, coordinates },
	properties,
});
const point = (longitude: number, latitude: number, properties?: IDataObject) =>
	feature('Point', [longitude, latitude], properties);
const collection = (features: unknown[]) =>
	JSON.stringify({
		type: 'FeatureCollection',
		crs: { properties: { name: 'a "}" b' } },
		features,
		bbox: [1, 2],
	});
const lines = (features: unknown[]) => features.map((each) => JSON.stringify(each)).join('\n');

/** The map of a file that arrives in blocks of a size, and what went through. */
async function drawn(
	text: string,
	{ column = undefined as string | undefined, block = 64_000 } = {},
) {
	const maker = new MapMaker();
	const file = Buffer.from(text);
	async function* blocks() {
		for (let at = 0; at < file.length; at += block) yield file.subarray(at, at + block);
	}
	const passed: Uint8Array[] = [];
	for await (const each of maker.watch(blocks())) passed.push(each);
	expect(Buffer.concat(passed).equals(file)).toBe(true);
	return maker.draw({ title: 'Hail', column });
}

/** The points of the paths with this title, as numbers. */
function placesOf({ svg }: DrawnMap, title: string): number[][][] {
	const paths = [...svg.matchAll(/<path d="([^"]*)"[^>]*><title>([^<]*)<\/title>/g)];
	return paths
		.filter(([, , of]) => of === title)
		.map(([, d]) => [...d.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [+x, +y]));
}

const legendOf = ({ svg }: DrawnMap) =>
	[...svg.matchAll(/font-size="12"[^>]*>([^<]*)</g)].map(([, label]) => label);

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
					expect(facts).toMatchObject({
						features: some.length,
						drawn: some.length,
						notDrawable: 0,
					});
					expect(svg).toBe((await drawn(collection(some))).svg);
				}
			}),
			{ numRuns: 40, seed: 1 },
		);
	});

	it.each([
		['a feature alone', JSON.stringify(point(7, 50), undefined, 2), 1],
		['geometries without features', lines([{ type: 'Point', coordinates: [7, 50] }]), 1],
		['an empty file', '', 0],
		['an empty collection', collection([]), 0],
		['what is not JSON', '<html>no</html>', 0],
	])('reads %s', async (_, text, features) => {
		const { note, ...facts } = (await drawn(text)).facts;
		expect(facts).toEqual({ features, drawn: features, notDrawable: 0 });
		expect(note).toBe(features === 0 ? 'There are no GeoJSON features.' : undefined);
	});

	it('says what it leaves out because it is not in degrees, or has no geometry', async () => {
		const { facts, svg } = await drawn(
			collection([
				point(780_000, 6_500_000),
				point(7, 91),
				{ type: 'Feature', geometry: null, properties: {} },
				feature('Curve', [[1, 2]]),
				feature('Polygon', [[['7', 50]]]),
				'{broken}',
			]).replace('"{broken}"', '{broken}'),
		);
		const note = '6 without a geometry in degrees (EPSG:4326) are left out.';
		expect(facts).toEqual({ features: 6, drawn: 0, notDrawable: 6, note });
		expect(svg).toContain('There is nothing to draw.');
		expect(svg).toContain(note);
	});

	it('draws an even choice of many features, the same each time', async () => {
		const many = Array.from({ length: 10_000 }, (_, index) => point(index / 100, 50, { index }));
		const map = await drawn(lines(many), { column: 'index' });
		expect(map.facts).toMatchObject({ features: 10_000, drawn: 2_500 });
		expect(map.facts.note).toBe('2,500 of 10,000 features are drawn, chosen evenly.');
		const indices = [...map.svg.matchAll(/<title>index: (\d+)</g)].map(([, index]) =>
			Number(index),
		);
		expect(indices).toEqual(Array.from({ length: 2_500 }, (_, index) => index * 4));
		expect((await drawn(lines(many), { column: 'index' })).svg).toBe(map.svg);
	});

	it('counts positions, too', async () => {
		const ring = (from: number) =>
			Array.from({ length: 15_000 }, (_, index) => [
				from + Math.cos(index / 100),
				50 + Math.sin(index / 100),
			]);
		const many = Array.from({ length: 10 }, (_, index) => feature('LineString', ring(index)));
		expect((await drawn(lines(many))).facts).toMatchObject({ features: 10, drawn: 3 });
	});
});

describe('placing features', () => {
	it('is true to shape in the middle, north up', async () => {
		const square = [
			[7, 59.9],
			[7.4, 59.9],
			[7.4, 60.1],
			[7, 60.1],
			[7, 59.9],
		];
		const map = await drawn(lines([feature('Polygon', [square], { a: 1 })]));
		const [[[x, y], [right], [, top]]] = placesOf(map, 'a: 1');
		expect((right - x) / (y - top)).toBeCloseTo(1, 1);
		// 0.2 degrees of latitude are 22.2 km; the bar shows what its label says.
		const [, begin, end] = /d="M([\d.]+) \d+L[\d. ]+L([\d.]+) /.exec(
			map.svg.split('stroke-width="1.5"')[0].split('<path').pop() as string,
		) as RegExpExecArray;
		expect(map.svg).toContain('>5 km<');
		expect((Number(end) - Number(begin)) / (y - top)).toBeCloseTo(5 / 22.24, 2);
	});

	it('brings together what lies on both sides of the date line', async () => {
		const map = await drawn(
			lines([
				feature(
					'Polygon',
					[
						[
							[178, -18],
							[-178, -18],
							[-178, -15],
							[178, -15],
							[178, -18],
						],
						[
							[-179, -17],
							[179, -17],
							[179, -16],
							[-179, -16],
							[-179, -17],
						],
					],
					{ a: 'across' },
				),
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

	it('shows the whole world as such, and a single point with its surroundings', async () => {
		const world = feature(
			'Polygon',
			[
				[
					[-180, -90],
					[180, -90],
					[180, 90],
					[-180, 90],
					[-180, -90],
				],
			],
			{ a: 1 },
		);
		const [ring] = placesOf(await drawn(lines([world])), 'a: 1');
		expect(ring[1][0] - ring[0][0]).toBeCloseTo(2 * (ring[1][1] - ring[2][1]), 0);
		expect((await drawn(lines([point(7, 50)]))).svg).toMatch(/>500 m</);
	});

	it('keeps all that is drawn inside the picture, whatever it is', async () => {
		const position = fc.tuple(
			fc.double({ min: -180, max: 180, noNaN: true }),
			fc.double({ min: -90, max: 90, noNaN: true }),
		);
		const geometry = fc.oneof(
			position.map((at) => feature('Point', at, { a: 1 })),
			fc
				.array(position, { minLength: 2, maxLength: 5 })
				.map((at) => feature('LineString', at, { a: 1 })),
			fc
				.array(position, { minLength: 3, maxLength: 5 })
				.map((at) => feature('Polygon', [at], { a: 1 })),
			fc
				.array(position, { minLength: 1, maxLength: 5 })
				.map((at) => feature('MultiPoint', at, { a: 1 })),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(geometry, { minLength: 1, maxLength: 5 }), async (some) => {
				const maker = new MapMaker();
				async function* file() {
					yield Buffer.from(lines(some));
				}
				for await (const block of maker.watch(file())) expect(block.length).toBeGreaterThan(0);
				const { svg } = maker.draw({ title: '' });
				const all = [...svg.matchAll(/<path d="([^"]*)"/g)].flatMap(([, d]) => [
					...d.matchAll(/(-?[\d.e-]+) (-?[\d.e-]+)/g),
				]);
				for (const [, x, y] of all) {
					expect(Number(x)).toBeGreaterThanOrEqual(0);
					expect(Number(x)).toBeLessThanOrEqual(960);
					expect(Number(y)).toBeGreaterThanOrEqual(0);
					expect(Number(y)).toBeLessThanOrEqual(600);
				}
			}),
			{ numRuns: 15, seed: 2 },
		);
	});
});

describe('colours', () => {
	const values = (...all: unknown[]) =>
		lines(all.map((size, index) => point(index / 100, 50, { size } as IDataObject)));

	it('puts numbers into classes of one size', async () => {
		const map = await drawn(values(...Array.from({ length: 100 }, (_, index) => 1_000 + index)), {
			column: 'size',
		});
		expect(legendOf(map)).toEqual([
			'1,000 to 1,019',
			'&#62; 1,019 to 1,039',
			'&#62; 1,039 to 1,059',
			'&#62; 1,059 to 1,079',
			'&#62; 1,079 to 1,099',
		]);
		const colours = [...map.svg.matchAll(/stroke="(#\w+)" stroke-width="6"/g)].map(
			([, colour]) => colour,
		);
		expect(new Set(colours.slice(0, 20)).size).toBe(1);
		expect(new Set(colours).size).toBe(5);
		expect(colours.filter((colour) => colour === colours[20])).toHaveLength(20);
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
		expect(svg).not.toMatch(/<script|\u0000/);
		expect(page).not.toMatch(/<script/);
		expect(page).toContain(svg);
		expect(svg).toContain('&#60;script&#62;');
	});

	it('show the same colours in PNG as in SVG', async () => {
		const box = [
			[7, 50],
			[7.02, 50],
			[7.02, 50.02],
			[7, 50.02],
			[7, 50],
		];
		const map = await drawn(lines([feature('Polygon', [box], { a: 1 })]));
		const { width, height, channels, data } = decode(map.png());
		expect([width, height, channels]).toEqual([1920, 1200, 3]);
		const at = (x: number, y: number) => [
			...data.slice((y * width + x) * 3, (y * width + x) * 3 + 3),
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
		expect(inside.filter(([r, g, b]) => r === 77 && g === 156 && b === 201).length).toBeGreaterThan(
			35,
		);
		expect(at(Math.round(2 * x), Math.round(y + top))).not.toEqual(
			at(Math.round(2 * x) - 20, Math.round(y + top)),
		);
	});
});

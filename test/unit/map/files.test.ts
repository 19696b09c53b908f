import { readFileSync } from 'node:fs';
import path from 'node:path';

import { MapMaker } from '../../../nodes/Wherobots/map';
import { collection, drawn, feature, lines, placesOf, point, positions, turn } from './drawn';

/** Files as other programs write them. */
const read = (name: string) => readFileSync(path.join(__dirname, 'files', name), 'utf8');
const factsOf = async (text: string) => (await drawn(text)).facts;
const whole = (features: number) => ({ features, drawn: features, note: '' });

describe('features', () => {
	it.each([
		['a STAC item, which has lists of objects beside its properties', read('stac-item.json'), 1],
		['a plain list of features', JSON.stringify([point(7, 50), point(8, 50)]), 2],
		['geometries without features', lines([{ type: 'Point', coordinates: [7, 50] }]), 1],
		[
			'geometries of any kind, with heights and without some of their parts',
			lines([
				feature('Point', [7, 50, 120]),
				feature('MultiLineString', [positions('7 50, 8 50'), []]),
				feature('MultiPolygon', [[positions('7 50, 8 50, 8 51')], []]),
			]),
			3,
		],
		['an empty file', '', 0],
		['an empty list', ' [\n]', 0],
		['properties in properties', lines([point(7, 50, { a: { b: { c: 1 } } })]), 1],
		[
			'a collection with links and a schema before and after its features',
			JSON.stringify({
				links: [{ rel: 'self' }],
				type: 'FeatureCollection',
				features: [{ ...point(7, 50), links: [{ rel: 'item' }], features: [{}] }],
				fields: [{ name: 'a' }],
			}),
			1,
		],
		[
			'a feature with a list called features',
			JSON.stringify({ ...point(7, 50), features: [{ name: 'door' }] }),
			1,
		],
		[
			'a geometry collection alone',
			JSON.stringify({ type: 'GeometryCollection', geometries: [point(7, 50).geometry] }),
			1,
		],
		[
			'an empty collection, also with links',
			'{"type":"FeatureCollection","features":[],"links":[{"rel":"next"}]}',
			0,
		],
	])('are found in %s', async (_, text, features) => {
		expect(await factsOf(text)).toEqual({
			...whole(features),
			note: features ? '' : 'There are no features to draw.',
		});
	});

	it('rounded beyond a pole are drawn there', async () => {
		const at = async (latitude: number) =>
			placesOf(await drawn(lines([point(7, latitude, { a: 1 }), point(7, 80)])), 'a: 1');
		expect(await at(90.0000009)).toEqual(await at(90));
		expect((await factsOf(lines([point(7, 90.000002)]))).drawn).toBe(0);
	});
});

describe('what is left out is said with its reason', () => {
	const NOT_NUMBERS = '1 with coordinates that are not numbers';
	const NOT_DEGREES = '1 with coordinates that are not degrees (EPSG:4326)';

	it.each([
		['NaN among coordinates', read('nan.geojson'), 3, NOT_NUMBERS],
		['null in a polygon', read('null-polygon.geojson'), 1, NOT_NUMBERS],
		['null alone', lines([feature('Point', [null, 5])]), 0, NOT_NUMBERS],
		['digits as text', lines([feature('Point', [7, '50'])]), 0, NOT_NUMBERS],
		[
			'positions that are no lists',
			lines([feature('LineString', [{ 0: 7, 1: 50 }])]),
			0,
			NOT_NUMBERS,
		],
		['meters', lines([point(780_000, 6_500_000), point(7, 50)]), 1, NOT_DEGREES],
		['a longitude above 360', lines([point(361, 50), point(360, -90)]), 1, NOT_DEGREES],
		['one of two points', lines([feature('MultiPoint', positions('7 50, 7 -91'))]), 0, NOT_DEGREES],
		['an end of a line', lines([feature('LineString', positions('7 50, 8 91'))]), 0, NOT_DEGREES],
		[
			'features without a place',
			lines([
				{ type: 'Feature', geometry: null, properties: {} },
				feature('Point', []),
				feature('Curve', [[1, 2]]),
				feature('Polygon', null),
				feature('LineString', []),
				{ type: 'Feature', geometry: { type: 'GeometryCollection', geometries: [null] } },
			]),
			0,
			'6 without a geometry',
		],
		[
			'broken JSON',
			`{"a":1}x{broken}\n${lines([point(7, 50)])}`,
			1,
			'1 that are not GeoJSON, 1 with invalid JSON',
		],
		[
			'a file cut off',
			collection([point(7, 50), point(8, 50)]).replace(/0\].*$/, '0]'),
			0,
			'1 with invalid JSON',
		],
	])('%s', async (_, text, count, reasons) => {
		const { drawn: some, note } = await factsOf(text);
		expect(some).toBe(count);
		expect(note.startsWith(`Left out: ${reasons}.`)).toBe(true);
	});

	it('a feature of more than 16 MB', async () => {
		const note = 'x'.repeat(16 * 1024 * 1024);
		const facts = await factsOf(collection([point(7, 50, { note }), point(7, 51)]));
		expect(facts).toEqual({ features: 2, drawn: 1, note: 'Left out: 1 larger than 16 MB.' });
	});

	it('several reasons, the most frequent first', async () => {
		const many = [point(7, 91), point(7, 92), { type: 'Feature', geometry: null }, point(7, 50)];
		expect((await factsOf(lines(many))).note).toMatch(
			/^Left out: 2 with coordinates that are not degrees \(EPSG:4326\), 1 without a geometry\./,
		);
	});
});

it('geometry collections and properties nested by the thousand are drawn', async () => {
	const [open, close] = ['{"type":"GeometryCollection","geometries":[', ']}'];
	const nested = open.repeat(20_000) + JSON.stringify(point(7, 50).geometry) + close.repeat(20_000);
	expect(await factsOf(nested)).toEqual(whole(1));
	const text = `{"type":"Feature","properties":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}},"geometry":${nested}}`;
	expect(await factsOf(text)).toEqual(whole(1));
	expect((await drawn(text)).svg).toContain('a: (nested too deeply)');
});

it('an object called features is no list of them', async () => {
	const text = JSON.stringify({ type: 'FeatureCollection', features: { a: point(7, 50) } });
	expect(await factsOf(text)).toMatchObject({ features: 0 });
});

it('a feature with as many points as a file can hold is drawn', async () => {
	const points = Array.from({ length: 200_000 }, (_, index) => [index / 10_000, 50]);
	expect(await factsOf(lines([feature('MultiPoint', points)]))).toEqual(whole(1));
});

it('bytes pass through whatever reading them does', async () => {
	const maker = new MapMaker(turn);
	// Not even bytes: reading them fails.
	const odd = {
		every: () => {
			throw new Error('odd');
		},
	} as unknown as Uint8Array;
	async function* blocks() {
		yield odd;
		yield Buffer.from(lines([point(7, 50)]));
	}
	const passed: Uint8Array[] = [];
	for await (const block of maker.watch(blocks())) passed.push(block);
	expect(passed).toHaveLength(2);
	expect(() => maker.draw({ title: '', background: false })).toThrow('odd');
});

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { MapMaker } from '../../../nodes/Wherobots/map';
import { collection, drawn, feature, legendOf, lines, placesOf, point, positions } from './drawn';
import { readFeature } from '../../../nodes/Wherobots/map/features';

/** Files as other programs write them. */
const read = (name: string) => readFileSync(path.join(__dirname, 'files', name), 'utf8');
const factsOf = async (text: string) => (await drawn(text)).facts;
const whole = (features: number) => ({ features, drawn: features, note: '' });

describe('features', () => {
	it.each([
		['a STAC item, which has lists of objects beside its properties', read('stac-item.json'), 1],
		['coordinates that rounding moved beyond the pole', read('antarctica.geojson'), 2],
		['a plain list of features', JSON.stringify([point(7, 50), point(8, 50)]), 2],
		['geometries without features', lines([{ type: 'Point', coordinates: [7, 50] }]), 1],
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
			note: features ? '' : 'There are no GeoJSON features.',
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
		[
			'one of two points',
			lines([
				feature('MultiPoint', [
					[7, 50],
					[7, -91],
				]),
			]),
			0,
			NOT_DEGREES,
		],
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
});

it('a feature with as many points as a file can hold is drawn', async () => {
	const points = Array.from({ length: 200_000 }, (_, index) => [index / 10_000, 50]);
	expect(await factsOf(lines([feature('MultiPoint', points)]))).toEqual(whole(1));
});

it('bytes pass through whatever reading them does', async () => {
	const maker = new MapMaker();
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

describe('a column', () => {
	const legend = async (values: unknown[], text = (value: unknown) => JSON.stringify(value)) =>
		legendOf(
			await drawn(
				values
					.map(
						(value) =>
							`{"type":"Feature","properties":{"a":${text(value)}},"geometry":{"type":"Point","coordinates":[7,50]}}`,
					)
					.join('\n'),
				{ column: 'a' },
			),
		);

	it('of numbers stays one when a value is missing, as NaN or null', async () => {
		const map = await drawn(read('nan-text.geojsonl'), { column: 'depth' });
		expect(legendOf(map)).toEqual([
			'1.5 to 3.25',
			'4.25',
			'5.25 to 6.25',
			'7.25',
			'8.25 to 9.25',
			'No value',
		]);
		expect(await legend([1, 'Infinity', null])).toEqual(['1', 'No value']);
		expect(await legend(['1', '-Infinity', 'NaN'], String)).toEqual(['1', 'No value']);
	});

	it('of texts has NaN as one of them', async () => {
		expect(await legend(['NaN', 'Ann'])).toEqual(['Ann', 'NaN']);
	});

	it.each([
		['codes with leading zeros', ['01001', '01003', '06037', '36061']],
		['negative codes', ['-01', '5']],
		['hexadecimal texts', ['0x1f', '5']],
		['cells of 64 bits', ['617700169958293503', '617700169958293504']],
	])('of %s is text', async (_, codes) => {
		expect(await legend(codes)).toEqual([...codes].sort());
	});

	it('of cells of 64 bits that are numbers is text, with every digit', async () => {
		const cells = ['617700169958293503', '617700169958293504'];
		expect(await legend(cells, String)).toEqual(cells);
	});

	it('of numbers as texts, and of large numbers that are not cells, has classes', async () => {
		expect(await legend(['0', '0.5', '12.50', '-3', '1e300'])).toHaveLength(5);
	});
});

const kindsOf = (value: unknown) => {
	const read = readFeature(value);
	return typeof read === 'string' ? read : read.parts.map(({ kind }) => kind);
};

it.each([
	['Point', '[7, 50, 120]', ['point']],
	['Point', '[360, -90]', ['point']],
	['MultiPoint', '[[-360, 90], [7, 50]]', ['point', 'point']],
	['LineString', '[[7, 50], [8, 50]]', ['line']],
	['MultiLineString', '[[[7, 50], [8, 50]], []]', ['line']],
	['Polygon', '[[[7, 50], [8, 50], [8, 51]]]', ['polygon']],
	['MultiPolygon', '[[[[7, 50], [8, 50], [8, 51]]], []]', ['polygon']],
])('%s %s has parts that can be drawn', (type, coordinates, kinds) => {
	expect(kindsOf(feature(type, JSON.parse(coordinates)))).toEqual(kinds);
});

it('has the parts of all its geometries', () => {
	const { geometry: point } = feature('Point', [7, 50]);
	const { geometry: line } = feature('LineString', positions('7 50, 8 50'));
	const nested = { type: 'GeometryCollection', geometries: [line, point] };
	const geometry = { type: 'GeometryCollection', geometries: [point, nested] };
	expect(kindsOf({ type: 'Feature', geometry, properties: null })).toEqual([
		'point',
		'line',
		'point',
	]);
});

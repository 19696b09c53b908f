import {
	describeMisfit,
	parseGeometry,
	parseSrid,
} from '../../../../nodes/Wherobots/service/sql/geometry';

const json = (type: string, coordinates: unknown, more: object = {}) =>
	JSON.stringify({ type, coordinates, ...more });

const PATH = [
	[0, 0],
	[1, 1],
];

const crs = (name: unknown) => ({ crs: { type: 'name', properties: { name } } });

describe('a geometry', () => {
	it.each<[string, string]>([
		['point(7.1 50.7)', 'point(7.1 50.7)'],
		[' SRID=4326; POINT (7.1 50.7)\n', 'POINT (7.1 50.7)'],
		['SRID=0;POINT EMPTY', 'POINT EMPTY'],
		['POINT Z (7.1 50.7 NaN)', 'POINT Z (7.1 50.7 NaN)'],
		[json('LineString', PATH), 'LINESTRING (0 0, 1 1)'],
		[json('MultiPoint', PATH), 'MULTIPOINT (0 0, 1 1)'],
		[json('Point', [7.1, 50.7, 3, 9]), 'POINT (7.1 50.7 3)'],
		['{"type":"LineString","coordinates":[[0,0,-1.5],[1,1,2]]}', 'LINESTRING (0 0 -1.5, 1 1 2)'],
		['{"type":"LineString","coordinates":[[0,0],[1,1,2]]}', 'LINESTRING (0 0, 1 1 2)'],
		[
			'{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}',
			'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)))',
		],
		[json('Point', []), 'POINT EMPTY'],
		[
			'{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]}}]}',
			'GEOMETRYCOLLECTION (POINT (0 0))',
		],
		['{"type":"GeometryCollection","geometries":[]}', 'GEOMETRYCOLLECTION EMPTY'],
	])('is WKT, with its heights: %j', (given, wkt) => {
		expect(parseGeometry(given).problem).toBeUndefined();
		expect(parseGeometry(given).wkt).toBe(wkt);
	});

	it.each<[string, string]>([
		['', '"" is not a type such as POINT'],
		['7.1, 50.7', '"7.1" is not a type such as POINT'],
		['CIRCULARSTRING (0 0, 1 1, 2 0)', '"CIRCULARSTRING" is not a type such as POINT'],
		['GEOMETRYCOLLECTION (a', 'After "GEOMETRYCOLLECTION (" there must be a type such as POINT'],
		[
			"POINT (7.1 50.7)' OR 1=1",
			'After "POINT (7.1 50.7)" there must be the end of the text, not "\'"',
		],
		[
			'POINT (7.1 50.7',
			'It ends after "POINT (7.1 50.7", without a comma or a closing parenthesis',
		],
		['POINT (7.1, 50.7)', 'there must be 2 or 3 numbers with a space between them, not ","'],
		['POINT ZM (1 2 3)', 'there must be 4 numbers'],
		['POINT (7,1 50,7)', 'there must be 2 or 3 numbers'],
		['POINT (1 2, 3 4)', 'A point has several positions'],
		['POINT ()', 'there must be 2 or 3 numbers'],
		['POINT (1\u00a02)', 'there must be a number'],
		['POINT (1-2)', 'there must be a number, not "1-2"'],
		['POINT (NaN 1)', 'there must be a number, not "NaN"'],
		['POINT (1e999 1)', 'there must be a number, not "1e999"'],
		['POINT (1 2 Infinity)', 'there must be a number, not "Infinity"'],
		['POLYGON (7 50, 8 50, 8 51, 7 50)', 'there must be a parenthesis or EMPTY, not "7"'],
		['POLYGON ((7 50, 8 50', 'It ends after "POLYGON ((7 50, 8 50", without a comma'],
		['POLYGON ((0 0, 1 0, 1 1, 0 1))', 'A ring does not end where it begins: '],
		['POLYGON ((0 0, 1 0, 0 0))', 'A ring has fewer than four positions'],
		['POLYGON (EMPTY, (0 0, 1 0, 1 1, 0 0))', 'A polygon has holes and no shell'],
		[
			'MULTILINESTRING ((0 0, 1 1), (2 2))',
			'A line has only one position: …STRING ((0 0, 1 1), (2 2)',
		],
		['MULTIPOINT ((0 0), 1 1)', 'there must be a parenthesis'],
		['GEOMETRYCOLLECTION (LINESTRING (0 0))', 'A line has only one position'],
		['{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}', 'A ring does not end'],
		['{"type":"LineString","coordinates":[[0,0]]}', 'A line has only one position'],
		['{"type":"Point","coordinates":["0","1"]}', 'GeoJSON has a type'],
		['{"type":"Point","coordinates":[1e999,1]}', 'GeoJSON has a type'],
		['{"type":"constructor","coordinates":[1]}', 'GeoJSON has a type'],
		['{"type":"Feature","geometry":null}', 'GeoJSON has a type'],
		['{"type":', 'It is not valid JSON'],
		['{"type":"Point","coordinates":[7,50],}', 'It is not valid JSON'],
		[`${'GEOMETRYCOLLECTION ('.repeat(20_000)}`, 'Its collections are nested too deeply'],
	])('is refused with what is wrong (%#)', (given, problem) => {
		expect(parseGeometry(given).problem).toContain(problem);
	});
});

describe('the coordinate system of a geometry', () => {
	const point = { type: 'Point', coordinates: [121687, 487484] };
	const feature = { type: 'Feature', geometry: point };

	it.each<[unknown, number | undefined]>([
		[point, undefined],
		[{ ...point, crs: null }, undefined],
		[{ ...point, ...crs('EPSG:28992') }, 28992],
		[{ ...point, ...crs('urn:ogc:def:crs:EPSG::28992') }, 28992],
		[{ ...point, ...crs('http://www.opengis.net/def/crs/EPSG/0/28992') }, 28992],
		[{ ...point, ...crs('urn:ogc:def:crs:OGC:1.3:CRS84') }, 4326],
		[{ ...point, crs: 'EPSG:28992' }, 28992],
		[{ ...point, crs: { type: 'EPSG', properties: { code: 28992 } } }, 28992],
		[{ ...feature, ...crs('EPSG:28992') }, 28992],
		[{ ...feature, geometry: { ...point, ...crs('EPSG:28992') } }, 28992],
		[{ type: 'FeatureCollection', features: [feature, feature], ...crs('EPSG:28992') }, 28992],
	])('is read wherever it is: %j', (given, srid) => {
		const read = parseGeometry(JSON.stringify(given));
		expect([read.srid, read.problem]).toEqual([srid, undefined]);
	});

	it('is that of EWKT', () => {
		expect(parseGeometry('srid=28992;POINT (1 2)').srid).toBe(28992);
	});

	it.each<[object, string]>([
		[{ crs: { type: 'link', properties: { href: 'crs.txt' } } }, 'not {"type":"link"'],
		[crs('My Grid'), 'not My Grid'],
	])('is refused when it is not known: %j', (more, problem) => {
		expect(parseGeometry(JSON.stringify({ ...point, ...more })).problem).toContain(problem);
	});

	it('is refused when there are several', () => {
		const inner = { ...feature, geometry: { ...point, ...crs('EPSG:28992') } };
		const given = JSON.stringify({ ...inner, ...crs('EPSG:4326') });
		expect(parseGeometry(given).problem).toMatch(/one coordinate system.*EPSG:4326, EPSG:28992$/);
	});

	it.each<[string, number | undefined, string | undefined]>([
		['POINT (7 50)', 4326, undefined],
		['POINT (190 -90)', 4326, undefined],
		['LINESTRING (7 50, 50 95)', 4326, 'coordinates that are not degrees (50 95)'],
		['POINT (121687 487484)', 4326, 'coordinates that are not degrees (121687 487484)'],
		['POINT (121687 487484)', 28992, undefined],
		['POINT (121687 487484)', undefined, undefined],
		['POINT (47.6 -122.3)', undefined, 'coordinates that are not degrees (47.6 -122.3)'],
		['LINESTRING (0 0, 50 120, 200 120)', undefined, undefined],
		['POINT (47 487484)', undefined, undefined],
		['SRID=4326;POINT (7 95)', undefined, 'coordinates that are not degrees (7 95)'],
		['SRID=28992;POINT (121687 487484)', 28992, undefined],
		['SRID=28992;POINT (121687 487484)', 4326, 'coordinates in EPSG:28992'],
		['SRID=28992;POINT (121687 487484)', undefined, 'coordinates in EPSG:28992'],
		['SRID=4326;POINT (7 50)', 28992, 'coordinates in EPSG:4326'],
		['SRID=4326;POINT (7 50)', undefined, undefined],
	])('is held against that of the column: %s, %s', (given, declared, what) => {
		expect(describeMisfit(parseGeometry(given), declared)?.what).toBe(what);
	});

	it.each([
		['POINT (50.7 190)', /^Are longitude and latitude swapped\? Longitude comes first\.$/],
		['POINT (7 95 NaN)', /^Are longitude and latitude swapped\?/],
		['POINT (121687 487484)', /^Longitude comes first\. Other coordinates have to be converted/],
		['POINT (7 487484)', /^Longitude comes first\./],
	])('is wrong in %s, which comes with what to do', (given, advice) => {
		expect(describeMisfit(parseGeometry(given), 4326)?.advice).toMatch(advice);
	});
});

it('takes no longer than a moment for 100 kB of anything', () => {
	const [many, half] = [100_000, 50_000];
	const texts = [
		`POINT${' '.repeat(many)}!`,
		`POINT (${'1'.repeat(many)}x)`,
		`POINT (0.${'0'.repeat(many)}x)`,
		`POINT (1e${'1'.repeat(many)} 1`,
		`LINESTRING (${'1 1,'.repeat(half)}`,
		`POLYGON ${'('.repeat(many)}`,
		`MULTIPOLYGON (${'EMPTY,'.repeat(half)}!`,
		'GEOMETRYCOLLECTION('.repeat(half),
		`SRID=${'1'.repeat(many)}`,
		`${' '.repeat(many)}!`,
		`{"type":"Point","coordinates":[1,2],"crs":"${'1'.repeat(many)}x"}`,
		`{"type":"Point","coordinates":[1,2],"crs":"${':'.repeat(many)}x"}`,
		`{"type":"Polygon","coordinates":${'['.repeat(many)}${']'.repeat(many)}}`,
		'{"type":"GeometryCollection","geometries":['.repeat(half),
	];
	for (const text of texts) {
		const start = performance.now();
		expect(parseGeometry(text)).toHaveProperty('problem');
		parseSrid(text);
		expect([text.slice(0, 50), performance.now() - start < 2_000]).toEqual([
			text.slice(0, 50),
			true,
		]);
	}
});

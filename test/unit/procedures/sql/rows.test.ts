import * as zlib from 'node:zlib';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import type { SentRows } from '../../../../nodes/Wherobots/service/sql/protocol';
import { readRows } from '../../../../nodes/Wherobots/procedures/sql/rows';

/** Reads what a session sent: JSON in bytes, unless a test changes that. */
async function readAll(sent: Uint8Array | string, change: Partial<SentRows> = {}) {
	const bytes = typeof sent === 'string' ? Buffer.from(sent) : sent;
	const usual = { format: 'json', compression: 'none', geometry: '', geoColumns: [] };
	return await readRows({ bytes, ...usual, ...change });
}

const read: (...what: Parameters<typeof readAll>) => Promise<object[]> = async (...what) =>
	(await readAll(...what)).rows;

function canRead(compression: string): boolean {
	try {
		return Boolean(new DecompressionStream(compression as 'gzip'));
	} catch {
		return false;
	}
}

describe('rows', () => {
	it.each<[string, object[]]>([
		['', []],
		[' \n', []],
		['[]', []],
		['[{"a": 1}, {"a": null}]', [{ a: 1 }, { a: null }]],
		['{"a": 1}', [{ a: 1 }]],
		['{"a": 1}\n{"a": 2}\n', [{ a: 1 }, { a: 2 }]],
	])('are read from %j', async (json, rows) => {
		expect(await read(json)).toEqual(rows);
	});

	it.each(['[{"a": 1}]', '\n [{"a": 1}]', Buffer.from('[{"a": 1}]').toString('base64')])(
		'may come as text, plain or in Base64: %j',
		async (bytes) => {
			expect(await read('', { bytes })).toEqual([{ a: 1 }]);
		},
	);

	it('may come as lists, one for each column', async () => {
		const json = '{"a": [1, 9007199254740993], "b": [null, "x"]}';
		expect(await readAll(json)).toEqual({
			rows: [
				{ a: 1, b: null },
				{ a: '9007199254740993', b: 'x' },
			],
			columns: ['a', 'b'],
			renamed: [],
		});
		expect(await readAll('{"a": [], "b": []}')).toMatchObject({ rows: [], columns: ['a', 'b'] });
	});

	it('are read when uncompressed, whatever the label, and when compressed', async () => {
		const json = '[{"a": 1}]';
		expect(await read(json, { compression: 'brotli' })).toEqual([{ a: 1 }]);
		expect(await read(gzipSync(json), { compression: 'GZIP' })).toEqual([{ a: 1 }]);
	});

	// Which of these Node.js can read depends on its version.
	it.each([
		['brotli', brotliCompressSync],
		['zstd', 'zstdCompressSync' in zlib ? (zlib.zstdCompressSync as typeof gzipSync) : gzipSync],
	])('that are compressed with %s are read, or the error says so', async (compression, pack) => {
		const reading = read(pack('[{"a": 1}]'), { compression });
		if (canRead(compression)) return expect(await reading).toEqual([{ a: 1 }]);
		await expect(reading).rejects.toMatchObject({
			description: expect.stringContaining(`compression ${compression}`),
		});
	});
});

describe('geometries', () => {
	const point = '{"type": "Point", "coordinates": [7.1, 50.7]}';

	it.each<[string, unknown, unknown]>([
		['GeoJSON', point, JSON.parse(point)],
		['indented GeoJSON', `\n  ${point}`, JSON.parse(point)],
		['WKT', 'POINT (7.1 50.7)', 'POINT (7.1 50.7)'],
		['text that only begins like GeoJSON', '{POINT (7.1 50.7)}', '{POINT (7.1 50.7)}'],
		['an object', JSON.parse(point), JSON.parse(point)],
		['a list of texts', [point], [point]],
		['nothing', null, null],
	])('are parsed if they are GeoJSON, and passed on if not: %s', async (_, sent, expected) => {
		const rows = await read(JSON.stringify([{ id: 1, at: sent }]), { geoColumns: ['at'] });
		expect(rows).toStrictEqual([{ id: 1, at: expected }]);
	});

	it('are parsed only in the named columns, and no column is added for them', async () => {
		const rows = await read(JSON.stringify([{ note: point }]), { geoColumns: ['at'] });
		expect(rows).toStrictEqual([{ note: point }]);
	});
});

describe('geometries in binary', () => {
	/** A position, as the session sends it: 1 2, perhaps with a height of 3 and a measure of 4. */
	const [XY, Z, M] = ['000000000000f03f0000000000000040', '0000000000000840', '0000000000001040'];
	/** A geometry of this type and these flags; POINT (1 2) unless it is another one. */
	const wkb = (type: string, rest = XY) => `01${type}${rest}`;
	const at = (...coordinates: number[]) => ({ type: 'Point', coordinates });
	const point = at(1, 2);
	const crs = { type: 'name', properties: { name: 'EPSG:3857' } };
	const coordinates = [at(1, 2), at(3, 4)].map((each) => each.coordinates);
	const geometries = [point, { type: 'Polygon', coordinates: [] }];
	const parts = wkb('01000000') + wkb('03000000', '00000000');

	it.each<[string, string, object | string]>([
		['WKB', wkb('01000000'), point],
		['big-endian WKB', '00000000013ff00000000000004000000000000000', point],
		['EWKB of longitude and latitude', wkb('01000020', `e6100000${XY}`), point],
		['EWKB without a coordinate system', wkb('01000020', `00000000${XY}`), point],
		['EWKB of another coordinate system', wkb('01000020', `110f0000${XY}`), { ...point, crs }],
		['a point with a height', wkb('01000080', XY + Z), at(1, 2, 3)],
		[
			'a point with a height and a measure, as ISO has it',
			wkb('b90b0000', XY + Z + M),
			at(1, 2, 3),
		],
		['an empty point', wkb('01000000', '000000000000f87f'.repeat(2)), at()],
		['a line', wkb('02000000', `02000000${XY}${Z}${M}`), { type: 'LineString', coordinates }],
		[
			'several points',
			wkb('04000000', `01000000${wkb('01000000')}`),
			{ type: 'MultiPoint', coordinates: [[1, 2]] },
		],
		[
			'a collection',
			wkb('07000000', `02000000${parts}`),
			{ type: 'GeometryCollection', geometries },
		],
		['too few bytes', wkb('01000000', '00'), wkb('01000000', '00')],
		['a count that exceeds the bytes', wkb('02000000', 'ffffffff'), wkb('02000000', 'ffffffff')],
		['an unknown type', wkb('11000000'), wkb('11000000')],
	])('are GeoJSON if they can be read: %s', async (_, hex, expected) => {
		expect(await read(JSON.stringify([{ at: hex }]), { geoColumns: ['at'] })).toEqual([
			{ at: expected },
		]);
		// Only where the session says that it is a geometry.
		expect(await read(JSON.stringify([{ at: hex }]))).toEqual([{ at: hex }]);
	});
});

import * as zlib from 'node:zlib';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { Binary, type DataType } from 'apache-arrow';

import { advice } from '../../../../nodes/Wherobots/actions/sql/query';
import { readRows } from '../../../../nodes/Wherobots/useCases/sql/rows';
import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import type { SentRows } from '../../../../nodes/Wherobots/service/sql/protocol';
import { arrowStream } from '../../../sandbox/sql/arrow';
import { clientWith } from '../../../support/clientWith';

/** Rows of one column, as a session sends them; nothing is compressed unless a test says so. */
function sent(...values: unknown[]): SentRows & { bytes: Uint8Array } {
	const types: Record<string, DataType> =
		values[0] instanceof Uint8Array ? { at: new Binary() } : {};
	const rows = values.map((value) => [value]);
	const bytes = arrowStream({ columns: ['at'], rows, types, geometryColumns: [] });
	return { bytes, format: 'arrow', compression: 'none', geoColumns: [] };
}

async function read(value: unknown, change: Partial<SentRows> = {}): Promise<object[]> {
	const { client } = await clientWith();
	return (await readRows(client, { ...sent(value), ...change }, advice)).rows;
}

function canRead(compression: string): boolean {
	try {
		return Boolean(new DecompressionStream(compression as 'gzip'));
	} catch {
		return false;
	}
}

describe('rows', () => {
	const { bytes } = sent(1);

	it('are read when compressed, however that is spelled', async () => {
		expect(await read(1, { bytes: gzipSync(bytes), compression: 'GZIP' })).toEqual([{ at: 1 }]);
	});

	// Which of these Node.js can read depends on its version.
	it.each([
		['brotli', brotliCompressSync],
		['zstd', 'zstdCompressSync' in zlib ? (zlib.zstdCompressSync as typeof gzipSync) : gzipSync],
	])('that are compressed with %s are read, or the error says so', async (compression, pack) => {
		const reading = read(1, { bytes: pack(bytes), compression });
		if (canRead(compression)) return expect(await reading).toEqual([{ at: 1 }]);
		await expect(reading).rejects.toMatchObject({
			description: expect.stringContaining(`compression ${compression}`),
		});
	});

	it.each(['json', 'orc'])(
		'in a format that was not asked for are an error: %s',
		async (format) => {
			await expect(read(1, { format })).rejects.toMatchObject({
				description: expect.stringMatching(
					`format ${format}.*Set 'Output' to a CSV or GeoJSON file`,
				),
			});
		},
	);

	it.each(['lz4', 'gzip', 'brotli'])(
		'that cannot be unpacked are an error: %s',
		async (compression) => {
			await expect(read(1, { bytes, compression })).rejects.toMatchObject({
				message: 'The rows that the SQL session sent cannot be read',
				description: expect.stringContaining(`compression ${compression}`),
			});
		},
	);

	// Only where a column has none of these, its texts are not looked at one by one.
	it.each([
		['as it is', 'sk-a=secret&key'],
		['as JSON spells it', 'sk-a\\u003dsecret\\u0026key'],
		['as a URL spells it', 'sk-a%3Dsecret%26key'],
		['as HTML spells it', 'sk-a=secret&amp;key'],
	])('have no secret in a text: %s', async (_, spelling) => {
		const credential = { apiKey: 'sk-a=secret&key', baseUrl: 'https://service' };
		const { client } = await clientWith({ credential });
		const { rows } = await readRows(client, sent('nothing', `before ${spelling} after`), advice);
		expect(rows).toEqual([{ at: 'nothing' }, { at: 'before *** after' }]);
	});
});

it('a stop ends the reading of many rows', async () => {
	const many = sent(...Array(30_000).keys());
	const stop = new AbortController();
	const { client: stopping } = await clientWith({ signal: stop.signal });
	const reading = readRows(stopping, many, advice);
	setImmediate(() => stop.abort());
	await expect(reading).rejects.toBeInstanceOf(CancelledError);
	const { client } = await clientWith();
	expect((await readRows(client, many, advice)).rows).toHaveLength(30_000);
});

describe('geometries in binary', () => {
	/** A position, as the session sends it: 1 2, perhaps with a height of 3 and a measure of 4. */
	const [XY, Z, M] = ['000000000000f03f0000000000000040', '0000000000000840', '0000000000001040'];
	const NAN = '000000000000f87f';
	/** A geometry of this type and these flags; POINT (1 2) unless it is another one. */
	const wkb = (type: string, rest = XY) => `01${type}${rest}`;
	const at = (...coordinates: number[]) => ({ type: 'Point', coordinates });
	const point = at(1, 2);
	const crs = { type: 'name', properties: { name: 'EPSG:3857' } };
	const coordinates = [at(1, 2), at(3, 4)].map((each) => each.coordinates);
	const geometries = [point, { type: 'Polygon', coordinates: [] }];
	const parts = wkb('01000000') + wkb('03000000', '00000000');

	it.each<[string, string, object | undefined]>([
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
		['a height that is not known', wkb('01000080', XY + NAN), at(1, 2)],
		['an empty point', wkb('01000000', NAN.repeat(2)), at()],
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
		['too few bytes', wkb('01000000', '00'), undefined],
		['a count that exceeds the bytes', wkb('02000000', 'ffffffff'), undefined],
		['an unknown type', wkb('11000000'), undefined],
	])('are GeoJSON if they can be read: %s', async (_, hex, expected) => {
		const bytes = Buffer.from(hex, 'hex');
		const asText = bytes.toString('base64');
		expect(await read(bytes, { geoColumns: ['at'] })).toEqual([{ at: expected ?? asText }]);
		// Only where the session says that it is a geometry.
		expect(await read(bytes)).toEqual([{ at: asText }]);
	});

	it.each([
		['a point', wkb('01000000', `000000000000f07f${XY.slice(16)}`)],
		['a height', wkb('01000080', `${XY}000000000000f0ff`)],
		['half a point', wkb('01000000', NAN + XY.slice(16))],
	])('that GeoJSON cannot have are an error: %s', async (_, hex) => {
		const reading = read(Buffer.from(hex, 'hex'), { geoColumns: ['at'] });
		await expect(reading).rejects.toMatchObject({
			message: 'A geometry in the column at has a coordinate that is infinite or not a number',
			description: expect.stringContaining("set 'Geometry Format' to WKT") as string,
		});
	});
});

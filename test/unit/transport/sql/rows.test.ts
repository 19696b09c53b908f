import { gzipSync } from 'node:zlib';

import type { SentRows } from '../../../../nodes/Wherobots/service/sql/messages';
import { readRows } from '../../../../nodes/Wherobots/transport/sql/rows';
import { clientWith } from '../../../support/clientWith';

/** Reads what a session sent: JSON in bytes, unless a test changes that. */
async function read(sent: Uint8Array | string, change: Partial<SentRows> = {}) {
	const { client } = await clientWith();
	const bytes = typeof sent === 'string' ? Buffer.from(sent) : sent;
	const usual = { format: 'json', compression: 'none', geometry: '', geoColumns: [] };
	return readRows(client, { bytes, ...usual, ...change });
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

	it.each(['{"a": 1', '[1, 2]', '"x"', 'null', '{"columns": ["a"]}\n[1]'])(
		'are not read from %s',
		async (json) => {
			await expect(read(json)).rejects.toThrow('cannot be read');
		},
	);

	it.each(['[{"a": 1}]', '\n [{"a": 1}]', Buffer.from('[{"a": 1}]').toString('base64')])(
		'may come as text, plain or in Base64: %j',
		async (bytes) => {
			expect(await read('', { bytes })).toEqual([{ a: 1 }]);
		},
	);

	it('are read when uncompressed, whatever the label, and rejected when compressed', async () => {
		const json = '[{"a": 1}]';
		expect(await read(json, { compression: 'brotli' })).toEqual([{ a: 1 }]);
		await expect(read(gzipSync(json), { compression: 'gzip' })).rejects.toMatchObject({
			description: expect.stringContaining('compression gzip'),
		});
	});

	it('are not read in a format that was not requested, whatever they look like', async () => {
		expect(await read('[]', { format: 'JSON' })).toEqual([]);
		await expect(read('[]', { format: 'arrow' })).rejects.toMatchObject({
			description: expect.stringContaining('arrow'),
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

/** Files in Storage: what is written is read back, by a real Spark. */
import { by } from '../support/files';
import { suiteWithFiles, TYPES } from './files';
import { runPython } from './programs';
import { describeWithSpark } from './suite';

/** A point as WKB in hexadecimal digits. */
function wkbOf(x: number, y: number): string {
	const bytes = Buffer.alloc(21);
	bytes.writeUInt8(1);
	bytes.writeUInt32LE(1, 1);
	bytes.writeDoubleLE(x, 5);
	bytes.writeDoubleLE(y, 13);
	return bytes.toString('hex');
}

describeWithSpark('Files in Storage', () => {
	const { rowsOf, next, create, loaded, contentOf, store, stored, toBucket } = suiteWithFiles();

	it.each(['csv', 'parquet'])(
		'writes rows to files that are read back the same: %s',
		async (format) => {
			const texts = `CASE id WHEN 1 THEN '' WHEN 2 THEN NULL WHEN 3 THEN ' a "b"\\n,;' ELSE 'x' END`;
			const query = `-- a comment\nSELECT id, ${texts} AS name, CAST(id AS DECIMAL(10, 2)) AS price, id > 1 AS flag, TIMESTAMP '2026-01-31T09:00:00.123456Z' AS seen FROM range(5) ORDER BY id DESC; -- end`;
			const files = await stored(query, `exports/${format}`, { storedFormat: format });
			expect(files).toHaveLength(1);
			expect(files[0]).toMatchObject({
				...{
					storageId: 'stor',
					name: expect.stringMatching(/^part-/) as string,
					size: expect.any(Number) as number,
				},
				path: expect.stringContaining(`exports/${format}/part-`) as string,
			});
			const { id, name, price, flag, seen } = TYPES;
			const table = await create({ id, name, price, flag, seen });
			await loaded(table, `exports/${format}/`, { fileFormat: format });
			expect(await contentOf(table, 'id DESC')).toEqual(await rowsOf(query));
			const { error } = await store(query, `exports/${format}`, { storedFormat: format });
			expect(error?.message).toContain('must be empty');
		},
	);

	it.each([
		'FROM range(2) SELECT id',
		'VALUES (1, 2)',
		'WITH a AS (SELECT 1 AS x) TABLE a -- all',
		'(SELECT 1 AS x) UNION ALL (SELECT 2)',
	])('writes what is a query: %s', async (query) => {
		expect(await stored(query, `queries/${next()}`, { storedFormat: 'csv' })).toHaveLength(1);
	});

	it.each([
		['csv', 'SELECT ST_Point(1, 2) AS at'],
		['csv', 'WITH a AS (SELECT ST_Point(1, 2) AS at) TABLE a'],
		['parquet', 'SELECT ST_Point(1, 2) AS at'],
	])('refuses to write a geometry as %s: %s', async (storedFormat, query) => {
		const { error } = await store(query, `exports/${next()}`, { storedFormat });
		expect(error?.message).toContain('because `at` is a geometry');
	});

	it('writes GeoParquet that others read: its geometries, their names and their reference system', async () => {
		const query = `SELECT id, CASE id WHEN 2 THEN NULL ELSE ST_Point(id, 50.5) END AS \`the place\`, CAST(id AS DECIMAL(10, 2)) AS price FROM range(3) ORDER BY id`;
		const [file] = await stored(query, 'exports/geo', { storedFormat: 'geoparquet' });
		const [{ geo, rows }] = await runPython<Array<{ geo: unknown; rows: unknown[] }>>(
			'read_parquet.py',
			[toBucket(String(file.path))],
		);
		expect(geo).toMatchObject({
			primary_column: 'the place',
			columns: { 'the place': { encoding: 'WKB', geometry_types: ['Point'] } },
		});
		expect(rows).toEqual([
			{ id: 0, 'the place': wkbOf(0, 50.5), price: '0.00' },
			{ id: 1, 'the place': wkbOf(1, 50.5), price: '1.00' },
			{ id: 2, 'the place': null, price: '2.00' },
		]);
	});

	it('writes to S3 only where nothing is', async () => {
		const to = (uri: string) => ({
			targetFolder: by('path', uri),
			storedFormat: 'csv',
			oneFile: false,
		});
		const query = 'SELECT id FROM range(0, 10, 1, 3)';
		const files = await stored(query, '', to('s3://bucket/new/folder'));
		expect(files.length).toBeGreaterThan(0);
		expect(files[0].destination).toMatch(/^s3:\/\/bucket\/new\/folder\/part-/);
		const { error } = await store(query, '', to('s3://bucket/new/folder'));
		expect(error?.message).toContain('must be one that does not exist');
	});
});

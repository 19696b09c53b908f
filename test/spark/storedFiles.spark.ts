/** Files in Storage: what is written is read back, by a real Spark. */
import { by } from '../support/files';
import { suiteWithFiles, TYPES } from './files';
import { describeWithSpark } from './suite';

describeWithSpark('Files in Storage', () => {
	const { rowsOf, next, create, loaded, contentOf, store, stored } = suiteWithFiles();

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

	it.each(['SELECT ST_Point(1, 2) AS at', 'WITH a AS (SELECT ST_Point(1, 2) AS at) TABLE a'])(
		'refuses to write a geometry as CSV: %s',
		async (query) => {
			const { error } = await store(query, `exports/${next()}`, { storedFormat: 'csv' });
			expect(error?.message).toContain('because `at` is a geometry');
		},
	);

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

/** Execute Query in n8n's engine, on a real Spark with Sedona and Iceberg. */
import { parquetReadObjects } from 'hyparquet';
import type { INodeParameters } from 'n8n-workflow';

import { describeWithSpark, suiteWithService } from './suite';

describeWithSpark('Execute Query', () => {
	const { outcomeOf: run, run: rowsOf } = suiteWithService();

	const fileOf = async (query: string, output: string, more?: INodeParameters) => {
		const { items, error } = await run(query, { output, ...more });
		expect(error).toBeUndefined();
		const [{ json, binary = {} }] = items;
		return { json, binary, content: Buffer.from(binary.data?.data ?? '', 'base64') };
	};

	it('changes a table and reads it', async () => {
		const state = expect.objectContaining({ state: 'succeeded' }) as object;
		const ran = async (query: string) => expect(await rowsOf(query)).toEqual([state]);
		await ran('CREATE NAMESPACE IF NOT EXISTS ice.db');
		await ran('CREATE TABLE ice.db.t (id BIGINT, name STRING, size DECIMAL(10, 2))');
		await ran("INSERT INTO ice.db.t VALUES (1, 'a', 1.5), (2, 'b', 2.5)");
		await ran("UPDATE ice.db.t SET name = 'c' WHERE id = 2");
		await ran(
			"MERGE INTO ice.db.t USING (SELECT 3 AS id, 'd' AS name) s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, name, size) VALUES (s.id, s.name, NULL)",
		);
		await ran('DELETE FROM ice.db.t WHERE id = 1');
		const rows = await rowsOf('SELECT name FROM ice.db.t ORDER BY id', { readOnly: true });
		expect(rows).toEqual([{ name: 'c' }, { name: 'd' }]);
		expect(await rowsOf('SHOW TABLES IN ice.db', { readOnly: true })).toHaveLength(1);
		expect(await rowsOf('DESCRIBE TABLE ice.db.t', { readOnly: true })).toMatchObject([
			{ col_name: 'id', data_type: 'bigint' },
			{ col_name: 'name' },
			{ col_name: 'size' },
		]);
		await ran('DROP TABLE ice.db.t');
	});

	it.each([
		'FROM VALUES (1), (2) AS t(a) SELECT a WHERE a = 1',
		'SELECT t.update AS a FROM (SELECT 1 AS update) AS t /* /* nested */ */',
		'EXPLAIN SELECT 1',
		'LIST JARS',
	])('reads under Read Only: %s', async (query) => {
		expect((await rowsOf(query, { readOnly: true })).length).toBeGreaterThan(0);
	});

	it('says what Spark says of a statement that fails', async () => {
		const { error } = await run('SELECT * FROM nothing');
		expect(error?.message).toContain('cannot be found');
		expect(error?.description).toMatch(/^Correct the statement/);
		const invalid = await run('SELECT größe FROM VALUES (1) AS t(a)', { readOnly: true });
		expect(invalid.error?.description).toContain('größe');
		const quoted = await run('SELECT 1 AS "a b"');
		expect(quoted.error?.description).toContain('Put names of tables and columns in backticks');
	});

	describe('the types', () => {
		const TYPES = `SELECT
			TRUE AS flag, CAST(1 AS TINYINT) AS tiny, 2 AS whole, 9007199254740993 AS big,
			CAST(1.5 AS FLOAT) AS single, 2.5D AS wide, 12345678901234567890.12 AS exact,
			' a "b" ' AS text, X'00FF' AS bytes, DATE '1950-01-31' AS day,
			TIMESTAMP '2026-01-31T09:00:00.123456Z' AS time, TIMESTAMP_NTZ '2026-01-31T09:00:00.5' AS local,
			array(1, NULL) AS list, map('k', 1) AS map, struct(1 AS x, 'y' AS y) AS struct,
			CAST('NaN' AS DOUBLE) AS nan, CAST(NULL AS STRING) AS nothing,
			ST_Point(7.1, 50.7) AS geometry`;

		it('are items', async () => {
			const [row] = await rowsOf(TYPES);
			expect(row).toMatchObject({
				...{ flag: true, tiny: 1, whole: 2, big: '9007199254740993', single: 1.5, wide: 2.5 },
				...{ exact: '12345678901234567890.12', text: ' a "b" ', bytes: 'AP8=' },
				...{ day: '1950-01-31', list: [1, null], map: { k: 1 }, struct: { x: 1, y: 'y' } },
				...{ nan: 'NaN', nothing: null, geometry: 'POINT (7.1 50.7)' },
				time: expect.stringMatching(/^2026-01-31T09:00:00\.123/) as string,
				local: expect.stringMatching(/^2026-01-31T09:00:00\.5/) as string,
			});
		});

		it('are a CSV file, with white space and microseconds', async () => {
			const { content } = await fileOf(
				`SELECT flag, big, exact, text, time, local, nothing FROM (${TYPES})`,
				'csv',
			);
			expect(String(content)).toBe(
				'flag,big,exact,text,time,local,nothing\n' +
					'true,9007199254740993,12345678901234567890.12," a ""b"" ",2026-01-31T09:00:00.123456Z,2026-01-31T09:00:00.500000,\n',
			);
		});

		it.each([
			['geometry', 'ST_AsText(`geometry`)'],
			['bytes', 'base64(`bytes`)'],
			['list', 'to_json(`list`)'],
			['map', 'to_json(`map`)'],
			['struct', 'to_json(`struct`)'],
		])('that a CSV file cannot hold become text as the error says: %s', async (column, cast) => {
			const { error } = await run(`SELECT ${column} FROM (${TYPES})`, { output: 'csv' });
			expect(error?.description).toContain(cast);
			const { content } = await fileOf(`SELECT ${cast} AS a FROM (${TYPES})`, 'csv');
			expect(String(content)).toMatch(/^a\n.+\n$/);
		});

		it('are GeoJSON with all properties, and a map', async () => {
			const query = `SELECT text, nothing, time, geometry FROM (${TYPES})`;
			const { content, json, binary } = await fileOf(query, 'geojson', {
				drawMap: true,
			});
			const [line] = String(content).split('\n');
			expect(JSON.parse(line)).toMatchObject({
				geometry: { type: 'Point', coordinates: [7.1, 50.7] },
				properties: { text: ' a "b" ', nothing: null, time: '2026-01-31T09:00:00.123456Z' },
			});
			expect(json).toMatchObject({ state: 'succeeded', map: { features: 1, drawn: 1 } });
			expect(Object.keys(binary).sort()).toEqual(['data', 'map', 'mapPage', 'mapSvg']);
		});

		it('are a Parquet file, with geometries as WKB', async () => {
			const query = `SELECT big, text, geometry FROM (${TYPES})`;
			const { content } = await fileOf(query, 'parquet');
			const file = new Uint8Array(content).buffer;
			const [row] = await parquetReadObjects({ file, utf8: false });
			// The reader takes it for WKB, by what the file says of itself.
			const geometry = { type: 'Point', coordinates: [7.1, 50.7] };
			expect(row).toMatchObject({ big: 9007199254740993n, geometry });
		});
	});

	it('returns many rows, none, and two columns of one name', async () => {
		expect(await rowsOf('SELECT id FROM range(5000)')).toHaveLength(1000);
		expect(await rowsOf('SELECT 1 AS a WHERE FALSE')).toEqual([]);
		const { content } = await fileOf('SELECT id FROM range(5000)', 'csv');
		expect(String(content).split('\n')).toHaveLength(5002);
	});

	describe('parameters', () => {
		const bound = (query: string, ...parameter: INodeParameters[]) =>
			run(query, { queryParameters: { parameter } });

		it.each<[string, INodeParameters, unknown]>([
			[
				'SELECT id FROM range(5) WHERE id IN (:p) ORDER BY id',
				{ type: 'list', value: '[1, 3]' },
				[1, 3],
			],
			[
				'SELECT id FROM range(5) WHERE id IN :p ORDER BY id',
				{ type: 'list', value: '[1, 3]' },
				[1, 3],
			],
			['SELECT id FROM range(9) ORDER BY id LIMIT :p', { value: '2' }, [0, 1]],
			['SELECT id FROM range(9) ORDER BY id LIMIT 1 OFFSET :p', { value: '2' }, [2]],
			["SELECT 1 AS id WHERE DATE '1950-01-31' = :p", { type: 'date', value: '1950-01-31' }, [1]],
			['SELECT year(:p) AS id', { type: 'timestamp', value: '0001-06-01T00:00:00Z' }, [1]],
			['SELECT year(:p) AS id', { type: 'timestamp', value: '9999-06-01T00:00:00Z' }, [9999]],
		])('stand where the grammar wants them: %s', async (query, parameter, ids) => {
			const { json, error } = await bound(query, { name: 'p', ...parameter });
			expect(error).toBeUndefined();
			expect(json.map(({ id }) => Number(id))).toEqual(ids);
		});

		it('with a quote stand where only a text may stand', async () => {
			const quote = { name: 'p', value: "it's" };
			expect((await bound('SHOW NAMESPACES IN ice LIKE :p', quote)).error).toBeUndefined();
			await rowsOf('CREATE TABLE ice.quoted (a INT)');
			const { error } = await bound('COMMENT ON TABLE ice.quoted IS :p', quote);
			expect(error).toBeUndefined();
			const described = await rowsOf('DESCRIBE TABLE EXTENDED ice.quoted');
			expect(JSON.stringify(described)).toContain("it's");
		});
	});
});

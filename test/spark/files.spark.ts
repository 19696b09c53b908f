/** Load File: whole operations, whose statements a real Spark carries out. */
import type { INodeParameters } from 'n8n-workflow';

import type { NodeOptions } from '../engine/harness';
import { at } from '../engine/actions/parameters';
import { suiteWithFiles, TYPES } from './files';
import { SPARK } from './install';
import { writePlaces } from './shapefile';
import { describeWithSpark } from './suite';

describeWithSpark('Files', () => {
	const { suite, rowsOf, put, next, create, load, loaded, contentOf, toBucket, stored } =
		suiteWithFiles();

	it('loads the oddities of CSV as they are, columns in any order, missing ones as NULL', async () => {
		await put(
			'odd.csv',
			'\ufeffname,id\r\n"a ""b""\r\nc",9007199254740993\r\n"",2\r\n,3\r\n" x ",4\r\nNULL,5\r\n',
		);
		const table = await create({ id: TYPES.id, name: TYPES.name, wide: TYPES.wide });
		expect(await loaded(table, 'odd.csv')).toMatchObject({
			...{ state: 'succeeded', source: 's3://bucket/odd.csv', columns: ['id', 'name'] },
		});
		expect(await contentOf(table)).toEqual([
			{ id: 2, name: '', wide: null },
			{ id: 3, name: null, wide: null },
			{ id: 4, name: ' x ', wide: null },
			{ id: 5, name: 'NULL', wide: null },
			// Spark reads each line break in quotes as one character.
			{ id: '9007199254740993', name: 'a "b"\nc', wide: null },
		]);
		expect(await rowsOf('SHOW VIEWS')).toEqual([]);
	});

	const VALUES = {
		...{ id: '1', name: 'é', flag: 'true', whole: '-7', wide: '1e-3', single: 'NaN' },
		...{ price: '1.50', day: '2026-01-31', seen: '2026-01-31T09:00:00.123456' },
		...{ local: '2026-01-31 09:00:00.5', bytes: 'AQI=' },
	};
	const EXACT = {
		...{ id: 1, name: 'é', flag: true, whole: -7, wide: 0.001, single: 'NaN', price: 1.5 },
		...{ day: '2026-01-31', bytes: 'AQI=' },
		// In the zone of the workflow.
		seen: expect.stringMatching(/^2026-01-31T08:00:00\.123456/) as string,
		local: expect.stringMatching(/^2026-01-31T09:00:00\.5/) as string,
	};
	const inBerlin: NodeOptions = { timezone: 'Europe/Berlin' } as NodeOptions;

	it.each(['false', 'true'])('casts text to every type (ANSI %s)', async (ansi) => {
		await rowsOf(`SET spark.sql.ansi.enabled = ${ansi}`);
		const [names, values] = [Object.keys(VALUES), Object.values(VALUES)];
		await put('types.csv', `${names.join(';')}\n${values.join(';')}\n`);
		const table = await create(TYPES);
		await loaded(table, 'types.csv', { options: { csvSeparator: ';' } }, inBerlin);
		expect(await contentOf(table)).toEqual([EXACT]);
		await put(
			'types.jsonl',
			`${JSON.stringify({ ...VALUES, wide: 1e-3, whole: -7, price: 1.5 })}\n\n{"id": 2}\n`,
		);
		await loaded(table, 'types.jsonl', { loadMode: 'replace' }, inBerlin);
		const [first, second] = await contentOf(table);
		expect(first).toEqual(EXACT);
		expect(Object.values(second).filter((value) => value !== null)).toEqual([2]);
		await rowsOf('RESET spark.sql.ansi.enabled');
	});

	it.each([
		['whole', 'abc'],
		['whole', '1.5'],
		['whole', '2147483648'],
		['whole', '""'],
		['id', '9223372036854775808'],
		['price', '1.255'],
		['price', '123456789.1'],
		['wide', '1e400'],
		['wide', 'abc'],
		['single', '1e39'],
		['flag', 'maybe'],
		['day', '2026-02-30'],
		['day', '2026'],
		['day', '2026-01-31 10:00'],
		['seen', '10:00'],
		['seen', '2026-01-31T09:00:00.1234567'],
		['local', '2026-01-31T09:00:00Z'],
		['bytes', 'A?'],
	])('loads nothing where a value does not fit: %s %s', async (column, value) => {
		const table = await create({ id: TYPES.id, [column]: TYPES[column] });
		const name = `misfit-${next()}.csv`;
		const lines = column === 'id' ? ['1', value] : ['1,', `2,${value}`];
		await put(name, `${column === 'id' ? 'id' : `id,${column}`}\n${lines.join('\n')}\n`);
		const { error } = await load(table, name);
		expect(error?.message).toBe(
			`Nothing was loaded: the column ${column} (${String(TYPES[column][1])}) cannot hold the value in s3://bucket/${name}: ${value.replaceAll('"', '')}`,
		);
		expect(await contentOf(table)).toEqual([]);
	});

	it('loads decimals of JSON exactly, or not at all', async () => {
		const table = await create({ id: TYPES.id, price: ['DECIMAL(28, 8)', 'decimal(28, 8)'] });
		const numbers = ['0.00001', '12345678.5', '1234567.12345678', '1e3', '"1.00000001"'];
		const line = (price: string, id: number) => `{"id": ${id}, "price": ${price}}\n`;
		await put('numbers.jsonl', numbers.map(line).join(''));
		await loaded(table, 'numbers.jsonl');
		const rows = await rowsOf(`SELECT CAST(price AS STRING) AS p FROM ice.db.${table} ORDER BY id`);
		expect(rows.map(({ p }) => Number(p))).toEqual([
			0.00001, 12345678.5, 1234567.12345678, 1000, 1.00000001,
		]);
		for (const price of ['12345678901234567890.12', '0.000000001', '{"a": 1}']) {
			await put('bad.jsonl', line('1', 1) + line(price, 2));
			expect((await load(table, 'bad.jsonl')).error?.message).toContain(
				'the column price (decimal(28, 8))',
			);
		}
		await put('bad.jsonl', '{"id": 1}\n{"id": \n');
		expect((await load(table, 'bad.jsonl')).error?.message).toBe(
			'Nothing was loaded: there must be an object in each line of s3://bucket/bad.jsonl: {"id": ',
		);
		expect(await contentOf(table)).toHaveLength(5);
	});

	it.each(['banana', 'finance', 'Ferdinand'])('loads no word as a number: %s', async (word) => {
		const table = await create({ id: TYPES.id, wide: TYPES.wide, single: TYPES.single });
		for (const name of ['wide', 'single']) {
			await put('words.csv', `id,${name}\n1,${word}\n`);
			expect((await load(table, 'words.csv')).error?.message).toContain(`the column ${name}`);
		}
		expect(await contentOf(table)).toEqual([]);
	});

	it('loads no text of another encoding', async () => {
		const table = await create({ id: TYPES.id, name: TYPES.name });
		await put('latin.csv', Buffer.from('id,name\n1,M\u00fcnchen\n', 'latin1'));
		const { error } = await load(table, 'latin.csv');
		expect(error?.message).toContain('the column name (string) cannot hold the value in');
		expect(error?.description).toContain('not in UTF-8');
		expect(await contentOf(table)).toEqual([]);
	});

	it('loads lists of JSON', async () => {
		const list = { type: 'list', 'element-id': 9, element: 'int' } as const;
		const table = await create({ id: TYPES.id, list: ['ARRAY<INT>', list] });
		await put('list.jsonl', '{"id": 1, "list": [1, null]}\n{"id": 2, "list": []}\n');
		await loaded(table, 'list.jsonl');
		expect(await contentOf(table)).toEqual([
			{ id: 1, list: [1, null] },
			{ id: 2, list: [] },
		]);
		await put('list.jsonl', '{"id": 1, "list": [1.5]}\n');
		expect((await load(table, 'list.jsonl')).error).toBeDefined();
		expect(await contentOf(table)).toHaveLength(2);
	});

	it('refuses a row without a required value', async () => {
		const table = await create({ id: ['BIGINT NOT NULL', 'long'], name: TYPES.name });
		await put('required.csv', 'id,name\n1,a\n,b\n');
		expect((await load(table, 'required.csv')).error?.message).toContain(
			's3://bucket/required.csv: NULL',
		);
		expect(await contentOf(table)).toEqual([]);
	});

	it('replaces all rows, in partitions without new ones, too, whatever the session is set to', async () => {
		const table = await create({ id: TYPES.id, name: TYPES.name }, 'PARTITIONED BY (name)');
		await rowsOf(`INSERT INTO ice.db.${table} VALUES (1, 'a'), (2, 'b')`);
		await put('new.csv', 'id,name\n3,b\n');
		for (const mode of ['dynamic', 'static']) {
			await rowsOf(`SET spark.sql.sources.partitionOverwriteMode = ${mode}`);
			await loaded(table, 'new.csv', { loadMode: 'replace' });
			expect(await contentOf(table)).toEqual([{ id: 3, name: 'b' }]);
			await rowsOf(`INSERT INTO ice.db.${table} VALUES (1, 'a'), (2, 'b')`);
		}
		await put('bad.csv', 'id,name\n3,b\nx,y\n');
		expect((await load(table, 'bad.csv', { loadMode: 'replace' })).error).toBeDefined();
		expect(await contentOf(table)).toHaveLength(3);
	});

	it('loads several files, of which all must have the same columns', async () => {
		const table = await create({ id: TYPES.id, name: TYPES.name });
		await put('many/1.csv', 'id,name\n1,a\n');
		await put('many/2.csv', 'id,name\n2,b\n');
		await put('many/other.txt', 'x');
		await loaded(table, 'many/*.csv');
		expect(await contentOf(table)).toHaveLength(2);
		await put('mixed/1.csv', 'id,name\n1,a\n');
		await put('mixed/2.csv', 'name,id\nb,2\n');
		const { error } = await load(table, 'mixed/', { fileFormat: 'csv' });
		expect(`${error?.message} ${error?.description}`).toContain(
			// Spark 4 keeps the reason to its log.
			SPARK.startsWith('3')
				? 'header does not conform'
				: 'Encountered error while reading file s3://bucket/mixed',
		);
		expect(await contentOf(table)).toHaveLength(2);
	});

	it('refuses additional columns, or leaves them out', async () => {
		const table = await create({ id: TYPES.id });
		await put('more.csv', 'ID,other\n1,a\n');
		const { error } = await load(table, 'more.csv');
		expect(error?.message).toBe("'Files' has columns that the table does not have: other");
		await loaded(table, 'more.csv', { options: { ignoreExtraColumns: true } });
		expect(await contentOf(table)).toEqual([{ id: 1 }]);
	});

	it('creates a table, unless there is one', async () => {
		await put('created.csv', 'id,größe\n01,2\n');
		// With the namespace.
		await create({ id: TYPES.id });
		await loaded('created', 'created.csv', { loadMode: 'create' });
		expect(await contentOf('created')).toEqual([{ id: '01', größe: '2' }]);
		const { error } = await load('created', 'created.csv', { loadMode: 'create' });
		expect(error?.message).toContain('already exists');
	});

	describe('geometries', () => {
		/** A table that can hold them here. */
		const createShapes = async (type = 'geometry(4326)') => {
			const name = `s${next()}`;
			await rowsOf('CREATE DATABASE IF NOT EXISTS spark_catalog.db');
			await rowsOf(
				`CREATE TABLE spark_catalog.db.${name} (id BIGINT, location GEOMETRY) USING parquet`,
			);
			const { catalogs } = suite.store;
			const catalog =
				catalogs.get('spark') ?? catalogs.create({ id: 'spark', name: 'spark_catalog' });
			const fields = [
				{ name: 'id', type: 'long' },
				{ name: 'location', type },
			];
			catalogs.addTable(catalog, 'db', { name, fields });
			return name;
		};
		const inSpark = (table: string, more: INodeParameters = {}) => ({
			...at('spark', 'db', table),
			...more,
		});
		const shapesOf = async (table: string) =>
			await rowsOf(
				`SELECT id, ST_AsText(location) AS text, ST_SRID(location) AS srid FROM spark_catalog.db.${table} ORDER BY id`,
			);
		const BONN = { id: 1, text: 'POINT (7.1 50.7)', srid: 4326 };
		const feature = (id: number, geometry: unknown) =>
			JSON.stringify({ type: 'Feature', geometry, properties: { id } });
		const point = (...coordinates: number[]) => ({ type: 'Point', coordinates });

		it('come from two columns of CSV', async () => {
			const table = await createShapes();
			await put('points.csv', 'id,lon,lat\n1,7.1,50.7\n2,,\n');
			const options = { longitudeColumn: 'lon', latitudeColumn: 'lat' };
			await loaded(table, 'points.csv', inSpark(table, { options }));
			expect(await shapesOf(table)).toEqual([BONN, { id: 2, text: null, srid: null }]);
			for (const bad of ['7.1,', 'abc,50', '50,95', '200,5']) {
				await put('points.csv', `id,lon,lat\n1,${bad}\n`);
				const { error } = await load(table, 'points.csv', inSpark(table, { options }));
				expect([bad, error?.message]).toEqual([
					bad,
					expect.stringContaining('the column location'),
				]);
			}
			expect(await shapesOf(table)).toHaveLength(2);
		});

		it('come from WKT and GeoJSON in a column', async () => {
			const table = await createShapes();
			await put(
				'wkt.csv',
				`id;location\n1;POINT (7.1 50.7)\n2;"{""type"":""Point"",""coordinates"":[7.1,50.7]}"\n3;POINT EMPTY\n4;GEOMETRYCOLLECTION (POINT (1 2))\n`,
			);
			await loaded(table, 'wkt.csv', inSpark(table, { options: { csvSeparator: ';' } }));
			expect(await shapesOf(table)).toEqual([
				BONN,
				{ ...BONN, id: 2 },
				{ id: 3, text: 'POINT EMPTY', srid: 4326 },
				{ id: 4, text: 'GEOMETRYCOLLECTION (POINT (1 2))', srid: 4326 },
			]);
			await put('wkt.csv', 'id,location\n1,POINT (121687 487484)\n');
			const { error } = await load(table, 'wkt.csv', inSpark(table));
			expect(error?.message).toContain(
				'cannot hold the value in s3://bucket/wkt.csv: POINT (121687 487484)',
			);
		});

		it.each([
			['lines', `${feature(1, point(7.1, 50.7))}\n${feature(2, null)}\n`],
			[
				'a collection',
				`{"type": "FeatureCollection",\n"features": [\n${feature(1, point(7.1, 50.7))},\n${feature(2, null)}]}`,
			],
			[
				'a collection in a line',
				`{"type":"FeatureCollection","features":[${feature(1, point(7.1, 50.7))},${feature(2, null)}]}`,
			],
		])('come from GeoJSON as %s', async (_, content) => {
			const table = await createShapes();
			await put('a.geojson', content);
			const done = await loaded(table, 'a.geojson', inSpark(table));
			expect(done.columns).toEqual(['id', 'geometry']);
			expect(await shapesOf(table)).toEqual([BONN, { id: 2, text: null, srid: null }]);
		});

		it.each([
			['JSON of another kind', '{"error": "not found"}\n'],
			['geometries alone', `${JSON.stringify(point(7, 50))}\n`],
			['several collections', `{\n"features": []}\n${feature(1, point(7.1, 50.7))}\n`],
			['coordinates that are no degrees', `${feature(1, point(121_687, 487_484))}\n`],
		])('are not replaced by %s', async (_, content) => {
			for (const type of ['geometry(4326)', 'geometry']) {
				const table = await createShapes(type);
				await put('odd.geojson', content);
				const { error } = await load(table, 'odd.geojson', inSpark(table));
				expect(error?.message).toContain('Nothing was loaded: ');
				expect(error?.message).toContain('s3://bucket/odd.geojson: ');
				expect(await shapesOf(table)).toEqual([]);
			}
		});

		it('come from GeoJSON with blank lines, the mark of its encoding and many properties', async () => {
			const table = await createShapes();
			const properties = Object.fromEntries(
				Array.from({ length: 1_200 }, (_, at) => [`p${at}`, at]),
			);
			const wide = JSON.stringify({
				...{ type: 'Feature', geometry: point(7.1, 50.7), properties: { ...properties, id: 1 } },
			});
			await put('wide.geojson', `\n${wide}\n\n`);
			await put('marked.geojson', `\ufeff{"type": "FeatureCollection",\n"features": [${wide}]}\n`);
			const more = inSpark(table, { options: { ignoreExtraColumns: true } });
			for (const file of ['wide.geojson', 'marked.geojson']) await loaded(table, file, more);
			expect(await shapesOf(table)).toEqual([BONN, BONN]);
		});

		it('come from a shapefile', async () => {
			const table = await createShapes();
			await writePlaces(toBucket('shapes/places'), [[7.1, 50.7]]);
			for (const files of ['shapes/places.shp', 'shapes/']) {
				const more = inSpark(table, {
					fileFormat: 'shapefile',
					options: { ignoreExtraColumns: true },
				});
				await loaded(table, files, more);
			}
			expect(await shapesOf(table)).toEqual([BONN, BONN]);
		});

		it.each(['geoparquet', 'geojson'])('go to files and back: %s', async (format) => {
			const query = 'SELECT id, ST_SetSRID(ST_Point(7.1, 50.7), 4326) AS geometry FROM range(1, 2)';
			const folder = `out-${format}`;
			const [file] = await stored(query, folder, { storedFormat: format });
			expect(file.destination).toMatch(new RegExp(`^s3://bucket/${folder}/part-00000`));
			const table = await createShapes();
			await loaded(table, `${folder}/`, inSpark(table, { fileFormat: format }));
			expect(await shapesOf(table)).toEqual([BONN]);
			if (format === 'geojson') return;
			// As WKB.
			await loaded(table, `${folder}/*.parquet`, inSpark(table));
			expect(await shapesOf(table)).toEqual([BONN, BONN]);
		});
	});
});

import type { INodeParameters } from 'n8n-workflow';

import { ok, textOf } from '../../harness';
import { loadOptions, pick } from '../../harness/pickers';
import { at } from '../parameters';
import { by } from '../../../support/files';
import { NAME, numberedRows, suiteWithTable } from './tables';

const { suite, run, refused, shapes } = suiteWithTable();

/** Runs the operation, and returns the statement that it sent. */
async function sent(more: INodeParameters = {}): Promise<string> {
	suite.sql.answer(/^SELECT/, { rows: [{ id: 1n }] });
	ok(await run('getRows', more));
	return suite.sql.taken().at(-1)?.text ?? '';
}

const where = (...condition: INodeParameters[]) => ({ conditions: { condition } });

describe('get rows', () => {
	it('returns rows as items, and shows the statement', async () => {
		suite.sql.answer(`SELECT * FROM ${NAME} LIMIT 50`, {
			rows: [{ id: 9007199254740993n, name: 'a' }],
		});
		const { json, hints } = ok(await run('getRows'));
		expect(json).toEqual([{ id: '9007199254740993', name: 'a' }]);
		expect(hints).toContain(`Statement: SELECT * FROM ${NAME} LIMIT 50`);
	});

	it('shows a long statement shortened, after what matters more', async () => {
		suite.sql.answer(/^SELECT/, { columns: ['id'], rows: [] });
		const place = { latitude: 50.7, longitude: '7.1', distance: '500' };
		const { hints } = ok(await run('getRows', { spatialFilter: 'within', ...place }));
		expect(hints.at(-2)).toContain('There are no rows');
		expect(hints.at(-1)).toMatch(/^Statement: SELECT .+…$/);
		expect(hints.at(-1)?.length).toBeLessThan(330);
	});

	it('has the whole statement among the details of its error', async () => {
		suite.sql.answer(/^SELECT/, { error: '[NONE] No. SQLSTATE: 42K05' });
		const { error } = await run('getRows');
		expect(error?.context?.data).toMatchObject({ statement: `SELECT * FROM ${NAME} LIMIT 50` });
		expect(error?.description).toMatch(/^Session ID: /);
	});

	it('says which limit to lower where the result may be cut', async () => {
		suite.sql.answer(/^SELECT/, { rows: numberedRows(1_000) });
		const { hints } = ok(await run('getRows', { limit: 5_000 }));
		expect(hints.join()).toContain("If 1000 rows are enough, set 'Limit' to that.");
		expect(ok(await run('getRows', { limit: 1_000 })).hints.join()).not.toContain('1000 rows');
	});

	it('chooses columns, the order and the number of rows', async () => {
		const sort = { by: [{ column: 'size', direction: 'desc' }, { column: 'id' }] };
		expect(await sent({ columns: ['id', 'geometry'], sort, limit: 5 })).toBe(
			`SELECT \`id\`, \`geometry\` FROM ${NAME} ORDER BY \`size\` DESC, \`id\` LIMIT 5`,
		);
		expect(await sent({ returnAll: true })).toBe(`SELECT * FROM ${NAME}`);
	});

	it('says how many rows a file has at most', async () => {
		suite.sql.answer(/^SELECT/, { rows: [{ at: { type: 'Point', coordinates: [7.1, 50.7] } }] });
		const hint = "at most 50 rows: for all of them, turn on 'Return All'";
		const hints = async (more: INodeParameters) => ok(await run('getRows', more)).hints.join();
		expect(await hints({ output: 'csv' })).toContain(hint);
		expect(await hints({})).not.toContain(hint);
		expect(await hints({ output: 'csv', returnAll: true })).not.toContain(hint);
	});

	it('draws a map with the name of the table, or its own title', async () => {
		const at = { type: 'Point', coordinates: [7.1, 50.7] };
		suite.sql.answer(/^SELECT/, { rows: [{ at }], geometryColumns: ['at'] });
		const drawn = async (mapOptions: INodeParameters) => {
			const { items } = ok(await run('getRows', { output: 'geojson', drawMap: true, mapOptions }));
			return textOf(items[0], 'mapSvg');
		};
		expect(await drawn({})).toContain('>places</text>');
		const named = await drawn({ mapTitle: 'Where we are' });
		expect(named).toContain('>Where we are</text>');
		expect(named).not.toContain('places');
	});

	it('does not guess what an unknown direction of the order means', async () => {
		const by = [{ column: 'size', direction: 'descending' }];
		expect((await run('getRows', { sort: { by } })).error?.message).toBe(
			`'Sort' has an entry whose 'Direction' must be one of asc, desc, not "descending"`,
		);
		expect(suite.sql.taken()).toEqual([]);
	});

	it.each<[string, string, unknown, string]>([
		['id', 'equals', 9007199254740991, "`id` = CAST('9007199254740991' AS BIGINT)"],
		['size', 'greater', '2.5', "`size` > CAST('2.5' AS DOUBLE)"],
		['size', 'lessOrEqual', '-1e3', "`size` <= CAST('-1e3' AS DOUBLE)"],
		['price', 'less', '1.50', "`price` < CAST('1.50' AS DECIMAL(10, 2))"],
		['day', 'greaterOrEqual', '2026-01-31', "`day` >= CAST('2026-01-31' AS DATE)"],
		[
			'seen',
			'greater',
			'2026-01-31T09:00:00+01:00',
			"`seen` > CAST('2026-01-31T08:00:00Z' AS TIMESTAMP)",
		],
		['name', 'notEquals', 'a', "NOT (`name` <=> 'a')"],
		['name', 'contains', '50%', "contains(`name`, '50%')"],
		['name', 'startsWith', "it's", "startswith(`name`, CAST(X'69742773' AS STRING))"],
		['name', 'isEmpty', '', "(`name` IS NULL OR `name` = '')"],
		['geometry', 'isNotEmpty', '', 'NOT (`geometry` IS NULL OR ST_IsEmpty(`geometry`))'],
		['tags', 'isNotEmpty', '', 'NOT `tags` IS NULL'],
	])('has a condition on %s: %s %s', async (column, operator, value, sql) => {
		const text = await sent(where({ column, operator, value: value as string }));
		expect(text).toBe(`SELECT * FROM ${NAME} WHERE (${sql}) LIMIT 50`);
	});

	it('matches all conditions or any, together with the spatial filter', async () => {
		const conditions = where({ column: 'id', value: '1' }, { column: 'id', value: '2' });
		const one = (id: number) => `\`id\` = CAST('${id}' AS BIGINT)`;
		expect(await sent(conditions)).toContain(`WHERE (${one(1)} AND ${one(2)}) LIMIT`);
		const box = { spatialFilter: 'box', boundingBox: '7, 50.6, 7.3, 50.8' };
		expect(await sent({ ...conditions, match: 'any', ...box })).toContain(
			`WHERE (${one(1)} OR ${one(2)}) AND ST_Intersects(\`geometry\`, ST_PolygonFromEnvelope(7D, 50.6D, 7.3D, 50.8D)) LIMIT`,
		);
	});

	it('makes two boxes of one that crosses the date line', async () => {
		const box = { spatialFilter: 'box', boundingBox: '={{ [170, -20, -170, 5] }}' };
		expect(await sent(box)).toContain(
			'WHERE (ST_Intersects(`geometry`, ST_PolygonFromEnvelope(170D, -20D, 180D, 5D)) OR ST_Intersects(`geometry`, ST_PolygonFromEnvelope(-180D, -20D, -170D, 5D)))',
		);
	});

	it.each([
		['WKT', 'POLYGON ((7 50, 8 50, 8 51, 7 50))'],
		[
			'an object',
			'={{ JSON.parse(\'{"type":"Polygon","coordinates":[[[7,50],[8,50],[8,51],[7,50]]]}\') }}',
		],
	])('intersects a geometry given as %s', async (_, shape) => {
		expect(await sent({ spatialFilter: 'intersects', shape })).toContain(
			"WHERE ST_Intersects(`geometry`, ST_GeomFromWKT('POLYGON ((7 50, 8 50, 8 51, 7 50))', 4326)) LIMIT",
		);
	});

	it.each([
		['SRID=4326;POINT (7 50)', 'geometry(4326)', "'POINT (7 50)', 4326"],
		['POINT (7 50)', 'geometry', "'POINT (7 50)', 4326"],
		['SRID=3857;POINT (780000 6575000)', 'geometry(3857)', "'POINT (780000 6575000)', 3857"],
	])('intersects %s in the system of a column %s', async (shape, type, sql) => {
		const form = { spatialFilter: 'intersects', shape, ...shapes(type) };
		expect(await sent(form)).toContain(`ST_Intersects(\`geometry\`, ST_GeomFromWKT(${sql}))`);
	});

	const FILTER = "'Spatial Filter'";
	it.each([
		['4326', { shape: 'SRID=3857;POINT (7 5)' }, "'Geometry'", '3857', /ST_Transform\(geometry, /],
		['3857', { shape: 'POINT (7 50)' }, "'Geometry'", '4326', /EWKT that begins with SRID=3857;/],
		['3857', { spatialFilter: 'box', boundingBox: '7, 50, 8, 51' }, FILTER, '4326', /./],
		['3857', { spatialFilter: 'nearest', latitude: 1, longitude: 7 }, FILTER, '4326', /./],
	])('refuses in a column in EPSG:%s %j, which has another system', async (...given) => {
		const [srid, form, what, other, advice] = given;
		const type = `geometry(${srid})`;
		const place = shapes(type);
		const error = await refused('getRows', { spatialFilter: 'intersects', ...form, ...place });
		expect(error?.message).toContain(
			`${what} has coordinates in EPSG:${other} for geometry, whose type is ${type}`,
		);
		expect(error?.description).toMatch(advice);
	});

	it('refuses coordinates that are not degrees where the column names no system', async () => {
		const form = { spatialFilter: 'intersects', shape: 'POINT (780000 6575000)' };
		const error = await refused('getRows', { ...form, ...shapes('geometry') });
		expect(error?.message).toContain(
			"'Geometry' has coordinates that are not degrees (780000 6575000) for geometry",
		);
		expect(error?.description).toContain("ST_Transform(geometry, 'EPSG:3857', 'EPSG:4326')");
	});

	it('finds what is within a distance, or nearest', async () => {
		const place = { latitude: 50.7, longitude: '7.1' };
		const within = await sent({ spatialFilter: 'within', ...place, distance: '500' });
		expect(within).toMatch(
			/ WHERE \(ST_Intersects\(`geometry`, .+ST_DistanceSphere.+ <= 500\) LIMIT/,
		);
		const nearest = await sent({ spatialFilter: 'nearest', ...place });
		expect(nearest).not.toContain('WHERE');
		expect(nearest).toMatch(
			/ ORDER BY IF\(ST_IsEmpty\(`geometry`\), NULL, .+ NULLS LAST LIMIT 50$/,
		);
	});

	it.each([
		[{ column: 'nothing', value: '1' }, 'has "nothing", which is not a column', 'id, name'],
		[{ column: 'count', value: '1.5' }, 'has the value "1.5" for count', 'It takes whole numbers'],
		[
			{ column: 'size', operator: 'contains', value: '1' },
			"has the condition 'Contains' for size",
			'Contains and Starts With work only on text',
		],
		[
			{ column: 'geometry', value: 'POINT (1 2)' },
			"has the condition 'Equals' for geometry",
			"'Spatial Filter'",
		],
	])('refuses the condition %j', async (condition, message, description) => {
		const error = await refused('getRows', where(condition));
		expect(error?.message).toContain(`'Conditions' ${message}`);
		expect(error?.description).toContain(description);
	});

	const FOUR = 'must be four numbers: west, south, east and north, not';
	const SIDES = 'must be west, south, east and north:';
	it.each([
		['={{ "" }}', 'must not be empty'],
		['7, 50', `${FOUR} "7, 50"`],
		['={{ { west: 7 } }}', `${FOUR} {"west":7}`],
		['={{ [7, 50, 8] }}', `${FOUR} [7,50,8]`],
		['32, -102, 34, -100', `${SIDES} south must be a number from -90 to 90, not "-102"`],
		['a, 34, -100, 32', `${SIDES} west must be a number from -180 to 180, not "a"`],
		['-102, 34, -100, 32', `${SIDES} south is 34, above north (32)`],
	])('refuses the bounding box %s', async (boundingBox, message) => {
		const error = await refused('getRows', { spatialFilter: 'box', boundingBox });
		expect(error?.message).toContain(`'Bounding Box' ${message}`);
		if (boundingBox === '7, 50') expect(error?.description).toContain('Separate them with commas');
	});

	it.each([
		[{ columns: ['no'] }, '\'Column Names or IDs\' has "no"', ''],
		[
			{ columns: ['id', 'name'], output: 'geojson' },
			"'Column Names or IDs' must have a geometry column for GeoJSON",
			'Its geometry columns are geometry.',
		],
		[
			{ spatialFilter: 'box', boundingBox: '7, 50, 8, 51', geometryColumn: 'name' },
			'\'Geometry Column Name or ID\' has "name", which is not a geometry column',
			'Its geometry columns are geometry.',
		],
		[
			{ sort: { by: [{ column: 'geometry', direction: 'asc' }] } },
			"'Sort' has geometry, which is a geometry: geometries have no order",
			"Use 'Nearest to Point'",
		],
		[
			{ spatialFilter: 'intersects', shape: 'POLYGON (7 50, 8 50, 8 51, 7 50)' },
			"'Geometry' must be valid WKT or GeoJSON",
			'POLYGON ((7 50, 8 50, 8 51, 7 50))',
		],
		[
			{ spatialFilter: 'nearest', latitude: '50,7', longitude: '7,1' },
			'must be a number from -90 to 90, with a period before the decimals, not "50,7"',
			'',
		],
		[
			{ spatialFilter: 'within', latitude: '1', longitude: '1', distance: '={{ "" }}' },
			"'Distance (Meters)' must not be empty",
			'',
		],
	])('refuses %j', async (more, message, description) => {
		const error = await refused('getRows', more);
		expect(error?.message).toContain(message);
		expect(error?.description ?? '').toContain(description);
	});

	it('names the catalog as SQL does, and each level of a namespace', async () => {
		suite.sql.answer(/^SELECT/, { rows: [{ id: 1n }] });
		const place = at('cat-org', 'odd.names/level two', '100% coverage');
		ok(await run('getRows', place));
		expect(suite.sql.taken()[0].text).toContain(
			'FROM `org_catalog`.`odd`.`names/level two`.`100% coverage` LIMIT',
		);
	});

	it('refuses a name that Spark would replace', async () => {
		const { catalogs } = suite.store;
		const catalog = catalogs.get('cat-org');
		catalogs.addTable(catalog as never, 'surveys', { name: '${spark.master}' });
		const error = await refused('getRows', at('cat-org', 'surveys', '${spark.master}'));
		expect(error?.message).toContain('cannot be used: Spark substitutes ${…}');
	});

	it('says so when a table has no geometry for GeoJSON', async () => {
		const { catalogs } = suite.store;
		catalogs.addTable(catalogs.get('cat-org') as never, 'surveys', { name: 'plain' });
		const place = at('cat-org', 'surveys', 'plain');
		const error = await refused('getRows', { ...place, output: 'geojson', columns: ['id'] });
		expect(error?.description).toBe('It has no geometry columns.');
	});

	it('returns a CSV file in which geometries and lists are text', async () => {
		expect(await sent({ output: 'csv', columns: ['id', 'tags', 'geometry'] })).toContain(
			'SELECT `id`, to_json(`tags`) AS `tags`, ST_AsText(`geometry`) AS `geometry` FROM',
		);
		expect(suite.sql.taken()[0].store?.format).toBe('csv');
	});

	it('reads the table once for all items', async () => {
		suite.sql.answer(/^SELECT/, { rows: [{ id: 1n }] });
		const conditions = where({ column: 'id', value: '={{ $json.n }}' });
		const { json } = await run('getRows', conditions, { input: [{ n: 1 }, { n: 2 }, { n: 3 }] });
		expect(json).toHaveLength(3);
		expect(suite.requests.of('getTable')).toHaveLength(1);
		expect(suite.requests.of('listCatalogs')).toHaveLength(1);
	});
});

describe('an earlier state', () => {
	it.each([
		['a tag', '2026-11-18.0', "VERSION AS OF '2026-11-18.0'"],
		['a tag of digits, which Spark would take for a snapshot', '20261118', 'VERSION AS OF 13'],
		['a snapshot', '9223372036854775807', 'VERSION AS OF 9223372036854775807'],
	])('is read at %s', async (_, version, sql) => {
		expect(await sent({ read: 'at', at: by('name', version) })).toBe(
			`SELECT * FROM ${NAME} ${sql} LIMIT 50`,
		);
	});

	it('shows only the rows added since, read before a compaction hides them', async () => {
		const added = (at: string, ...ids: string[]) =>
			`SELECT * FROM ${NAME} VERSION AS OF ${at} WHERE _file IN (SELECT data_file.file_path FROM ${NAME}.all_entries WHERE status = 1 AND data_file.content = 0 AND snapshot_id IN (${ids.join(', ')}))`;
		const text = await sent({ read: 'added', since: by('name', '11') });
		expect(text).toBe(
			`SELECT * FROM (${added('12', '12')} UNION ALL ${added('9223372036854775807', '9223372036854775807')}) LIMIT 50`,
		);
		const upTo = { since: by('name', '11'), until: by('name', '2026-11-18.0') };
		expect(await sent({ read: 'added', ...upTo })).toContain(`FROM (${added('12', '12')}) LIMIT`);
	});

	it('has no rows when nothing was added', async () => {
		const upTo = { since: by('name', '12'), until: by('name', '13') };
		expect(await sent({ read: 'added', ...upTo })).toContain('VERSION AS OF 13 WHERE FALSE)');
	});

	it.each([
		[{ read: 'added', since: by('name', '10') }, "'Since Snapshot' must be a snapshot before"],
		[{ read: 'added', since: by('name', '11'), until: by('name', '10') }, "'Until Snapshot' must"],
		[{ read: 'at', at: by('name', '10') }, "'Tag or Snapshot' must be a snapshot or tag of this"],
	])('that has expired is refused by its ID, with what to do (%j)', async (form, message) => {
		const error = await refused('getRows', form);
		expect(error?.message).toContain(message);
		expect(error?.message).toMatch(/not "10"$/);
		expect(error?.description).toContain('may have expired');
	});

	it('before more snapshots than a statement can name is refused, with how far to read first', async () => {
		const { catalogs } = suite.store;
		const snapshots = Array.from({ length: 2_100 }, (_, index) => ({
			...{ id: String(index + 1), at: index, addedRows: 1 },
			...(index > 0 && { parentId: String(index) }),
		}));
		catalogs.addTable(catalogs.get('cat-org') as never, 'surveys', { name: 'long', snapshots });
		const form = { ...at('cat-org', 'surveys', 'long'), read: 'added', since: by('name', '1') };
		const { error } = await run('getRows', form);
		expect(error?.message).toContain('more snapshots than one statement can read');
		expect(error?.description).toContain("Set 'Until Snapshot' to 2001");
		expect(await sent({ ...form, until: by('name', '2001') })).toContain(', 2001)');
	});

	it('is read as far as the service shows it: without references, and without snapshots', async () => {
		suite.variants.tableSnapshots = 'withoutRefs';
		const added = await sent({ read: 'added', since: by('name', '13') });
		expect(added).toContain('VERSION AS OF 9223372036854775807');
		suite.variants.tableSnapshots = 'null';
		expect(await sent({ read: 'at', at: by('name', '10') })).toContain('VERSION AS OF 10 LIMIT');
	});
});

describe('the form', () => {
	const table = { resource: 'table', operation: 'getRows', ...at('cat-org', 'surveys', 'places') };

	it('offers the columns of the table with their types', async () => {
		const columns = await loadOptions(suite.sandbox, 'getColumns', table);
		expect(columns.slice(0, 2)).toEqual([
			{ name: 'id', value: 'id', description: 'whole number' },
			{ name: 'name', value: 'name', description: 'text' },
		]);
	});

	it('has no columns to offer before a table is chosen', async () => {
		for (const value of ['', by('list', '')]) {
			const unchosen = { ...table, table: value };
			expect(await loadOptions(suite.sandbox, 'getColumns', unchosen)).toEqual([]);
		}
		await expect(
			loadOptions(suite.sandbox, 'getColumns', { ...table, table: '={{ $json.table }}' }),
		).rejects.toThrow("Choose a value for 'Table' first");
	});

	it('offers tags and snapshots, newest first', async () => {
		const { results } = await pick(suite.sandbox, 'searchVersions', { parameters: table });
		expect(results.map(({ name }) => name)).toEqual([
			'20261118 (tag)',
			'2026-11-18.0 (tag)',
			expect.stringMatching(/^9223372036854775807 \(.*append\)$/),
			expect.stringMatching(/^13 \(.*replace\)$/),
			expect.stringMatching(/^12 \(/),
			expect.stringMatching(/^11 \(/),
		]);
	});
});

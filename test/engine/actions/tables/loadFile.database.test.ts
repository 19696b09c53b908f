/** Load File against the spatial database of the demo, which executes its statements. */
import type { INodeParameters } from 'n8n-workflow';

import { by } from '../../../support/files';
import { type NodeOptions, ok, suiteWithSharedSandbox } from '../../harness/suite';
import { at } from '../parameters';

const suite = suiteWithSharedSandbox({ database: true });

/** The database compiles half a minute's worth of WebAssembly on a slow machine. */
jest.setTimeout(600_000);

const SESSION = { resource: 'sql', operation: 'executeQuery', readOnly: false };

const query = async (text: string) => ok(await suite.run({ ...SESSION, query: text })).json;

const put = (path: string, lines: string[]) =>
	suite.store.storages.put('stor-acme', path, lines.map((line) => `${line}\n`).join(''));

const load = async (
	table: string,
	path: string,
	more: INodeParameters = {},
	options?: NodeOptions,
) => {
	const place = { ...at('cat-org', 'surveys', table), storageId: by('id', 'stor-acme') };
	const node = { resource: 'table', operation: 'loadFile', ...place, files: by('path', path) };
	return await suite.run({ ...node, ...more }, options);
};

let number = 0;

/** A new table with one column of each kind. */
async function createTable(): Promise<string> {
	const name = `places_${++number}`;
	await query(
		`CREATE TABLE org_catalog.surveys.${name} (id BIGINT NOT NULL, name STRING, size DOUBLE, price DECIMAL(10, 2), day DATE, seen TIMESTAMP, is_open BOOLEAN, shape GEOMETRY)`,
	);
	return name;
}

const HEADER = 'id;name;size;price;day;seen;is_open;lon;lat';

const POINT = { longitudeColumn: 'lon', latitudeColumn: 'lat' };
const SEMICOLONS = { options: { csvSeparator: ';', ...POINT } };

const rowsOf = async (table: string) =>
	await query(
		`SELECT id, name, size, price, CAST(day AS STRING) AS day, seen, is_open, ST_AsText(shape) AS shape FROM surveys.${table} ORDER BY id`,
	);

const NOTHING = { size: null, price: null, day: null, seen: null, is_open: null, shape: null };

it('loads each value of a CSV file as the file has it', async () => {
	const table = await createTable();
	put('in/places.csv', [
		HEADER,
		'9007199254740993;"Kaş; ""old"" harbour";1.5e2;12.5;2026-01-31;2026-01-31 11:00:00;true;29.6417;36.2018',
		'2;"";;;;;;;',
		'3;;;;;;;;',
	]);
	const zone = { timezone: 'Europe/Berlin' };
	const { json } = ok(await load(table, 'in/places.csv', SEMICOLONS, zone));
	expect(json).toMatchObject([{ rows: 3, source: 's3://acme-jobs/in/places.csv' }]);
	expect(await rowsOf(table)).toMatchObject([
		{ id: 2, name: '', ...NOTHING },
		{ id: 3, name: null, ...NOTHING },
		{
			...{ id: '9007199254740993', name: 'Kaş; "old" harbour', size: 150, price: 12.5 },
			...{ day: '2026-01-31', seen: '2026-01-31T10:00:00Z', is_open: true },
			shape: 'POINT(29.6417 36.2018)',
		},
	]);
});

it('loads JSON Lines, and GeoJSON in a collection or in lines', async () => {
	const table = await createTable();
	const point = { type: 'Point', coordinates: [7.1, 50.7] };
	const feature = { type: 'Feature', geometry: point, properties: { id: 2, name: 'Bonn' } };
	put('in/a.jsonl', ['{"id": 1, "name": "one", "size": 2.5}', '', '{"id": 4}']);
	put('in/b.geojson', [
		'{ "type": "FeatureCollection",',
		`"features": [${JSON.stringify(feature)}]}`,
	]);
	put('in/c.geojson', [JSON.stringify({ ...feature, properties: { id: 3 } })]);
	for (const path of ['in/a.jsonl', 'in/b.geojson', 'in/c.geojson']) ok(await load(table, path));
	const found = await rowsOf(table);
	expect(found.map(({ id, name, size, shape }) => [id, name, size, shape])).toEqual([
		[1, 'one', 2.5, null],
		[2, 'Bonn', null, 'POINT(7.1 50.7)'],
		[3, null, null, 'POINT(7.1 50.7)'],
		[4, null, null, null],
	]);
});

it.each<[string, string[], string]>([
	['JSON of another kind', ['{"error": "not found"}'], 'nothing but features in'],
	['a collection without features', ['{"type": "FeatureCollection"}'], 'nothing but features in'],
	['an unknown kind of feature', ['{"features": [{"id": 1}]}'], 'nothing but features in'],
	[
		'JSON that is cut off',
		['{"type": "Feature", "geometry"'],
		'one GeoJSON object, alone or one in each line',
	],
])('replaces nothing by a GeoJSON file with %s', async (_, lines, message) => {
	const table = await createTable();
	await query(`INSERT INTO surveys.${table} (id) VALUES (7)`);
	put('odd.geojson', lines);
	const { error } = await load(table, 'odd.geojson', { loadMode: 'replace' });
	expect(error?.message).toContain(`Nothing was loaded: `);
	expect(error?.message).toContain(message);
	expect(error?.message).toContain('s3://acme-jobs/odd.geojson: ');
	expect(await rowsOf(table)).toHaveLength(1);
});

it('creates a table of the texts and points of a file', async () => {
	put('in/new.csv', ['id,lon,lat', '007,7.1,50.7']);
	const { json } = ok(await load('created', 'in/new.csv', { loadMode: 'create', options: POINT }));
	expect(json).toMatchObject([{ columns: ['id', 'lon', 'lat'] }]);
	const { fields } = suite.store.catalogs.tableNamed('org_catalog.surveys.created')!;
	expect(fields).toEqual([
		{ name: 'id', type: 'string' },
		{ name: 'geometry', type: 'geometry' },
	]);
	const found = await query('SELECT id, ST_AsText(geometry) AS shape FROM surveys.created');
	expect(found).toEqual([{ id: '007', shape: 'POINT(7.1 50.7)' }]);
});

it.each([
	['in/none.csv', "'Files' matches no files: s3://acme-jobs/in/none.csv"],
	['in/none*.csv', "'Files' matches no files"],
	['in/none.geojson', "'Files' matches no files"],
	['in/ragged.csv', 'Malformed records are detected'],
])('fails for %s', async (path, message) => {
	const table = await createTable();
	put('in/ragged.csv', ['id,name', '1,one,more']);
	expect((await load(table, path)).error?.message).toContain(message);
	expect(await rowsOf(table)).toEqual([]);
});

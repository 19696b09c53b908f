import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { errorOf, ok } from '../../harness';
import { fieldsOf } from '../../harness/pickers';
import { callsOf } from '../../harness/tools';
import { at } from '../parameters';
import { FIELDS, NAME, numberedRows as rows, suiteWithTable, takeInserts } from './tables';

const { suite, run, refused, shapes, lose } = suiteWithTable();

const HEAD = `INSERT INTO ${NAME} (\`id\`, \`name\`, \`size\`, \`count\`, \`day\`, \`seen\`, \`price\`, \`tags\`, \`geometry\`) SELECT `;

/** Takes statements, and keeps the IDs of the rows that are then in the table. */
const table = () => takeInserts(suite);

/** Inserts one item, and returns what was sent after the columns. */
async function sent(item: IDataObject, more: INodeParameters = {}): Promise<string> {
	table();
	ok(await run('insertRows', more, { input: [item] }));
	const { text } = suite.sql.taken().at(-1) ?? { text: '' };
	expect(text.startsWith(HEAD)).toBe(true);
	return text.replace(/^.* FROM VALUES /, '');
}

const AMERSFOORT = { type: 'Point', coordinates: [121687, 487484] };

const named = (name: string) => ({ type: 'name', properties: { name } });

const LAT_LON = { latitudeField: 'lat', longitudeField: 'lon' };

describe('insert rows', () => {
	it('names and casts every column, and returns each item with what became of its row', async () => {
		const state = table();
		const input = [
			{ id: 1, name: "it's", size: 2.5, tags: ['a'], geometry: 'POINT (7.1 50.7)' },
			{ id: 2, day: '2026-01-31', seen: '2026-01-31T09:00:00Z', price: '1.50', count: 3 },
		];
		const { json, items } = ok(await run('insertRows', {}, { input }));
		expect(suite.sql.taken().map(({ text }) => text)).toEqual([
			`${HEAD}CAST(CAST(c0 AS STRING) AS BIGINT), CAST(c1 AS STRING), CAST(CAST(c2 AS STRING) AS DOUBLE), CAST(CAST(c3 AS STRING) AS INT), CAST(CAST(c4 AS STRING) AS DATE), CAST(CAST(c5 AS STRING) AS TIMESTAMP), CAST(CAST(c6 AS STRING) AS DECIMAL(10, 2)), transform(from_json(CAST(c7 AS STRING), 'ARRAY<STRING>', map('mode', 'FAILFAST')), x0 -> x0), ST_GeomFromWKT(CAST(c8 AS STRING), 4326) FROM VALUES ('1', CAST(X'69742773' AS STRING), '2.5', NULL, NULL, NULL, NULL, CAST(X'5B2261225D' AS STRING), 'POINT (7.1 50.7)'), ('2', NULL, NULL, '3', '2026-01-31', '2026-01-31T09:00:00Z', '1.50', NULL, NULL) AS v(c0, c1, c2, c3, c4, c5, c6, c7, c8)`,
		]);
		expect(state.ids).toEqual([1, 2]);
		const [{ id: executionId, sessionId }] = suite.sql.taken();
		const done = { executionId, sessionId, state: 'succeeded', table: NAME, rows: 2 };
		expect(json).toEqual(input.map((item) => ({ ...item, wherobots: done })));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('lets other workflows have turns while thousands of items are checked', async () => {
		table();
		const begin = performance.now();
		let [last, longest, isDone] = [begin, 0, false];
		const others = (async () => {
			while (!isDone) {
				await new Promise((next) => setImmediate(next));
				longest = Math.max(longest, performance.now() - last);
				last = performance.now();
			}
		})();
		await run('insertRows', {}, { input: rows(2_000) });
		isDone = true;
		await others;
		expect(longest / (last - begin)).toBeLessThan(0.4);
	});

	it('takes values that are mapped by hand', async () => {
		const row = {
			mappingMode: 'defineBelow',
			value: { id: '={{ $json.no }}', name: '={{ $json.title }}', size: null, day: '' },
		};
		expect(await sent({ no: 7, title: 'a', other: 1 }, { row })).toMatch(
			/^\('7', 'a', NULL, NULL, NULL/,
		);
	});

	it('says once for each column that an expression had no value', async () => {
		table();
		const value = { id: '={{ $json.id }}', name: '={{ $json.no }}', size: '={{ null }}' };
		const row = { mappingMode: 'defineBelow', value };
		const input = [{ id: 1, no: 'a' }, { id: 2 }, { id: 3 }];
		const { hints } = ok(await run('insertRows', { row }, { input }));
		expect(hints.filter((hint) => hint.includes('without a value'))).toEqual([
			'Item 1 is the first without a value for name: new rows have NULL there.',
		]);
	});

	it.each<[string, INodeParameters, IDataObject, string]>([
		['GeoJSON', {}, { geometry: { type: 'Point', coordinates: [7.1, 50.7] } }, 'POINT (7.1 50.7)'],
		['two fields', LAT_LON, { lat: '50.7', lon: 7.1 }, 'POINT (7.1 50.7)'],
	])('takes a geometry as %s', async (_, options, item, wkt) => {
		expect(await sent({ id: 1, ...item }, { options })).toContain(`'${wkt}') AS v(`);
	});

	it.each([
		['geometry(4326)', {}, 'WKT(CAST(c0 AS STRING), 4326)'],
		['geometry(EPSG:3857)', {}, 'WKT(CAST(c0 AS STRING), 3857)'],
		['geometry', {}, 'EWKT(CAST(c0 AS STRING))'],
		['geometry', { srid: 4326 }, 'WKT(CAST(c0 AS STRING), 4326)'],
	])('gives a geometry in a column of the type %s its SRID (%j)', async (type, options, read) => {
		table();
		const place = { ...shapes(type), options };
		ok(await run('insertRows', place, { input: [{ geometry: 'POINT (1 2)' }] }));
		const [{ text }] = suite.sql.taken();
		expect(text).toContain(`SELECT ST_GeomFrom${read} FROM VALUES ('POINT (1 2)')`);
	});

	it('keeps the system that a geometry names where its column declares none', async () => {
		table();
		const input = ['SRID=4326;POINT (1 2)', 'POINT (3 4)'].map((geometry) => ({ geometry }));
		ok(await run('insertRows', shapes('geometry'), { input }));
		const [{ text }] = suite.sql.taken();
		expect(text).toContain("VALUES ('SRID=4326;POINT (1 2)'), ('POINT (3 4)') AS");
	});

	it.each<[string, INodeParameters, unknown]>([
		['geometry(EPSG:28992)', {}, 'SRID=28992;POINT (121687 487484)'],
		['geometry', { srid: 28992 }, { ...AMERSFOORT, crs: named('urn:ogc:def:crs:EPSG::28992') }],
		['geometry', {}, 'POINT (121687 487484)'],
	])('takes a geometry in the system of its column %s %j: %j', async (type, options, geometry) => {
		table();
		ok(await run('insertRows', { ...shapes(type), options }, { input: [{ geometry } as never] }));
		expect(suite.sql.taken()[0].text).toContain("('POINT (121687 487484)')");
	});

	it.each<[string, INodeParameters, IDataObject, string, string]>([
		[
			'geometry',
			{},
			{ geometry: 'SRID=28992;POINT (121687 487484)' },
			'coordinates in EPSG:28992',
			"set 'SRID' to 28992",
		],
		[
			'geometry(3857)',
			{},
			{ geometry: { type: 'Point', coordinates: [7, 50], crs: named('OGC:CRS84') } },
			'coordinates in EPSG:4326 for geometry, whose type is geometry(3857)',
			"ST_Transform(geometry, 'EPSG:4326', 'EPSG:3857')",
		],
		[
			'geometry(3857)',
			LAT_LON,
			{ lat: 50.7, lon: 7.1 },
			'coordinates in EPSG:4326 for geometry, whose type is geometry(3857)',
			'',
		],
		[
			'geometry(4326)',
			{},
			{ geometry: 'POINT (7.1, 50.7)' },
			'has the value "POINT (7.1, 50.7)"',
			'there must be 2 or 3 numbers with a space between them, not ","',
		],
	])('refuses in a column %s %j %j, and says what to do', async (...given) => {
		const [type, options, item, message, advice] = given;
		const error = await refused('insertRows', { ...shapes(type), options }, { input: [item] });
		expect(error?.message).toContain(message);
		expect(error?.description).toContain(advice);
	});

	it.each<[IDataObject, string]>([
		[
			{ id: 1, day: '31.01.2026' },
			"{{ DateTime.fromFormat('31.01.2026', 'dd.MM.yyyy').toISODate() }}",
		],
		[{ id: 1, geometry: '50.7, 7.1' }, "use the options 'Latitude Field' and 'Longitude Field'"],
		[{ id: 1, geometry: { lat: 50.7, lon: 7.1 } }, "use the options 'Latitude Field' and"],
		[
			{ id: 1, geometry: '0101000020E6100000CDCCCCCCCCCC1C40' },
			'This is WKB in hexadecimal digits',
		],
		[{}, 'Choose Map Each Column Manually, or output fields with these names in an earlier node.'],
	])('says how to mend %j', async (item, advice) => {
		const error = await refused('insertRows', {}, { input: [item] });
		expect(error?.description).toContain(advice);
	});

	it.each<[IDataObject, string]>([
		[{ id: 1, count: 1.5 }, 'has the value 1.5 for count, whose type is whole number (INT)'],
		// As n8n reads 9007199254740993.
		[{ id: 9007199254740992 }, 'has a number for id that n8n cannot hold exactly'],
		[{ id: 1, name: { a: 1 } }, 'has an object for name'],
		[
			{ id: 1, geometry: '50.7, 7.1' },
			'has the value "50.7, 7.1" for geometry, whose type is geometry(4326)',
		],
		[
			{ id: 1, geometry: AMERSFOORT },
			'has coordinates that are not degrees (121687 487484) for geometry',
		],
		[{ name: 'a' }, 'has no value for id, which must have one'],
		[{ id: 1, nothing: 1 }, 'has "nothing", which is not a column of this table'],
		[{}, 'has no column of this table: this item has no fields'],
	])('refuses %j before anything is sent', async (item, message) => {
		const error = await refused('insertRows', {}, { input: [{ id: 0 }, item] });
		expect(error?.message).toContain(`The item ${message}`);
	});

	it.each<[IDataObject, string]>([
		[
			{ lat: 95, lon: 7 },
			`'Latitude Field' is "lat", whose value must be a number from -90 to 90, not "95"`,
		],
		[{ lat: 5 }, `'Longitude Field' is "lon", which no item has`],
		[{ lat: 5, lon: null }, `'Longitude Field' is "lon", which has no value in this item`],
		[
			{ lat: 5, lon: 7, geometry: 'POINT (8 6)' },
			"'Latitude Field' and the item both fill geometry: remove one of them",
		],
	])('refuses %j for a point in two fields', async (item, message) => {
		const input = [{ id: 0 }, { id: 1, ...item }];
		const error = await refused('insertRows', { options: LAT_LON }, { input });
		expect(error?.message).toContain(message);
	});

	it('refuses a point in two fields for a table with several geometry columns', async () => {
		const place = { ...shapes('geometry', ['from', 'to']), options: LAT_LON };
		const error = await refused('insertRows', place, { input: [{ lat: 1, lon: 2 }] });
		expect(error?.message).toBe(
			"'Longitude Field' can only be used with a table that has one geometry column; this one has from, to",
		);
	});

	it('refuses an SRID that is not that of the column', async () => {
		const error = await refused('insertRows', { options: { srid: 3857 } }, { input: [{ id: 1 }] });
		expect(error?.message).toBe("'SRID' must be 4326, as geometry declares, not 3857");
	});

	it('names the way of a file where an item has nothing else', async () => {
		const binary = { data: { data: '', mimeType: 'text/csv' } };
		const { error } = await run('insertRows', {}, { files: [binary as never] });
		expect(error?.description).toContain('File: Upload');
		expect(error?.description).toContain('Table: Load File');
	});

	it('names the ways to a table where there is none', async () => {
		const { error } = await run('insertRows', at('cat-org', 'surveys', 'nowhere'), {});
		expect(error?.description).toContain(
			"turn on 'Create Missing Table' under 'Options', or use Table: Create",
		);
		expect(error?.description).toContain('Views are read with View: Get or SQL: Execute Query.');
	});

	it('leaves out fields that are no columns if so configured', async () => {
		const options = { ignoreUnknownFields: true };
		expect(await sent({ id: 1, nothing: 1 }, { options })).toMatch(/^\('1', NULL/);
	});

	it('inserts the other items if the node continues on failure', async () => {
		const state = table();
		const input = [{ id: 1 }, { id: 'x' }, { id: 3 }];
		const { items } = await run('insertRows', {}, { input, onError: 'continueRegularOutput' });
		expect(state.ids).toEqual([1, 3]);
		expect(items.map(errorOf).map((error) => error?.message)).toEqual([
			undefined,
			expect.stringContaining('has the value "x" for id'),
			undefined,
		]);
	});
});

it('tells an agent what became of its row, and not what it has sent', async () => {
	table();
	const row = { mappingMode: 'defineBelow', value: { id: '1' } };
	const place = at('cat-org', 'surveys', 'places');
	const tool = { resource: 'table', operation: 'insertRows', ...place, row };
	const answer = JSON.stringify(await callsOf(suite.sandbox, tool, {})());
	expect(answer).toContain('succeeded');
	expect(answer).not.toContain('wherobots');
});

describe('a statement that fails', () => {
	it('inserts no row, and says so', async () => {
		const state = table();
		state.failOn = 1;
		const { error } = await run('insertRows', {}, { input: rows(1_200) });
		expect(error?.context?.data).toMatchObject({
			cause: '[CAST_INVALID_INPUT] No.',
			statement: expect.stringContaining(' FROM VALUES … AS v(c0,') as string,
		});
		expect(error?.description).toContain('No row was inserted.');
	});

	it.each([
		["[CAST_INVALID_INPUT] The value 'odd' of the type", { name: 'odd' }],
		[
			'expression ST_GeomFromWKT - inputs: [POINT (8 8), 4326], cause: No',
			{ geometry: 'POINT (8 8)' },
		],
		['cannot cast "odd"', { tags: ['even', 'odd'] }],
	])('names the item whose value the engine refuses: %s', async (message, item) => {
		suite.sql.answer(/^INSERT/, { error: message });
		const { error } = await run('insertRows', {}, { input: [{ id: 1 }, { id: 2, ...item }] });
		expect(error?.description).toContain('Item 1 has a value named in this message.');
	});

	it('fails each item that was checked if the node continues on failure', async () => {
		const state = table();
		state.failOn = 1;
		const input = [{ id: 1 }, { id: 'x' }, { id: 3 }];
		const { items } = await run('insertRows', {}, { input, onError: 'continueRegularOutput' });
		expect(items.map((item) => errorOf(item)?.message)).toEqual([
			expect.stringContaining('The statement failed'),
			expect.stringContaining('has the value "x" for id'),
			expect.stringContaining('The statement failed'),
		]);
		expect(state.ids).toEqual([]);
	});
});

describe('a statement whose outcome is lost', () => {
	it('has inserted all rows or none, and is not sent again', async () => {
		lose();
		table();
		const { error } = await run('insertRows', {}, { input: rows(3), maxTries: 3 });
		expect(error?.message).toContain('it is not certain what the statement changed');
		expect(error?.description).toContain('Either all 3 rows or none of them are in the table.');
		expect(error?.description).toContain('Retry On Fail did not send it again');
		expect(error?.context?.data).toMatchObject({ ambiguous: true });
		expect(suite.sql.taken()).toEqual([]);
	});

	it('is not sent again for an agent that asks for the same', async () => {
		lose();
		table();
		const row = { mappingMode: 'defineBelow', value: { id: '1' } };
		const place = at('cat-org', 'surveys', 'places');
		const tool = { resource: 'table', operation: 'insertRows', ...place, row };
		const call = callsOf(suite.sandbox, tool, { maxTries: 2 });
		for (const time of ['first', 'second']) {
			const answer = JSON.stringify(await call().catch((error: Error) => error.message));
			expect([time, answer]).toEqual([time, expect.stringContaining('not certain')]);
		}
		expect(suite.sql.taken()).toEqual([]);
	});

	it('is not sent again beside an item that passes its check only at the next try', async () => {
		lose();
		const state = table();
		const input: IDataObject[] = [{ id: 1 }, { id: 2, late: 1 }, { id: 3 }];
		const onError = 'continueRegularOutput';
		const { requests, store } = suite;
		requests.listen(({ endpoint }) => {
			// Another person adds the column while the first statement is lost.
			const entry = store.catalogs.get('cat-org')?.namespaces.get('surveys')?.entries.get('places');
			if (entry && endpoint === 'createSqlSession') {
				entry.fields = [...FIELDS, { name: 'late', type: 'int' }];
			}
		});
		const { items } = await run('insertRows', {}, { input, onError, maxTries: 2 });
		expect(items.map((item) => errorOf(item)?.ambiguous)).toEqual([true, undefined, true]);
		expect(state.ids).toEqual([2]);
	});

	it('leaves each of its items open if the node continues on failure', async () => {
		lose();
		table();
		const onError = 'continueRegularOutput';
		const { items } = await run('insertRows', {}, { input: rows(2), onError });
		expect(items.map((item) => errorOf(item)?.ambiguous)).toEqual([true, true]);
		expect(errorOf(items[1])?.description).not.toContain('Retry On Fail');
	});
});

it('an expression that was entered as text for a column is refused, and nothing is sent', async () => {
	const row = { mappingMode: 'defineBelow', value: { name: '{{ $json.b }}' } };
	const error = await refused('insertRows', { row }, { input: [{ b: 'x' }] });
	expect(error?.message).toMatch(/^'Columns' contains {{ in name: switch the field from Fixed to/);
});

describe('a table that has changed since the form was filled in', () => {
	it.each<[string, IDataObject]>([
		['lacks a column that is mapped', { id: '1', former: 'x' }],
		['has another column that must have a value', { name: 'x' }],
	])('%s: nothing is sent', async (_, value) => {
		const row = { mappingMode: 'defineBelow', value } as never;
		const error = await refused('insertRows', { row });
		expect(error?.message).toMatch(/former|has no value for id/);
	});

	it('needs no value for a column that was left empty', async () => {
		const row = { mappingMode: 'defineBelow', value: { id: '1', former: null } };
		expect(await sent({}, { row })).toMatch(/^\('1', NULL/);
	});
});

it('the form has a field for each column, with its type', async () => {
	const place = at('cat-org', 'surveys', 'places');
	const node = { resource: 'table', operation: 'insertRows', ...place };
	const { fields } = await fieldsOf(suite.sandbox, 'getTableColumns', node);
	expect(fields).toHaveLength(9);
	expect(fields[0]).toMatchObject({ id: 'id', displayName: 'id (whole number)', required: true });
	expect(fields[8]).toMatchObject({ id: 'geometry', displayName: 'geometry (WKT or GeoJSON)' });
	expect(fields.some(({ type }) => type !== undefined)).toBe(false);
});

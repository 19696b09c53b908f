import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { createIn } from '../../../sandbox/seed/createIn';
import { createdTable, type CreatedTable } from '../../../sandbox/sql/createdTable';
import { ok } from '../../harness';
import { pick } from '../../harness/pickers';
import { at } from '../parameters';
import { suiteWithTable } from './tables';

const { suite, run, lose } = suiteWithTable();

const TREES = '`org_catalog`.`surveys`.`trees`';

/** Statements create tables in the catalogs, when they are carried out. */
beforeEach(() => {
	suite.sql.answer(/^CREATE TABLE/, (statement) => ({
		later: async () => {
			const error = createIn(suite, createdTable(statement) as CreatedTable);
			return await Promise.resolve(error === undefined ? {} : { error });
		},
	}));
});

const column = (name: string, type: string, more: INodeParameters = {}) => ({
	name,
	type,
	...more,
});
const columns = (...newColumn: INodeParameters[]) => ({ newColumns: { newColumn } });

const ID = columns(column('id', 'BIGINT', { required: true }));

const create = async (more: INodeParameters = {}, input: IDataObject[] = [{}], options = {}) =>
	await run(
		'create',
		{ ...at('cat-org', 'surveys'), table: '', tableName: 'trees', ...more } as INodeParameters,
		{ input, ...options },
	);

/** What would be created for these items. */
const inferred = async (input: IDataObject[], more: INodeParameters = {}) => {
	const form = { columnsFromItems: true, onlyShow: true, ...more };
	const { json, hints } = ok(await create(form, input));
	const types = Object.fromEntries(
		(json[0].columns as Array<{ name: string; type: string }>).map(({ name, type }) => [
			name,
			type,
		]),
	);
	return { types, hints, statement: String(json[0].statement) };
};

describe('create a table', () => {
	it('has the columns of the form, and is then there for other operations', async () => {
		const form = {
			...columns(
				column('id', 'BIGINT', { required: true }),
				column('größe (mm)', 'DOUBLE'),
				column('price', 'other', { sqlType: 'decimal(10, 2)' }),
				column('tags', 'other', { sqlType: ' array<struct<`a b`: int, c string>> ' }),
				column('seen', 'TIMESTAMP'),
				column('shape', 'GEOMETRY(4326)'),
			),
			options: { partitionedBy: 'id, days( seen ), BUCKET(16, größe (mm)' },
		};
		const wrong = await create(form);
		expect(wrong.error?.message).toBe(
			"'Partitioned By' must have commas between columns, and closed parentheses",
		);
		const { json, hints } = ok(
			await create({ ...form, options: { partitionedBy: 'price, days( seen ), BUCKET(16,id)' } }),
		);
		const [{ id: executionId, sessionId, text }] = suite.sql.taken();
		expect(text).toBe(
			`CREATE TABLE ${TREES} (\`id\` BIGINT NOT NULL, \`größe (mm)\` DOUBLE, \`price\` decimal(10, 2), \`tags\` array<struct<\`a b\`: int, c string>>, \`seen\` TIMESTAMP, \`shape\` GEOMETRY(4326)) PARTITIONED BY (\`price\`, days(\`seen\`), BUCKET(16, \`id\`))`,
		);
		expect(json[0]).toMatchObject({
			...{ executionId, sessionId, state: 'succeeded', table: TREES, created: true },
			columns: expect.arrayContaining([{ name: 'shape', type: 'GEOMETRY(4326)' }]) as unknown,
		});
		expect(hints.join()).not.toContain('Statement');
		const { results } = await pick(suite.sandbox, 'searchTables', {
			parameters: { resource: 'table', operation: 'get', ...at('cat-org', 'surveys') },
		});
		expect(results.map(({ name }) => name)).toEqual(['places', 'trees']);
	});

	it('is created once for all items, which are its sample', async () => {
		const input = [
			{ id: 1, height: 2 },
			{ id: 2, height: 2.5, name: 'oak' },
		];
		const { json } = ok(await create({ columnsFromItems: true }, input));
		expect(suite.sql.taken(/^CREATE/).map(({ text }) => text)).toEqual([
			`CREATE TABLE ${TREES} (\`id\` BIGINT, \`height\` DOUBLE, \`name\` STRING)`,
		]);
		expect(json).toEqual([json[0], json[0]]);
	});

	it('is one for each target', async () => {
		const input = [{ of: 'oaks' }, { of: 'elms' }, { of: 'oaks' }];
		const { json } = ok(await create({ ...ID, tableName: '={{ $json.of }}' }, input));
		expect(suite.sql.taken(/^CREATE/)).toHaveLength(2);
		expect(json.map(({ table }) => String(table).split('.')[2])).toEqual([
			...['`oaks`', '`elms`', '`oaks`'],
		]);
	});

	it.each<[string, unknown[], string]>([
		['whole numbers', [1, -9007199254740991, null], 'BIGINT'],
		['numbers', [1, 2.5], 'DOUBLE'],
		['numbers beyond 64 bits', [1e300], 'DOUBLE'],
		['booleans', [true, false], 'BOOLEAN'],
		['days', ['2026-01-31', ''], 'DATE'],
		['times', ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.123456+02:00'], 'TIMESTAMP'],
		['days and times', ['2026-01-31', '2026-01-31T09:00:00Z'], 'TIMESTAMP'],
		['digits, such as postal codes', ['01067'], 'STRING'],
		['what only looks like a day', ['2026-02-30'], 'STRING'],
		['numbers and words', [1, 'one'], 'STRING'],
		['WKT', ['POINT (7.1 50.7)', ' MULTIPOLYGON EMPTY'], 'GEOMETRY(4326)'],
		['EWKT', ['SRID=3857;POINT (1 2)', 'POINT (1 2)'], 'GEOMETRY(3857)'],
		['GeoJSON', [{ type: 'Point', coordinates: [7, 50] }, 'POINT (7 50)'], 'GEOMETRY(4326)'],
		['words that begin like WKT', ['POINT (7.1 50.7)', 'POINT taken'], 'STRING'],
		['lists', [[1], [2.5, null], []], 'ARRAY<DOUBLE>'],
		['lists of lists', [[[true]], [[]]], 'ARRAY<ARRAY<BOOLEAN>>'],
		['empty lists', [[]], 'ARRAY<STRING>'],
		['objects', [{ a: 1 }, { 'b c': ['x'] }], 'STRUCT<`a`: BIGINT, `b c`: ARRAY<STRING>>'],
		['lists and words', [['a'], 'a'], 'STRING'],
		['empty objects', [{}], 'STRING'],
	])('has a type that holds %s', async (_, values, type) => {
		const { types } = await inferred(values.map((value) => ({ value }) as IDataObject));
		expect(types).toEqual({ value: type });
	});

	it('says which fields have no value, and keeps types that are given', async () => {
		const given = columns(column('zip', 'INT'));
		const { types, hints, statement } = await inferred([{ name: null, zip: 'x' }], given);
		expect(types).toEqual({ zip: 'INT', name: 'STRING' });
		expect(hints.join()).toContain('No item has a value for name, so the type is STRING.');
		expect(statement).toBe(`CREATE TABLE ${TREES} (\`zip\` INT, \`name\` STRING)`);
		expect(suite.requests.of('createSqlSession')).toEqual([]);
	});

	const FROM_ITEMS = { columnsFromItems: true };
	const partitioned = (partitionedBy: string) => ({ ...ID, options: { partitionedBy } });

	it.each<[string, INodeParameters, IDataObject, string]>([
		['no column', {}, {}, "'Columns' must not be empty"],
		['an empty name', columns(column(' ', 'INT')), {}, 'has the name " ", which must not be empty'],
		['a variable of Spark', FROM_ITEMS, { 'a${b}': 1 }, 'which must not contain ${'],
		['one in a structure', FROM_ITEMS, { a: { 'b${c}': 1 } }, '${'],
		[
			'names that differ in case only',
			{ ...columns(column('ID', 'INT')), ...FROM_ITEMS },
			{ id: 1 },
			`'Columns' has both "ID" and "id", which are the same name in SQL`,
		],
		['a name of the table that is empty', { tableName: ' ' }, {}, "'Table Name' must not be empty"],
		[
			'a name with its namespace',
			{ tableName: 'noaa.t2' },
			{},
			"'Table Name' must not contain a period: leave out the catalog and the namespace",
		],
		['an unknown type', columns(column('a', 'NUMBER')), {}, "whose 'Type' must be one of"],
		['an unknown partition', partitioned('days(seen)'), {}, 'has "seen", which is not'],
		['an unknown transform', partitioned('week(id)'), {}, 'has "week(id)", which is'],
		['another partition', partitioned('bucket(id)'), {}, 'has "bucket(id)"'],
	])('refuses %s, and sends nothing', async (_, form, item, message) => {
		expect((await create(form, [item])).error?.message).toContain(message);
		expect(suite.requests.count).toBe(0);
	});

	it('says that items have no fields where their fields are to be its columns', async () => {
		expect((await create({ columnsFromItems: true })).error?.description).toContain(
			'The input items have no fields, so there is nothing to make columns from.',
		);
	});

	it.each([
		...['', 'int, b int', 'int) --', 'int; DROP TABLE t', "string COMMENT 'a'", 'int NOT NULL'],
		...['array<int', 'array<int)', 'array<int>>', 'struct<`${a}`: int>', 'int /* a */', '`int`'],
		...['(int)', 'array(int', 'int int', '10', 'int DEFAULT 5', 'a\u0000'],
	])('refuses %j as a type', async (sqlType) => {
		const { error } = await create(columns(column('a', 'other', { sqlType })));
		expect(error?.message).toContain("whose 'SQL Type' must be a type such as");
		expect(suite.requests.count).toBe(0);
	});
});

it('is not sent for a namespace that is not there', async () => {
	const { error } = await create({ ...ID, ...at('cat-org', 'zzz') });
	expect(error?.message).toBe('There is no namespace with the name "zzz"');
	expect(suite.requests.of('createSqlSession')).toEqual([]);
});

describe('a table that exists', () => {
	const place = { tableName: 'places' };

	it('fails the node, before a session is started', async () => {
		const { error } = await create({ ...ID, ...place });
		expect(error?.message).toBe("'Table Name' is the name of an existing table");
		expect(error?.description).toContain("set 'If the Table Exists' to 'Use It'");
		expect(suite.requests.of('createSqlSession')).toEqual([]);
	});

	it('is used if it has the columns', async () => {
		const form = {
			...columns(
				column('id', 'BIGINT'),
				column('price', 'other', { sqlType: 'Numeric(10,2)' }),
				// By other names: what Iceberg makes of them is the same.
				column('name', 'other', { sqlType: 'varchar(5)' }),
				column('count', 'other', { sqlType: 'smallint' }),
				column('tags', 'other', { sqlType: 'array < char(3) >' }),
				column('geometry', 'GEOMETRY(4326)'),
			),
			...{ ...place, ifTableExists: 'use' },
		};
		const { json } = ok(await create(form));
		expect(json[0]).toMatchObject({
			created: false,
			table: expect.stringContaining('`places`') as string,
		});
		expect(json[0].columns).toContainEqual({ name: 'tags', type: 'ARRAY<STRING>' });
		expect(suite.requests.of('createSqlSession')).toEqual([]);
	});

	it('is used with geometries of any coordinate system where it declares none', async () => {
		const { catalogs } = suite.store;
		const fields = [{ name: 'geometry', type: 'geometry' }];
		catalogs.addTable(catalogs.get('cat-org') as never, 'surveys', { name: 'old', fields });
		const form = columns(column('geometry', 'GEOMETRY(4326)'));
		const { json } = ok(await create({ ...form, tableName: 'old', ifTableExists: 'use' }));
		expect(json[0]).toMatchObject({ created: false });
	});

	it.each([
		['id', 'INT', 'without a column id of type INT'],
		['ID', 'BIGINT', 'without a column ID of type BIGINT'],
		['geometry', 'other', 'without a column geometry of type geometry(3857)'],
	])('is not used if its column %s is not %s', async (name, type, message) => {
		const form = columns(column(name, type, { sqlType: 'geometry(3857)' }));
		const { error } = await create({ ...form, ...place, ifTableExists: 'use' });
		expect(error?.message).toContain(message);
	});

	it('that somebody creates meanwhile is used, too, or fails the node in the words of the session', async () => {
		const { sandbox } = suite;
		suite.fails('getTable', 404, { times: 2 });
		ok(await create({ ...ID, ...place, ifTableExists: 'use' }));
		expect(suite.sql.taken().at(-1)?.text).toContain('CREATE TABLE IF NOT EXISTS');
		const { error } = await create({ ...ID, ...place });
		expect(error?.message).toContain('Cannot create table or view');
		expect(sandbox.store.catalogs.tableNamed('org_catalog.surveys.places')?.fields).toHaveLength(9);
	});
});

describe('a creation whose end is not known', () => {
	it('is not sent again, and the error says what to look for', async () => {
		lose();
		const { error } = await create(ID, [{}], { maxTries: 3 });
		expect(suite.sql.taken()).toEqual([]);
		expect(error?.description).toContain(`If there is a table ${TREES} now (Table: Get)`);
		expect(error?.context?.data).toMatchObject({
			statement: expect.stringMatching(/^CREATE TABLE `org_catalog`/) as string,
		});
		expect(error?.description).toContain('Retry On Fail did not send it again');
	});

	it('is sent again by Retry On Fail where an existing table will do', async () => {
		lose();
		const { json } = ok(await create({ ...ID, ifTableExists: 'use' }, [{}], { maxTries: 3 }));
		expect(json[0]).toMatchObject({ created: true });
		expect(suite.sql.taken()).toHaveLength(1);
	});
});

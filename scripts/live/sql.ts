/** SQL, and the rows of a table that is made for it: with `--spend`. */
import type { INodeParameters } from 'n8n-workflow';

import { learn, spend, text, unless, type Case, type Expect } from './case';
import { removeWith } from './known';

/** A statement of these takes seconds, the start of the session some minutes. */
const hours = 0.05;

type More = Partial<Case> & { options?: INodeParameters };

/** What every statement runs in: a session of its own, which ends by itself if nobody ends it. */
const inSession = (options: INodeParameters = {}): INodeParameters => ({
	runtime: '@name {runtime}',
	options: { sessionKey: '{own name}', idleTimeoutMinutes: 15, ...options },
});

const query = (
	use: string,
	statement: string,
	expect?: Expect,
	form: INodeParameters = {},
	{ options, ...more }: More = {},
): Case =>
	spend('sql executeQuery', { query: statement, ...form, ...inSession(options) }, expect, {
		...{ use, hours, ...more },
	});

const PLAIN = "SELECT 1 AS number, 'a' AS letter";
const SPATIAL = `${PLAIN}, ST_Point(7.1, 50.7) AS geometry`;
const QUOTED = `it's a "back\\slash" :text 100% ü`;
const WKT = /^(SRID=\d+;)?POINT ?\(7.1 50.7\)$/;

/** Statements that a stand-in has to be told of. */
export const ENDLESS = 'SELECT count(*) AS number FROM range(1000000000000)';
export const EXPLODED = 'SELECT explode(sequence(1, 1500)) AS number';

const fileOf =
	(content: RegExp): Expect =>
	({ file }) =>
		unless(content.test(file?.toString('latin1') ?? ''), 'no file, or another content');

const output = (use: string, statement: string, content: RegExp): Case =>
	query(`a ${use} file`, statement, fileOf(content), { output: use.toLowerCase() });

/** The session writes a file to a folder; its path is known by the name of the use. */
const toStorage = (use: string, storageId: string, folder: string, more?: More): Case =>
	query(
		use,
		"SELECT 13 AS id, 'thirteen' AS name",
		({ json: [json] }, known) => {
			known.learn({ [use]: json?.path });
			return unless(Number(json?.size) > 0, 'no file, or an empty one');
		},
		{ output: 'storage', storedFormat: 'csv', storageId, targetFolder: `@path ${folder}` },
		more,
	);

const managed = '@id {managed storage}';
const integration = '@id {writable storage integration}';
const STORED = 'files in a storage integration';
const stored = {
	...{ storageId: integration, deleteWhat: 'folder', recursive: true },
	folder: '@path {own name}',
};

const queries: Case[] = [
	query('a geometry', SPATIAL, ({ json: [{ number, letter, geometry } = {}] }) =>
		unless(number === 1 && letter === 'a' && WKT.test(text(geometry)), 'other values'),
	),
	query(
		'GeoJSON',
		SPATIAL,
		({ json: [{ geometry } = {}] }) =>
			unless(/"coordinates":\[7.1,50.7\]/.test(JSON.stringify(geometry)), 'no GeoJSON'),
		{ geometryFormat: 'geojson' },
	),
	query('no rows', `${PLAIN} WHERE 1 = 0`, ({ json }) =>
		unless(!json.some((each) => 'number' in each), 'there are rows'),
	),
	query('more than 1,000 rows', EXPLODED, ({ json, hints }) =>
		unless(json.length === 1_000 && hints.length > 0, `${json.length} rows, or no hint`),
	),
	query('nothing to return', `CREATE OR REPLACE TEMPORARY VIEW n8n_live_check AS ${PLAIN}`),
	query(
		'a query parameter',
		'SELECT :text AS text',
		({ json: [json] }) => unless(json?.text === QUOTED, 'its quotes or backslashes are others'),
		{ queryParameters: { parameter: [{ name: 'text', type: 'text', value: QUOTED }] } },
	),
	query('a missing table', 'SELECT * FROM n8n_live_check_no_such_table', undefined, undefined, {
		failsWith: /not.?(be )?found|does not exist/i,
	}),
	output('CSV', PLAIN, /number,letter\s+1,a/),
	output('GeoJSON', SPATIAL, /"Feature[^]*7.1/),
	output('Parquet', SPATIAL, /^PAR1[^]*PAR1$/),
	toStorage('files in storage', managed, '{own folder}/out'),
	toStorage(STORED, integration, '{own name}', {
		makes: [
			'the folder {own name} of the storage {writable storage integration}',
			removeWith('file delete', stored),
		],
	}),
	query('longer than its time limit', ENDLESS, undefined, undefined, {
		...{ options: { queryTimeoutSeconds: 10 }, failsWith: /time|cancel/i },
	}),
];

const namespace = { catalogId: '@id {managed catalog}', namespace: '@name {namespace}' };
const ownTable = { ...namespace, table: '@name {own table}' };

const table = (
	operation: string,
	form: INodeParameters,
	expect?: Expect,
	{ options, ...more }: More = {},
): Case =>
	spend(`table ${operation}`, { ...ownTable, ...form, ...inSession(options) }, expect, {
		...{ hours, ...more },
	});

const column = (name: string, type: string) => ({ name, type, sqlType: '', required: false });
const newColumn = [
	...[column('id', 'BIGINT'), column('name', 'STRING'), column('geometry', 'GEOMETRY(4326)')],
];
const items = { mappingMode: 'autoMapInputData', value: null };
const where = (name: string, operator: string, value: string) => ({
	conditions: { condition: [{ column: name, operator, value }] },
});
const hasRows =
	(count: number): Expect =>
	({ json }) => {
		const rows = Number(json[0]?.rows ?? json[0]?.deletedRows ?? json.length);
		return unless(rows === count, `${rows} rows, not ${count}`);
	};

const POINTS = [1, 2, 3].map((id) => ({
	id,
	name: `row '${id}'`,
	geometry: `POINT (7.${id} 50.7)`,
}));
const CHANGES = [
	{ id: 3, name: 'updated', geometry: 'POINT (7.3 50.7)' },
	{ id: 4, name: 'inserted', geometry: 'POINT (8 51)' },
];
/** More than a statement takes: the session has to read a file in managed storage. */
const LARGE = [10, 11, 12].map((id) => ({ id, name: 'x'.repeat(200_000), geometry: null }));

const getRows = (use: string, form: INodeParameters, expect: Expect): Case =>
	table('getRows', { returnAll: true, ...form }, expect, { use });
const loadFile = (
	...[use, rows, path = `{own folder}/${use}`, storageId = managed]: [string, number, ...string[]]
): Case => table('loadFile', { storageId, files: `@path ${path}` }, hasRows(rows), { use });

const tables: Case[] = [
	spend(
		'table create',
		{ ...namespace, tableName: '{table name}', newColumns: { newColumn }, ...inSession() },
		(_, known) => known.learn({ 'own table': known.get('table name') }),
		{
			hours,
			makes: [
				'the table {table name}',
				removeWith('table delete', { ...namespace, table: '@name {table name}' }),
			],
		},
	),
	spend(
		'table get',
		{ ...ownTable, simplify: false },
		({ json }) => unless(/geometry/i.test(JSON.stringify(json)), 'no column is a geometry'),
		{ use: 'own table' },
	),
	table('insertRows', { row: items }, hasRows(3), { input: POINTS }),
	spend('table get', ownTable, learn('own snapshot', 'currentSnapshotId'), { use: 'with rows' }),
	getRows('all', {}, ({ json }) => {
		const names = json.map(({ name }) => name).sort();
		return unless(names.join() === POINTS.map(({ name }) => name).join(), 'other rows');
	}),
	getRows('at a snapshot', { read: 'at', at: '@name {own snapshot}' }, hasRows(3)),
	table('upsertRows', { row: { ...items, matchingColumns: ['id'] } }, hasRows(2), {
		input: CHANGES,
	}),
	getRows('by a condition', where('name', 'equals', 'updated'), hasRows(1)),
	getRows('in a box', { spatialFilter: 'box', boundingBox: '7, 50, 7.25, 51' }, hasRows(2)),
	...[loadFile('in.csv', 2), loadFile('in.geojson', 1)],
	loadFile('from a storage integration', 1, `{${STORED}}`, integration),
	getRows('added since a snapshot', { read: 'added', since: '@name {own snapshot}' }, ({ json }) =>
		unless(json.length > 0, 'no rows'),
	),
	getRows('as a GeoJSON file', { output: 'geojson' }, fileOf(/"Feature/)),
	table('insertRows', { row: items }, hasRows(3), { input: LARGE, use: 'from a file' }),
	table('deleteRows', { ...where('id', 'less', '3'), onlyCount: true }, undefined, {
		use: 'only count',
	}),
	table('deleteRows', where('id', 'less', '3'), hasRows(2)),
	spend('table getCredentials', ownTable),
	spend('table delete', ownTable),
];

const sessions: Case[] = [
	spend(
		'sqlSession getAll',
		{ returnAll: true },
		({ json }, known) => {
			const own = json.filter(({ id }) => known.sessions.has(text(id)));
			known.learn({ 'own SQL session': own[0]?.id });
			return unless(own.length === 1, `${own.length} sessions are its own`);
		},
		{ use: 'with its own' },
	),
	spend('sqlSession delete', { sessionId: '@id {own SQL session}' }),
];

export const sql: Case[] = [...queries, ...tables, ...sessions];

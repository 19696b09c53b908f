/** SQL, and the rows of a table that is made for it: with `--spend`. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { learn, text, use, type Case, type Expect } from './case';
import { removeWith } from './known';
import { pollMade } from './reads';
import { type Exchange, findSessionId } from './recorder';
import { makeNamed } from './spending';

/** A statement of these takes seconds, the start of the session some minutes. */
const hours = 0.05;

/** What every statement runs in: a session of its own, which ends by itself if nobody ends it. */
const inSession = (options: INodeParameters = {}): INodeParameters => ({
	runtime: '@name {runtime}',
	sessionOptions: { sessionKey: '{own name}', idleTimeoutMinutes: 15, ...options },
});

const query = (
	special: string,
	statement: string,
	{ sessionOptions, ...form }: INodeParameters,
	expect?: Case['expect'],
): Case => {
	const session = inSession(sessionOptions as INodeParameters);
	const parameters = { query: statement, ...form, ...session };
	return { ...use(`sql executeQuery (${special})`, parameters, expect), hours };
};

const PLAIN = "SELECT 1 AS number, 'a' AS letter";
const SPATIAL = `${PLAIN}, ST_Point(7.1, 50.7) AS geometry`;
const MISSING = 'SELECT * FROM n8n_live_check_no_such_table';
const QUOTED = `it's a "back\\slash" :text 100% ü`;
const queryParameters = { parameter: [{ name: 'text', type: 'text', value: QUOTED }] };
const WKT = /^(SRID=\d+;)?POINT ?\(7.1 50.7\)$/;

/** Statements that a stand-in has to be told of. */
export const LONG = 'SELECT max(md5(CAST(id AS STRING))) AS longest FROM range(2000000000)';
export const ENDLESS = 'SELECT count(*) AS number FROM range(1000000000000)';
export const EXPLODED = 'SELECT explode(sequence(1, 1500)) AS number';

const isFile =
	(content: RegExp): Expect =>
	({ file }) =>
		content.test(file?.toString('latin1') ?? '') || 'no file, or another content';

/** The session writes a file to a folder; its path is known by the name of the use. */
const toStorage = (special: string, storageId: string, targetFolder: string): Case => {
	const form = { output: 'storage', storedFormat: 'csv', storageId, targetFolder };
	const statement = "SELECT 13 AS id, 'thirteen' AS name";
	return query(special, statement, form, ({ json: [{ path, size }] }, known) => {
		known.learn({ [special]: path });
		return Number(size) > 0 || 'an empty file';
	});
};

/** What a preset sets. */
const property = { key: 'spark.n8n.liveCheck', value: 'true' };
export const PROPERTY = `SET ${property.key}`;
const configuration = { sparkConfiguration: { config: [property] } };
const preset = 'environmentOverridePreset';

const isSessionRequest = ({ route }: Exchange) => route === 'POST /sql/session';
const endSession = removeWith('sqlSession delete', { sessionId: '@id {session with a preset}' });

/** In a session that is ended at once: two that compute would cost more than is said. */
const withPreset = (
	option: string,
	name: string,
	statement: string,
	expect?: Case['expect'],
): Case => {
	const sessionOptions = { sessionKey: `{own name}-${option}`, [option]: `@id {${name}}` };
	return {
		...query(`with ${name}`, statement, { sessionOptions }, expect),
		async work(account, parameters, known) {
			const done = await account.execute('sql executeQuery', parameters);
			const id = done.exchanges.filter(isSessionRequest).map(findSessionId).at(-1);
			known.learn({ 'session with a preset': id });
			if (id) await endSession(account, known);
			return done;
		},
	};
};

const presets: Case[] = [
	makeNamed(`${preset} upsert`, configuration, 'delete', 'presetId'),
	withPreset('environmentOverridePresetId', `own ${preset}`, PROPERTY, ({ json: [item] }) => {
		return item?.value === property.value || 'its Spark properties do not apply';
	}),
	withPreset('environmentPresetId', 'environment preset', PLAIN),
	use(`${preset} delete`, { presetId: `@id {own ${preset}}` }),
];

const briefly = { queryTimeoutSeconds: 10 };

/** A query whose connection is closed when it has begun: it has to go on in the session. */
const disconnected: Case = {
	...query('whose connection is lost', LONG, {}, ({ json: [item] }) => {
		return Boolean(item?.longest) || 'without its result';
	}),
	async work(account, parameters) {
		const { recorder } = account;
		recorder.onFrame = (socket) => {
			recorder.onFrame = undefined;
			socket.close();
		};
		const done = await account.execute('sql executeQuery', parameters);
		// Without a message, it would close the next one's.
		recorder.onFrame = undefined;
		return done;
	},
};

const managed = '@id {managed storage}';
const integration = '@id {writable storage integration}';
const STORED = 'files in a storage integration';
const stored = {
	...{ storageId: integration, folder: '@path {own name}' },
	...{ deleteWhat: 'folder', recursive: true },
};

const queries: Case[] = [
	query('a geometry', SPATIAL, {}, ({ json: [{ number, letter, geometry }] }) => {
		return (number === 1 && letter === 'a' && WKT.test(text(geometry))) || 'other values';
	}),
	query('GeoJSON', SPATIAL, { geometryFormat: 'geojson' }, ({ json: [{ geometry }] }) => {
		return /"coordinates":\[7.1,50.7\]/.test(JSON.stringify(geometry)) || 'no GeoJSON';
	}),
	query('no rows', `${PLAIN} WHERE 1 = 0`, {}, ({ json }) => {
		return !json.some((each) => 'number' in each) || 'there are rows';
	}),
	query('more than 1,000 rows', EXPLODED, {}, ({ json, hints }) => {
		return (json.length === 1_000 && hints.length > 0) || `${json.length} rows, or no hint`;
	}),
	query('nothing to return', `CREATE OR REPLACE TEMPORARY VIEW n8n_live_check AS ${PLAIN}`, {}),
	query('a query parameter', 'SELECT :text AS text', { queryParameters }, ({ json: [item] }) => {
		return item.text === QUOTED || 'its quotes or backslashes are others';
	}),
	query('a missing table', MISSING, {}, /not.?(be )?found|does not exist/i),
	query('a CSV file', PLAIN, { output: 'csv' }, isFile(/number,letter\s+1,a/)),
	query('a GeoJSON file', SPATIAL, { output: 'geojson' }, isFile(/"Feature[^]*7.1/)),
	query('a Parquet file', SPATIAL, { output: 'parquet' }, isFile(/^PAR1[^]*PAR1$/)),
	toStorage('files in storage', managed, '@path {own folder}/out'),
	{
		...toStorage(STORED, integration, '@path {own name}'),
		makes: [
			'the folder {own name} of the storage {writable storage integration}',
			removeWith('file delete', stored),
		],
	},
	disconnected,
	query('longer than its time limit', ENDLESS, { options: briefly }, /time|cancel/i),
];

const namespace = { catalogId: '@id {managed catalog}', namespace: '@name {namespace}' };
const namedTable = { ...namespace, table: '@name {table name}', tableName: '{table name}' };
const ownTable = { ...namespace, table: '@name {own table}' };

const table = (
	operation: string,
	form: INodeParameters,
	expect?: Case['expect'],
	input?: IDataObject[],
): Case => ({
	...use(`table ${operation}`, { ...ownTable, ...form, ...inSession() }, expect),
	...{ hours, input },
});

const COLUMNS = { id: 'BIGINT', name: 'STRING', geometry: 'GEOMETRY(4326)' };
const newColumn = Object.entries(COLUMNS).map(([name, type]) => ({
	...{ name, type, sqlType: '', required: false },
}));
const sinceThen = { read: 'added', since: '@name {own snapshot}' };
const row = { mappingMode: 'autoMapInputData', value: null };
const where = (name: string, operator: string, value: string) => ({
	conditions: { condition: [{ column: name, operator, value }] },
});
const hasRows =
	(count: number): Expect =>
	({ json }) => {
		const rows = Number(json[0]?.rows ?? json[0]?.deletedRows ?? json.length);
		return rows === count || `${rows} rows, not ${count}`;
	};

const POINTS = [1, 2, 3].map((id) => ({
	...{ id, name: `row '${id}'`, geometry: `POINT (7.${id} 50.7)` },
}));
const CHANGES = [
	{ id: 3, name: 'updated', geometry: 'POINT (7.3 50.7)' },
	{ id: 4, name: 'inserted', geometry: 'POINT (8 51)' },
];
/** More than a statement takes: the session has to read a file in managed storage. */
const LARGE = [10, 11, 12].map((id) => ({ id, name: 'x'.repeat(200_000), geometry: null }));

const getRows = (special: string, form: INodeParameters, expect: Expect): Case =>
	table(`getRows (${special})`, { returnAll: true, ...form }, expect);
const loadFile = (special: string, path: string, rows: number, storageId = managed): Case =>
	table(`loadFile (${special})`, { storageId, files: `@path ${path}` }, hasRows(rows));

const tables: Case[] = [
	{
		...table('create', { ...namedTable, newColumns: { newColumn } }, (_, known) =>
			known.learn({ 'own table': known.get('table name') }),
		),
		makes: ['the table {table name}', removeWith('table delete', namedTable)],
	},
	use('table get (own table)', { ...ownTable, simplify: false }, ({ json }) => {
		return /geometry/i.test(JSON.stringify(json)) || 'no column is a geometry';
	}),
	table('insertRows', { row }, hasRows(3), POINTS),
	use('table get (with rows)', ownTable, learn('own snapshot', 'currentSnapshotId')),
	getRows('all', {}, ({ json }) => {
		const names = json.map(({ name }) => name).sort();
		return names.join() === POINTS.map(({ name }) => name).join() || 'other rows';
	}),
	getRows('at a snapshot', { read: 'at', at: '@name {own snapshot}' }, hasRows(3)),
	table('upsertRows', { row: { ...row, matchingColumns: ['id'] } }, hasRows(2), CHANGES),
	getRows('by a condition', where('name', 'equals', 'updated'), hasRows(1)),
	getRows('in a box', { spatialFilter: 'box', boundingBox: '7, 50, 7.25, 51' }, hasRows(2)),
	loadFile('in.csv', '{own folder}/in.csv', 2),
	loadFile('in.geojson', '{own folder}/in.geojson', 1),
	loadFile('from a storage integration', `{${STORED}}`, 1, integration),
	getRows('added since a snapshot', sinceThen, ({ json }) => json.length > 0 || 'no rows'),
	getRows('as a GeoJSON file', { output: 'geojson' }, isFile(/"Feature/)),
	table('insertRows (from a file)', { row }, hasRows(3), LARGE),
	table('deleteRows (only count)', { ...where('id', 'less', '3'), onlyCount: true }),
	table('deleteRows', where('id', 'less', '3'), hasRows(2)),
	use('table getCredentials', ownTable),
	pollMade('tableChanged', 'table', 'own table'),
	use('table delete', ownTable),
];

const sessions: Case[] = [
	use('sqlSession getAll (with its own)', { returnAll: true }, ({ json }, known) => {
		const own = json.filter(({ id }) => id === known.get('own SQL session'));
		return own.length === 1 || `${own.length} sessions are its own`;
	}),
	use('sqlSession delete', { sessionId: '@id {own SQL session}' }),
];

export const sql: Case[] = [...presets, ...queries, ...tables, ...sessions];

/** What twelve statements show. */
import type { IDataObject } from 'n8n-workflow';

import { parseColumns } from '../../../nodes/Wherobots/service/sql/columns';
import { recordOf } from '../api';
import { found, NotChecked, Otherwise, verify, type Guess } from '../guess';
import { text, type Live } from '../context';
import { fieldsOf, isRecord, kindOf, kindsOf, recordsIn, type Json } from '../shape';
import type { StatementName } from '../spend/session';
import type { Message } from '../spend/socket';
import { geoMetadata } from './parquet';

const STATEMENT_CODE = 'nodes/Wherobots/useCases/sql/statement.ts';

const ROWS_CODE = 'nodes/Wherobots/useCases/sql/rows.ts';

function statement({ sqlTrial }: Live, name: StatementName) {
	const why = sqlTrial.problem ?? 'the statement was not sent';
	return found(sqlTrial.statements[name], why);
}

const stateOf = (messages: Message[]) =>
	text(messages.filter(({ state }) => state !== undefined).at(-1)?.state) || 'no state';

/** The message of a failed statement, without what it quotes. */
function outcome(messages: Message[]): string {
	const said = text(messages.find(({ kind }) => kind === 'error')?.message);
	const code = /^\[?([A-Z_]{5,60})/.exec(said)?.[1];
	return [stateOf(messages), code ?? (said && 'with a message')].filter(Boolean).join(', ');
}

function succeeded(live: Live, name: StatementName): Message {
	const { messages } = statement(live, name);
	const state = messages.find((message) => message.state === 'succeeded');
	verify(state !== undefined, `the statement ended as ${outcome(messages)}`);
	return state;
}

/** The reply to a request for a result. */
function reply(live: Live, name: StatementName, how: string): Message {
	succeeded(live, name);
	const message = found(statement(live, name).results[how], 'no reply came');
	if (message.kind === 'error') {
		throw new Otherwise(`an error is the reply: ${text(message.message).slice(0, 80)}`);
	}
	return message;
}

/** What a reply has of a result; null if there is none. */
function resultOf(live: Live, name: StatementName, how: string): Json {
	const { results } = reply(live, name, how);
	if (!isRecord(results)) throw new Otherwise(`results is ${kindOf(results)}`);
	return results;
}

const bytesOf = ({ result_bytes: bytes }: Json) =>
	bytes instanceof Uint8Array ? Buffer.from(bytes) : Buffer.from(text(bytes), 'base64');

function rowsOf(live: Live, name: StatementName, how = 'json'): Json[] {
	const results = resultOf(live, name, how);
	const bytes = bytesOf(results);
	const rows = results.format === 'json' ? parsed(bytes) : undefined;
	if (Array.isArray(rows) && rows.every(isRecord)) return rows;
	const seen = rows === undefined ? 'not JSON' : `${kindOf(rows)} of ${kindsOf([rows].flat())}`;
	const form = `format ${text(results.format)}, compression ${text(results.compression)}, ${formOf(bytes)}`;
	// One check is about the form of rows, and the others need them.
	if (name === 'row') throw new Otherwise(`${seen}: ${form}`);
	throw new NotChecked('because of sql-json-result');
}

function parsed(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString()) as unknown;
	} catch {
		return undefined;
	}
}

/** What some bytes are, by how they begin. */
function formOf(bytes: Buffer): string {
	if (bytes.length === 0) return 'no bytes';
	if (bytes.subarray(0, 4).toString('hex') === 'ffffffff') return 'an Arrow stream';
	if (bytes.subarray(0, 6).toString() === 'ARROW1') return 'an Arrow file';
	if (bytes.subarray(0, 2).toString('hex') === '1f8b') return 'gzip';
	if (bytes.subarray(0, 4).toString('hex') === '28b52ffd') return 'zstd';
	return '[{'.includes(bytes.toString('latin1', 0, 1)) ? 'JSON' : 'other bytes';
}

const isNoResult = ({ results }: Message) =>
	results === null ||
	results === undefined ||
	(isRecord(results) && Object.keys(results).length === 0);

export const sqlStatementGuesses: Guess[] = [
	{
		name: 'sql-frames',
		area: 'SQL',
		assumed: 'Results come as CBOR in binary frames; states and errors as JSON text or as CBOR.',
		matters: 'SQL: Execute Query',
		code: 'nodes/Wherobots/transport/socket.ts',
		spends: true,
		check(live) {
			const { messages } = statement(live, 'row');
			const result = reply(live, 'row', 'json');
			verify(result.frame === 'binary', 'a result is text');
			const states = messages.filter(({ kind }) => kind === 'state_updated');
			return `states: ${[...new Set(states.map(({ frame }) => frame))].join(', ')}`;
		},
	},
	{
		name: 'sql-json-result',
		area: 'SQL',
		assumed: 'With the format json, a result is a list of objects, not compressed.',
		matters: 'Nothing in the package, which asks for Arrow: these checks read JSON',
		code: 'scripts/live/spend/session.ts',
		spends: true,
		check(live) {
			const [row] = rowsOf(live, 'row');
			verify(row?.number === 1 && row.letter === 'a', `a row is ${fieldsOf(row ?? {})}`);
			return `compression ${text(resultOf(live, 'row', 'json').compression)}`;
		},
	},
	{
		name: 'sql-arrow-result',
		area: 'SQL',
		assumed: 'With the format arrow, and without any, a result is a stream of Arrow.',
		matters: 'SQL: Execute Query with items',
		code: ROWS_CODE,
		spends: true,
		check(live) {
			const plain = formOf(bytesOf(resultOf(live, 'row', 'arrow')));
			const usual = resultOf(live, 'row', 'nothing');
			const seen = `${plain}; without a format ${text(usual.format)}, compression ${text(usual.compression)}`;
			verify(plain === 'an Arrow stream' && usual.format === 'arrow', seen);
			return seen;
		},
	},
	{
		name: 'sql-attach',
		area: 'SQL',
		assumed: 'With `attach`, the reply has `attached`: a lost connection can be replaced.',
		matters: 'SQL: Execute Query, when the connection is lost',
		code: STATEMENT_CODE,
		spends: true,
		check(live) {
			const { attached } = reply(live, 'row', 'attach');
			verify(attached === true, `attached is ${kindOf(attached)}`);
			return 'attached';
		},
	},
	{
		name: 'sql-geometry',
		area: 'SQL',
		assumed:
			'`geo_columns` names the columns of geometries; these are WKT or GeoJSON in a text, as requested.',
		matters: 'SQL: Execute Query, Geometry',
		code: ROWS_CODE,
		spends: true,
		check(live) {
			const [wkt] = rowsOf(live, 'point', 'wkt');
			const [geojson] = rowsOf(live, 'point', 'geojson');
			const { geo_columns: columns } = resultOf(live, 'point', 'wkt');
			const form = (value: unknown) =>
				/^(SRID=\d+;)?POINT/.test(text(value)) ? 'WKT' : kindOf(value);
			const seen = `wkt: ${form(wkt?.geometry)}; geojson: ${kindOf(geojson?.geometry)}; geo_columns ${kindOf(columns)}`;
			verify(form(wkt?.geometry) === 'WKT' && Array.isArray(columns), seen);
			verify(columns.includes('geometry') && /\bPoint\b/.test(JSON.stringify(geojson)), seen);
			return seen;
		},
	},
	{
		name: 'sql-row-limit',
		area: 'SQL',
		assumed: 'A result has at most 1,000 rows.',
		matters: 'SQL: Execute Query with items',
		code: ROWS_CODE,
		spends: true,
		check(live) {
			const { length } = rowsOf(live, 'many');
			verify(length === 1_000, `${length} of 1,500 rows`);
			return '1,000 of 1,500 rows';
		},
	},
	{
		name: 'sql-progress',
		area: 'SQL',
		assumed: 'On request, `execution_progress` says how many tasks there are and are done.',
		matters: 'SQL: Execute Query, whether a long statement is alive',
		code: STATEMENT_CODE,
		spends: true,
		check(live) {
			const { messages } = statement(live, 'many');
			const event = messages.find(({ kind }) => kind === 'execution_progress');
			const kinds = [...new Set(messages.map(({ kind }) => kind))].join(', ');
			if (!event) throw new NotChecked(`none came; only ${kinds}`);
			const seen = `fields ${fieldsOf({ ...event, frame: undefined })}`;
			verify('tasks_total' in event && 'tasks_completed' in event, seen);
			return seen;
		},
	},
	{
		name: 'sql-no-rows',
		area: 'SQL',
		assumed: 'A query without rows has an empty list, or no result; in Arrow, its columns.',
		matters: 'SQL: Execute Query',
		code: ROWS_CODE,
		spends: true,
		check(live) {
			const json = reply(live, 'empty', 'json');
			if (isNoResult(json)) return 'no result';
			verify(rowsOf(live, 'empty').length === 0, 'there are rows');
			return 'an empty list';
		},
	},
	{
		name: 'sql-no-result',
		area: 'SQL',
		assumed:
			'A statement that returns nothing has null, an empty object or no columns for a result.',
		matters: 'SQL: Execute Query, which returns one item with the state then',
		code: ROWS_CODE,
		spends: true,
		check(live) {
			const message = reply(live, 'view', 'json');
			if (isNoResult(message)) return kindOf(message.results);
			verify(rowsOf(live, 'view').length === 0, 'there are rows');
			return 'an empty list';
		},
	},
	{
		name: 'sql-quotes',
		area: 'SQL',
		assumed: 'A backslash before a quote keeps the quote; whether doubling keeps it differs.',
		matters: 'SQL: Query Parameters, which are sent as bytes for that reason',
		code: 'nodes/Wherobots/service/sql/statements.ts',
		spends: true,
		check(live) {
			const [row] = rowsOf(live, 'quotes');
			const seen = `doubled: ${row?.doubled === "it's" ? 'kept' : 'lost'}; escaped: ${row?.escaped === "it's" ? 'kept' : 'lost'}`;
			verify(row?.escaped === "it's", seen);
			return seen;
		},
	},
	{
		name: 'sql-error',
		area: 'SQL',
		assumed:
			'A statement that fails has the state failed and an `error` with a message that begins with its class.',
		matters: 'SQL: Execute Query, errors',
		code: STATEMENT_CODE,
		spends: true,
		check(live) {
			const { messages } = statement(live, 'missing');
			verify(stateOf(messages) === 'failed', outcome(messages));
			const order = messages.map(({ kind, state }) => text(state) || kind).join(', ');
			const message = text(messages.find(({ kind }) => kind === 'error')?.message);
			verify(/TABLE_OR_VIEW_NOT_FOUND/.test(message), `${order}; ${outcome(messages)}`);
			return order;
		},
	},
	{
		name: 'sql-stored-result',
		area: 'SQL',
		assumed: 'A stored result has `result_uri`, an address that needs no key, and `size` in bytes.',
		matters: 'SQL: Execute Query with a file',
		code: 'nodes/Wherobots/useCases/sql/statement.ts',
		spends: true,
		check(live) {
			const state = succeeded(live, 'parquet');
			const seen = `result_uri ${kindOf(state.result_uri)}, size ${kindOf(state.size)}`;
			verify(/^https?:/.test(text(state.result_uri)), seen);
			const bytes = found(live.sqlTrial.parquet, `${seen}; the file could not be downloaded`);
			verify(
				state.size === null || state.size === undefined || state.size === bytes.length,
				`${seen}; other than the file`,
			);
			const expires = new URL(text(state.result_uri)).searchParams.get('X-Amz-Expires');
			return `${seen}; valid for ${expires ?? 'an unknown number of'} seconds`;
		},
	},
	{
		name: 'sql-store-format',
		area: 'SQL',
		assumed: 'A result is stored as Parquet if no format is named.',
		matters: 'SQL: Execute Query with a file',
		code: 'nodes/Wherobots/useCases/sql/statement.ts',
		spends: true,
		check(live) {
			const state = succeeded(live, 'stored');
			const uri = text(state.result_uri);
			const extension = /\.([a-z]{2,8})(\?|$)/.exec(uri)?.[1] ?? 'none';
			verify(
				extension === 'parquet',
				`result_uri ${kindOf(state.result_uri)}, extension ${extension}`,
			);
			return 'Parquet';
		},
	},
	{
		name: 'sql-geoparquet',
		area: 'SQL',
		assumed: 'A stored Parquet file with geometries is GeoParquet: WKB, with a column `…_bbox`.',
		matters: 'SQL: Execute Query with a Parquet file',
		code: 'nodes/Wherobots/useCases/sql/statement.ts',
		spends: true,
		check(live) {
			succeeded(live, 'parquet');
			const file = found(live.sqlTrial.parquet, 'the file could not be downloaded');
			const { problem, geo, hasBbox } = geoMetadata(file);
			if (problem) throw new Otherwise(problem);
			const [column] = recordsIn(Object.values(isRecord(geo?.columns) ? geo.columns : {}));
			verify(geo !== undefined, `no geo metadata; a bbox column: ${hasBbox ? 'yes' : 'no'}`);
			const seen = `version ${text(geo.version)}, encoding ${text(column?.encoding)}, bbox column: ${hasBbox ? 'yes' : 'no'}`;
			verify(column?.encoding === 'WKB', seen);
			return seen;
		},
	},
	{
		name: 'sql-created-geometry',
		area: 'SQL',
		assumed:
			'`CREATE TABLE` with a column of the type `GEOMETRY(4326)` makes one that the details call `geometry(…)`, with that coordinate system.',
		matters: 'Table: Create; Insert Rows into a table that was created',
		code: 'nodes/Wherobots/service/tables/createTable.ts',
		spends: true,
		check({ sqlTrial }) {
			const why = sqlTrial.problem ?? 'no managed catalog has a namespace';
			const { messages, details } = found(sqlTrial.createdTable, why);
			verify(stateOf(messages) === 'succeeded', outcome(messages));
			const [column] = parseColumns(
				recordOf(found(details, 'it could not be read')) as IDataObject,
			);
			const seen = `the type is ${column?.type ?? 'not there'}`;
			verify(column?.srid === 4326, seen);
			return seen;
		},
	},
	{
		name: 'sql-cancel',
		area: 'SQL',
		assumed: 'A statement that is cancelled gets the state cancelled, and no other reply.',
		matters: 'SQL: Query Timeout; a stopped execution',
		code: STATEMENT_CODE,
		spends: true,
		check(live) {
			const { messages } = statement(live, 'endless');
			const order = messages.map(({ kind, state }) => text(state) || kind).join(', ');
			verify(stateOf(messages) === 'cancelled', order);
			return order;
		},
	},
];

/** A spatial database behind the sessions: PostgreSQL with PostGIS, within this process. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { PGlite } from '@electric-sql/pglite';

import type { FieldDraft } from '../model/catalogs';
import type { SqlAnswer } from './answers';
import { columnTypeOf, createdTable, typeOfColumn, type CreatedTable } from './createdTable';
import { type KnownTables, quoted, toPostgres } from './dialect';
import { FileViews, type FindFiles, linesOf, pathNotFound } from './fileViews';

/** A table that is there from the start. */
export interface SpatialTable {
	/** Its catalog, its namespace and its name. */
	path: string[];
	fields: FieldDraft[];
	/** In PostgreSQL, each in parentheses; without them, it is empty. */
	rows?: string[];
}

/** Functions and types of Spark and Sedona. */
const FUNCTIONS = path.join(__dirname, 'functions.sql');

/** How a statement writes, and to which table. */
const WRITTEN =
	/^\s*(insert\s+(?:into|overwrite)|update|delete\s+from|merge\s+into)\s+(?:table\s+)?((?:`[^`]+`|[\w.])+)(\s+replace\s+where\s+true\b)?/i;

/** As a snapshot of the table tells it. */
export interface Written {
	addedRows: number;
	deletedRows: number;
	operation: string;
}

/** @param replaced how many rows went for those that it inserts, if it replaces any */
function changeOf(how: string, rows: number, replaced?: number): Written {
	if (replaced !== undefined) {
		return { addedRows: rows, deletedRows: replaced, operation: 'overwrite' };
	}
	if (/^insert/i.test(how)) return { addedRows: rows, deletedRows: 0, operation: 'append' };
	if (/^delete/i.test(how)) return { addedRows: 0, deletedRows: rows, operation: 'delete' };
	return { addedRows: rows, deletedRows: rows, operation: 'overwrite' };
}

/** Types of PostgreSQL by their numbers. */
const [INT8, NUMERIC, DATE, TIMESTAMP] = [20, 1700, 1082, 1114];

export class SpatialDatabase {
	/**
	 * Called when a statement has changed rows of a table, with its path in small letters; may return the
	 * ID of a snapshot.
	 */
	onWritten: (path: string, change: Written) => unknown = () => undefined;

	/** The transactions whose rows the snapshots have added, by their IDs. */
	private readonly added = new Map<string, string>();

	/** Called when a statement is to create a table; returns the error when there can be none. */
	onCreated: (table: CreatedTable) => string | undefined = () => undefined;

	/** The tables in the database, by their names in statements. */
	private readonly names = new Map<string, string>();

	private starting?: Promise<PGlite>;

	private readonly views: FileViews;

	/** @param findFiles the stored files by their S3 addresses */
	constructor(
		private readonly tables: SpatialTable[],
		private readonly findFiles: FindFiles = () => new Map(),
	) {
		this.views = new FileViews(findFiles);
	}

	/** Starts it, which takes some seconds, unless it was started before. */
	start(): Promise<PGlite> {
		this.starting ??= this.open();
		return this.starting;
	}

	/** What a statement does, once it has been executed. */
	answer(statement: string): SqlAnswer {
		return { later: async () => await this.execute(statement) };
	}

	async stop(): Promise<void> {
		await (await this.starting)?.close();
	}

	private async open(): Promise<PGlite> {
		const [{ PGlite: Database }, { postgis }] = await Promise.all([
			import('@electric-sql/pglite'),
			import('@electric-sql/pglite-postgis'),
		]);
		const database = await Database.create({ extensions: { postgis } });
		await database.exec(
			`CREATE EXTENSION postgis; CREATE SCHEMA sedona; SET search_path = sedona, public; SET timezone = 'UTC';`,
		);
		await database.exec(await readFile(FUNCTIONS, 'utf8'));
		for (const { path, fields, rows } of this.tables) {
			const table = await this.define(database, path, fields);
			if (rows) await database.exec(`INSERT INTO ${table} VALUES ${rows.join(', ')}`);
		}
		return database;
	}

	/** Makes an empty table. @returns its name in the database */
	private async define(database: PGlite, path: string[], fields: FieldDraft[]): Promise<string> {
		const schema = quoted(path.slice(0, -1).join('.'));
		const table = `${schema}.${quoted(path.at(-1)!)}`;
		const columns = fields.map(
			(field) => `${quoted(field.name)} ${columnTypeOf(field)}${field.required ? ' NOT NULL' : ''}`,
		);
		await database.exec(
			`CREATE SCHEMA IF NOT EXISTS ${schema}; CREATE TABLE ${table} (${columns.join(', ')})`,
		);
		const name = path.join('.').toLowerCase();
		this.names.set(name, table);
		// The catalog of the organization is the default.
		if (name.startsWith('org_catalog.')) this.names.set(name.slice('org_catalog.'.length), table);
		return table;
	}

	private async execute(statement: string): Promise<SqlAnswer> {
		const database = await this.start();
		const viewed = await this.views.answer(database, statement);
		if (viewed) return viewed;
		const created = createdTable(statement);
		if (created?.query !== undefined) {
			return await this.createFrom(database, created, created.query);
		}
		if (created) return await this.create(database, created);
		const [, address] = /\bfrom text\.`([^`]*)`/i.exec(statement) ?? [];
		const files = address === undefined ? undefined : this.findFiles(address);
		if (address !== undefined && files?.size === 0) return pathNotFound(address);
		const [, how, table, isReplaced] = WRITTEN.exec(statement) ?? [];
		try {
			const replaced = isReplaced ? await this.countRows(database, table) : undefined;
			const { rows, fields, affectedRows } = await database.query<unknown[]>(
				toPostgres(this.selectAdded(statement), this.names),
				files ? [[...files.values()].flatMap(linesOf)] : [],
				{
					rowMode: 'array',
					parsers: {
						[INT8]: (text) => BigInt(text),
						[NUMERIC]: Number,
						[DATE]: (text) => text,
						[TIMESTAMP]: (text) => text,
					},
				},
			);
			if (table) {
				const change = changeOf(how, affectedRows ?? 0, replaced);
				await this.noteWritten(database, this.pathOf(table), change);
			}
			if (fields.length === 0) return {};
			const isGeometry = await this.geometryTypes(database);
			const columns = fields.map(({ name }) => name);
			const geometryColumns = fields.flatMap(({ name, dataTypeID }) =>
				isGeometry.has(dataTypeID) ? [name] : [],
			);
			for (const [at, { dataTypeID }] of fields.entries()) {
				if (isGeometry.has(dataTypeID)) await toGeoJson(database, rows, at);
			}
			return { columns, rows, geometryColumns };
		} catch (error) {
			return { error: inSparksWords(error as DatabaseError, statement, this.names) };
		}
	}

	private async create(database: PGlite, created: CreatedTable): Promise<SqlAnswer> {
		const path = created.path.join('.').toLowerCase();
		if (created.mayExist && this.names.has(path)) return {};
		for (const { type } of created.fields) {
			const native = columnTypeOf({ name: '', type });
			const isKnown = database.query(`SELECT NULL::${native}`).then(Boolean, () => false);
			if (await isKnown) continue;
			return { error: `[UNSUPPORTED_DATATYPE] Unsupported data type "${native.toUpperCase()}".` };
		}
		const error = this.onCreated(created);
		if (error !== undefined) return { error };
		await this.define(database, created.path, created.fields);
		return {};
	}

	/** Creates a table with the rows of a query. */
	private async createFrom(
		database: PGlite,
		created: CreatedTable,
		query: string,
	): Promise<SqlAnswer> {
		const rows = 'pg_temp."rows of a query"';
		try {
			await database.exec(`CREATE TABLE ${rows} AS ${toPostgres(query, this.names)}`);
			const { rows: columns } = await database.query<{ name: string; type: string }>(
				'SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 ORDER BY attnum',
				[rows],
			);
			const fields = columns.map(({ name, type }) => ({ name, type: typeOfColumn(type) }));
			const answer = await this.create(database, { ...created, fields });
			if (answer.error !== undefined) return answer;
			const path = created.path.join('.').toLowerCase();
			const { affectedRows = 0 } = await database.query(
				`INSERT INTO ${this.names.get(path)} SELECT * FROM ${rows}`,
			);
			await this.noteWritten(database, path, changeOf('insert', affectedRows));
			return {};
		} catch (error) {
			return { error: inSparksWords(error as DatabaseError, query, this.names) };
		} finally {
			await database.exec(`DROP TABLE IF EXISTS ${rows}`);
		}
	}

	private async noteWritten(database: PGlite, path: string, change: Written): Promise<void> {
		const snapshot = this.onWritten(path, change);
		if (typeof snapshot !== 'string' || change.addedRows === 0) return;
		const { rows } = await database.query<{ last: string }>(
			`SELECT max(xmin::text::bigint)::text AS last FROM ${this.names.get(path)}`,
		);
		this.added.set(snapshot, rows[0].last);
	}

	/**
	 * PostgreSQL keeps with each row which transaction has written it. Snapshots from before the start have
	 * all rows.
	 */
	private selectAdded(statement: string): string {
		return statement.replace(
			/\b_file\s+in\s*\(\s*select\s+data_file\b[^()]*\(([^()]*)\)\s*\)/gi,
			(_, ids: string) => {
				const written = ids.split(',').map((id) => this.added.get(id.trim()));
				return written.includes(undefined) ? 'true' : `xmin::text IN ('${written.join("', '")}')`;
			},
		);
	}

	private async countRows(database: PGlite, table: string): Promise<number> {
		const { rows } = await database.query<{ count: number }>(
			toPostgres(`SELECT count(*)::integer AS count FROM ${table}`, this.names),
		);
		return rows[0].count;
	}

	/** The whole path of a table that a statement may name without its catalog. */
	private pathOf(name: string): string {
		const plain = name.replaceAll('`', '').toLowerCase();
		const paths = [...this.names.keys()].filter((path) => path.split('.').length === 3);
		return paths.find((path) => path === plain || path.endsWith(`.${plain}`)) ?? plain;
	}

	private async geometryTypes(database: PGlite): Promise<ReadonlySet<number>> {
		const { rows } = await database.query<{ oid: number }>(
			"SELECT oid::integer AS oid FROM pg_type WHERE typname = 'geometry'",
		);
		return new Set(rows.map(({ oid }) => oid));
	}
}

/** Replaces the geometries of a column by GeoJSON. */
async function toGeoJson(database: PGlite, rows: unknown[][], at: number): Promise<void> {
	const { rows: written } = await database.query<{ json: string | null }>(
		'SELECT public.ST_AsGeoJSON(each::geometry) AS json FROM unnest($1::text[]) WITH ORDINALITY AS list(each, place) ORDER BY place',
		[rows.map((row) => row[at])],
	);
	for (const [index, { json }] of written.entries()) {
		rows[index][at] = json === null ? null : (JSON.parse(json) as unknown);
	}
}

interface DatabaseError extends Error {
	/** SQLSTATE */
	code?: string;
	hint?: string;
}

const quotedIn = (message: string) => /"([^"]*)"/.exec(message)?.[1] ?? '';

const inTicks = (path: string) => `\`${path.replaceAll('.', '`.`')}\``;

/** Spark looks for a catalog that it does not know among the namespaces of its own. */
function tableNotFound(name: string, tables: KnownTables): string {
	const [, path] = /^binaryfile\.(.*)/i.exec(name) ?? [];
	if (path) return `[PATH_NOT_FOUND] Path does not exist: ${path}. SQLSTATE: 42K03`;
	const [catalog, schema, table] = name.split('.');
	return table !== undefined && ![...tables.keys()].some((path) => path.startsWith(`${catalog}.`))
		? `[REQUIRES_SINGLE_PART_NAMESPACE] spark_catalog requires a single-part namespace, but got ${inTicks(`${catalog}.${schema}`)}. SQLSTATE: 42K05`
		: `[TABLE_OR_VIEW_NOT_FOUND] The table or view ${inTicks(name)} cannot be found. ` +
				'Verify the spelling and correctness of the schema and catalog.\n' +
				'If you did not qualify the name with a schema, verify the current_schema() output, or qualify the name with the correct schema and catalog.\n' +
				`To tolerate the error on drop use DROP VIEW IF EXISTS or DROP TABLE IF EXISTS. SQLSTATE: 42P01; line 1 pos 14;\n'Project [*]\n+- 'UnresolvedRelation [${name.replaceAll('.', ', ')}], [], false\n`;
}

/** Errors as a session words them, by SQLSTATE. */
const WORDED: Record<
	string,
	(error: DatabaseError, statement: string, tables: KnownTables) => string
> = {
	'42P01': ({ message }, _, tables) => tableNotFound(quotedIn(message), tables),
	// A name in three parts that is none of the tables.
	'0A000': ({ message }, _, tables) =>
		/^cross-database/.test(message) ? tableNotFound(quotedIn(message), tables) : message,
	'3F000': ({ message }) =>
		`[SCHEMA_NOT_FOUND] The schema \`${quotedIn(message)}\` cannot be found. SQLSTATE: 42704`,
	'42703': ({ message, hint = '' }) => {
		const name = quotedIn(message) || (/column (\S+)/.exec(message)?.[1] ?? '');
		// "Perhaps you meant to reference the column …", with the table before it.
		const near = [...hint.matchAll(/"([^"]+)"/g)].map(([, path]) =>
			inTicks(name.includes('.') ? path : path.slice(path.indexOf('.') + 1)),
		);
		const [kind, proposal] =
			near.length > 0
				? ['WITH', ` Did you mean one of the following? [${near.join(', ')}].`]
				: ['WITHOUT', ''];
		return `[UNRESOLVED_COLUMN.${kind}_SUGGESTION] A column, variable, or function parameter with name ${inTicks(name)} cannot be resolved.${proposal} SQLSTATE: 42703`;
	},
	'42883': ({ message }) =>
		`[UNRESOLVED_ROUTINE] Cannot resolve routine \`${/function ([^(]+)/.exec(message)?.[1] ?? message}\` on search path. SQLSTATE: 42883`,
	'42601': ({ message }, statement) => {
		const [, second] = /;\s*(\w+)/.exec(statement) ?? [];
		const [near, extra] =
			/multiple commands/.test(message) && second
				? [second, `: extra input '${second}'`]
				: [quotedIn(message) || 'end of input', ''];
		return `[PARSE_SYNTAX_ERROR] Syntax error at or near '${near}'${extra}. SQLSTATE: 42601`;
	},
	'22012': () => '[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012',
};

function inSparksWords(error: DatabaseError, statement: string, tables: KnownTables): string {
	const { code = 'XX000', message } = error;
	return WORDED[code]?.(error, statement, tables) ?? `${message} SQLSTATE: ${code}`;
}

/** Temporary views over stored files, as Load File creates them: each is a table of the database. */
import type { PGlite } from '@electric-sql/pglite';
import { parse } from 'csv-parse/sync';

import type { SqlAnswer } from './answers';
import { quoted } from './dialect';

/** The files at an address, which may be a folder or a pattern, by their own addresses. */
export type FindFiles = (address: string) => ReadonlyMap<string, Buffer>;

const VIEW =
	/^CREATE OR REPLACE TEMPORARY VIEW `([^`]+)` (?:\(.*\) )?USING (\w+) OPTIONS \((.*)\)$/s;

type Options = Partial<Record<string, string>>;

/** A view's table has this column, too: in which file each row is. */
const FILE_COLUMN = 'input_file_name()';

/** What the options of a format have to be: with others, Spark reads files in other ways. */
const REQUIRED: Record<string, Options> = {
	csv: {
		...{ mode: 'FAILFAST', multiLine: 'true', escape: '"', enforceSchema: 'false' },
		...{ ignoreLeadingWhiteSpace: 'false', ignoreTrailingWhiteSpace: 'false' },
	},
	text: {},
};

/** What else they may be. */
const CHOSEN: Record<string, string[]> = {
	csv: ['header', 'nullValue', 'path', 'sep'],
	text: ['path', 'wholetext'],
};

export const pathNotFound = (address: string): SqlAnswer => ({
	error: `[PATH_NOT_FOUND] Path does not exist: ${address}. SQLSTATE: 42K03`,
});

export class FileViews {
	/** Their columns, by their names. */
	private readonly columns = new Map<string, string[]>();

	constructor(private readonly findFiles: FindFiles) {}

	/** What a statement does that is about a view itself; undefined for any other. */
	async answer(database: PGlite, statement: string): Promise<SqlAnswer | undefined> {
		const [, name, format, list = ''] = VIEW.exec(statement) ?? [];
		if (name !== undefined) return await this.create(database, name, format, readOptions(list));
		const [, described = ''] = /^DESCRIBE `([^`]+)`$/.exec(statement) ?? [];
		const columns = this.columns.get(described);
		if (columns) {
			return { rows: columns.map((each) => ({ col_name: each, data_type: 'string' })) };
		}
		const [, dropped] = /^DROP VIEW IF EXISTS `([^`]+)`$/.exec(statement) ?? [];
		if (dropped === undefined) return undefined;
		await this.drop(database, dropped);
		return {};
	}

	private async create(
		database: PGlite,
		name: string,
		format: string,
		options: Options,
	): Promise<SqlAnswer> {
		const problem = findProblem(format, options);
		if (problem !== undefined) return { error: `The sandbox cannot play this: ${problem}` };
		const { path = '' } = options;
		const files = this.findFiles(path);
		if (files.size === 0) return pathNotFound(path);
		await this.drop(database, name);
		try {
			await this.loadTexts(database, name, format, files, options);
			return {};
		} catch (error) {
			const words = 'Malformed records are detected in record parsing';
			return {
				error: `[MALFORMED_RECORD_IN_PARSING] ${words}: ${(error as Error).message}. SQLSTATE: 22023`,
			};
		}
	}

	private async loadTexts(
		database: PGlite,
		name: string,
		format: string,
		files: ReadonlyMap<string, Buffer>,
		options: Options,
	): Promise<void> {
		const { columns, rows } =
			format === 'csv' ? readCsv(files, options) : readTexts(files, options);
		const declared = [...columns, FILE_COLUMN].map((each) => `${quoted(each)} text`).join(', ');
		await database.exec(`CREATE TEMP TABLE ${quoted(name)} (${declared})`);
		await database.query(
			`INSERT INTO ${quoted(name)} SELECT * FROM json_populate_recordset(NULL::${quoted(name)}, $1)`,
			[rows],
		);
		this.columns.set(name, columns);
	}

	private async drop(database: PGlite, name: string): Promise<void> {
		await database.exec(`DROP TABLE IF EXISTS pg_temp.${quoted(name)}`);
		this.columns.delete(name);
	}
}

function readOptions(list: string): Options {
	const pairs = [...list.matchAll(/(\w+) (['"])(.*?)\2/gs)];
	return Object.fromEntries(pairs.map(([, name, , value]) => [name, value]));
}

function findProblem(format: string, options: Options): string | undefined {
	if (!(format in REQUIRED)) return `it reads CSV, GeoJSON and JSON Lines, but no ${format}`;
	const required = REQUIRED[format];
	const other =
		Object.keys(required).find((name) => options[name] !== required[name]) ??
		Object.keys(options).find((name) => !(name in required || CHOSEN[format].includes(name)));
	return other && `a view of ${format} with the option ${other} '${options[other] ?? ''}'`;
}

type Rows = Array<Record<string, string | null>>;

function readTexts(
	files: ReadonlyMap<string, Buffer>,
	{ wholetext }: Options,
): { columns: string[]; rows: Rows } {
	const rows = [...files].flatMap(([file, bytes]) =>
		(wholetext === 'true' ? [String(bytes)] : linesOf(bytes)).map((value) => ({
			...{ value, [FILE_COLUMN]: file },
		})),
	);
	return { columns: ['value'], rows };
}

export const linesOf = (bytes: Buffer): string[] =>
	String(bytes)
		.replace(/\r?\n$/, '')
		.split(/\r?\n/);

/** @throws Error for what is no CSV, or has other columns than the first file */
function readCsv(
	files: ReadonlyMap<string, Buffer>,
	{ header, nullValue, sep = ',' }: Options,
): { columns: string[]; rows: Rows } {
	let columns: string[] | undefined;
	const rows: Rows = [];
	for (const [file, bytes] of files) {
		const records = parse(bytes, {
			...{ bom: true, delimiter: sep.replace('\\t', '\t'), skip_empty_lines: true },
			// Without quotes, an empty value is NULL.
			cast: (value, { quoting }) =>
				!quoting && (value === '' || value === nullValue) ? null : value.replace(/\r\n?/g, '\n'),
		}) as unknown as Array<Array<string | null>>;
		const first = header === 'true' ? records.shift() : records[0]?.map((_, at) => `_c${at}`);
		const names = (first ?? []).map((name, at) => name ?? `_c${at}`);
		columns ??= names;
		if (names.join('\n') !== columns.join('\n')) throw new Error(`another header in ${file}`);
		for (const record of records) {
			const cells = names.map((name, at): [string, string | null] => [name, record[at]]);
			rows.push({ ...Object.fromEntries(cells), [FILE_COLUMN]: file });
		}
	}
	const distinct = new Set(columns?.map((name) => name.toLowerCase()));
	if (distinct.size !== columns?.length) throw new Error('two columns of one name');
	return { columns, rows };
}

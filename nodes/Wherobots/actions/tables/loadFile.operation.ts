/** Load File: the rows of files become rows of a table in one statement. No byte of them comes through n8n. */
import { randomUUID } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { type Address, readAddress, tableAddress } from '../../form/address';
import { defineChoiceField, definePicker, defineSwitchField } from '../../form/declarations';
import { toItem } from '../../form/output';
import { show } from '../../form/values';
import { type Column, isGeometry, describeExactType } from '../../service/sql/columns';
import { DEGREES } from '../../service/sql/geometry';
import * as service from '../../service/tables/loadFile';
import { findCommit, getCurrentId } from '../../service/tables/catalogs';
import { quote, toLiteral, toQuoted } from '../../service/tables/names';
import { Failure, isAmbiguous, settle } from '../../transport/failure';
import { isPathMissing } from '../../useCases/sql/problems';
import { fetchRecord } from '../../transport/records';
import { readLocation, sessionStorageField } from '../files/fields';
import {
	deduplicationKeyOption,
	readDeduplicationKey,
	sendOnceForKey,
} from '../operations/deduplicationKey';
import { addHint, type Call } from '../operations/operation';
import { defineSettings } from '../sql/fields';
import * as sql from '../sql/execution';
import { readSettings } from '../sql/query';
import {
	definePointOptions,
	defineTableStatement,
	fetchSqlTableAnew,
	fetchTableName,
	findTable,
	readPointOptions,
	requireGeometryColumn,
	requireTableName,
	type SqlTable,
} from './sqlTable';

const filesField = definePicker('searchFiles', 'Path', {
	displayName: 'Files',
	name: 'files',
	required: true,
	exact: true,
	description: 'One or more files of the same format. The session must be able to read them.',
	placeholder: 'e.g. data/shared/stations/*.csv',
	hint: 'A file, a folder with a trailing slash, a pattern with an asterisk, or an S3 path',
});

const formatField = defineChoiceField<service.LoadFormat | 'automatic'>({
	displayName: 'File Format',
	name: 'fileFormat',
	options: {
		automatic: ['Automatic', 'Based on the file extension'],
		csv: 'CSV',
		geojson: 'GeoJSON',
		geoparquet: 'GeoParquet',
		json: 'JSON Lines',
		parquet: 'Parquet',
		shapefile: 'Shapefile',
	},
	default: 'automatic',
	description: 'Format of the files',
});

/** By the extension. A geometry in Parquet is WKB, of which the table makes one. */
const FORMATS: Record<string, service.LoadFormat> = {
	...{ csv: 'csv', geojson: 'geojson', parquet: 'parquet', geoparquet: 'geoparquet' },
	...{ json: 'json', jsonl: 'json', ndjson: 'json', shp: 'shapefile' },
};

const modeField = defineChoiceField({
	displayName: 'Mode',
	name: 'loadMode',
	options: {
		append: ['Append', 'Add rows to the table'],
		create: [
			'Create',
			"Create the table: switch 'Table' to By Name, and enter its name. Columns that are text in the files stay text.",
		],
		replace: ['Replace', 'Replace all rows of the table'],
	},
	default: 'append',
	description: 'How to write the rows',
});

const headerOption = defineSwitchField({
	displayName: 'CSV Header',
	name: 'csvHeader',
	default: true,
	description:
		"Whether CSV files begin with the names of their columns. If not, the columns are those of the table, in the table's order.",
});

const separatorOption = defineChoiceField({
	displayName: 'CSV Separator',
	name: 'csvSeparator',
	options: { ',': 'Comma', '|': 'Pipe', ';': 'Semicolon', '\\t': 'Tab' },
	default: ',',
	description: 'What separates the values in a line',
});

const CHECK_SEPARATOR = `Check '${separatorOption.displayName}' under 'Options'.`;

const ignoreOption = defineSwitchField({
	displayName: 'Ignore Extra Columns',
	name: 'ignoreExtraColumns',
	description: 'Whether to leave out columns that the table does not have, instead of failing',
});

const POINT_OPTIONS = definePointOptions(
	'Column',
	(what) => `The column of the files with the ${what} of a point, in degrees`,
);

const optionsField = defineSettings(
	...[headerOption, separatorOption, ignoreOption, ...POINT_OPTIONS],
	{ ...deduplicationKeyOption, displayOptions: { show: { '/loadMode': ['append'] } } },
);

export const loadFile = defineTableStatement({
	name: 'Load File',
	value: 'loadFile',
	action: 'Load file into table',
	description: 'Load files of any size from storage or S3 into a table: all rows or none',
	hint: 'No data passes through n8n. Running Replace twice is safe; running Append twice adds the rows twice, unless it has a deduplication key.',
	first: [modeField],
	fields: [sessionStorageField, filesField, formatField],
	options: optionsField,
	async execute(call) {
		const form = readForm(call);
		requireOwnTable(call, form);
		if (form.mode === 'create') requireTableName(call, form.address);
		const work = call.memory.item<IDataObject>('load');
		// Rows that replace all others may do so twice.
		const mayBeDone = sql.isPossiblyDone(form.mode === 'replace');
		const load = async () => {
			const { deduplicationKey } = form;
			const send = async (begin: () => void) => await executeLoad(call, form, begin);
			return { ...(await sendOnceForKey(call, deduplicationKey, send, mayBeDone)) };
		};
		return { submit: async () => [toItem(await work.once(load, mayBeDone))] };
	},
});

function readForm(call: Call) {
	const { input } = call;
	const options = input.within(optionsField);
	const location = readLocation(call, filesField, true);
	const chosen = input.choice(formatField);
	const [, extension = ''] = /\.(\w+)$/.exec(location.path) ?? [];
	const format = chosen === 'automatic' ? FORMATS[extension.toLowerCase()] : chosen;
	if (!format) {
		const isOther = /^(xls[bmx]?|ods|gpkg|km[lz]|zip)$/i.test(extension);
		const what = location.path.endsWith('/')
			? 'is a folder'
			: extension
				? `has the ${isOther ? 'unsupported' : 'unknown'} extension .${extension}`
				: 'has no extension';
		const formats = formatField.options.slice(1).map(({ name }) => name);
		const supported = `Supported formats are ${formats.join(', ')}.`;
		const remedy = isOther ? 'convert it first' : `choose '${formatField.displayName}'`;
		const advice = isOther
			? /^[xo]/i.test(extension) &&
				"n8n's Extract from File and Convert to File nodes turn spreadsheets into CSV."
			: 'Convert other formats first. A folder must end with a slash.';
		throw input.problem(
			filesField,
			`${what}: ${remedy}`,
			[supported, advice].filter(Boolean).join(' '),
		);
	}
	const hasHeader = options.flag(headerOption);
	const separator = options.choice(separatorOption);
	const mode = input.choice(modeField);
	return {
		...{ location, format, point: readPointOptions(options, POINT_OPTIONS) },
		address: readAddress(input, tableAddress),
		settings: readSettings(input),
		mode,
		deduplicationKey: mode === 'append' ? readDeduplicationKey(options) : undefined,
		hasHeader: format !== 'csv' || hasHeader,
		csv: format === 'csv' ? `header '${hasHeader}', sep '${separator}', ` : '',
		ignoresAdditional: options.flag(ignoreOption),
		zone: input.timezone(),
	};
}

type Form = ReturnType<typeof readForm>;

/** @throws Failure for an item that would replace what another one has loaded */
function requireOwnTable({ input, itemIndex, memory }: Call, { address, mode }: Form): void {
	const first = memory.attempt<number>('table of an item', address.path).get(() => itemIndex);
	if (mode === 'append' || first === itemIndex) return;
	throw input.problem(
		modeField,
		`must be Append when several items load into one table: item ${first} loads into it, too`,
		"Only the last file's rows would remain. Load several at once, with a folder or an asterisk in 'Files'.",
	);
}

async function executeLoad(call: Call, form: Form, onSend: () => void): Promise<IDataObject> {
	const { address, format, mode, settings } = form;
	const table = mode === 'create' ? undefined : await fetchSqlTableAnew(call, address);
	if (mode === 'create' && (await findTable(call.client, address.path))) {
		const what = 'must be Append or Replace: there is already a table with this name';
		throw call.input.problem(modeField, what);
	}
	const name = table?.name ?? (await fetchTableName(call, address.names));
	const source = await form.location.fetchAddress();
	const view = quote(randomUUID());
	const askSession = sql.createAsk(call, settings);
	const ask = async (text: string) =>
		await askSession(text).catch((error: unknown) => {
			const message = `'${filesField.displayName}' matches no files: ${source}`;
			if (!isPathMissing(error)) throw error;
			const description =
				'Nothing was loaded. Choose a file from the list, or check the bucket and path, which are case-sensitive.';
			throw error.with({ message, description });
		});
	const isWhole = format === 'geojson' && !(await hasObjectPerLine(source, ask));
	const options = `${form.csv}${isWhole ? "wholetext 'true', " : ''}path ${toQuoted(source)}`;
	await ask(`CREATE OR REPLACE TEMPORARY VIEW ${view} ${service.READERS[format]}${options})`);
	const load = async () => {
		const rows = service.toRowsText(format, view);
		const values = listValues(call, form, await listFileColumns(format, rows, ask), table);
		const text = toStatement(mode, name, values, rows);
		const { done } = await sql.executeWritten(call, settings, { text, onSend });
		const count = await countRows(call, address, table?.details);
		const columns = values.flatMap(({ file }) => file?.madeOf ?? file?.name ?? []);
		return { table: name, source, rows: count, columns, ...done };
	};
	const loaded = await settle(load());
	await settle(ask(`DROP VIEW IF EXISTS ${view}`));
	if (loaded.ok) return loaded.value;
	throw explainLoad(loaded.error, form);
}

/** Whether the first line of GeoJSON is an object; otherwise, it goes on in others. */
async function hasObjectPerLine(source: string, ask: sql.Ask): Promise<boolean> {
	const type = "get_json_object(value, '$.type') AS type";
	const lines = `text.${quote(source)} WHERE trim(value) <> ''`;
	const [first] = await ask(`SELECT ${type} FROM ${lines} LIMIT 1`);
	return Boolean(first?.type);
}

async function listFileColumns(format: service.LoadFormat, rows: string, ask: sql.Ask) {
	if (!service.isJson(format)) {
		const described = await sql.fetchColumns(ask, rows);
		const isDecoded = format === 'csv';
		return described.map((column) => ({ ...column, isDecoded, sql: quote(column.name) }));
	}
	// In one row: of many, a session may leave some out.
	const keys = `SELECT explode(map_keys(f)) AS name FROM ${rows}`;
	const [{ names }] = await ask(`SELECT to_json(collect_set(name)) AS names FROM (${keys})`);
	const columns = (JSON.parse(String(names)) as string[]).sort();
	return [
		...(format === 'geojson' ? [{ name: 'geometry', type: 'json', sql: 'geometry' }] : []),
		...columns.map((name) => ({
			...{ name, type: 'json', isDecoded: true },
			sql: `f[${toLiteral(name)}]`,
		})),
	];
}

interface Value {
	column: Column;
	/** Undefined for a column that the files do not have. */
	file?: service.FileColumn;
	sql: string;
}

const POINT: Column = {
	...{ name: 'geometry', type: `geometry(${DEGREES})`, srid: DEGREES },
	isRequired: false,
};

/**
 * What each column of the table gets: the column of its name, also in another case; for the only geometry
 * that of the files, whatever it is called.
 *
 * @throws Failure that names what does not fit together
 */
function listValues(
	call: Call,
	form: Form,
	found: service.FileColumn[],
	table?: SqlTable,
): Value[] {
	const { input } = call;
	const { format, point, zone } = form;
	const files = found.map((file, at) => ({
		...file,
		name: (form.hasHeader ? undefined : table?.columns[at]?.name) ?? file.name,
	}));
	const refused = (what: string, advice = '', field = filesField) =>
		input.problem(
			field,
			what,
			files.length === 0
				? 'The files are empty: choose others.'
				: `Their columns are ${files.map(({ name }) => name).join(', ')}. ${advice}`.trim(),
		);
	const oneColumn = format === 'csv' && files.length === 1 ? CHECK_SEPARATOR : undefined;
	const find = (name: string) => {
		const like = files.filter((file) => file.name.toLowerCase() === name.toLowerCase());
		return like.find((file) => file.name === name) ?? (like.length === 1 ? like[0] : undefined);
	};
	const ends = (point ?? []).map((name, at) => {
		const file = find(name);
		if (file) return file;
		throw refused(`is ${show(name)}, which the files do not have`, '', POINT_OPTIONS[at]);
	});
	const left = new Set(files.filter((file) => !ends.includes(file)));
	const isFeature = ({ name }: service.FileColumn) => format === 'geojson' && name === 'geometry';
	const toColumn = (file: service.FileColumn): Column =>
		isFeature(file) ? POINT : { ...file, sqlType: 'STRING', isRequired: false };
	const columns = table?.columns ?? [...[...left].map(toColumn), ...(point ? [POINT] : [])];
	const target = point && (table ? requireGeometryColumn(call, POINT_OPTIONS[1], table) : POINT);
	if (![undefined, DEGREES].includes(target?.srid)) {
		throw input.problem(
			POINT_OPTIONS[1],
			`is in degrees, but ${target?.name} is in EPSG:${target?.srid}`,
			'Convert the points in a statement of your own (SQL: Execute Query).',
		);
	}
	const named = new Set(columns.map(({ name }) => find(name)));
	const values = columns.map((column) => {
		const own = column === target ? service.toPointColumn(ends[1], ends[0]) : find(column.name);
		const isOnly = isGeometry(column) && columns.filter(isGeometry).length === 1;
		const shapes = [...left].filter(
			(each) => !named.has(each) && (isFeature(each) || /^(geometry|binary)$/.test(each.type)),
		);
		const file = own ?? (isOnly && shapes.length === 1 ? shapes[0] : undefined);
		if (file) left.delete(file);
		const rename = oneColumn ?? 'The table requires it: rename one of them.';
		if (!file && column.isRequired) throw refused(`must have a column ${column.name}`, rename);
		const isNew = !table && file?.type !== 'string' && file?.type !== 'json';
		const sql = !file ? 'NULL' : isNew ? file.sql : service.toValue(column, file, zone);
		if (sql !== undefined) return { column, file, sql };
		throw refused(
			`has a column ${file?.name} (${file?.type}) that does not fit the table's column ${column.name}, whose type is ${describeExactType(column)}`,
			'Only types that the column holds exactly are loaded. Convert others in a statement of your own (SQL: Execute Query).',
		);
	});
	if (values.every(({ file }) => !file)) throw refused('has no column of the table', oneColumn);
	if (left.size === 0 || form.ignoresAdditional) return values;
	throw refused(
		`has columns that the table does not have: ${[...left].map(({ name }) => name).join(', ')}`,
		`Rename them, or turn on '${ignoreOption.displayName}'.`,
	);
}

function toStatement(mode: Form['mode'], table: string, values: Value[], rows: string): string {
	const names = values.map(({ column }) => quote(column.name)).join(', ');
	const list = values.map(({ column, sql }) => `${sql} AS ${quote(column.name)}`).join(', ');
	// INSERT OVERWRITE keeps partitions that get no rows where a session has dynamic overwrites.
	const starts = {
		append: `INSERT INTO ${table} (${names})`,
		create: `CREATE TABLE ${table} AS`,
		replace: `INSERT INTO ${table} REPLACE WHERE TRUE`,
	};
	return `${starts[mode]} SELECT ${list} FROM ${rows}`;
}

const NOT_UTF8 =
	'The file is probably not in UTF-8: save it in that encoding, and load it again. Text that really contains this character can only be loaded from Parquet.';

/** Says which value does not fit, or what to do when nobody knows what became of the load. */
function explainLoad(error: unknown, { csv, mode }: Form): unknown {
	if (!(error instanceof Failure)) return error;
	const cause = String(error.facts.cause);
	// Spark 4 ends it with a code.
	const text = new RegExp(`${service.MISFIT}.*?(?= SQLSTATE: \\w{5}$|$)`, 'm');
	const [misfit] = text.exec(cause) ?? [];
	if (misfit !== undefined) {
		const after = misfit.includes(service.REPLACED) ? NOT_UTF8 : '';
		return error.with({ message: misfit }).withContext({ after });
	}
	const isSafe = isAmbiguous(error) && mode === 'replace';
	const isUnlike = csv && /malformed|csv header/i.test(cause);
	const advice = isUnlike ? CHECK_SEPARATOR : '';
	return error.withContext({
		after: isSafe ? 'It replaces all rows, so it is safe to run again.' : advice,
	});
}

/** How many rows the load added, as its snapshot says; null where it cannot be told from others. */
async function countRows(
	call: Call,
	{ path }: Address,
	before?: IDataObject,
): Promise<number | null> {
	const read = await settle(fetchRecord(call.client, 'getTable', { path }));
	const snapshot = read.ok && findCommit(read.value, before && getCurrentId(before), ['replace']);
	if (snapshot) return Number(snapshot.summary?.['added-records'] ?? 0);
	const message = "The table's snapshots do not show how many rows were loaded.";
	addHint(call.context, { message, type: 'info' });
	return null;
}

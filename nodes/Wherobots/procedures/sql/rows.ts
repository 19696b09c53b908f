import type { IDataObject } from 'n8n-workflow';

import { jsonIn, parseExactJson } from '../../service/json';
import { geoJsonOf } from '../../service/sql/geometry';
import type { SentRows } from '../../service/sql/protocol';
import { isRecord } from '../../service/records';
import { Failure, settle } from '../../transport/failure';
import { readArrow, text64, type Column } from './arrow';

/** The rows of a result, and the names of its columns, also of those of no rows. */
export interface Rows {
	rows: IDataObject[];
	columns: string[];
	/** New names of columns whose name another one has. */
	renamed: string[];
}

/** Largest result after decompression, in bytes: sessions send up to 100 MiB. */
const MAX_RESULT_BYTES = 2 ** 29;

/**
 * The rows of a result as objects, from whatever the session sent: Arrow or JSON. Numbers that
 * JavaScript cannot represent exactly are strings of their digits; bytes are Base64; geometries are
 * text, or objects when they are GeoJSON or bytes.
 *
 * @throws Failure when it cannot be read
 */
export async function readRows(sent: SentRows): Promise<Rows> {
	const read = await settle(rowsIn(sent));
	if (read.ok) return read.value;
	const { format, compression } = sent;
	const error = read.error as Error;
	// Newer versions of Node.js say only in the cause why they cannot decompress something.
	const why = (error.message || String(error.cause)).replace(/\.$/, '');
	throw new Failure({
		message: 'The rows that the SQL session sent cannot be read',
		description: `They are not a list of rows, or not all of them arrived (format ${format}, compression ${compression}): ${why}. Set 'Output' to a CSV or GeoJSON file, which is transferred differently.`,
	});
}

async function rowsIn(sent: SentRows): Promise<Rows> {
	return asRows(await columnsIn(sent), sent.geoColumns);
}

async function columnsIn({ bytes: sent, format, compression }: SentRows): Promise<Column[]> {
	// A text message can contain JSON as it is, or bytes in Base64.
	const isJsonText = typeof sent === 'string' && /^\s*[[{]/.test(sent);
	const bytes = typeof sent === 'string' ? Buffer.from(sent, isJsonText ? 'utf8' : 'base64') : sent;
	if (/^arrow$/i.test(format)) return readArrow(await unpacked(bytes, compression));
	if (!/^json$/i.test(format)) throw new Error('the format is unknown');
	// Published clients ignore what is said of compression where the format is JSON.
	const isPlain =
		bytes.length === 0 || /^\s*[[{]/.test(Buffer.from(bytes.subarray(0, 99)).toString());
	return jsonColumns(
		new TextDecoder().decode(isPlain ? bytes : await unpacked(bytes, compression)),
	);
}

async function unpacked(bytes: Uint8Array, compression: string): Promise<Uint8Array> {
	if (/^none$/i.test(compression)) return bytes;
	// Older versions of Node.js know only gzip of these.
	const unpacking = new DecompressionStream(compression.toLowerCase() as 'gzip');
	const parts: Uint8Array[] = [];
	let length = 0;
	for await (const part of new Blob([bytes]).stream().pipeThrough(unpacking)) {
		length += (part as Uint8Array).length;
		if (length > MAX_RESULT_BYTES) throw new Error('they are larger than 512 MiB');
		parts.push(part as Uint8Array);
	}
	return Buffer.concat(parts);
}

/** A list of rows, one row per line, or an object with the values of each column. */
function jsonColumns(text: string): Column[] {
	const json = text.trim();
	const list = json.startsWith('{') ? `[${json.replaceAll('\n', ',')}]` : json || '[]';
	const rows = parseExactJson(list);
	if (!Array.isArray(rows) || !rows.every(isRecord)) throw new Error('this is not a list of rows');
	const [only] = json.startsWith('{') && rows.length === 1 ? (rows as IDataObject[]) : [];
	const lists = only && Object.entries(only);
	if (lists?.length && lists.every(([, values]) => Array.isArray(values))) {
		return lists.map(([name, values]) => ({ name, values: values as unknown[], read: asIs }));
	}
	const names = [...new Set(rows.flatMap((row) => Object.keys(row as object)))];
	return names.map((name) => ({
		name,
		values: (rows as IDataObject[]).map((row) => row[name]),
		read: asIs,
	}));
}

const asIs = (value: unknown) => value;

/** Values are read row by row, so that only the items hold them and not also a list for each column. */
function asRows(columns: Column[], geoColumns: string[]): Rows {
	const names = uniqueNames(columns.map(({ name }) => name));
	const count = Math.max(0, ...columns.map(({ values }) => values.length));
	const cells = columns.map(({ name, values, read }) => {
		const isGeometry = geoColumns.includes(name);
		return (at: number) => {
			const value = read(values[at]);
			return isGeometry ? asGeometry(value) : text64(value);
		};
	});
	const rows = Array.from({ length: count }, (_, at) => {
		const row: IDataObject = {};
		cells.forEach((cell, column) => {
			const value = cell(at);
			if (value !== undefined) row[names[column]] = value as IDataObject[string];
		});
		return row;
	});
	const renamed = names.filter((name, at) => name !== columns[at].name);
	return { rows, columns: names, renamed };
}

/** `a`, `a` to `a`, `a_2`. `__proto__` is no name of a member. */
function uniqueNames(names: string[]): string[] {
	const taken = new Set(['__proto__']);
	const wanted = new Set(names);
	return names.map((name) => {
		let unique = name;
		for (let n = 2; taken.has(unique) || (unique !== name && wanted.has(unique)); n++) {
			unique = `${name}_${n}`;
		}
		taken.add(unique);
		return unique;
	});
}

/** GeoJSON from text or from bytes, which JSON has in hexadecimal; other text is passed on. */
function asGeometry(value: unknown): unknown {
	const isHexadecimal = typeof value === 'string' && /^0[01]([0-9a-f]{2})+$/i.test(value);
	if (value instanceof Uint8Array) return geoJsonOf(value) ?? text64(value);
	if (isHexadecimal) return geoJsonOf(Buffer.from(value, 'hex')) ?? value;
	if (typeof value !== 'string' || !/^\s*\{/.test(value)) return value;
	const geometry = jsonIn(value);
	return isRecord(geometry) ? geometry : value;
}

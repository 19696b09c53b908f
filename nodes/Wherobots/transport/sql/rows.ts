import type { IDataObject } from 'n8n-workflow';

import type { SentRows } from '../../service/sql/messages';
import { isRecord } from '../../service/types';
import { parseExactJson } from '../json';

/** Rows that a session has sent cannot be read. The message is a sentence. */
export class RowsError extends Error {
	override readonly name = 'RowsError';
}

/** Most rows that a session sends, as the service documents it for its SQL API. */
export const ROW_CAP = 1_000;

/**
 * The rows of a result as objects. Integers and decimals that a JavaScript number cannot hold are
 * strings of their digits; geometries are text, or objects when they are GeoJSON.
 *
 * @throws RowsError when the session has sent another format than it was asked for
 */
export function readRows({ bytes, format, compression, geoColumns }: SentRows): IDataObject[] {
	if (format.toLowerCase() !== 'json' || !/^(none)?$/i.test(compression)) {
		throw new RowsError(`The session sent rows as ${format} (compression: ${compression})`);
	}
	const rows = rowsOf(parsed(textOf(bytes)));
	if (!rows) throw new RowsError('The session sent rows in a form that is not known');
	return geoColumns.length === 0 ? rows : rows.map((row) => withGeometries(row, geoColumns));
}

/** JSON in bytes; a message that is text itself can carry it as it is, or in Base64. */
function textOf(bytes: Uint8Array | string): string {
	if (typeof bytes === 'string' && /^\s*[[{]/.test(bytes)) return bytes;
	const decoded = typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : bytes;
	return new TextDecoder().decode(decoded);
}

/** One list of rows, or a row on each line. */
function parsed(text: string): unknown {
	const trimmed = text.trim();
	if (trimmed === '') return [];
	try {
		return trimmed.startsWith('{') && trimmed.includes('\n')
			? trimmed.split('\n').map((line) => parseExactJson(line))
			: parseExactJson(trimmed);
	} catch {
		return undefined;
	}
}

function rowsOf(value: unknown): IDataObject[] | undefined {
	if (isRecord(value)) return [value];
	return Array.isArray(value) && value.every(isRecord) ? value : undefined;
}

function withGeometries(row: IDataObject, columns: string[]): IDataObject {
	const read = columns
		.filter((column) => Object.hasOwn(row, column))
		.map((column) => [column, geometryOf(row[column])]);
	return { ...row, ...Object.fromEntries(read) };
}

/** GeoJSON comes as text; any other text is passed on. */
function geometryOf(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*\{/.test(value)) return value;
	try {
		const geometry: unknown = JSON.parse(value);
		return isRecord(geometry) ? geometry : value;
	} catch {
		return value;
	}
}

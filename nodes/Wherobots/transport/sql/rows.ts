import type { IDataObject } from 'n8n-workflow';

import type { SentRows } from '../../service/sql/messages';
import { isRecord } from '../../service/types';
import { parseExactJson } from '../../service/json';
import type { Client } from '../client';

/** Maximum number of rows that a session sends, as documented for the service's SQL API. */
export const ROW_CAP = 1_000;

/**
 * The rows of a result as objects. Numbers that JavaScript cannot represent exactly are strings of
 * their digits; geometries are text, or objects when they are GeoJSON.
 *
 * @throws NodeApiError when the session sent something other than requested
 */
export function readRows(client: Client, sent: SentRows): IDataObject[] {
	const { bytes, format, compression, geoColumns } = sent;
	// Published clients ignore what is said of compression where the format is JSON.
	const text = new TextDecoder().decode(bytesOf(bytes)).trim();
	// A list of rows, or one row per line.
	const list = text.startsWith('{') ? `[${text.replaceAll('\n', ',')}]` : text || '[]';
	const rows = /^json$/i.test(format) ? parsed(list, parseExactJson) : undefined;
	if (Array.isArray(rows) && rows.every(isRecord)) {
		return rows.map((row: IDataObject) => withGeometries(row, geoColumns));
	}
	throw client.error({
		message: 'The rows that the SQL session sent cannot be read',
		description: `They are not a list of rows, or not all of them arrived (format ${format}, compression ${compression}). Set 'Output' to a CSV or GeoJSON file, which is transferred differently.`,
	});
}

/** A text message can contain JSON as it is, or its bytes in Base64. */
function bytesOf(sent: Uint8Array | string): Uint8Array {
	if (typeof sent !== 'string') return sent;
	return Buffer.from(sent, /^\s*[[{]/.test(sent) ? 'utf8' : 'base64');
}

/** Geometries as GeoJSON arrive as text; other text is passed on. */
function withGeometries(row: IDataObject, columns: string[]): IDataObject {
	const read = { ...row };
	for (const column of columns) {
		const text = row[column];
		const geometry = typeof text === 'string' ? parsed(text, JSON.parse) : undefined;
		if (isRecord(geometry)) read[column] = geometry;
	}
	return read;
}

function parsed(text: string, parse: (text: string) => unknown): unknown {
	try {
		return parse(text);
	} catch {
		return undefined;
	}
}

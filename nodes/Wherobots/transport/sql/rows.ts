import type { IDataObject } from 'n8n-workflow';

import type { SentRows } from '../../service/sql/messages';
import { isRecord } from '../../service/types';
import type { Client } from '../client';
import { parseExactJson } from '../json';
import { toResult } from '../toResult';

/** Maximum number of rows that a session sends, as documented for the service's SQL API. */
export const ROW_CAP = 1_000;

/**
 * The rows of a result as objects. Numbers that JavaScript cannot represent exactly are strings of
 * their digits; geometries are text, or objects when they are GeoJSON.
 *
 * @throws NodeApiError when the session sent something other than requested
 */
export async function readRows(client: Client, sent: SentRows): Promise<IDataObject[]> {
	const { bytes, format, compression, geoColumns } = sent;
	const unreadable = (what: string) =>
		client.error({
			message: 'The rows that the SQL session sent cannot be read',
			description: `${what}. Set 'Output' to a CSV or GeoJSON file, which is transferred differently.`,
		});
	if (format.toLowerCase() !== 'json') throw unreadable(`Their format is ${format}`);
	// The label repeats the request and may be wrong: published clients read plain JSON.
	const content = bytesOf(bytes);
	let rows = rowsOf(parsed(new TextDecoder().decode(content)));
	if (!rows && compression.toLowerCase() !== 'none') {
		const text = await toResult(unpacked(content, compression.toLowerCase()));
		if (!text.ok) throw unreadable(`They are compressed with ${compression}`);
		rows = rowsOf(parsed(text.value));
	}
	if (!rows) throw unreadable('They are not a list of rows, or not all of them arrived');
	return geoColumns.length === 0 ? rows : rows.map((row) => withGeometries(row, geoColumns));
}

/** A text message can contain JSON as it is, or its bytes in Base64. */
function bytesOf(sent: Uint8Array | string): Uint8Array {
	if (typeof sent !== 'string') return sent;
	return Buffer.from(sent, /^\s*[[{]/.test(sent) ? 'utf8' : 'base64');
}

/**
 * A session may compress rows even if not requested. Throws for formats that this Node.js does not
 * support.
 */
async function unpacked(bytes: Uint8Array, compression: string): Promise<string> {
	const unpacking = new DecompressionStream(compression as 'gzip');
	const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(unpacking);
	return await new Response(stream as unknown as ReadableStream).text();
}

/** A list of rows, or one row per line. */
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

/** A list of objects, or of arrays in the order of named columns. */
function rowsOf(value: unknown): IDataObject[] | undefined {
	if (Array.isArray(value)) return value.every(isRecord) ? value : undefined;
	if (!isRecord(value)) return undefined;
	const { columns, data } = value as Record<string, unknown>;
	if (!Array.isArray(columns) || !Array.isArray(data)) return [value];
	if (!data.every((row) => Array.isArray(row))) return undefined;
	return data.map((row: IDataObject[string][]) =>
		Object.fromEntries(columns.map((name, at) => [String(name), row[at] ?? null])),
	);
}

function withGeometries(row: IDataObject, columns: string[]): IDataObject {
	const read = columns
		.filter((column) => Object.hasOwn(row, column))
		.map((column) => [column, geometryOf(row[column])]);
	return { ...row, ...Object.fromEntries(read) };
}

/** GeoJSON arrives as text; other text is passed on. */
function geometryOf(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*\{/.test(value)) return value;
	try {
		const geometry: unknown = JSON.parse(value);
		return isRecord(geometry) ? geometry : value;
	} catch {
		return value;
	}
}

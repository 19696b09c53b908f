/** Rows as they are sent: Arrow and JSON. */
import * as zlib from 'node:zlib';

import { Binary, Utf8 } from 'apache-arrow';

import { toJson } from '../server/json';
import type { SqlAnswer, Table } from './answers';
import { tableOf } from './answers';
import { arrowStream } from './arrow';
import { inFormat, type Geometry } from './geometry';
import type { SqlVariants } from './variants';

export interface Retrieval {
	format?: string;
	compression?: string;
	geometry?: string;
}

/** How each compression packs; Node.js may lack the one, and nothing here has lz4. */
const COMPRESSIONS: Record<string, ((bytes: Buffer) => Buffer) | undefined> = {
	none: (bytes) => bytes,
	gzip: (bytes) => zlib.gzipSync(bytes),
	brotli: (bytes) => zlib.brotliCompressSync(bytes),
	zstd: 'zstdCompressSync' in zlib ? (zlib.zstdCompressSync as typeof zlib.gzipSync) : undefined,
};

/**
 * What comes with an execution_result; null or an empty object where there is nothing.
 *
 * @throws Error with the message of the session that cannot send the result
 */
export function resultOf(
	answer: SqlAnswer,
	{ format: asked = 'arrow', compression = 'brotli', geometry = 'ewkt' }: Retrieval,
	variants: SqlVariants,
): Record<string, unknown> | null {
	const table = tableOf(answer);
	const exact = answer.arrow;
	if (table.columns.length === 0 && exact === undefined && variants.sqlNoRows !== 'empty') {
		return variants.sqlNoRows === 'null' ? null : {};
	}
	const format = exact ? 'arrow' : asked;
	const bytes =
		exact === undefined ? rowsAs(format, table, geometry, variants) : Buffer.from(exact);
	const packed = variants.sqlCompression === 'asAsked' ? compression : variants.sqlCompression;
	// Published clients ignore what is said of compression where the format is JSON.
	const pack = COMPRESSIONS[format === 'json' ? 'none' : packed];
	if (!pack) throw new Error(`The sandbox has no ${packed}`);
	return {
		result_bytes: answer.compressed?.[packed] ?? pack(bytes),
		format,
		compression: packed,
		geometry,
		geo_columns: table.geometryColumns,
	};
}

function rowsAs(format: string, table: Table, geometry: string, variants: SqlVariants): Buffer {
	const form = format === 'arrow' ? 'bytes' : 'text';
	const limited = { ...table, rows: table.rows.slice(0, variants.sqlRowLimit) };
	const sent = withGeometries(limited, (value) => inFormat(value, geometry, form));
	if (format === 'arrow') {
		const type = /wkb$/.test(geometry) ? new Binary() : new Utf8();
		const types = Object.fromEntries(table.geometryColumns.map((name) => [name, type]));
		return arrowStream({ ...sent, types: { ...table.types, ...types } });
	}
	const rows = sent.rows.map((row) => jsonObject(sent.columns, row));
	return Buffer.from(`[${rows.join(',')}]`);
}

/** Two columns of one name are two members of one name. */
export function jsonObject(names: string[], values: unknown[]): string {
	return `{${names.map((name, at) => `${toJson(name)}:${toJson(values[at])}`).join(',')}}`;
}

export function withGeometries(table: Table, write: (geometry: Geometry | null) => unknown): Table {
	const isGeometry = table.columns.map((name) => table.geometryColumns.includes(name));
	const rows = table.rows.map((row) =>
		row.map((value, at) => (isGeometry[at] ? write(value as Geometry | null) : value)),
	);
	return { ...table, rows };
}

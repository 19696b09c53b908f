/** Rows as they are sent: JSON, CSV and GeoJSON. */
import { brotliCompressSync, gzipSync } from 'node:zlib';

import type { SqlAnswer, Row, Table } from './answers';
import { tableOf } from './answers';
import { inFormat, type Geometry } from './geometry';
import type { SqlVariants } from './variants';

/** JSON in which integers of any size keep all their digits. */
export function toJson(value: unknown): string {
	if (typeof value === 'bigint') return String(value);
	if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
	if (typeof value === 'object' && value !== null && !('toJSON' in value)) {
		const parts = Object.entries(value).map(([name, each]) => `${toJson(name)}:${toJson(each)}`);
		return `{${parts.join(',')}}`;
	}
	return JSON.stringify(value) ?? 'null';
}

export interface Retrieval {
	format?: string;
	compression?: string;
	geometry?: string;
}

/** What comes with an execution_result; null when there is nothing. */
export function resultOf(
	answer: SqlAnswer,
	{ format = 'json', compression = 'brotli', geometry = 'ewkt' }: Retrieval,
	variants: SqlVariants,
): Record<string, unknown> | null {
	const table = tableOf(answer);
	const isEmpty = table.rows.length === 0 && answer.json === undefined;
	if (isEmpty && variants.sqlNoRows === 'null') return null;
	const bytes = json(answer, table, geometry, variants);
	const isPlain = variants.sqlCompression === 'plain';
	const packed =
		isPlain || variants.sqlCompression === 'asAsked' ? compression : variants.sqlCompression;
	return {
		result_bytes: isPlain ? bytes : compress(bytes, packed),
		format,
		compression: packed,
		geometry,
		geo_columns: table.geometryColumns,
	};
}

function compress(bytes: Buffer, compression: string): Buffer {
	if (compression === 'gzip') return gzipSync(bytes);
	return compression === 'brotli' ? brotliCompressSync(bytes) : bytes;
}

function json(answer: SqlAnswer, table: Table, geometry: string, variants: SqlVariants): Buffer {
	if (answer.json !== undefined) return Buffer.from(answer.json);
	const asObject = variants.sqlRowGeoJson === 'object';
	const rows = table.rows
		.slice(0, variants.sqlRowLimit)
		.map((row) =>
			inColumns(table, row, (value) => inFormat(value as Geometry | null, geometry, asObject)),
		);
	switch (variants.sqlRowLayout) {
		case 'objects':
			return Buffer.from(toJson(rows));
		case 'lines':
			return Buffer.from(rows.map((row) => `${toJson(row)}\n`).join(''));
	}
}

function inColumns(table: Table, row: Row, geometry: (value: unknown) => unknown): Row {
	return Object.fromEntries(
		table.columns.map((name) => [
			name,
			table.geometryColumns.includes(name) ? geometry(row[name] ?? null) : (row[name] ?? null),
		]),
	);
}

/** The file of a result, or why there is none. */
export function fileOf(
	answer: SqlAnswer,
	format: string,
	options: Record<string, string>,
	variants: SqlVariants,
): { content: Buffer } | { error: string } {
	const table = tableOf(answer);
	const hasGeometry = table.geometryColumns.length > 0;
	if (format === 'csv') {
		if (hasGeometry && variants.sqlCsvGeometry === 'refused') {
			return {
				error:
					`[UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE] The CSV datasource doesn't support the column ` +
					`\`${table.geometryColumns[0]}\` of the type "GEOMETRY". SQLSTATE: 0A000`,
			};
		}
		return { content: Buffer.from(csv(table, options)) };
	}
	if (format !== 'geojson') return { content: Buffer.from('PAR1') };
	if (!hasGeometry && variants.sqlGeoJsonWithoutGeometry === 'refused') {
		return { error: 'java.lang.IllegalArgumentException: No geometry column found' };
	}
	return { content: Buffer.from(geoJson(table, variants)) };
}

/** CSV as Spark writes it: without a header unless requested, null as nothing, quotes as `\\"`. */
function csv(table: Table, options: Record<string, string>): string {
	const cell = (value: unknown) => {
		if (value === null) return '';
		const plain = typeof value === 'object' ? toJson(value) : String(value);
		if (plain !== '' && !/[",\n\r]/.test(plain)) return plain;
		return `"${plain.replaceAll('"', `${options.escape ?? '\\'}"`)}"`;
	};
	const line = (values: unknown[]) => `${values.map(cell).join(',')}\n`;
	const wkt = (value: unknown) => inFormat(value as Geometry | null, 'wkt', false);
	const rows = table.rows.map((row) => line(Object.values(inColumns(table, row, wkt))));
	return (options.header === 'true' ? line(table.columns) : '') + rows.join('');
}

function geoJson(table: Table, variants: SqlVariants): string {
	const [main] = table.geometryColumns;
	const features = table.rows.map((row) => {
		const { [main]: geometry = null, ...properties } = inColumns(table, row, (value) => value);
		return toJson({ type: 'Feature', geometry, properties });
	});
	if (variants.sqlGeoJsonFile === 'lines') return features.map((each) => `${each}\n`).join('');
	return `{"type":"FeatureCollection","features":[${features.join(',')}]}`;
}

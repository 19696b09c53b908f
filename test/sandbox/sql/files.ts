/** Results as files: CSV, GeoJSON and Parquet, as Spark and Sedona write them. */
import { parquetWriteBuffer, schemaFromColumnData } from 'hyparquet-writer';

import { toJson } from '../server/json';
import type { SqlAnswer, Table } from './answers';
import { tableOf } from './answers';
import { inFormat, type Geometry } from './geometry';
import { jsonObject, withGeometries } from './results';
import type { SqlVariants } from './variants';

/** Options of Spark's writers; all are text. */
type Options = Record<string, string>;

/** The file of a result, or why there is none. */
export function fileOf(
	answer: SqlAnswer,
	format: string,
	options: Options,
	variants: SqlVariants,
): { content: Buffer } | { error: string } {
	const table = tableOf(answer);
	if (format === 'parquet') return { content: parquet(table) };
	if (format === 'csv') {
		const column = unsuitableForCsv(table);
		if (column) {
			return {
				error:
					`[UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE] The CSV datasource doesn't support the column ` +
					`\`${column.name}\` of the type "${column.type}". SQLSTATE: 0A000`,
			};
		}
		return { content: Buffer.from(csv(table, options)) };
	}
	if (table.geometryColumns.length === 0 && variants.sqlGeoJsonWithoutGeometry === 'refused') {
		return { error: 'java.lang.IllegalArgumentException: No geometry column found' };
	}
	return { content: Buffer.from(geoJson(table, options)) };
}

function unsuitableForCsv(table: Table): { name: string; type: string } | undefined {
	const [geometry] = table.geometryColumns;
	if (geometry !== undefined) return { name: geometry, type: 'GEOMETRY' };
	const types = table.columns.map((name, at) => {
		const value = table.rows.map((row) => row[at]).find((each) => each !== null);
		if (value instanceof Uint8Array) return { name, type: 'BINARY' };
		return { name, type: Array.isArray(value) ? 'ARRAY<STRING>' : '' };
	});
	return types.find(({ type }) => type !== '');
}

/**
 * CSV: without a header unless requested, null as nothing, quotes as `\\"`, and texts without the white
 * space around them.
 */
function csv(table: Table, options: Options): string {
	const trimmed = (text: string) => {
		const start = options.ignoreLeadingWhiteSpace === 'false' ? text : text.trimStart();
		return options.ignoreTrailingWhiteSpace === 'false' ? start : start.trimEnd();
	};
	const cell = (value: unknown) => {
		if (value === null) return '';
		const plain = trimmed(typeof value === 'object' ? toJson(value) : String(value));
		if (plain !== '' && !/[",\n\r]/.test(plain)) return plain;
		return `"${plain.replaceAll('"', `${options.escape ?? '\\'}"`)}"`;
	};
	const line = (values: unknown[]) => `${values.map(cell).join(',')}\n`;
	const { rows } = withGeometries(table, (value) => inFormat(value, 'wkt', 'text'));
	return (options.header === 'true' ? line(table.columns) : '') + rows.map(line).join('');
}

/** GeoJSON, one feature a line: features lack the properties that are null, unless requested. */
function geoJson(table: Table, options: Options): string {
	const main = table.columns.indexOf(table.geometryColumns[0]);
	const rows = withGeometries(table, (value) => inFormat(value, 'geojson', 'object')).rows;
	const features = rows.map((row) => {
		const kept = table.columns
			.map((name, at) => ({ name, at, value: row[at] }))
			.filter(({ at, value }) => at !== main && (value !== null || keepsNull(options)));
		const properties = jsonObject(
			kept.map(({ name }) => name),
			kept.map(({ value }) => value),
		);
		return `{"type":"Feature","geometry":${toJson(row[main] ?? null)},"properties":${properties}}`;
	});
	return features.map((each) => `${each}\n`).join('');
}

const keepsNull = (options: Options) => options.ignoreNullFields === 'false';

/**
 * Parquet: a geometry is WKB, and beside it stands a column with its bounding box, which no query asked
 * for.
 */
function parquet(table: Table): Buffer {
	const columns = table.columns.flatMap((name, at) => {
		const values = table.rows.map((row) => row[at]);
		if (!table.geometryColumns.includes(name)) return [{ name, data: values.map(storable) }];
		const geometries = values as Array<Geometry | null>;
		const bytes = geometries.map((each) => inFormat(each, 'wkb', 'bytes'));
		return [
			{ name, data: bytes },
			{ name: `${name}_bbox`, data: geometries.map(boxOf) },
		];
	});
	const boxes = new Set(table.geometryColumns.map((name) => `${name}_bbox`));
	const plain = columns.filter(({ name }) => !boxes.has(name));
	const [root, ...elements] = schemaFromColumnData({ columnData: plain });
	const corners = CORNERS.map((name) => ({
		...{ name, type: 'DOUBLE' as const, repetition_type: 'OPTIONAL' as const },
	}));
	const schema = [
		{ ...root, num_children: columns.length },
		...columns.flatMap(({ name }) => {
			const group = { name, repetition_type: 'OPTIONAL' as const, num_children: corners.length };
			return boxes.has(name) ? [group, ...corners] : elements.filter((each) => each.name === name);
		}),
	];
	const kvMetadata = boxes.size > 0 ? [{ key: 'geo', value: geoMetadata(table) }] : [];
	return Buffer.from(parquetWriteBuffer({ columnData: columns, schema, kvMetadata }));
}

/** The metadata of GeoParquet 1.1, with the columns of the boxes. */
function geoMetadata({ geometryColumns }: Table): string {
	const columns = geometryColumns.map((name) => {
		const corners = CORNERS.map((corner) => [corner, [`${name}_bbox`, corner]]);
		const covering = { bbox: Object.fromEntries(corners) as object };
		return [name, { encoding: 'WKB', geometry_types: [], covering }];
	});
	return JSON.stringify({
		version: '1.1.0',
		primary_column: geometryColumns[0],
		columns: Object.fromEntries(columns) as object,
	});
}

/** Lists and the like as their JSON: nobody looks into them here. */
function storable(value: unknown): unknown {
	const isPlain = typeof value !== 'object' || value === null || value instanceof Uint8Array;
	return isPlain || value instanceof Date ? value : toJson(value);
}

const CORNERS = ['xmin', 'ymin', 'xmax', 'ymax'];

function boxOf(geometry: Geometry | null): Record<string, number> | null {
	if (geometry === null) return null;
	const points = pointsOf(geometry);
	const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
	const ends = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
	return Object.fromEntries(CORNERS.map((name, at) => [name, ends[at]]));
}

function pointsOf({ coordinates, geometries }: Geometry): number[][] {
	if (geometries) return geometries.flatMap(pointsOf);
	const isPoint = (list: unknown[]): list is number[] => typeof list[0] === 'number';
	const points = (list: unknown[]): number[][] =>
		isPoint(list) ? [list] : (list as unknown[][]).flatMap(points);
	return points(coordinates as unknown[]);
}

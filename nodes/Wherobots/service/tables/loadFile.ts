/**
 * The statements of Load File. A temporary view reads the files; one statement loads its rows, with each
 * value exactly as the file has it, or fails as a whole.
 */
import { isGeometry, type Column } from '../sql/columns';
import { DEGREES } from '../sql/geometry';
import { isSameType, toTypeText, castTo, toLiteral } from './names';

export interface FileColumn {
	name: string;
	/** Of a point, the columns that it is made from. */
	madeOf?: string[];
	/** As Spark names it; `string` for what files have as text, `json` for that of JSON. */
	type: string;
	/** The value in a row of the view. */
	sql: string;
	/** Whether it comes from text, which may be in another encoding than UTF-8. */
	isDecoded?: boolean;
}

const FEATURE = 'type STRING, geometry STRING, properties MAP<STRING, STRING>';

/** Around a document of JSON: white space, and the mark of its encoding. */
const AROUND = toLiteral('\ufeff \t\r\n');

/** What reads files, with what keeps Spark from trimming, guessing or leaving out anything. */
export const READERS = {
	// Without quotes, an empty value is NULL, and so is this text; `""` is an empty text. The headers of
	// all files have to be the same: otherwise, columns would be taken by their places.
	csv: `USING csv OPTIONS (mode 'FAILFAST', multiLine 'true', escape '"', enforceSchema 'false', ignoreLeadingWhiteSpace 'false', ignoreTrailingWhiteSpace 'false', nullValue '5b1f4a52-8f0c-4f7e-9a43-0f6c2f7d1e90', `,
	geojson: 'USING text OPTIONS (',
	geoparquet: "USING geoparquet OPTIONS (mergeSchema 'true', ",
	json: 'USING text OPTIONS (',
	parquet: "USING parquet OPTIONS (mergeSchema 'true', ",
	shapefile: 'USING shapefile OPTIONS (',
};

export type LoadFormat = keyof typeof READERS;

export const isJson = (format: LoadFormat) => format === 'json' || format === 'geojson';

/** Begins the error of what cannot be loaded. */
export const MISFIT = 'Nothing was loaded: ';

/** What Spark reads instead of bytes that are not UTF-8. */
export const REPLACED = '\ufffd';

/** An error with the file and what is wrong in it, as a condition: its type fits into no column. */
const fail = (what: string, value: string) =>
	// It is never optimized away: what depends on the file is evaluated for each row.
	`WHEN raise_error(concat(${toLiteral(MISFIT + what)}, input_file_name(), ': ', coalesce(left(${value}, 100), 'NULL'))) IS NULL THEN NULL END`;

/** The rows of the view. Those of JSON are maps, `f`; GeoJSON has features, alone or in collections. */
export function toRowsText(format: LoadFormat, view: string): string {
	if (format === 'json') {
		const object =
			"json_object_keys(value) IS NOT NULL THEN from_json(value, 'MAP<STRING, STRING>')";
		return `(SELECT CASE WHEN ${object} ${fail('there must be an object in each line of ', 'value')} AS f FROM ${view} WHERE trim(value) <> '')`;
	}
	if (format !== 'geojson') return view;
	// Of two objects in one text, Spark would read the first alone.
	const document = `json_array_length(concat('[', value, ']')) = 1 THEN from_json(value, '${FEATURE}, features ARRAY<STRUCT<${FEATURE}>>', map('mode', 'FAILFAST'))`;
	const texts = `(SELECT trim(BOTH ${AROUND} FROM value) AS value FROM ${view})`;
	const documents = `(SELECT CASE WHEN ${document} ${fail('there must be one GeoJSON object, alone or one in each line, in ', 'value')} AS d FROM ${texts} WHERE value <> '')`;
	const features = 'explode(coalesce(d.features, array(struct(d.type, d.geometry, d.properties))))';
	const isFeature = `CASE WHEN each.type = ${toLiteral('Feature')} THEN true ${fail('there must be nothing but features in ', 'to_json(each)')}`;
	return `(SELECT each.properties AS f, each.geometry FROM ${documents} LATERAL VIEW ${features} v AS each WHERE ${isFeature})`;
}

/** The point of two columns, in degrees. */
export function toPointColumn(longitude: FileColumn, latitude: FileColumn): FileColumn {
	const [x, y] = [longitude, latitude].map(({ sql }) => `CAST(${sql} AS STRING)`);
	const point = `concat('POINT (', coalesce(${x}, '?'), ' ', coalesce(${y}, '?'), ')')`;
	const sql = `CASE WHEN coalesce(${x}, ${y}) IS NOT NULL THEN ${point} END`;
	const madeOf = [longitude.name, latitude.name];
	return { name: madeOf.join(', '), madeOf, type: 'string', sql };
}

/**
 * The value of a column, or an error that names column, file and value.
 *
 * @param zone of times that name none
 * @returns undefined when the column cannot hold values of that type
 */
export function toValue(column: Column, file: FileColumn, zone: string): string | undefined {
	const { name, type, isRequired } = column;
	const isText = file.type === 'string' || file.type === 'json';
	const found = isText ? convertText(column, file, zone) : convertTyped(column, file);
	if (!found) return undefined;
	const [value, fits = isRequired ? `${file.sql} IS NOT NULL` : undefined] = found;
	if (fits === undefined) return value;
	const shown = file.type === 'geometry' ? `ST_AsText(${file.sql})` : `CAST(${file.sql} AS STRING)`;
	const error = fail(`the column ${name} (${type}) cannot hold the value in `, shown);
	return `CASE ${isRequired ? '' : `WHEN ${file.sql} IS NULL THEN NULL `}WHEN ${fits} THEN ${value} ${error}`;
}

/** A value, and when it is exactly that of the file; always, where it does not say. */
type Conversion = [value: string, fits?: string];

const DAY = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const TIME = `${DAY}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?`;
const ZONE = '(Z|[+-][0-9]{2}(:?[0-9]{2})?)';
const WKT = ' *(SRID=[0-9]+; *)?[A-Za-z][A-Za-z ]*([(][-+0-9A-Ze., ()]*)?';

/** A cast that fails gives NULL; the patterns keep from one what it would change. */
function convertText(
	column: Column,
	{ sql, type, isDecoded }: FileColumn,
	zone: string,
): Conversion | undefined {
	const { sqlType = '', parts, srid = DEGREES } = column;
	const cast = `try_cast(${sql} AS ${sqlType})`;
	const match = (pattern: string, value = cast): Conversion => [
		value,
		`${sql} RLIKE '^${pattern}$' AND ${value} IS NOT NULL`,
	];
	if (isGeometry(column)) {
		const json = `ST_SetSRID(ST_GeomFromGeoJSON(${sql}), ${DEGREES})`;
		const shape = `CASE WHEN ${sql} LIKE '{%' THEN ${json} ELSE ${castTo(sql, column)} END`;
		const isShape = `${sql} RLIKE '^(${WKT}${srid === DEGREES ? '|[{].*' : ''})$'`;
		// GeoJSON is in degrees, also for a column that declares nothing.
		const elsewhere = column.srid === undefined ? `${sql} NOT LIKE '{%' OR ` : '';
		return [
			shape,
			srid === DEGREES ? `${isShape} AND (${elsewhere}${isInDegrees(shape)})` : isShape,
		];
	}
	if (parts) {
		const json = `from_json(${sql}, ${toLiteral(toTypeText(column))}, map('mode', 'FAILFAST'))`;
		return parts.every(isExactInJson) ? [json] : undefined;
	}
	switch (sqlType.replace(/\(.*/, '')) {
		case '':
			return undefined;
		case 'STRING':
			return isDecoded ? [sql, `NOT contains(${sql}, ${toLiteral(REPLACED)})`] : [sql];
		case 'BINARY':
			return match('[^ ]*', `try_to_binary(${sql}, 'base64')`);
		case 'DECIMAL': {
			const [precision, scale] = toDigits(sqlType);
			if (type !== 'json') return match(` *[+-]?[0-9]*([.][0-9]{0,${scale}}0*)? *`);
			// Spark writes numbers of JSON as doubles, in which 15 digits are as they were.
			const wide = `try_cast(${sql} AS DECIMAL(38, ${38 - precision + scale}))`;
			return [cast, `length(split_part(${sql}, 'E', 1)) < 18 AND ${cast} = ${wide}`];
		}
		case 'DATE':
			return match(DAY);
		case 'TIMESTAMP_NTZ':
			return match(TIME);
		case 'TIMESTAMP': {
			const end = `CASE WHEN ${sql} RLIKE '${ZONE}$' THEN '' ELSE ${toLiteral(zone)} END`;
			return match(`${TIME}${ZONE}?`, `try_cast(concat(${sql}, ${end}) AS TIMESTAMP)`);
		}
		case 'FLOAT':
		case 'DOUBLE':
			return [
				cast,
				`(abs(${cast}) < double('Infinity') OR lower(${sql}) RLIKE '^ *([+-]?inf(inity)?|nan) *$')`,
			];
		default:
			return match('.*');
	}
}

/** Whether a part of a nested value arrives as JSON has it; others would be changed. */
const isExactInJson = ({ sqlType, parts }: Column): boolean =>
	parts?.every(isExactInJson) ?? /^(BIGINT|BOOLEAN|DOUBLE|INT|STRING)$/.test(sqlType ?? '');

/** A condition: other coordinates come from a file in another coordinate system. */
const isInDegrees = (shape: string) =>
	`ST_IsEmpty(${shape}) OR (ST_XMin(${shape}) >= -180 AND ST_XMax(${shape}) <= 180 AND ST_YMin(${shape}) >= -90 AND ST_YMax(${shape}) <= 90)`;

function convertTyped(column: Column, { type, sql }: FileColumn): Conversion | undefined {
	const { srid, sqlType = '' } = column;
	if (isGeometry(column)) {
		if (type !== 'geometry' && type !== 'binary') return undefined;
		const shape = type === 'binary' ? `ST_GeomFromWKB(${sql})` : sql;
		if (srid === undefined) return [shape];
		const isSame = `ST_SRID(${shape}) IN (0, ${srid})`;
		const fits = srid === DEGREES ? `${isSame} AND (${isInDegrees(shape)})` : isSame;
		return [`ST_SetSRID(${shape}, ${srid})`, fits];
	}
	if (isSameType(type, toTypeText(column))) return [sql];
	const [given, decimals] = toDigits(type);
	const [most, scale] = toDigits(sqlType, { INT: 9, BIGINT: 18, FLOAT: 7, DOUBLE: 15 });
	const isExact = given - decimals <= most - scale && decimals <= scale;
	const isWider = isExact || `${type} ${sqlType}` === 'float DOUBLE';
	return isWider ? [`CAST(${sql} AS ${sqlType})`] : undefined;
}

const WHOLE = { TINYINT: 3, SMALLINT: 5, INT: 10, BIGINT: 19 };

/** How many digits numbers of a type have, and how many of them after the point. */
function toDigits(type: string, whole: Record<string, number> = WHOLE): number[] {
	const [, ...decimal] = /^decimal\((\d+), ?(\d+)\)$/i.exec(type) ?? [];
	return decimal.length > 0 ? decimal.map(Number) : [whole[type.toUpperCase()], 0];
}

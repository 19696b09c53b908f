/** Which rows of a table are meant, and the statement that reads them, as they are or were. */
import { isGeometry, isNested, type Column } from '../sql/columns';
import { DEGREES } from '../sql/geometry';
import { toTextLiteral } from '../sql/statements';
import { castTo, quote, toLiteral } from './names';

export const OPERATORS = {
	contains: (column: string, value: string) => `contains(${column}, ${value})`,
	equals: (column: string, value: string) => `${column} = ${value}`,
	greater: (column: string, value: string) => `${column} > ${value}`,
	greaterOrEqual: (column: string, value: string) => `${column} >= ${value}`,
	less: (column: string, value: string) => `${column} < ${value}`,
	lessOrEqual: (column: string, value: string) => `${column} <= ${value}`,
	// Like people, and unlike SQL, it counts a row without a value.
	notEquals: (column: string, value: string) => `NOT (${column} <=> ${value})`,
	startsWith: (column: string, value: string) => `startswith(${column}, ${value})`,
};

export type Operator = keyof typeof OPERATORS | 'isEmpty' | 'isNotEmpty';

export interface Condition {
	column: Column;
	operator: Operator;
	/** As `toTextFor` returns it. */
	text: string;
}

/** Degrees; a west above the east crosses the date line. */
export type Box = [west: number, south: number, east: number, north: number];

interface Place {
	latitude: number;
	longitude: number;
}

export interface Spatial {
	column: Column;
	box?: Box;
	/** WKT, in the coordinate system of the column, or in degrees where it declares none. */
	shape?: string;
	place?: Place;
	/** Farthest distance from `place`, in meters. */
	meters?: number;
	/** Nearest to `place` first. */
	isSorted?: boolean;
}

/** The rows that meet these conditions. */
export interface RowFilter {
	conditions: Condition[];
	/** Whether one of the conditions is enough. */
	isAny: boolean;
	spatial?: Spatial;
}

/** The condition in a statement; undefined for all rows. @throws RangeError for a name or a value that cannot be written */
export function toFilterText({ conditions, isAny, spatial }: RowFilter): string | undefined {
	const parts = [
		conditions.length > 0 && `(${conditions.map(toConditionText).join(isAny ? ' OR ' : ' AND ')})`,
		spatial && toSpatialText(spatial),
	].filter(Boolean);
	return parts.length > 0 ? parts.join(' AND ') : undefined;
}

function toConditionText({ column, operator, text }: Condition): string {
	const name = quote(column.name);
	const isNothing = isGeometry(column)
		? `(${name} IS NULL OR ST_IsEmpty(${name}))`
		: column.sqlType === 'STRING'
			? `(${name} IS NULL OR ${name} = '')`
			: `${name} IS NULL`;
	if (operator === 'isEmpty') return isNothing;
	if (operator === 'isNotEmpty') return `NOT ${isNothing}`;
	return OPERATORS[operator](name, castTo(toLiteral(text), column));
}

function toSpatialText({ column, box, shape, place, meters }: Spatial): string | undefined {
	const name = quote(column.name);
	if (shape !== undefined) {
		return `ST_Intersects(${name}, ${castTo(toLiteral(shape), { srid: DEGREES, ...column })})`;
	}
	if (box) return toBoxCondition(name, box);
	if (!place || meters === undefined) return undefined;
	return `(${toBoxCondition(name, computeBoxAround(place, meters))} AND ${toDistance(column, place)} <= ${meters})`;
}

function toBoxCondition(name: string, [west, south, east, north]: Box): string {
	const part = (from: number, to: number) =>
		`ST_Intersects(${name}, ST_PolygonFromEnvelope(${[from, south, to, north].map(toDouble).join(', ')}))`;
	return west > east ? `(${part(west, 180)} OR ${part(-180, east)})` : part(west, east);
}

/** Metres of a degree of latitude on the sphere of `ST_DistanceSphere`, at least. */
const DEGREE_METERS = 111_000;

/** A box around all that is within a distance. */
function computeBoxAround({ latitude, longitude }: Place, meters: number): Box {
	const height = meters / DEGREE_METERS;
	const [south, north] = [Math.max(-90, latitude - height), Math.min(90, latitude + height)];
	const narrowest = Math.min(Math.cos((south * Math.PI) / 180), Math.cos((north * Math.PI) / 180));
	const width = height / narrowest;
	if (!(width < 180)) return [-180, south, 180, north];
	const around = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;
	return [around(longitude - width), south, around(longitude + width), north];
}

/**
 * The distance of a shape from a place in meters: `ST_DWithin` would measure from the middle of a shape.
 * Its nearest point is found on a map that is stretched as the earth is at that latitude, also across the
 * date line, and measured on the sphere. NULL for empty shapes, which the functions fail on.
 */
function toDistance({ name }: Column, { latitude, longitude }: Place): string {
	const shape = quote(name);
	const stretch = Math.max(Math.cos((latitude * Math.PI) / 180), 1e-6);
	const scaled = (of: string, by: number) =>
		`ST_Affine(${of}, ${toDouble(by)}, 0D, 0D, 1D, 0D, 0D)`;
	const place = (x: number) => `ST_Point(${toDouble(x)}, ${toDouble(latitude)})`;
	const from = (x: number) =>
		`ST_DistanceSphere(${scaled(`ST_ClosestPoint(${scaled(shape, stretch)}, ${place(x * stretch)})`, 1 / stretch)}, ${place(longitude)})`;
	const beyond = longitude > 0 ? longitude - 360 : longitude + 360;
	return `IF(ST_IsEmpty(${shape}), NULL, LEAST(${from(longitude)}, ${from(beyond)}))`;
}

/** A number with all its digits, and not as a decimal. */
function toDouble(value: number): string {
	return `${value}D`;
}

/** Rows as they were at a snapshot; `added`: only those that these snapshots appended. */
export interface Version {
	/** The ID of a snapshot, or the name of a tag. */
	at: string;
	added?: string[];
}

export interface RowsWanted extends RowFilter {
	/** As `toTableName` returns it. */
	table: string;
	/** Undefined for the present rows; several are read one after the other. */
	versions?: Version[];
	/** All columns when there are none. */
	columns: Column[];
	/** Columns that a CSV file cannot hold become text. */
	asText: boolean;
	sort: Array<{ column: Column; isDescending: boolean }>;
	limit?: number;
}

/** The statement that reads rows. @throws RangeError for a name or a value that cannot be written */
export function selectStatement(wanted: RowsWanted): string {
	const { table, versions, columns, spatial, sort, limit } = wanted;
	const where = toFilterText(wanted);
	const order = [
		...(spatial?.isSorted && spatial.place
			? [`${toDistance(spatial.column, spatial.place)} NULLS LAST`]
			: []),
		...sort.map(
			({ column, isDescending }) => `${quote(column.name)}${isDescending ? ' DESC' : ''}`,
		),
	];
	const names = columns.map((column) => toOutputText(column, wanted.asText));
	return [
		`SELECT ${names.length > 0 ? names.join(', ') : '*'}`,
		`FROM ${versions ? toSourceText(table, versions) : table}`,
		where && `WHERE ${where}`,
		order.length > 0 && `ORDER BY ${order.join(', ')}`,
		limit !== undefined && `LIMIT ${limit}`,
	]
		.filter(Boolean)
		.join(' ');
}

function toOutputText(column: Column, asText: boolean): string {
	const name = quote(column.name);
	if (!asText) return name;
	if (isGeometry(column)) return `ST_AsText(${name}) AS ${name}`;
	if (isNested(column)) return `to_json(${name}) AS ${name}`;
	return column.sqlType === 'BINARY' ? `base64(${name}) AS ${name}` : name;
}

/** Appended rows are those in the files that their snapshots added, as long as no later one rewrote them. */
function toSourceText(table: string, versions: Version[]): string {
	const [first] = versions;
	if (versions.length === 1 && !first.added) return `${table} ${toVersionText(first.at)}`;
	const parts = versions.map(({ at, added = [] }) => {
		const files = `SELECT data_file.file_path FROM ${table}.all_entries WHERE status = 1 AND data_file.content = 0 AND snapshot_id IN (${added.map(checkId).join(', ')})`;
		const isAdded = added.length > 0 ? `_file IN (${files})` : 'FALSE';
		return `SELECT * FROM ${table} ${toVersionText(at)} WHERE ${isAdded}`;
	});
	return `(${parts.join(' UNION ALL ')})`;
}

/** Whether a text is the ID of a snapshot, or a name of a tag that can stand in a statement. */
export const isVersion = (text: string) => toTextLiteral(text)?.startsWith("'") === true;

function toVersionText(version: string): string {
	if (!isVersion(version)) throw new RangeError(`A tag cannot be called ${version}`);
	return `VERSION AS OF ${/^\d{1,19}$/.test(version) ? version : toLiteral(version)}`;
}

/** @throws RangeError for what is no ID of a snapshot */
function checkId(id: string): string {
	if (/^\d{1,19}$/.test(id)) return id;
	throw new RangeError(`A snapshot has the ID ${id}, which is not a number`);
}

/**
 * Geometries: as a session sends them in binary (WKB of ISO 13249-3, or EWKB with a coordinate system),
 * and as people and other nodes give them (WKT, or GeoJSON).
 */
import type { IDataObject } from 'n8n-workflow';

import { parseLeadingJson } from '../json';
import { isRecord } from '../records';
import { checkWkt, type CheckedWkt } from './wkt';

/** Depth of the lists of coordinates below the point, in the order that WKB numbers the types. */
const DEPTHS: Record<string, number> = {
	...{ Point: 0, LineString: 1, Polygon: 2, MultiPoint: 1, MultiLineString: 2, MultiPolygon: 3 },
};

const NAMES = [...Object.keys(DEPTHS), 'GeometryCollection'];

/** Flags of EWKB in the type of a geometry. */
const [HAS_Z, HAS_M, HAS_SRID] = [0x80000000, 0x40000000, 0x20000000];

/** The coordinate system of longitude and latitude. */
export const DEGREES = 4326;

/** Coordinate systems that GeoJSON does not name: its own, and none. */
const USUAL = [DEGREES, 0];

/**
 * The GeoJSON of a geometry, with a `crs` member where its coordinate system is not the usual one.
 * Measures and unknown heights are left out, and an empty point has no coordinates.
 *
 * @returns undefined when it cannot be read; infinite coordinates, which GeoJSON cannot have, are said
 */
export function toGeoJson(bytes: Uint8Array): IDataObject | 'infinite' | undefined {
	try {
		const reader = new WkbReader(bytes);
		const geometry = reader.geometry();
		if (reader.isInfinite) return 'infinite';
		if (USUAL.includes(reader.srid)) return geometry;
		const crs = { type: 'name', properties: { name: `EPSG:${reader.srid}` } };
		return { ...geometry, crs };
	} catch {
		return undefined;
	}
}

class WkbReader {
	srid = 0;

	/** Whether a coordinate is no finite number. */
	isInfinite = false;

	private at = 0;

	private readonly view: DataView;

	private isLittle = true;

	constructor(bytes: Uint8Array) {
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	/** @throws RangeError when the bytes end early, or are no geometry */
	geometry(): IDataObject {
		this.isLittle = this.view.getUint8(this.at++) === 1;
		const code = this.integer();
		if (code & HAS_SRID) this.srid = this.integer();
		const kind = code & 0xffff;
		const isHigh = Boolean(code & HAS_Z) || [1, 3].includes(Math.floor(kind / 1000));
		const hasMeasure = Boolean(code & HAS_M) || kind >= 2000;
		const type = NAMES[(kind % 1000) - 1];
		const point = () => this.point(isHigh, hasMeasure);
		const path = () => this.list(point);
		switch (type) {
			case 'Point':
				return { type, coordinates: point() };
			case 'LineString':
				return { type, coordinates: path() };
			case 'Polygon':
				return { type, coordinates: this.list(path) };
			case 'GeometryCollection':
				return { type, geometries: this.list(() => this.geometry()) };
			case undefined:
				throw new RangeError('Not a geometry');
			default:
				return { type, coordinates: this.list(() => this.geometry().coordinates as number[]) };
		}
	}

	private integer(): number {
		this.at += 4;
		return this.view.getUint32(this.at - 4, this.isLittle);
	}

	private number(): number {
		this.at += 8;
		return this.view.getFloat64(this.at - 8, this.isLittle);
	}

	private point(isHigh: boolean, hasMeasure: boolean): number[] {
		const point = [this.number(), this.number(), ...(isHigh ? [this.number()] : [])];
		if (hasMeasure) this.number();
		if (Number.isNaN(point[2])) point.pop();
		if (point.every(Number.isNaN)) return [];
		this.isInfinite ||= !point.every(Number.isFinite);
		return point;
	}

	private list<T>(each: () => T): T[] {
		const list: T[] = [];
		for (let left = this.integer(); left > 0; left--) list.push(each());
		return list;
	}
}

/** A geometry that someone gave. */
export interface Geometry extends CheckedWkt {
	/** Without its coordinate system; the whole text where there is a problem. */
	wkt: string;
	/** The coordinate system that it names. */
	srid?: number;
}

/** A geometry in WKT, EWKT or GeoJSON, which may be a feature or a collection of features. */
export function parseGeometry(given: string): Geometry {
	const text = given.trim();
	const systems: string[] = [];
	const wkt = text.startsWith('{')
		? (parseLeadingJson(text, (json) => convertGeoJson(JSON.parse(json), systems)) as
				| string
				| undefined)
		: text.replace(/^SRID=(\d+);\s*/i, (_, srid: string) => {
				systems.push(srid);
				return '';
			});
	if (wkt === undefined) {
		const isJson = parseLeadingJson(text) !== undefined;
		const problem = isJson
			? 'GeoJSON has a type such as Point, and coordinates in lists of at least two numbers'
			: 'It is not valid JSON: a comma or a bracket may be missing, or one too many';
		return { problem, wkt: text };
	}
	const srids = new Set(systems.map(parseSrid));
	srids.delete(0);
	const [srid, ...others] = srids;
	if (srids.has(undefined) || others.length > 0) {
		const named = [...new Set(systems)].join(', ').slice(0, 100);
		const problem = `It must be in one coordinate system, such as EPSG:4326, not ${named}`;
		return { problem, wkt };
	}
	return { ...checkWkt(wkt), wkt, srid };
}

/**
 * The EPSG code of a coordinate system, as columns, EWKT and GeoJSON name it: `4326`, `EPSG:4326`,
 * `urn:ogc:def:crs:OGC:1.3:CRS84`.
 */
export function parseSrid(name: string): number | undefined {
	if (/(?:crs|wgs)[ :]?84h?$/i.test(name)) return DEGREES;
	const [, digits] = /(?:^|[ :/#])(\d{1,9})$/.exec(name) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/**
 * What keeps a geometry out of a column with this coordinate system, to be read after "has", and what to
 * do; undefined when nothing does. A column that declares none takes degrees, and whatever names no
 * system unless it looks like degrees in the wrong order.
 */
export function describeMisfit(
	{ srid: named, notDegrees, maySwap }: Omit<Geometry, 'wkt'>,
	declared?: number,
) {
	const system = declared ?? DEGREES;
	const converted = (from: number) =>
		`for example with ST_Transform(geometry, 'EPSG:${from}', 'EPSG:${system}') in the query that it comes from.`;
	if (named !== undefined && named !== system) {
		const advice = `Convert it to EPSG:${system} first, ${converted(named)}`;
		return { what: `coordinates in EPSG:${named}`, advice };
	}
	const isCertain = (named ?? declared) === DEGREES;
	if (notDegrees === undefined || !(isCertain || (declared === undefined && maySwap)))
		return undefined;
	const [x, y] = notDegrees.split(/\s+/).map((each) => Math.abs(Number(each)));
	return {
		what: `coordinates that are not degrees (${notDegrees})`,
		advice:
			x <= 90 && y <= 360
				? 'Are longitude and latitude swapped? Longitude comes first.'
				: `Longitude comes first. Other coordinates have to be converted, ${converted(3857)}`,
	};
}

/** @param systems gets the names of the coordinate systems on the way */
function convertGeoJson(value: unknown, systems: string[]): string | undefined {
	if (!isRecord(value)) return undefined;
	const { type, coordinates, crs } = value;
	if (isRecord(crs)) {
		const { name, code } = isRecord(crs.properties) ? crs.properties : {};
		systems.push(String(name ?? code ?? JSON.stringify(crs)));
	} else if (crs !== undefined && crs !== null) systems.push(String(crs));
	if (type === 'Feature') return convertGeoJson(value.geometry, systems);
	const members = type === 'FeatureCollection' ? value.features : value.geometries;
	if (Array.isArray(members)) {
		const inner = members.map((each) => convertGeoJson(each, systems));
		if (inner.includes(undefined)) return undefined;
		return inner.length > 0
			? `GEOMETRYCOLLECTION (${inner.join(', ')})`
			: 'GEOMETRYCOLLECTION EMPTY';
	}
	const name = String(type);
	if (!Object.hasOwn(DEPTHS, name)) return undefined;
	const inner = formatList(coordinates, DEPTHS[name]);
	if (inner === undefined) return undefined;
	return `${name.toUpperCase()} ${name === 'Point' && inner !== 'EMPTY' ? `(${inner})` : inner}`;
}

/** Coordinates of a point, or a list of lists of them: longitude, latitude and any height. */
function formatList(value: unknown, depth: number): string | undefined {
	if (!Array.isArray(value)) return undefined;
	if (value.length === 0) return 'EMPTY';
	if (depth === 0) {
		const numbers = value.length >= 2 && value.every((each) => Number.isFinite(each));
		return numbers ? value.slice(0, 3).join(' ') : undefined;
	}
	const parts = value.map((each) => formatList(each, depth - 1));
	return parts.includes(undefined) ? undefined : `(${parts.join(', ')})`;
}

/**
 * Geometries: as a session sends them in binary (WKB of ISO 13249-3, or EWKB with a coordinate system),
 * and as people and other nodes give them (WKT, or GeoJSON).
 */
import type { IDataObject } from 'n8n-workflow';

import { jsonIn } from '../json';
import { isRecord } from '../records';

const NAMES = [
	...['Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon'],
	'GeometryCollection',
];

/** Flags of EWKB in the type of a geometry. */
const [HAS_Z, HAS_M, HAS_SRID] = [0x80000000, 0x40000000, 0x20000000];

/** Coordinate systems that GeoJSON does not name: its own, and none. */
const USUAL = [4326, 0];

/**
 * The GeoJSON of a geometry, with a `crs` member where its coordinate system is not the usual one.
 * Measures are left out, and an empty point has no coordinates.
 *
 * @returns undefined when it cannot be read
 */
export function geoJsonOf(bytes: Uint8Array): IDataObject | undefined {
	try {
		const reader = new WkbReader(bytes);
		const geometry = reader.geometry();
		if (USUAL.includes(reader.srid)) return geometry;
		const crs = { type: 'name', properties: { name: `EPSG:${reader.srid}` } };
		return { ...geometry, crs };
	} catch {
		return undefined;
	}
}

class WkbReader {
	srid = 0;

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
		return point.every(Number.isNaN) ? [] : point;
	}

	private list<T>(each: () => T): T[] {
		const list: T[] = [];
		for (let left = this.integer(); left > 0; left--) list.push(each());
		return list;
	}
}

const WKT =
	/^(POINT|LINESTRING|POLYGON|MULTIPOINT|MULTILINESTRING|MULTIPOLYGON|GEOMETRYCOLLECTION)\s*(ZM?|M)?\s*(EMPTY|\([-+\d.eE\s,()A-Z]*\))$/i;

/** The parts of these are in parentheses of their own. */
const WITHOUT_PARTS = /^(POLYGON|MULTIPOLYGON|MULTILINESTRING)\s*(ZM?|M)?\s*\(\s*[-+.\d]/i;

/** Depth of the lists of coordinates below the point. */
const DEPTHS: Record<string, number> = {
	...{ Point: 0, LineString: 1, MultiPoint: 1, Polygon: 2, MultiLineString: 2, MultiPolygon: 3 },
};

/**
 * A geometry as WKT: from WKT, from EWKT without its coordinate system, or from GeoJSON, which may be a
 * feature or a collection of features.
 *
 * @returns undefined for any other text, for rings that are not closed, and for collections nested
 *   deeper than calls can be
 */
export function wktOf(given: string): string | undefined {
	const text = given.trim();
	if (text.startsWith('{')) return jsonIn(text, readGeoJson) as string | undefined;
	const isBalanced = text.split('(').length === text.split(')').length;
	const wkt = text.replace(/^SRID=\d+;\s*/i, '');
	return isBalanced && WKT.test(wkt) && !WITHOUT_PARTS.test(wkt) ? wkt : undefined;
}

/** The coordinate system that EWKT names; undefined for other texts. */
export function sridIn(given: string): number | undefined {
	const [, srid] = /^\s*SRID=(\d+);/i.exec(given) ?? [];
	return srid === undefined ? undefined : Number(srid);
}

const readGeoJson = (json: string) => wktOfGeoJson(JSON.parse(json));

function wktOfGeoJson(value: unknown): string | undefined {
	if (!isRecord(value)) return undefined;
	const { type, coordinates } = value;
	if (type === 'Feature') return wktOfGeoJson(value.geometry);
	const members = type === 'FeatureCollection' ? value.features : value.geometries;
	if (Array.isArray(members)) {
		const inner = members.map(wktOfGeoJson);
		if (inner.includes(undefined)) return undefined;
		return inner.length > 0
			? `GEOMETRYCOLLECTION (${inner.join(', ')})`
			: 'GEOMETRYCOLLECTION EMPTY';
	}
	const name = String(type);
	if (!Object.hasOwn(DEPTHS, name)) return undefined;
	if (Array.isArray(coordinates) && coordinates.length === 0) return `${name.toUpperCase()} EMPTY`;
	const inner = listText(coordinates, DEPTHS[name], name.endsWith('Polygon'));
	if (inner === undefined) return undefined;
	return `${name.toUpperCase()} ${name === 'Point' ? `(${inner})` : inner}`;
}

/** Coordinates of a point, or a list of lists of them: longitude, latitude and any height. */
function listText(value: unknown, depth: number, isClosed: boolean): string | undefined {
	if (!Array.isArray(value)) return undefined;
	if (depth === 0) {
		const numbers = value.length >= 2 && value.every((each) => Number.isFinite(each));
		return numbers ? value.slice(0, 3).join(' ') : undefined;
	}
	const parts = value.map((each) => listText(each, depth - 1, isClosed));
	const isOpen = isClosed && depth === 1 && (parts.length < 4 || parts[0] !== parts.at(-1));
	return isOpen || parts.includes(undefined) ? undefined : `(${parts.join(', ')})`;
}

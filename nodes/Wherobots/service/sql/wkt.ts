/** Geometries as people and other nodes give them: WKT, or GeoJSON. */
import { isRecord } from '../types';

const WKT =
	/^(POINT|LINESTRING|POLYGON|MULTIPOINT|MULTILINESTRING|MULTIPOLYGON|GEOMETRYCOLLECTION)\s*(ZM?|M)?\s*(EMPTY|\([-+\d.eE\s,()A-Z]*\))$/i;

/** Depth of the lists of coordinates below the point. */
const DEPTHS: Record<string, number> = {
	...{ Point: 0, LineString: 1, MultiPoint: 1, Polygon: 2, MultiLineString: 2, MultiPolygon: 3 },
};

/**
 * A geometry as WKT: from WKT, from EWKT without its coordinate system, or from GeoJSON, which may be a
 * feature or a collection of features.
 *
 * @returns undefined for any other text, and for rings that are not closed
 */
export function wktOf(given: string): string | undefined {
	const text = given.trim();
	if (text.startsWith('{')) return geoJsonText(text);
	const isBalanced = text.split('(').length === text.split(')').length;
	const wkt = text.replace(/^SRID=\d+;\s*/i, '');
	return isBalanced && WKT.test(wkt) ? wkt : undefined;
}

/** The coordinate system that EWKT names; undefined for other texts. */
export function sridIn(given: string): number | undefined {
	const [, srid] = /^\s*SRID=(\d+);/i.exec(given) ?? [];
	return srid === undefined ? undefined : Number(srid);
}

function geoJsonText(text: string): string | undefined {
	try {
		return wktOfGeoJson(JSON.parse(text));
	} catch {
		return undefined;
	}
}

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

/** Coordinates of a point, or a list of lists of them; longitude and latitude only. */
function listText(value: unknown, depth: number, isClosed: boolean): string | undefined {
	if (!Array.isArray(value)) return undefined;
	if (depth === 0) {
		const numbers = value.length >= 2 && value.every((each) => Number.isFinite(each));
		return numbers ? `${value[0]} ${value[1]}` : undefined;
	}
	const parts = value.map((each) => listText(each, depth - 1, isClosed));
	const isOpen = isClosed && depth === 1 && (parts.length < 4 || parts[0] !== parts.at(-1));
	return isOpen || parts.includes(undefined) ? undefined : `(${parts.join(', ')})`;
}

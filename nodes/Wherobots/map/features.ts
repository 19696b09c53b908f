import type { IDataObject } from 'n8n-workflow';

/** Longitude and latitude in degrees. */
export type Position = [longitude: number, latitude: number];

/** One connected piece of a geometry; a polygon has its outer ring first, then its holes. */
export interface Part {
	kind: 'point' | 'line' | 'polygon';
	rings: Position[][];
}

export interface MapFeature {
	properties: IDataObject;
	parts: Part[];
	/** How many there are in all parts. */
	positions: number;
}

/** Why features are left out, to be read after their number. */
export const LEFT_OUT = {
	invalid: 'with invalid JSON',
	large: 'larger than 16 MB',
	empty: 'without a geometry',
	notNumbers: 'with coordinates that are not numbers',
	notDegrees: 'with coordinates that are not degrees (EPSG:4326)',
} as const;

export type Reason = (typeof LEFT_OUT)[keyof typeof LEFT_OUT];

/** A GeoJSON feature, or a geometry alone; the reason where it cannot be drawn as a whole. */
export function readFeature(feature: unknown): MapFeature | Reason {
	const { geometry, properties } = (feature ?? {}) as Record<string, unknown>;
	const parts = partsOf(geometry ?? feature).filter(({ rings }) => rings[0]?.length > 0);
	const positions = parts.flatMap(({ rings }) => rings.flat());
	if (positions.length === 0) return LEFT_OUT.empty;
	if (!positions.every(isNumeric)) return LEFT_OUT.notNumbers;
	if (!positions.every(isInDegrees)) return LEFT_OUT.notDegrees;
	return {
		parts: parts.map(({ kind, rings }) => ({
			kind,
			rings: rings.map((ring) => ring.map(clamped)),
		})),
		positions: positions.length,
		properties: (properties ?? {}) as IDataObject,
	};
}

/** The pieces of a GeoJSON geometry (RFC 7946, section 3.1), whose positions are not checked yet. */
function partsOf(geometry: unknown): Part[] {
	const parts: Part[][] = [];
	// A list that grows on the way, since collections may be nested deeper than calls can be.
	const geometries = [geometry];
	for (const each of geometries) {
		const { type, coordinates, geometries: inner } = (each ?? {}) as Record<string, unknown>;
		if (Array.isArray(inner)) for (const one of inner) geometries.push(one);
		else if (Array.isArray(coordinates)) parts.push(partsOfType(String(type), coordinates));
	}
	return parts.flat();
}

function partsOfType(type: string, coordinates: unknown): Part[] {
	if (/^Multi(Point|LineString|Polygon)$/.test(type)) {
		return listed(coordinates).flatMap((each) => partsOfType(type.slice(5), each));
	}
	if (type === 'Point') {
		const isEmpty = listed(coordinates).length === 0;
		return [{ kind: 'point', rings: isEmpty ? [] : [[coordinates as Position]] }];
	}
	if (type === 'LineString') return [{ kind: 'line', rings: [listed(coordinates) as Position[]] }];
	if (type === 'Polygon') {
		return [{ kind: 'polygon', rings: listed(coordinates).map(listed) as Position[][] }];
	}
	return [];
}

/** What stands where a list belongs counts as its only entry, and is then found not to be a position. */
function listed(value: unknown): unknown[] {
	return Array.isArray(value) ? (value as unknown[]) : [value];
}

function isNumeric(position: unknown): boolean {
	return (
		Array.isArray(position) && [position[0], position[1]].every((each) => typeof each === 'number')
	);
}

const [MAX_LONGITUDE, MAX_LATITUDE] = [360, 90];

/** In degrees, about ten centimeters: how far calculations round beyond a pole. */
const TOLERANCE = 1e-6;

function isInDegrees([longitude, latitude]: Position): boolean {
	return (
		Math.abs(longitude) <= MAX_LONGITUDE + TOLERANCE &&
		Math.abs(latitude) <= MAX_LATITUDE + TOLERANCE
	);
}

function clamped([longitude, latitude]: Position): Position {
	const within = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));
	return [within(longitude, MAX_LONGITUDE), within(latitude, MAX_LATITUDE)];
}

/** The value of a property as the map shows it. */
export function asText(value: unknown): string {
	if (typeof value !== 'object') return String(value);
	try {
		return JSON.stringify(value);
	} catch {
		return '… (nested too deeply)';
	}
}

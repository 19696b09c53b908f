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

/** A GeoJSON feature, or a geometry alone; undefined when it has none, or one that is not in degrees. */
export function readFeature(feature: unknown): MapFeature | undefined {
	const { geometry, properties } = (feature ?? {}) as Record<string, unknown>;
	const parts = partsOf(geometry ?? feature);
	if (parts.length === 0) return undefined;
	const positions = parts.flatMap(({ rings }) => rings.flat()).length;
	return { parts, positions, properties: (properties ?? {}) as IDataObject };
}

/** The pieces of a GeoJSON geometry (RFC 7946, section 3.1); none where any of it cannot be drawn. */
function partsOf(geometry: unknown): Part[] {
	const { type, coordinates, geometries } = (geometry ?? {}) as Record<string, unknown>;
	if (Array.isArray(geometries)) return geometries.flatMap(partsOf);
	if (!Array.isArray(coordinates)) return [];
	const parts = partsOfType(String(type), coordinates).filter(({ rings }) => rings[0]?.length > 0);
	return parts.every(({ rings }) => rings.flat().every(isInDegrees)) ? parts : [];
}

function partsOfType(type: string, coordinates: unknown[]): Part[] {
	if (/^Multi(Point|LineString|Polygon)$/.test(type)) {
		return coordinates.flatMap((each) => partsOfType(type.slice(5), each as unknown[]));
	}
	if (type === 'Point') return [{ kind: 'point', rings: [[coordinates as Position]] }];
	if (type === 'LineString') return [{ kind: 'line', rings: [coordinates as Position[]] }];
	if (type === 'Polygon') return [{ kind: 'polygon', rings: coordinates as Position[][] }];
	return [];
}

function isInDegrees(position: unknown): boolean {
	const isWithin = (value: unknown, limit: number) =>
		typeof value === 'number' && Math.abs(value) <= limit;
	return Array.isArray(position) && isWithin(position[0], 360) && isWithin(position[1], 90);
}

/** The value of a property as the map shows it. */
export function asText(value: unknown): string {
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

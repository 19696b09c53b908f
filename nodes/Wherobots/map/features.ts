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
}

/** What a browser draws without delay and an email can carry. */
const MAX_FEATURES = 3_000;
const MAX_POSITIONS = 50_000;

/**
 * Chooses which features of a file are drawn: all of them, or, where there are too many, every second,
 * fourth, eighth … so that the choice is even and depends on the file alone.
 */
export class FeatureSample {
	features: MapFeature[] = [];

	/** Features that can be drawn, whether they were chosen or not. */
	drawable = 0;

	/** Features without a geometry, or with one that is not in degrees. */
	unusable = 0;

	private stride = 1;

	add(feature: unknown): void {
		const { geometry, properties } = (feature ?? {}) as Record<string, unknown>;
		const parts = partsOf(geometry ?? feature);
		if (parts.length === 0) {
			this.unusable++;
			return;
		}
		if (this.drawable++ % this.stride !== 0) return;
		this.features.push({ properties: (properties ?? {}) as IDataObject, parts });
		while (this.isTooMuch()) {
			this.stride *= 2;
			this.features = this.features.filter((_, place) => place % 2 === 0);
		}
	}

	private isTooMuch(): boolean {
		const { length } = this.features;
		return length > MAX_FEATURES || (length > 1 && sizeOf(this.features) > MAX_POSITIONS);
	}
}

const sizes = new WeakMap<MapFeature, number>();

function sizeOf(features: MapFeature[]): number {
	let size = 0;
	for (const feature of features) {
		let own = sizes.get(feature);
		if (own === undefined) {
			own = feature.parts.flatMap(({ rings }) => rings).reduce((sum, ring) => sum + ring.length, 0);
			sizes.set(feature, own);
		}
		size += own;
	}
	return size;
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
	switch (type) {
		case 'Point':
			return [{ kind: 'point', rings: [[coordinates as Position]] }];
		case 'LineString':
			return [{ kind: 'line', rings: [coordinates as Position[]] }];
		case 'Polygon':
			return [{ kind: 'polygon', rings: coordinates as Position[][] }];
		case 'MultiPoint':
		case 'MultiLineString':
		case 'MultiPolygon':
			return coordinates.flatMap((each) => partsOfType(type.slice(5), each as unknown[]));
		default:
			return [];
	}
}

function isInDegrees(position: unknown): boolean {
	if (!Array.isArray(position)) return false;
	const [longitude, latitude] = position as unknown[];
	return isWithin(longitude, 360) && isWithin(latitude, 90);
}

function isWithin(value: unknown, limit: number): boolean {
	return typeof value === 'number' && Math.abs(value) <= limit;
}

import type { IDataObject } from 'n8n-workflow';

import { parseLenientJson, toJson } from '../service/json';
import { sum } from './d3';

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
	other: 'that are not GeoJSON',
} as const;

export type Reason = (typeof LEFT_OUT)[keyof typeof LEFT_OUT];

const GEOJSON = /^(Feature|GeometryCollection|(Multi)?(Point|LineString|Polygon))$/;

/** A GeoJSON feature, or a geometry alone; the reason where it cannot be drawn as a whole. */
export function parseFeature(feature: unknown): MapFeature | Reason {
	const { type, geometry, properties } = (feature ?? {}) as Record<string, unknown>;
	if (!GEOJSON.test(String(type))) return LEFT_OUT.other;
	const parts = toParts(geometry ?? feature).filter(({ rings }) => rings[0]?.length > 0);
	const rings = parts.flatMap((part) => part.rings);
	const positions = sum(rings, ({ length }) => length);
	if (positions === 0) return LEFT_OUT.empty;
	if (!rings.every((ring) => ring.every(isNumeric))) return LEFT_OUT.notNumbers;
	if (!rings.every((ring) => ring.every(isInDegrees))) return LEFT_OUT.notDegrees;
	return { parts, positions, properties: (properties ?? {}) as IDataObject };
}

/**
 * A feature without the positions that are nearer to the one before than a distance in degrees. What is
 * smaller than that becomes a dot.
 */
export function thin(feature: MapFeature, distance: number): MapFeature {
	const parts = feature.parts.map(({ kind, rings }) => ({
		kind,
		rings: rings
			.map((ring) => thinLine(ring, distance))
			.filter((ring, place) => place === 0 || ring.length > 2),
	}));
	return { ...feature, parts, positions: sum(parts, ({ rings }) => sum(rings, (r) => r.length)) };
}

function thinLine(line: Position[], distance: number): Position[] {
	let [east, north] = [Infinity, Infinity];
	const kept = line.slice(0, -1).filter(([x, y]) => {
		if (Math.abs(x - east) < distance && Math.abs(y - north) < distance) return false;
		[east, north] = [x, y];
		return true;
	});
	return [...kept, line[line.length - 1]];
}

/** The pieces of a GeoJSON geometry (RFC 7946, section 3.1), whose positions are not checked yet. */
function toParts(geometry: unknown): Part[] {
	const parts: Part[][] = [];
	// A list that grows on the way, since collections may be nested deeper than calls can be.
	const geometries = [geometry];
	for (const each of geometries) {
		const { type, coordinates, geometries: inner } = (each ?? {}) as Record<string, unknown>;
		if (Array.isArray(inner)) for (const one of inner) geometries.push(one);
		else if (Array.isArray(coordinates)) parts.push(toPartsOfType(String(type), coordinates));
	}
	return parts.flat();
}

function toPartsOfType(type: string, coordinates: unknown): Part[] {
	if (/^Multi(Point|LineString|Polygon)$/.test(type)) {
		return toList(coordinates).flatMap((each) => toPartsOfType(type.slice(5), each));
	}
	if (type === 'Point') {
		const isEmpty = toList(coordinates).length === 0;
		return [{ kind: 'point', rings: isEmpty ? [] : [[coordinates as Position]] }];
	}
	if (type === 'LineString') return [{ kind: 'line', rings: [toList(coordinates) as Position[]] }];
	if (type === 'Polygon') {
		return [{ kind: 'polygon', rings: toList(coordinates).map(toList) as Position[][] }];
	}
	return [];
}

/** What stands where a list belongs counts as its only entry, and is then found not to be a position. */
function toList(value: unknown): unknown[] {
	return Array.isArray(value) ? (value as unknown[]) : [value];
}

function isNumeric(position: unknown): boolean {
	if (!Array.isArray(position)) return false;
	return typeof position[0] === 'number' && typeof position[1] === 'number';
}

/** In degrees, about ten centimeters: how far calculations round beyond a pole. */
const TOLERANCE = 1e-6;

function isInDegrees([longitude, latitude]: Position): boolean {
	return Math.abs(longitude) <= 360 + TOLERANCE && Math.abs(latitude) <= 90 + TOLERANCE;
}

/** The value of a property as the map shows it. */
export function toText(value: unknown): string {
	return typeof value === 'object' && value !== null ? toJson(value) : String(value);
}

/** Maximum length of a feature's JSON, in bytes. */
const MAX_FEATURE_BYTES = 16 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const COLON = 0x3a;
const COMMA = 0x2c;
const CLOSING = new Set([0x5d, 0x7d]);

/** Lists of features in the outermost object: of a FeatureCollection, and of a GeometryCollection. */
const LISTS = ['features', 'geometries'];

/**
 * Finds the features in GeoJSON that arrives in pieces, and holds only one of them at a time: in a
 * FeatureCollection, a list, a single Feature, or one Feature per line, as Sedona writes them.
 *
 * @param onFeature is passed each feature, as JSON
 * @param onLeftOut is passed the reason for each that cannot be read
 * @returns `read` takes the next bytes of the file, in UTF-8; `end` has to be called after the last;
 * `hasFound` says whether there was a feature, or a collection without any
 */
export function createFeatureReader(
	onFeature: (feature: unknown) => void,
	onLeftOut: (reason: Reason) => void,
) {
	/** Brackets and braces that are open. */
	const open: number[] = [];
	let inString = false;
	let isEscaped = false;
	/** In the outermost object: the last string, up to a length, and the name of the current member. */
	let word = '';
	let member = '';
	let isFeature = false;
	let found = false;
	/** The depth at which the current object began, and its bytes so far. */
	let begun: number | undefined;
	let pieces: Uint8Array[] = [];
	let length = 0;

	/** Other members, such as the links of a STAC item, hold objects that are no features. */
	const mayBeFeature = () =>
		open.length === 0 ||
		(open.length === 1 && open[0] === BRACKET) ||
		(open.length === 2 && open[1] === BRACKET && LISTS.includes(member) && !isFeature);

	const keep = (bytes: Uint8Array) => {
		length += bytes.length;
		if (length <= MAX_FEATURE_BYTES) pieces.push(bytes);
		else pieces = [];
	};

	const finish = () => {
		begun = undefined;
		found = true;
		if (length > MAX_FEATURE_BYTES) return onLeftOut(LEFT_OUT.large);
		const value = parsePieces(pieces);
		if (value === undefined) onLeftOut(LEFT_OUT.invalid);
		else if (value.type !== 'FeatureCollection') onFeature(value);
	};

	const read = (block: Uint8Array): void => {
		let from = 0;
		for (let at = 0; at < block.length; at++) {
			const byte = block[at];
			if (isEscaped) isEscaped = false;
			else if (inString && byte === BACKSLASH) isEscaped = true;
			else if (byte === QUOTE) {
				inString = !inString;
				if (inString && open.length === 1) word = '';
			} else if (inString) {
				if (open.length === 1 && word.length < 12) word += String.fromCharCode(byte);
			} else if (byte === COLON) {
				if (open.length === 1) member = word;
			} else if (byte === COMMA) {
				if (open.length === 1 && member === 'type') isFeature = word === 'Feature';
			} else if (byte === BRACE || byte === BRACKET) {
				if (open.length === 0) [member, isFeature] = ['', false];
				if (byte === BRACE && mayBeFeature()) {
					[begun, pieces, length, from] = [open.length, [], 0, at];
				}
				open.push(byte);
			} else if (CLOSING.has(byte)) {
				open.pop();
				if (open.length !== begun) continue;
				keep(block.subarray(from, at + 1));
				finish();
			}
		}
		if (begun !== undefined) keep(block.subarray(from));
	};

	/** What began and did not end is incomplete. */
	const end = () => {
		if (begun !== undefined) finish();
	};
	return { read, end, hasFound: () => found };
}

function parsePieces(pieces: Uint8Array[]): { type?: unknown } | undefined {
	try {
		return parseLenientJson(Buffer.concat(pieces).toString('utf8')) as { type?: unknown };
	} catch {
		return undefined;
	}
}

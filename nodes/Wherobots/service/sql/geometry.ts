/** Geometries as a session sends them in binary: WKB of ISO 13249-3, or EWKB with a coordinate system. */
import type { IDataObject } from 'n8n-workflow';

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

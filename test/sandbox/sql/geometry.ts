/** Geometries in the forms that results contain. */
import { geojsonToWkb } from 'hyparquet-writer';

export interface Geometry {
	type: string;
	coordinates?: unknown;
	geometries?: Geometry[];
	/** The coordinate system; 4326 unless stated. No member of GeoJSON. */
	srid?: number;
}

/** `[1, 2]` to `1 2`, `[[1, 2], [3, 4]]` to `(1 2, 3 4)` and so on. */
function numbers(coordinates: unknown): string {
	const list = coordinates as unknown[];
	if (!Array.isArray(list[0])) return list.join(' ');
	return `(${list.map(numbers).join(', ')})`;
}

function text(geometry: Geometry): string {
	if (geometry.type === 'GeometryCollection') {
		return `GEOMETRYCOLLECTION (${(geometry.geometries ?? []).map(text).join(', ')})`;
	}
	if ((geometry.coordinates as unknown[]).length === 0) {
		return `${geometry.type.toUpperCase()} EMPTY`;
	}
	const content = numbers(geometry.coordinates);
	return `${geometry.type.toUpperCase()} ${content.startsWith('(') ? content : `(${content})`}`;
}

const [HAS_HEIGHT, HAS_SRID] = [0x80000000, 0x20000000];

/** Well-known binary. @param srid for EWKB */
function binary(geometry: Geometry, srid?: number): Buffer {
	const isEmptyPoint =
		geometry.type === 'Point' && (geometry.coordinates as unknown[]).length === 0;
	const written = isEmptyPoint ? { ...geometry, coordinates: [NaN, NaN] } : geometry;
	const bytes = Buffer.from(geojsonToWkb(written as never));
	if (srid === undefined) return bytes;
	const code = bytes.readUInt32LE(1);
	const head = Buffer.alloc(9);
	head.writeUInt8(1, 0);
	head.writeUInt32LE((code % 1000) + (code > 1000 ? HAS_HEIGHT : 0) + HAS_SRID, 1);
	head.writeInt32LE(srid, 5);
	return Buffer.concat([head, bytes.subarray(5)]);
}

/**
 * A geometry in the requested form. Bytes are in hexadecimal where the rows are JSON, and a point
 * without coordinates has no GeoJSON.
 *
 * @throws Error for such a point, with which the service does not send the result at all
 */
export function inFormat(
	geometry: Geometry | null,
	format: string,
	how: 'text' | 'object' | 'bytes',
): unknown {
	if (geometry === null) return null;
	const { srid = 4326, ...plain } = geometry;
	const bytes = (data: Buffer) => (how === 'bytes' ? data : data.toString('hex'));
	switch (format) {
		case 'geojson':
			if (plain.type === 'Point' && (plain.coordinates as unknown[]).length === 0) {
				throw new Error('java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds');
			}
			return how === 'object' ? plain : JSON.stringify(plain);
		case 'wkt':
			return text(plain);
		case 'ewkt':
			return `SRID=${srid};${text(plain)}`;
		case 'wkb':
			return bytes(binary(plain));
		default:
			return bytes(binary(plain, srid));
	}
}

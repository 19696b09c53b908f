/** Geometries in the forms that results contain. */

export interface Geometry {
	type: string;
	coordinates?: unknown;
	geometries?: Geometry[];
	/** The coordinate system; 4326 unless stated. No member of GeoJSON. */
	srid?: number;
}

const TYPES = [
	...['Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon'],
	'GeometryCollection',
];

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

/** Well-known binary, little-endian as the service's own writer has it. @param srid for EWKB */
function binary(geometry: Geometry, srid?: number): Buffer {
	const kind = TYPES.indexOf(geometry.type) + 1;
	const coordinates = geometry.coordinates as never[] | undefined;
	const isHigh = dimensions(geometry) === 3;
	const flags = (isHigh ? 0x80000000 : 0) + (srid === undefined ? 0 : 0x20000000);
	const head = Buffer.alloc(srid === undefined ? 5 : 9);
	head.writeUInt8(1, 0);
	head.writeUInt32LE(kind + flags, 1);
	if (srid !== undefined) head.writeInt32LE(srid, 5);
	const width = isHigh ? 3 : 2;
	const parts = TYPES[kind - 4];
	const inner = () => {
		if (kind === 1) return point(coordinates ?? [], width);
		if (kind === 2) return path(coordinates ?? [], width);
		if (kind === 3) {
			return counted((coordinates ?? []).map((ring) => path(ring as never[], width)));
		}
		const members =
			geometry.geometries ??
			(coordinates ?? []).map((each) => ({ type: parts, coordinates: each }));
		return counted(members.map((each) => binary(each)));
	};
	return Buffer.concat([head, inner()]);
}

function dimensions({ coordinates, geometries }: Geometry): number {
	if (geometries) return Math.max(2, ...geometries.map(dimensions));
	const [first] = (coordinates as unknown[][]).flat(9);
	let list = coordinates as unknown[];
	while (Array.isArray(list[0])) list = list[0];
	return first === undefined ? 2 : list.length;
}

function point(coordinates: number[], width: number): Buffer {
	const bytes = Buffer.alloc(8 * width);
	for (let at = 0; at < width; at++) bytes.writeDoubleLE(coordinates[at] ?? NaN, 8 * at);
	return bytes;
}

function path(points: number[][], width: number): Buffer {
	return counted(points.map((each) => point(each, width)));
}

function counted(parts: Buffer[]): Buffer {
	const count = Buffer.alloc(4);
	count.writeUInt32LE(parts.length, 0);
	return Buffer.concat([count, ...parts]);
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

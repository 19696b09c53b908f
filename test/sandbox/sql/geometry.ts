/** Geometries in the forms that results contain. */

export interface Geometry {
	type: string;
	coordinates?: unknown;
	geometries?: Geometry[];
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
	const content = numbers(geometry.coordinates);
	return `${geometry.type.toUpperCase()} ${content.startsWith('(') ? content : `(${content})`}`;
}

/** A geometry in a JSON row, in the requested form. Bytes are written in hexadecimal. */
export function inFormat(geometry: Geometry | null, format: string, asObject: boolean): unknown {
	if (geometry === null) return null;
	switch (format) {
		case 'geojson':
			return asObject ? geometry : JSON.stringify(geometry);
		case 'wkt':
			return text(geometry);
		case 'ewkt':
			return `SRID=4326;${text(geometry)}`;
		default:
			return Buffer.from(text(geometry)).toString('hex');
	}
}

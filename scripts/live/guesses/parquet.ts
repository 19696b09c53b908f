/** The GeoParquet metadata of a file, without a reader of Parquet. */
import { isRecord, type Json } from '../shape';

const MAGIC = 'PAR1';

export interface GeoMetadata {
	problem?: string;
	/** The file's `geo` entry; undefined if it has none. */
	geo?: Json;
	/** Whether a column is named like a bounding box. */
	hasBbox?: boolean;
}

/** Looks into the footer, in which the metadata is a plain text (GeoParquet 1.1). */
export function geoMetadata(file: Buffer): GeoMetadata {
	const isParquet = [file.toString('latin1', 0, 4), file.toString('latin1', file.length - 4)];
	if (file.length < 12 || isParquet.some((each) => each !== MAGIC)) {
		return { problem: `not a Parquet file of ${file.length} bytes` };
	}
	const length = file.readUInt32LE(file.length - 8);
	const footer = file.toString('utf8', Math.max(0, file.length - 8 - length), file.length - 8);
	return { geo: objectWith(footer, '"primary_column"'), hasBbox: footer.includes('_bbox') };
}

/** The JSON object around a member, in a text with anything else before and after it. */
function objectWith(text: string, member: string): Json | undefined {
	const at = text.indexOf(member);
	if (at < 0) return undefined;
	const starts = [...text.slice(0, at).matchAll(/\{/g)].map(({ index }) => index).reverse();
	for (const start of starts) {
		for (let end = text.indexOf('}', at); end >= 0; end = text.indexOf('}', end + 1)) {
			try {
				const object: unknown = JSON.parse(text.slice(start, end + 1));
				if (isRecord(object)) return object;
			} catch {
				// Not the end of it yet.
			}
		}
	}
	return undefined;
}

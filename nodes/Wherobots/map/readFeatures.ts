/** Maximum length of a feature's JSON, in bytes; a longer one counts as one that cannot be drawn. */
const MAX_FEATURE_BYTES = 16 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Finds the features in GeoJSON that arrives in pieces, and holds only one of them at a time: in a
 * FeatureCollection, a single Feature, or one Feature per line, as Sedona writes them.
 *
 * @param onFeature is passed undefined for objects that are invalid or too long
 * @returns takes the next bytes of the file, in UTF-8
 */
export function featureReader(onFeature: (feature: unknown) => void) {
	/** Brackets and braces that are open. */
	const open: number[] = [];
	let inString = false;
	let isEscaped = false;
	/** The depth at which the current object began, and its bytes so far. */
	let begun: number | undefined;
	let pieces: Uint8Array[] = [];
	let length = 0;

	/** A top-level object, or one in a list of the outermost object, which is then a collection. */
	const mayBeFeature = () =>
		open.length === 0 || (open.length === 2 && open[0] === BRACE && open[1] === BRACKET);

	const keep = (bytes: Uint8Array) => {
		length += bytes.length;
		if (length <= MAX_FEATURE_BYTES) pieces.push(bytes.slice());
		else pieces = [];
	};

	return (block: Uint8Array): void => {
		let from = 0;
		for (let at = 0; at < block.length; at++) {
			const byte = block[at];
			if (isEscaped) isEscaped = false;
			else if (inString && byte === BACKSLASH) isEscaped = true;
			else if (byte === QUOTE) inString = !inString;
			else if (inString) continue;
			else if (byte === BRACE || byte === BRACKET) {
				if (byte === BRACE && mayBeFeature()) {
					[begun, pieces, length, from] = [open.length, [], 0, at];
				}
				open.push(byte);
			} else if (CLOSING.has(byte)) {
				open.pop();
				if (open.length !== begun) continue;
				keep(block.subarray(from, at + 1));
				begun = undefined;
				const value = parsed(pieces);
				if (value?.type !== 'FeatureCollection') onFeature(value);
			}
		}
		if (begun !== undefined) keep(block.subarray(from));
	};
}

function parsed(pieces: Uint8Array[]): { type?: unknown } | undefined {
	try {
		return JSON.parse(Buffer.concat(pieces).toString('utf8')) as { type?: unknown };
	} catch {
		return undefined;
	}
}

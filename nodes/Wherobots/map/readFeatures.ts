import { parseLenientJson } from '../service/json';
import { LEFT_OUT, type Reason } from './features';

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
 * @returns `read` takes the next bytes of the file, in UTF-8; `end` has to be called after the last
 */
export function featureReader(
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
		if (length <= MAX_FEATURE_BYTES) pieces.push(bytes.slice());
		else pieces = [];
	};

	const finish = () => {
		begun = undefined;
		if (length > MAX_FEATURE_BYTES) return onLeftOut(LEFT_OUT.large);
		const value = parsed(pieces);
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
	return { read, end };
}

function parsed(pieces: Uint8Array[]): { type?: unknown } | undefined {
	try {
		return parseLenientJson(Buffer.concat(pieces).toString('utf8')) as { type?: unknown };
	} catch {
		return undefined;
	}
}

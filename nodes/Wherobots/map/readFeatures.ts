/** Maximum length of a feature's JSON, in bytes; a longer one counts as one that cannot be drawn. */
const MAX_FEATURE_BYTES = 16 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Finds the features in GeoJSON that arrives in pieces, and holds only one of them at a time: in a
 * FeatureCollection, a single Feature, or one Feature per line, as Sedona writes them. Objects that
 * are invalid or too long are passed as undefined.
 */
export class FeatureReader {
	private open: number[] = [];

	private inString = false;

	private isEscaped = false;

	/** The depth at which the current object began, and its bytes so far. */
	private begun: number | undefined;

	private pieces: Uint8Array[] = [];

	private length = 0;

	constructor(private readonly onFeature: (feature: unknown) => void) {}

	/** @param block the next bytes of the file, in UTF-8 */
	push(block: Uint8Array): void {
		let from = 0;
		for (let at = 0; at < block.length; at++) {
			const byte = block[at];
			if (this.inString) {
				if (this.isEscaped) this.isEscaped = false;
				else if (byte === BACKSLASH) this.isEscaped = true;
				else if (byte === QUOTE) this.inString = false;
			} else if (byte === QUOTE) {
				this.inString = true;
			} else if (byte === BRACE || byte === BRACKET) {
				if (byte === BRACE && this.mayBeFeature()) {
					[this.begun, this.pieces, this.length, from] = [this.open.length, [], 0, at];
				}
				this.open.push(byte);
			} else if (CLOSING.has(byte)) {
				this.open.pop();
				if (this.open.length === this.begun) {
					this.keep(block.subarray(from, at + 1));
					this.begun = undefined;
					const value = parsed(Buffer.concat(this.pieces).toString('utf8'));
					if (value?.type !== 'FeatureCollection') this.onFeature(value);
				}
			}
		}
		if (this.begun !== undefined) this.keep(block.subarray(from));
	}

	/** A top-level object, or one in a list of the outermost object, which is then a collection. */
	private mayBeFeature(): boolean {
		const { open } = this;
		return open.length === 0 || (open.length === 2 && open[0] === BRACE && open[1] === BRACKET);
	}

	private keep(bytes: Uint8Array): void {
		this.length += bytes.length;
		if (this.length <= MAX_FEATURE_BYTES) this.pieces.push(bytes.slice());
		else this.pieces = [];
	}
}

function parsed(text: string): { type?: unknown } | undefined {
	try {
		return JSON.parse(text) as { type?: unknown };
	} catch {
		return undefined;
	}
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

const EVERY_LINE_FEED = 0x0a0a0a0a;
const EVERY_QUOTE = 0x22222222;
const EVERY_ONE = 0x01010101;
const EVERY_HIGH_BIT = 0x80808080;

/**
 * Finds the ends of CSV rows in bytes: line feeds outside quotes. Looks at four bytes at a time,
 * because it has to keep up with a network; UTF-8 needs no decoding for that.
 */
export class RowScanner {
	/** Rows that ended so far, blank lines not counted. */
	rows = 0;

	/** Where rows ended in the block scanned last: the offsets after their line feeds. */
	ends = new Int32Array(4096);

	/** How many of `ends` hold. */
	endCount = 0;

	private quoted = false;

	/** Offset of the current line in the block; negative when it began in an earlier one. */
	private lineStart = 0;

	private lastByte = LINE_FEED;

	/** Whether everything scanned so far ends where a row ends. */
	get atRowEnd(): boolean {
		return !this.quoted && this.lastByte === LINE_FEED;
	}

	scan(block: Uint8Array): void {
		this.endCount = 0;
		const { length } = block;
		let at = Math.min(length, (4 - (block.byteOffset & 3)) & 3);
		this.scanBytes(block, 0, at);
		const count = (length - at) >> 2;
		// Nothing is left to be aligned in a block of a few bytes.
		const start = count === 0 ? 0 : block.byteOffset + at;
		const words = new Int32Array(block.buffer, start, count);
		// A local variable here is faster than a field.
		let quoted = this.quoted;
		for (let index = 0; index < count; index++) {
			// A byte of these is zero where the text has a quote or a line feed.
			const quotes = words[index] ^ EVERY_QUOTE;
			const feeds = words[index] ^ EVERY_LINE_FEED;
			const hits = ((quotes - EVERY_ONE) & ~quotes) | ((feeds - EVERY_ONE) & ~feeds);
			if ((hits & EVERY_HIGH_BIT) === 0) continue;
			const first = at + (index << 2);
			for (let offset = first; offset < first + 4; offset++) {
				const byte = block[offset];
				if (byte === QUOTE) quoted = !quoted;
				else if (byte === LINE_FEED && !quoted) this.endRow(block, offset);
			}
		}
		this.quoted = quoted;
		at += count << 2;
		this.scanBytes(block, at, length);
		this.lineStart -= length;
		if (length > 0) this.lastByte = block[length - 1];
	}

	private scanBytes(block: Uint8Array, from: number, to: number): void {
		for (let at = from; at < to; at++) {
			const byte = block[at];
			if (byte === QUOTE) this.quoted = !this.quoted;
			else if (byte === LINE_FEED && !this.quoted) this.endRow(block, at);
		}
	}

	private endRow(block: Uint8Array, at: number): void {
		const length = at - this.lineStart;
		const before = at > 0 ? block[at - 1] : this.lastByte;
		if (length > 1 || (length === 1 && before !== CARRIAGE_RETURN)) this.rows++;
		this.lineStart = at + 1;
		if (this.endCount === this.ends.length) {
			const longer = new Int32Array(2 * this.ends.length);
			longer.set(this.ends);
			this.ends = longer;
		}
		this.ends[this.endCount++] = at + 1;
	}
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

const EVERY_LINE_FEED = 0x0a0a0a0a;
const EVERY_QUOTE = 0x22222222;
const EVERY_ONE = 0x01010101;
const EVERY_HIGH_BIT = 0x80808080;

const LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/**
 * Finds the ends of CSV rows in bytes: line feeds outside quotes. Looks at four bytes at a time and
 * calls nothing while it does, because it has to keep up with a network; UTF-8 needs no decoding
 * for that.
 */
export class RowScanner {
	/** Rows that ended so far, blank lines not counted. */
	rows = 0;

	/** Where rows ended in the block scanned last: the offsets after their line feeds. */
	ends = new Int32Array(0);

	/** How many of `ends` hold. */
	endCount = 0;

	/** 1 between an opening quote and its end, 0 elsewhere. */
	private quoted = 0;

	/** Offset of the current line in the block; negative when it began in an earlier one. */
	private lineStart = 0;

	private lastByte = LINE_FEED;

	/** Whether everything scanned so far ends where a row ends. */
	get atRowEnd(): boolean {
		return this.quoted === 0 && this.lastByte === LINE_FEED;
	}

	scan(block: Uint8Array): void {
		const { length } = block;
		if (length === 0) return;
		// More row ends than bytes there cannot be, so that nobody has to look for room.
		if (this.ends.length < length) this.ends = new Int32Array(length);
		this.endCount = 0;

		const gap = LITTLE_ENDIAN ? Math.min(length, -block.byteOffset & 3) : length;
		const count = (length - gap) >> 2;
		this.scanBytes(block, 0, gap);
		if (count > 0) this.scanWords(block, gap, count);
		this.scanBytes(block, gap + (count << 2), length);

		this.countRows(block);
		this.lineStart -= length;
		this.lastByte = block[length - 1];
	}

	/** Four bytes at a time, from an offset that is aligned. */
	private scanWords(block: Uint8Array, from: number, count: number): void {
		const words = new Int32Array(block.buffer, block.byteOffset + from, count);
		// Local variables are faster than fields.
		const { ends } = this;
		let { endCount, quoted } = this;
		for (let index = 0; index < count; index++) {
			const word = words[index];
			// A byte of these is zero where the text has a quote or a line feed.
			const quotes = word ^ EVERY_QUOTE;
			const feeds = word ^ EVERY_LINE_FEED;
			const hits = ((quotes - EVERY_ONE) & ~quotes) | ((feeds - EVERY_ONE) & ~feeds);
			if ((hits & EVERY_HIGH_BIT) === 0) continue;

			const offset = from + (index << 2);
			let byte = word & 0xff;
			if (byte === QUOTE) quoted ^= 1;
			else if (byte === LINE_FEED && quoted === 0) ends[endCount++] = offset + 1;
			byte = (word >>> 8) & 0xff;
			if (byte === QUOTE) quoted ^= 1;
			else if (byte === LINE_FEED && quoted === 0) ends[endCount++] = offset + 2;
			byte = (word >>> 16) & 0xff;
			if (byte === QUOTE) quoted ^= 1;
			else if (byte === LINE_FEED && quoted === 0) ends[endCount++] = offset + 3;
			byte = word >>> 24;
			if (byte === QUOTE) quoted ^= 1;
			else if (byte === LINE_FEED && quoted === 0) ends[endCount++] = offset + 4;
		}
		this.endCount = endCount;
		this.quoted = quoted;
	}

	private scanBytes(block: Uint8Array, from: number, to: number): void {
		for (let at = from; at < to; at++) {
			const byte = block[at];
			if (byte === QUOTE) this.quoted ^= 1;
			else if (byte === LINE_FEED && this.quoted === 0) this.ends[this.endCount++] = at + 1;
		}
	}

	private countRows(block: Uint8Array): void {
		const { ends, endCount } = this;
		let { lineStart, rows } = this;
		for (let index = 0; index < endCount; index++) {
			const length = ends[index] - lineStart;
			if (
				length > 2 ||
				(length === 2 && this.byteBefore(block, ends[index] - 1) !== CARRIAGE_RETURN)
			) {
				rows++;
			}
			lineStart = ends[index];
		}
		this.lineStart = lineStart;
		this.rows = rows;
	}

	private byteBefore(block: Uint8Array, at: number): number {
		return at > 0 ? block[at - 1] : this.lastByte;
	}
}

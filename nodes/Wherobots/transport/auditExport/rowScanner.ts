import { overlongRow, MAX_ROW_BYTES } from './textPieces';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

/**
 * Finds the ends of CSV rows in bytes: line feeds outside quotes. UTF-8 needs no decoding for that.
 *
 * It compares four bytes at a time, which takes about the same whatever is quoted. Looking for the
 * next quote and the next line feed with `Buffer.indexOf` is faster where hardly anything is quoted,
 * and several times slower where values hold quotes (docs/adr/0003-streaming-exports.md has the
 * figures, `npm run bench:rows` repeats them).
 */
export class RowScanner {
	/** Rows that ended so far, blank lines not counted. */
	rows = 0;

	/** Where rows ended in the block scanned last: the offsets after their line feeds. */
	ends: number[] = [];

	/** Whether what was scanned last lies between an opening quote and its end. */
	inQuotes = false;

	/** What came after the last end of a row, and in which earlier blocks the first row began. */
	private open: Uint8Array[] = [];

	private openBytes = 0;

	private carried: Uint8Array[] = [];

	/** The bytes of the row that has not ended yet. */
	get openRow(): Buffer {
		return Buffer.concat(this.open);
	}

	/** What earlier blocks hold of the first row that ended in the block scanned last. */
	get carriedBytes(): Buffer {
		return Buffer.concat(this.carried);
	}

	/** @throws TransferError when a row does not end within 64 MiB */
	scan(bytes: Uint8Array): void {
		const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
		this.ends = this.findEnds(block);
		const lastEnd = this.ends.at(-1) ?? 0;
		if (lastEnd > 0) {
			this.carried = this.open;
			this.countRows(block, -this.openBytes);
			this.open = [];
			this.openBytes = 0;
		}
		if (lastEnd === block.length) return;
		this.open.push(block.subarray(lastEnd));
		this.openBytes += block.length - lastEnd;
		if (this.openBytes > MAX_ROW_BYTES) throw overlongRow();
	}

	private findEnds(block: Buffer): number[] {
		const ends: number[] = [];
		let quoted = this.inQuotes;
		const compare = (from: number, to: number) => {
			for (let at = from; at < to; at++) {
				const byte = block[at];
				// Two quotes that stand for one in a value close it and open it again.
				if (byte === QUOTE) quoted = !quoted;
				else if (byte === LINE_FEED && !quoted) ends.push(at + 1);
			}
		};
		const { buffer, byteOffset, length } = block;
		const start = Math.min(-byteOffset & 3, length);
		const count = (length - start) >> 2;
		compare(0, start);
		const words = count > 0 ? new Int32Array(buffer, byteOffset + start, count) : [];
		for (let index = 0; index < count; index++) {
			if (hasQuoteOrLineFeed(words[index])) {
				const at = start + index * 4;
				compare(at, at + 4);
			}
		}
		compare(start + count * 4, length);
		this.inQuotes = quoted;
		return ends;
	}

	/** @param firstStart where the first row began: an offset in the block, negative before it */
	private countRows(block: Buffer, firstStart: number): void {
		let start = firstStart;
		for (const end of this.ends) {
			const first = start < 0 ? this.carried[0][0] : block[start];
			const length = end - start;
			if (length > 2 || (length === 2 && first !== CARRIAGE_RETURN)) this.rows++;
			start = end;
		}
	}
}

/** Whether one of the four bytes is a quote or a line feed: `(x - 1) & ~x` has the top bit of a byte that is 0. */
function hasQuoteOrLineFeed(word: number): boolean {
	const quote = word ^ 0x22222222;
	const feed = word ^ 0x0a0a0a0a;
	const zeros = ((quote - 0x01010101) & ~quote) | ((feed - 0x01010101) & ~feed);
	return (zeros & 0x80808080) !== 0;
}

import { overlongRow, MAX_ROW_BYTES } from './textPieces';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;

/**
 * Finds the ends of CSV rows in bytes: line feeds outside quotes. UTF-8 needs no decoding for that.
 *
 * It looks for the next quote and the next line feed with `Buffer.indexOf`, which Node.js runs as
 * native code. On what the service sends, quotes around `user_agent` at most, that is faster than
 * comparing four bytes at a time in JavaScript, and simpler; where every value is quoted it is slower
 * (docs/adr/0003-streaming-exports.md has the figures, `npm run bench:rows` repeats them).
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
		const { length } = block;
		let quoted = this.inQuotes;
		let at = 0;
		/** The first quote and the first line feed from `at` on; the length of the block for none. */
		let quote = quoted ? 0 : find(block, QUOTE, 0);
		let feed = -1;
		while (at < length) {
			if (quoted) {
				at = find(block, QUOTE, at) + 1;
				if (at > length) break;
				if (block[at] === QUOTE) {
					// A quote in the value, written as two.
					at++;
				} else if (block[at] === COMMA && block[at + 1] === QUOTE) {
					// The next value is quoted, too.
					at += 2;
				} else {
					quoted = false;
					quote = find(block, QUOTE, at);
				}
				continue;
			}
			if (feed < at) feed = find(block, LINE_FEED, at);
			if (feed < quote) {
				at = feed + 1;
				ends.push(at);
			} else {
				at = quote + 1;
				quoted = at <= length;
			}
		}
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

function find(block: Buffer, byte: number, from: number): number {
	const at = block.indexOf(byte, from);
	return at < 0 ? block.length : at;
}

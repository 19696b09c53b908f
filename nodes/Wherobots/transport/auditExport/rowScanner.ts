import { overlongRow, MAX_ROW_BYTES } from './textPieces';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

/**
 * Finds the ends of CSV rows in bytes: line feeds outside quotes. UTF-8 needs no decoding for that.
 *
 * It compares eight bytes at a time, which takes about the same whatever is quoted. Looking for the
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
		this.ends = [];
		this.findEnds(block);
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

	/** Compares eight bytes at a time, and each byte only where that shows that it has to. */
	private findEnds({ buffer, byteOffset, length }: Buffer): void {
		const bytes = new Uint8Array(buffer, byteOffset, length);
		const start = Math.min(-byteOffset & 3, length);
		const pairs = (length - start) >> 3;
		const words = pairs > 0 ? new Int32Array(buffer, byteOffset + start, pairs * 2) : [];
		this.compare(bytes, 0, start);
		for (let index = 0; index < words.length; index += 2) {
			// Without the bits of 0x28, quote and line feed are both 0x02 (as are STX and the asterisk).
			const first = (words[index] & 0xd7d7d7d7) ^ 0x02020202;
			const second = (words[index + 1] & 0xd7d7d7d7) ^ 0x02020202;
			// `(x - 1) & ~x` has the top bit of a byte that is 0.
			const zeros = ((first - 0x01010101) & ~first) | ((second - 0x01010101) & ~second);
			if ((zeros & 0x80808080) !== 0) {
				const at = start + index * 4;
				this.compare(bytes, at, at + 8);
			}
		}
		this.compare(bytes, start + pairs * 8, length);
	}

	private compare(bytes: Uint8Array, from: number, to: number): void {
		for (let at = from; at < to; at++) {
			// Two quotes that stand for one in a value close it and open it again.
			if (bytes[at] === QUOTE) this.inQuotes = !this.inQuotes;
			else if (bytes[at] === LINE_FEED && !this.inQuotes) this.ends.push(at + 1);
		}
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

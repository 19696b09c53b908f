import type { RowScanner } from './rowScanner';
import { SeenIds } from './seenIds';

const COMMA = 0x2c;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Removes rows from bytes, without parsing more of them than the column that identifies each. */
export class RepeatFilter {
	/** How many rows were removed. */
	repeats = 0;

	private readonly seen = new SeenIds();

	/** @param column position of the ID among the columns */
	constructor(private readonly column: number) {}

	/**
	 * The rows that ended in the block, without those whose ID came before.
	 *
	 * @param scanner has just scanned the block
	 */
	*pass(block: Uint8Array, { ends, carriedBytes }: RowScanner): Generator<Uint8Array> {
		if (ends.length === 0) return;
		let start = 0;
		if (carriedBytes.length > 0) {
			start = ends[0];
			yield* this.passRow(Buffer.concat([carriedBytes, block.subarray(0, start)]));
		}
		const rows = start > 0 ? ends.slice(1) : ends;
		const bounds: number[] = [];
		const view = viewOf(block);
		let from = start;
		for (const end of rows) {
			this.findId(view, from, end, bounds);
			from = end;
		}
		const areNew = this.seen.addAll(block, bounds);
		let keptFrom = start;
		for (let index = 0; index < rows.length; index++) {
			if (!areNew[index]) {
				this.repeats++;
				if (start > keptFrom) yield block.subarray(keptFrom, start);
				keptFrom = rows[index];
			}
			start = rows[index];
		}
		if (start > keptFrom) yield block.subarray(keptFrom, start);
	}

	/** One row, unless its ID came before. */
	*passRow(row: Uint8Array): Generator<Uint8Array> {
		const bounds: number[] = [];
		this.findId(viewOf(row), 0, row.length, bounds);
		if (this.seen.addAll(row, bounds)[0]) yield row;
		else this.repeats++;
	}

	/** Adds where the ID of a row begins and ends, without its quotes. */
	private findId(bytes: DataView, start: number, end: number, bounds: number[]): void {
		let from = start;
		for (let column = 0; column < this.column; column++) from = fieldEnd(bytes, from, end) + 1;
		const to = fieldEnd(bytes, from, end);
		const quote = from < end && bytes.getUint8(from) === QUOTE ? 1 : 0;
		bounds.push(from + quote, to - quote);
	}
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
	return new DataView(buffer, byteOffset, length);
}

/** Where a field ends: at its comma, or at the end of the row. */
function fieldEnd(bytes: DataView, from: number, rowEnd: number): number {
	let quoted = false;
	for (let at = from; at < rowEnd; at++) {
		// All that ends a field comes before the hyphen in ASCII, and what IDs are made of does not.
		while (at + 4 <= rowEnd && !hasByteBeforeHyphen(bytes.getInt32(at))) at += 4;
		if (at === rowEnd) break;
		const byte = bytes.getUint8(at);
		if (byte === QUOTE) quoted = !quoted;
		else if (!quoted && (byte === COMMA || byte === LINE_FEED || byte === CARRIAGE_RETURN))
			return at;
	}
	return rowEnd;
}

/** Compares four bytes at a time: `(x - n) & ~x` has the top bit of a byte that is less than `n`. */
function hasByteBeforeHyphen(word: number): boolean {
	return ((word - 0x2d2d2d2d) & ~word & 0x80808080) !== 0;
}

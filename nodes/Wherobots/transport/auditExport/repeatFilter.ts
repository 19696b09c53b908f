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

	/** Where the IDs of a block begin and end. */
	private bounds = new Uint32Array(2);

	/** @param column position of the ID among the columns */
	constructor(private readonly column: number) {}

	/**
	 * The rows that ended in the block, without those whose ID came before.
	 *
	 * @param scanner has just scanned the block
	 */
	*pass(block: Uint8Array, { ends, carriedBytes }: RowScanner): Generator<Uint8Array> {
		if (ends.length === 0) return;
		let first = 0;
		let start = 0;
		if (carriedBytes.length > 0) {
			first = 1;
			start = ends[0];
			yield* this.passRow(Buffer.concat([carriedBytes, block.subarray(0, start)]));
		}
		const areNew = this.addIds(block, start, ends, first);
		let keptFrom = start;
		for (let row = first; row < ends.length; row++) {
			if (areNew[row - first] === 0) {
				this.repeats++;
				if (start > keptFrom) yield block.subarray(keptFrom, start);
				keptFrom = ends[row];
			}
			start = ends[row];
		}
		if (start > keptFrom) yield block.subarray(keptFrom, start);
	}

	/** One row, unless its ID came before. */
	*passRow(row: Uint8Array): Generator<Uint8Array> {
		if (this.addIds(row, 0, [row.length], 0)[0] === 1) yield row;
		else this.repeats++;
	}

	/** Adds the IDs of the rows from one on; tells of each whether it is new. */
	private addIds(
		bytes: Uint8Array,
		from: number,
		ends: readonly number[],
		first: number,
	): Uint8Array {
		const count = ends.length - first;
		if (this.bounds.length < 2 * count) this.bounds = new Uint32Array(4 * count);
		const { bounds } = this;
		const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
		let start = from;
		for (let row = first, at = 0; row < ends.length; row++, at += 2) {
			let idStart = start;
			for (let column = 0; column < this.column; column++) {
				idStart = fieldEnd(view, idStart, ends[row]) + 1;
			}
			const idEnd = fieldEnd(view, idStart, ends[row]);
			const quote = idStart < ends[row] && view.getUint8(idStart) === QUOTE ? 1 : 0;
			// A blank line has no such column, and no ID.
			bounds[at] = Math.min(idStart + quote, idEnd - quote);
			bounds[at + 1] = idEnd - quote;
			start = ends[row];
		}
		return this.seen.addAll(bytes, bounds.subarray(0, 2 * count));
	}
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

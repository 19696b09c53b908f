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
		let keptFrom = start;
		for (const end of ends) {
			if (end <= start) continue;
			if (this.isRepeat(block, start, end)) {
				if (start > keptFrom) yield block.subarray(keptFrom, start);
				keptFrom = end;
			}
			start = end;
		}
		if (start > keptFrom) yield block.subarray(keptFrom, start);
	}

	/** One row, unless its ID came before. */
	*passRow(row: Uint8Array): Generator<Uint8Array> {
		if (!this.isRepeat(row, 0, row.length)) yield row;
	}

	private isRepeat(bytes: Uint8Array, start: number, end: number): boolean {
		let from = start;
		for (let column = 0; column < this.column; column++) from = fieldEnd(bytes, from, end) + 1;
		let to = fieldEnd(bytes, from, end);
		if (bytes[from] === QUOTE) {
			from++;
			to--;
		}
		// An event without an ID repeats no other.
		const isRepeat = to > from && !this.seen.add(bytes, from, to);
		if (isRepeat) this.repeats++;
		return isRepeat;
	}
}

/** Where a field ends: at its comma, or at the end of the row. */
function fieldEnd(bytes: Uint8Array, from: number, rowEnd: number): number {
	let quoted = false;
	for (let at = from; at < rowEnd; at++) {
		const byte = bytes[at];
		if (byte === QUOTE) quoted = !quoted;
		else if (!quoted && (byte === COMMA || byte === LINE_FEED || byte === CARRIAGE_RETURN))
			return at;
	}
	return rowEnd;
}

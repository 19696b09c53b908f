import type { RowScanner } from './rowScanner';
import { SeenIds } from './seenIds';
import { CsvError, MAX_ROW_BYTES } from './textPieces';

const COMMA = 0x2c;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Leaves rows out of bytes, without taking them apart further than to their event IDs. */
export class RepeatFilter {
	/** How many rows were left out. */
	repeats = 0;

	private readonly seen = new SeenIds();

	private rest: Uint8Array = new Uint8Array(0);

	private isHeader = true;

	/** @param column position of the event ID among the columns */
	constructor(private readonly column: number) {}

	/**
	 * The whole rows of the block, and of what earlier blocks left, without those whose ID is known.
	 *
	 * @param scanner has just scanned the block
	 */
	*pass(block: Uint8Array, scanner: RowScanner): Generator<Uint8Array> {
		const { rest } = this;
		const all = rest.length > 0 ? Buffer.concat([rest, block]) : block;
		let keptFrom = 0;
		let start = 0;
		for (let index = 0; index < scanner.endCount; index++) {
			const end = scanner.ends[index] + rest.length;
			if (this.isRepeat(all, start, end)) {
				if (start > keptFrom) yield all.subarray(keptFrom, start);
				keptFrom = end;
				this.repeats++;
			}
			start = end;
		}
		if (start > keptFrom) yield all.subarray(keptFrom, start);
		this.rest = all.subarray(start);
		if (this.rest.length > MAX_ROW_BYTES) throw new CsvError('A row is longer than 64 MiB');
	}

	private isRepeat(all: Uint8Array, start: number, end: number): boolean {
		if (this.isHeader) {
			this.isHeader = false;
			return false;
		}
		let from = start;
		for (let column = 0; column < this.column; column++) from = fieldEnd(all, from, end) + 1;
		let to = fieldEnd(all, from, end);
		if (all[from] === QUOTE) {
			from++;
			to--;
		}
		// An event without an ID is nobody's repeat.
		return to > from && !this.seen.add(all, from, to);
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

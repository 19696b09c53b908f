import { TransferError } from '../download/bodyReader';

/** Bytes that are decoded and handled at once. */
const PIECE_BYTES = 256 * 1024;

/** Longest row, in bytes; what is longer is no table. */
export const MAX_ROW_BYTES = 64 * 1024 * 1024;

const LINE_FEED = 10;

/** The error for a row that does not end within {@link MAX_ROW_BYTES}. */
export function overlongRow(): TransferError {
	return new TransferError('malformed', `A row is longer than ${MAX_ROW_BYTES / 2 ** 20} MiB`);
}

/**
 * UTF-8 bytes as text that is cut after line feeds, so that no character and, without quoted line
 * breaks, no row is split. Only the last piece may end elsewhere.
 *
 * @param waiting how much text of an unfinished row the caller holds: the next piece is at least as
 *   long, so that a row of many megabytes is not parsed again for each few kilobytes
 * @throws TransferError when a row does not end within 64 MiB
 */
export async function* textPieces(
	source: AsyncIterable<Uint8Array>,
	waiting: () => number,
): AsyncGenerator<string> {
	let held: Buffer[] = [];
	let heldBytes = 0;
	let wanted = PIECE_BYTES;
	for await (const chunk of source) {
		const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
		for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
			const part = bytes.subarray(at, at + PIECE_BYTES);
			held.push(part);
			heldBytes += part.length;
			if (heldBytes < wanted) continue;

			const all = held.length === 1 ? part : Buffer.concat(held, heldBytes);
			const cut = all.lastIndexOf(LINE_FEED) + 1;
			if (cut > 0) yield all.toString('utf8', 0, cut);
			held = cut < all.length ? [all.subarray(cut)] : [];
			heldBytes = all.length - cut;
			const unfinished = Math.max(heldBytes, waiting());
			if (unfinished > MAX_ROW_BYTES) throw overlongRow();
			wanted = Math.max(PIECE_BYTES, 2 * heldBytes, waiting());
		}
	}
	if (heldBytes > 0) yield Buffer.concat(held, heldBytes).toString('utf8');
}

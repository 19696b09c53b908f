import { TransferError } from '../download/bodyReader';
import { closingQuote, isBlank, malformed, readRow, type RowBlock } from './csv';

/** Maximum length of a row in bytes; anything longer is not a table. */
const MAX_ROW_BYTES = 64 * 1024 * 1024;

/**
 * Splits CSV (RFC 4180) into blocks of complete rows as it arrives. The source has to be complete: the
 * last row may lack its line end.
 *
 * @throws TransferError when a row other than the first is cut off, or a row is longer than 64 MiB
 */
export async function* rowBlocks(source: AsyncIterable<Uint8Array>): AsyncGenerator<RowBlock> {
	let open = '';
	let firstRow = 1;
	let width: number | undefined;
	let last = { text: '', number: 1 };
	const take = (ends: number[]): RowBlock => {
		const end = ends[ends.length - 1];
		const block = { text: open.slice(0, end), ends, firstRow };
		width ??= readRow(block.text.slice(0, ends[0])).length;
		const textOf = (index: number) => open.slice(ends[index - 1] ?? 0, ends[index]);
		let row = ends.length - 1;
		while (row >= 0 && isBlank(textOf(row))) row--;
		if (row >= 0) last = { text: textOf(row), number: firstRow + row };
		open = open.slice(end);
		firstRow += ends.length;
		return block;
	};
	// Avoids scanning a row of many megabytes again for every few kilobytes that arrive.
	let wanted = 0;
	for await (const { buffer, byteOffset, length } of source) {
		open += Buffer.from(buffer, byteOffset, length).toString('latin1');
		if (open.length < wanted) continue;
		const { ends } = findEnds(open);
		if (ends.length > 0) yield take(ends);
		if (open.length > MAX_ROW_BYTES) {
			throw malformed(firstRow, `it is longer than ${MAX_ROW_BYTES / 2 ** 20} MiB`);
		}
		wanted = 2 * open.length;
	}
	const { ends, inQuotes } = findEnds(open);
	if (ends.length > 0) yield take(ends);
	if (!isBlank(open)) last = { text: open, number: firstRow };
	// When an export fails midway, some services append their error and end the response normally.
	const isCut = inQuotes || (last.text !== '' && readRow(last.text).length !== width);
	if (isCut && width !== undefined) {
		throw new TransferError('incomplete', `Row ${last.number} is incomplete`);
	}
	if (open !== '') yield take([open.length]);
}

/** Where rows end, and whether the rest is cut off inside quotes. */
function findEnds(text: string): { ends: number[]; inQuotes: boolean } {
	const ends: number[] = [];
	let start = 0;
	let quote = text.indexOf('"');
	let end = text.indexOf('\n');
	while (end >= 0) {
		while (quote >= 0 && quote < end) {
			let close = quote;
			if (quote === start || text[quote - 1] === ',') {
				close = closingQuote(text, quote);
				if (close < 0) return { ends, inQuotes: true };
				if (close > end) end = text.indexOf('\n', close);
			}
			quote = text.indexOf('"', close + 1);
		}
		if (end < 0) break;
		start = end + 1;
		ends.push(start);
		end = text.indexOf('\n', start);
	}
	for (; quote >= 0; quote = text.indexOf('"', quote + 1)) {
		if (quote !== start && text[quote - 1] !== ',') continue;
		quote = closingQuote(text, quote);
		if (quote < 0) return { ends, inQuotes: true };
	}
	return { ends, inQuotes: false };
}

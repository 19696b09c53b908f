/** Log pages: interface.md "Log page", in the two readings that the vendor's clients have of a cursor. */
import { linesAt } from '../model/runLogs';
import type { LogLine, RunRecord } from '../model/runTypes';
import { toJson } from '../server/json';
import { wrongCursor } from '../server/paging';
import type { Variants } from '../variants';

/** Timestamps in the variant's unit, as exact integers; equal only where a test wants that. */
function timestamps(lines: LogLine[], added: boolean, variants: Variants): bigint[] {
	let previous = -1n;
	const scale = variants.logTimestampUnit === 'ns' ? 1_000_000n : 1n;
	return lines.map(({ at }) => {
		const own = BigInt(Math.round(at)) * scale;
		// When there are many, planned lines share a millisecond; smaller units then count up within it.
		previous = added || own > previous ? own : previous + 1n;
		return previous;
	});
}

function parseCursor(cursor: string): bigint {
	if (!/^(-?\d+)?$/.test(cursor)) throw wrongCursor();
	return BigInt(cursor);
}

/** The JSON of one page. */
export function logPage(
	run: RunRecord,
	now: number,
	request: { cursor?: string; size: number },
	variants: Variants,
): string {
	const lines = linesAt(run, now);
	const stamps = timestamps(lines, run.addedLines.length > 0, variants);
	const cursor = parseCursor(request.cursor ?? '');
	const isTime = variants.logCursor === 'time';

	const found = isTime ? stamps.findIndex((stamp) => stamp >= cursor) : Number(cursor);
	const start = found < 0 ? lines.length : Math.min(lines.length, found);
	const end = Math.min(lines.length, start + request.size);
	const following = isTime ? stamps[end - 1] : BigInt(end);

	const typed = (value: bigint, type: 'integer' | 'string') =>
		type === 'string' ? String(value) : value;
	const items = lines.slice(start, end).map(({ raw }, index) => ({
		timestamp: typed(stamps[start + index], variants.logTimestampType),
		raw,
	}));
	const isNull = items.length === 0 && variants.logNextPageAtEnd === 'null';
	const next = items.length === 0 ? cursor : following;
	return toJson({
		items,
		current_page: typed(cursor, variants.logCursorType),
		next_page: isNull ? null : typed(next, variants.logCursorType),
	});
}

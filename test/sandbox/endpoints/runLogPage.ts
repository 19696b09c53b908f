/** Log pages: interface.md "Log page", in the two readings that the vendor's clients have of a cursor. */
import { linesAt, type LogLine } from '../model/runLogs';
import type { RunRecord } from '../model/runTypes';
import { ServiceError } from '../server/errors';
import type { Variants } from '../variants';

const UNIT_DIGITS = { ms: '', us: '000', ns: '000000' } as const;

/** Timestamps in the variant's unit, as exact integers; equal only where a test wants that. */
function timestamps(lines: LogLine[], added: boolean, variants: Variants): bigint[] {
	let previous = -1n;
	return lines.map(({ at }) => {
		const own = BigInt(`${Math.round(at)}${UNIT_DIGITS[variants.logTimestampUnit]}`);
		// When there are many, planned lines share a millisecond; smaller units then count up within it.
		previous = added || own > previous ? own : previous + 1n;
		return previous;
	});
}

function parseCursor(cursor: string, variants: Variants): bigint {
	if (cursor === '') return 0n;
	if (/^-?\d+$/.test(cursor)) return BigInt(cursor);
	if (variants.logCursorType === 'integer') {
		throw new ServiceError(422, {
			details: 'Must be an integer',
			path: 'query.cursor',
			field: 'cursor',
		});
	}
	throw new ServiceError(400, {
		message: 'Invalid cursor',
		details: 'The cursor is not one that this log has given.',
		path: 'query.cursor',
		field: 'cursor',
	});
}

/** The JSON of one page, with every digit of its numbers, so that none is rounded. */
export function logPage(
	run: RunRecord,
	now: number,
	request: { cursor?: string; size: number },
	variants: Variants,
): string {
	const lines = linesAt(run, now);
	const stamps = timestamps(lines, run.addedLines.length > 0, variants);
	const cursor = parseCursor(request.cursor ?? '0', variants);
	const isTime = variants.logCursor === 'time';

	const found = isTime ? stamps.findIndex((stamp) => stamp >= cursor) : Number(cursor);
	const start = found < 0 ? lines.length : Math.min(lines.length, found);
	const end = Math.min(lines.length, start + request.size);
	const following = isTime ? stamps[end - 1] : BigInt(end);

	const text = (value: bigint, type: 'integer' | 'string') =>
		type === 'string' ? `"${value}"` : `${value}`;
	const items = lines.slice(start, end).map(({ raw }, index) => {
		const timestamp = text(stamps[start + index], variants.logTimestampType);
		return `{"timestamp":${timestamp},"raw":${JSON.stringify(raw)}}`;
	});
	const isNull = items.length === 0 && variants.logNextPageAtEnd === 'null';
	const next = items.length === 0 ? cursor : following;
	return (
		`{"items":[${items.join(',')}],"current_page":${text(cursor, variants.logCursorType)},` +
		`"next_page":${isNull ? 'null' : text(next, variants.logCursorType)}}`
	);
}

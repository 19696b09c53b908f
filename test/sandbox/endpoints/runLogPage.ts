/** Log pages: interface.md "Log page", with every reading of it that is known from clients. */
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
	throw new ServiceError(variants.wrongCursorStatus, {
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
	const inclusive = variants.logCursorInclusive;

	let start: number;
	if (variants.logCursorStyle === 'offset') {
		const read = Number(cursor);
		start = Math.min(lines.length, Math.max(0, inclusive && read > 0 ? read - 1 : read));
	} else {
		const found = stamps.findIndex((stamp) => (inclusive ? stamp >= cursor : stamp > cursor));
		start = found < 0 ? lines.length : found;
	}
	const end = Math.min(lines.length, start + request.size);
	const following =
		end === start ? cursor : variants.logCursorStyle === 'offset' ? BigInt(end) : stamps[end - 1];

	const cursorText = (value: bigint) =>
		variants.logCursorType === 'string' ? `"${value}"` : `${value}`;
	const stampText = (value: bigint) =>
		variants.logTimestampType === 'string' ? `"${value}"` : `${value}`;
	const items: string[] = [];
	for (let at = start; at < end; at += 1) {
		items.push(`{"timestamp":${stampText(stamps[at])},"raw":${JSON.stringify(lines[at].raw)}}`);
	}
	const more = end < lines.length && end > start;
	const next =
		more || variants.logNextPageAtEnd === 'cursor'
			? `,"next_page":${cursorText(following)}`
			: variants.logNextPageAtEnd === 'null'
				? ',"next_page":null'
				: '';
	return `{"items":[${items.join(',')}],"current_page":${cursorText(cursor)}${next}}`;
}

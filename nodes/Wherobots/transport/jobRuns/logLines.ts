import type { LogLine } from '../../service/types';

/** Whether a value is a log line (interface, "Log page"). */
export function isLine(value: unknown): value is LogLine {
	return typeof value === 'object' && value !== null && 'raw' in value;
}

export function sameLine(a: LogLine, b: LogLine): boolean {
	return a.raw === b.raw && String(a.timestamp) === String(b.timestamp);
}

/** The lines that are not among the known ones, counting equal lines separately. */
export function withoutKnown(lines: LogLine[], known: LogLine[]): LogLine[] {
	if (known.length === 0) return lines;
	const left = new Map<string, number>();
	for (const line of known) left.set(keyOf(line), (left.get(keyOf(line)) ?? 0) + 1);
	return lines.filter((line) => {
		const key = keyOf(line);
		const count = left.get(key) ?? 0;
		if (count > 0) left.set(key, count - 1);
		return count === 0;
	});
}

/**
 * The latest time among the lines that is earlier than `time` and later than `after`, as text.
 * Undefined when there is none, or when times are not numbers.
 */
export function timeBefore(lines: LogLine[], time: string, after: string): string | undefined {
	const end = timeOf(time);
	const begin = timeOf(after);
	if (end === undefined || begin === undefined) return undefined;
	let latest = begin;
	for (const { timestamp } of lines) {
		const at = timeOf(timestamp);
		if (at !== undefined && at < end && at > latest) latest = at;
	}
	return latest > begin ? String(latest) : undefined;
}

/** The lines of this time and later ones. */
export function linesFrom(lines: LogLine[], time: string): LogLine[] {
	const from = timeOf(time);
	return lines.filter(({ timestamp }) => {
		const at = timeOf(timestamp);
		return from === undefined || at === undefined || at >= from;
	});
}

/** Times have any number of digits: nanoseconds since the epoch have nineteen. */
function timeOf(value: string | number): bigint | undefined {
	return /^\d+$/.test(String(value)) ? BigInt(value) : undefined;
}

function keyOf({ timestamp, raw }: LogLine): string {
	return `${timestamp} ${raw}`;
}

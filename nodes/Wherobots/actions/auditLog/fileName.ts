import type { Calendar } from '../../service/time/calendar';
import { formatTime, type Micros } from '../../service/time/time';
import type { Window } from '../../service/time/windows';

export const DEFAULT_FILE_NAME = 'wherobots-audit-log-{start}-{end}';

const PLACEHOLDERS = ['start', 'end', 'year', 'month', 'day', 'hour'] as const;
const PLACEHOLDER = /\{([^{}]*)\}/g;

/** What is wrong with a file name pattern, as the end of a sentence; undefined when it can be used. */
export function fileNameProblem(pattern: string): string | undefined {
	const unknown = [...pattern.matchAll(PLACEHOLDER)]
		.map(([, name]) => name)
		.find((name) => !(PLACEHOLDERS as readonly string[]).includes(name));
	if (unknown !== undefined) {
		return `supports only ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}, not {${unknown}}`;
	}
	if (/[\p{Cc}\\]/u.test(pattern)) return 'must not contain backslashes or control characters';
	if (pattern.split('/').some((part) => part === '' || part === '.' || part === '..')) {
		return 'must not start or end with a slash, or contain empty parts or parts that consist of dots only';
	}
	return undefined;
}

/**
 * The name of a window's file: it depends only on the window, so that exporting again overwrites the
 * same file. `{start}` and `{end}` are in UTC, and `{end}` is the start of the next window; the parts
 * of the date are those of the start in the calendar's time zone.
 *
 * @param extension such as `.csv`; not added to a name that already has it
 */
export function fileNameOf(
	pattern: string,
	window: Window,
	calendar: Calendar,
	extension: string,
): string {
	const { year, month, day } = calendar.at(window.start);
	const values: Record<string, string> = {
		start: compact(window.start),
		end: compact(window.end),
		year: String(year),
		month: String(month).padStart(2, '0'),
		day: String(day).padStart(2, '0'),
		hour: calendar.hourLabel(window.start),
	};
	const name = pattern.replace(PLACEHOLDER, (_, placeholder: string) => values[placeholder]);
	return name.toLowerCase().endsWith(extension) ? name : name + extension;
}

export function hasPlaceholder(pattern: string): boolean {
	return pattern.search(PLACEHOLDER) >= 0;
}

/** `20260131T090000Z`: no characters that a file system or an object store rejects. */
function compact(time: Micros): string {
	return formatTime(time).replace(/[-:]/g, '');
}

/**
 * The lines of a log: what a person sees of them, which the platform wrote, and what a program returns in
 * them as data.
 */
import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { parseLeadingJson } from '../json';
import { isRecord, type LogLine } from '../records';

const ESCAPE = String.fromCharCode(27);

/** Codes that color text or move a terminal's cursor, and titles for its window. */
const ESCAPE_CODES = new RegExp(
	`${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\p{Cc}]{0,1000}|[@-_])`,
	'gu',
);

/** Bars of tqdm ("Tiles: 42%|████ | 42/100 [00:04<00:05, 9.9it/s]") and of Spark ("[Stage 7:=> (1 + 4) / 8]"). */
const BARS =
	/^[^|]{0,200}?\d{1,3}%\|[^|]{0,300}\|[^[|]{0,60}\[[^\]]{0,100}\]|\[Stage \d+:[^\]]{0,300}\]/g;

const MAX_LINE = 2_000;

/** A text without codes for terminals. */
export function removeCodes(text: string): string {
	return text.replace(ESCAPE_CODES, '').replace(/[^\P{Cc}\t\n]/gu, '');
}

/** A line as a terminal shows it: what follows the last carriage return, without colors and bars. */
function toShown(raw: string): string {
	const line = raw.trimEnd();
	const last = line.slice(line.lastIndexOf('\r') + 1).slice(0, 2 * MAX_LINE);
	return removeCodes(last).replace(BARS, '').trimEnd().slice(0, MAX_LINE);
}

/** The lines of a text as a terminal shows them; what it would overwrite is left out. */
export function listShownTexts(raw: string): string[] {
	return raw.split('\n').flatMap((part) => {
		const text = toShown(part);
		return text === '' && part.trim() !== '' ? [] : [text];
	});
}

/** The lines of a log as a terminal shows them. */
export function toShownLines(lines: readonly LogLine[]): LogLine[] {
	return lines.flatMap((line) =>
		listShownTexts(String(line.raw ?? '')).map((raw) => ({ ...line, raw })),
	);
}

/** A line of Spark's own log. */
export const SPARK_LINE = /^\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d [A-Z]+ /;

/** A line of a program's log: its level, after a time, a thread or a name, and what it says. */
const LOGGED =
	/^\s*(?:[\d[(]\S*\s+(?:\S+\s+){0,5}|[\w.]+ - )?[[(]?(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE|(?<=\[)(?:debug|info|warning|error|critical)(?= *\]))\b(.*)/;

export const isLogged = (line: string): boolean => LOGGED.test(line);

/** Level and text of such a line. */
function parseLogged(line: string): { level: string; text: string } | undefined {
	const [, level, text = ''] = LOGGED.exec(line) ?? [];
	return level === undefined ? undefined : { level, text: text.replace(/^[\]):|\s-]+/, '') };
}

/** What it says, if it is an error. */
export function findLoggedError(line: string): string | undefined {
	const { level = '', text } = parseLogged(line) ?? {};
	return /^(ERROR|FATAL|CRITICAL|SEVERE)$/i.test(level) ? text : undefined;
}

/** Where the service's own script stands, which starts the program. */
export const HARNESS = 'run-scripts/';

export const RETURN_CODE = /Subprocess finished with return code: (-?\d{1,10})\b/;

/** A frame of Spark, Scala or Java in a stack trace, or how many were left out. */
export const LIBRARY_FRAME =
	/^\s+at (?:\S*\/)?(?:java|javax|jdk|sun|com\.sun|scala|py4j|org\.apache|org\.sparkproject)\.|^\s+\.\.\. \d+ more$/;

export const JVM_FRAME = /^\s+at (?:[\w.$@+-]*\/){0,3}([\w$.<>]+)\(([^)]*)\)|^\s+\.\.\. \d+ more$/;

/**
 * Lines of the platform and of Spark, as the vendor's own readers of logs know them. Spark's errors are
 * not among them: they may say why a run failed.
 */
const PLATFORM_LINES = [
	/^\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d (TRACE|DEBUG|INFO|WARN) /,
	LIBRARY_FRAME,
	RETURN_CODE,
	/^Setting default log level to |^To adjust logging level use /,
	/^WARNING: Using incubator modules/,
	/^:{6}$/,
	/(^|[\s/])spark-submit --/,
	/\bspark-logs\b|\bevent[ -]?logs? (folder|directory|dir)\b|\bdownload\w*( of)?( the)? script\b/i,
];

const UPLOAD_FIELD = /^\s+"(ETag|Expiration|Checksum\w+|ServerSideEncryption)": /;

/** How many lines from `start` on the platform wrote: none if the program did. */
function countPlatformLines(lines: readonly LogLine[], start: number): number {
	const at = (index: number) => lines[index]?.raw ?? '';
	const isHarness = /^Traceback /.test(at(start)) && at(start + 1).includes(HARNESS);
	const isUpload = at(start) === '{' && UPLOAD_FIELD.test(at(start + 1));
	if (!isHarness && !isUpload) return PLATFORM_LINES.some((line) => line.test(at(start))) ? 1 : 0;
	let end = start + 1;
	while (end < lines.length && /^\s/.test(at(end))) end++;
	// The exception, or the closing brace.
	return end + 1 - start;
}

/** The lines that the program wrote, of lines as `toShownLines` returns them. */
export function removePlatformLines(lines: readonly LogLine[]): LogLine[] {
	const own: LogLine[] = [];
	for (let index = 0; index < lines.length; ) {
		const count = countPlatformLines(lines, index);
		if (count === 0) own.push(lines[index]);
		index += Math.max(1, count);
	}
	return own;
}

/** Digits of seconds since the epoch, for the years 2001 to 2286. */
const SECONDS_DIGITS = 10;
const UNITS_AS_DIGITS = [0, 3, 6, 9];

/**
 * The time of a log line as ISO 8601 in UTC, with every digit that the service sends. The unit of its
 * timestamps is not documented (interface, "Run logs"): text is read as a date, and the unit of a
 * number since the epoch follows from its length.
 *
 * @returns undefined when the timestamp is neither, such as a line number
 */
export function toLogTime(timestamp: string | number): string | undefined {
	const text = String(timestamp).trim();
	if (!/^\d+$/.test(text)) {
		const time = toIso(DateTime.fromISO(text, { zone: 'utc' }));
		return time && text.endsWith('Z') ? text : time;
	}
	const fraction = text.slice(SECONDS_DIGITS);
	if (text.length < SECONDS_DIGITS || !UNITS_AS_DIGITS.includes(fraction.length)) return undefined;
	const seconds = toIso(
		DateTime.fromSeconds(Number(text.slice(0, SECONDS_DIGITS)), { zone: 'utc' }),
	);
	return fraction ? seconds?.replace('Z', `.${fraction}Z`) : seconds;
}

function toIso(time: DateTime): string | undefined {
	return time.toISO({ suppressMilliseconds: true }) ?? undefined;
}

/** A stack trace within a text, of Python or the JVM. */
const STACK = /Traceback \(most recent call last\):|\n[ \t]+at \S/;

const LEVELS = ['level', 'levelname', 'severity', 'log_level', 'log.level'];
const MESSAGES = ['event', 'message', 'msg', 'text'];

/** A record of JSON as lines: its message under its level, and the exception that it holds. */
export function unfold(line: string): string[] {
	const record = line.startsWith('{') ? parseLeadingJson(line, JSON.parse) : undefined;
	if (!isRecord(record)) return [line];
	const text = MESSAGES.map((name) => record[name]).find((value) => typeof value === 'string');
	const level = LEVELS.map((name) => record[name]).find((value) => typeof value === 'string');
	const stack = listTexts(record).find((value) => STACK.test(value));
	// Loguru's text has a level of its own.
	const isWhole = isRecord(record.record);
	if (stack === undefined && level === undefined && !isWhole) return [line];
	const message = level === undefined ? text : `${level.toUpperCase()}: ${text ?? ''}`;
	const parts = stack && message?.includes(stack) ? [message] : [message, stack];
	return parts.flatMap((part) => part?.trimEnd().split('\n') ?? []);
}

/** The texts of a record, and of the records in it. */
const listTexts = (record: IDataObject) =>
	[record, ...Object.values(record).filter(isRecord)]
		.flatMap(Object.values)
		.filter((value) => typeof value === 'string');

const MARKER = 'N8N_OUTPUT';

/** The marker and the rest of its line, which may be one of several in a text of the log. */
const OUTPUT = new RegExp(`${MARKER}(?=\\s|$)([^\\r\\n]*)`, 'g');

/** The text after the marker on the last line that begins with it; undefined if none does. */
export function findOutput(log: readonly string[]): string | undefined {
	return log
		.filter((lines) => lines.includes(MARKER))
		.flatMap((lines) =>
			[...lines.matchAll(OUTPUT)]
				.filter(({ index }) => isNoText(lines.slice(lines.lastIndexOf('\n', index) + 1, index)))
				.map(([, text]) => removeCodes(text).trim()),
		)
		.at(-1);
}

const TIME = /^[[(]?\d[\d\s:.,/TZ+|\])-]*$/;

/** After the level in a program's log. */
const THREAD = /^\[[^\]]*\]\s*/;
const LOGGER = /^(?:[\w.$:/<>-]*\s?[-:|\]])?$/;

/**
 * Whether the beginning of a line is not the program's own text, but of its logger or a terminal. Spaces
 * are: they indent source code, as in a traceback.
 */
function isNoText(start: string): boolean {
	const shown = toShown(start);
	if (shown === '') return start.trim() !== '' || !/[ \t]$/.test(start);
	const logged = parseLogged(shown);
	if (logged) return LOGGER.test(logged.text.replace(THREAD, ''));
	return TIME.test(shown) && shown.includes(':');
}

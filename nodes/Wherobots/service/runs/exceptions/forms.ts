/**
 * What logging libraries make of an exception, turned into the lines of Python's interpreter: lines of
 * JSON, as structlog, loguru, python-json-logger and logback write them, and the boxes of rich.
 */
import type { IDataObject } from 'n8n-workflow';

import { isLogged, SPARK_LINE } from '../logLines';
import { isRecord } from '../../records';

const HEADING = 'Traceback (most recent call last):';
const DIRECT = 'The above exception was the direct cause of the following exception:';
const DURING = 'During handling of the above exception, another exception occurred:';

/** A stack trace within a text, of Python or the JVM. */
const STACK = /Traceback \(most recent call last\):|\n[ \t]+at \S/;

const LEVELS = ['level', 'levelname', 'severity', 'log_level', 'log.level'];
const MESSAGES = ['event', 'message', 'msg', 'text'];

/** A record of JSON as lines: its message under its level, and the exception that it holds. */
export function unfold(line: string): string[] {
	const record = line.startsWith('{') ? parseRecord(line) : undefined;
	if (!record) return [line];
	const text = MESSAGES.map((name) => record[name]).find((value) => typeof value === 'string');
	const level = LEVELS.map((name) => record[name]).find((value) => typeof value === 'string');
	const stack =
		listTexts(record).find((value) => STACK.test(value)) ?? formatStructured(record.exception);
	// Loguru's text has a level of its own.
	const isWhole = isRecord(record.record);
	if (stack === undefined && level === undefined && !isWhole) return [line];
	const message = level === undefined ? text : `${level.toUpperCase()}: ${text ?? ''}`;
	const parts = stack && message?.includes(stack) ? [message] : [message, stack];
	return parts.flatMap((part) => part?.trimEnd().split('\n') ?? []);
}

function parseRecord(line: string): IDataObject | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** The texts of a record, and of the records in it. */
const listTexts = (record: IDataObject) =>
	[record, ...Object.values(record).filter(isRecord)]
		.flatMap(Object.values)
		.filter((value) => typeof value === 'string');

/** The exceptions of structlog's `dict_tracebacks`: the last one first, below it what led to it. */
function formatStructured(exceptions: unknown): string | undefined {
	if (!Array.isArray(exceptions)) return undefined;
	const lines = exceptions.filter(isRecord).map((each) => {
		const frames = Array.isArray(each.frames) ? each.frames.filter(isRecord) : [];
		const link = each.is_cause === true ? DIRECT : DURING;
		const traceback = [
			HEADING,
			...frames.map(
				({ filename, lineno, name }) => `  File "${filename}", line ${lineno}, in ${name}`,
			),
			`${each.exc_type}: ${each.exc_value}`,
		];
		return [...traceback, '', link, ''];
	});
	return lines.length === 0 ? undefined : lines.reverse().flat().slice(0, -3).join('\n');
}

/** The top of a box; a handler of logging puts boxes beside its column of times. */
const BOX_TOP = /^( *)╭─+ Traceback [^╮]*╮$/;
const BOX_FRAME = /^([^:│]+):(\d+) in (.+)$/;
const BOX_SOURCE = /^❱ +\d+ (.*)$/;

/** Tracebacks of rich without their boxes, with only the source line of each frame. */
export function unbox(lines: readonly string[]): string[] {
	const plain: string[] = [];
	for (let index = 0; index < lines.length; ) {
		const box = parseBox(lines, index);
		plain.push(...(box?.traceback ?? [lines[index]]));
		index = box?.end ?? index + 1;
	}
	return plain;
}

function parseBox(lines: readonly string[], start: number) {
	const left = BOX_TOP.exec(lines[start])?.[1].length;
	if (left === undefined) return undefined;
	const at = (index: number) => (lines[index] ?? '').slice(left);
	const traceback = [HEADING];
	let end = start + 1;
	for (let path = ''; at(end).startsWith('│') || SPARK_LINE.test(lines[end] ?? ''); end++) {
		const inner = at(end).slice(1);
		const content = (inner.endsWith('│') ? inner.slice(0, -1) : inner).trim();
		const frame = BOX_FRAME.exec(path + content);
		const source = BOX_SOURCE.exec(content)?.[1];
		if (frame) traceback.push(`  File "${frame[1]}", line ${frame[2]}, in ${frame[3]}`);
		if (source) traceback.push(`    ${source.replaceAll('│', '').trim()}`);
		// A path that is too long for the box goes on in the next line.
		path = !frame && content.startsWith('/') ? content : '';
	}
	if (!at(end).startsWith('╰')) return { traceback, end };
	// So does a message, at spaces.
	const width = lines[start].length - left;
	let exception = at(++end);
	const isFolded = () =>
		at(end + 1) !== '' &&
		!isLogged(lines[end + 1]) &&
		at(end).length + at(end + 1).split(' ', 1)[0].length >= width;
	while (isFolded()) exception += ` ${at(++end)}`;
	return { traceback: [...traceback, exception], end: end + 1 };
}

/** Python's tracebacks in a log, as the interpreter prints them (Python's module `traceback`). */
import { HARNESS, JVM_FRAME, RETURN_CODE, SPARK_LINE } from './logLines';

export interface Traceback {
	/** The line of its exception, and of the one that caused it. */
	cause: string;
	/** File and line of the innermost frame in the program's own code, if it has one. */
	location?: string;
	/** Its lines without frames of the JVM. */
	excerpt: string[];
	/** Whether it goes up to the main module, as does the one of an exception that nobody caught. */
	isUncaught: boolean;
	/** Whether it comes from the service's script that starts programs. */
	isHarness: boolean;
	/** The index of the line after it. */
	end: number;
}

/** How an exception is related to the one printed before it. */
type Link = 'cause' | 'handling' | 'worker' | 'group';

interface Part {
	link?: Link;
	lines: string[];
	frames: Array<{ file: string; line: string; scope?: string }>;
	exception: string;
}

const HEADER = /^(.*?)\bTraceback \(most recent call last\):$/;
const FRAME = /^\s+File "([^"]{1,1000})", line (\d+)(?:, in (.*))?$/;
const LINKS: Array<[RegExp, Link]> = [
	[/^The above exception was the direct cause of the following exception:$/, 'cause'],
	[/^During handling of the above exception, another exception occurred:$/, 'handling'],
	[/see the stack trace below\.?$/, 'worker'],
];

/** Code of Python, of packages (compiled code has no folder), and of the platform. */
const LIBRARY =
	/^<|(site|dist)-packages\/|\/lib\/python\d|\/pyspark(\.zip)?\/|\/py4j|run-scripts\/|\.(pyx|pxi|pxd)$/;

/** A message may go on for some lines. */
const MAX_MESSAGE_LINES = 10;

const isNoise = (line: string) => SPARK_LINE.test(line) || JVM_FRAME.test(line);

/** The edge of an exception group beside its lines: "  | ", "  +-+---- 1 ----". */
const GROUP_EDGE = /^\s*(?:\| ?|\+[-+]+(?: \d+ -+)?$|\+ (?=Exception Group Traceback))/;

/** All tracebacks, in the order of the lines; those of a chain are one. */
export function tracebacksOf(log: readonly string[]): Traceback[] {
	const chains: Array<{ parts: Part[]; end: number }> = [];
	let chain: (typeof chains)[number] | undefined;
	let link: Link | undefined;
	let said: string[] = [];
	for (let index = 0; index < log.length; ) {
		const inGroup = GROUP_EDGE.test(log[index]);
		const line = log[index].replace(GROUP_EDGE, '');
		if (RETURN_CODE.test(line) || (SPARK_LINE.test(line) && !link)) chain = undefined;
		const found = partAt(log, index);
		if (found) {
			const { part, end } = found;
			const isNested = HEADER.exec(line)?.[1].replace('Exception Group ', '').trim();
			const how = isNested ? 'worker' : (link ?? (chain && inGroup ? 'group' : undefined));
			if (!chain || !how) chains.push((chain = { parts: [], end }));
			chain.parts.push({ ...part, lines: [...said, ...part.lines], link: how });
			chain.end = end;
			link = undefined;
			said = [];
			index = end;
			continue;
		}
		const next = LINKS.find(([pattern]) => pattern.test(line))?.[1];
		if (next) {
			link = next;
			said = ['', line, ''];
		} else if (chain && inGroup && /^[\w.]+(: |$)/.test(line)) {
			chain.parts.push({ link: 'group', lines: [line], frames: [], exception: line });
			chain.end = index + 1;
		}
		index++;
	}
	return chains.map(tracebackOf);
}

/** The traceback that begins at a line, and the index after it; a syntax error has no heading. */
function partAt(log: readonly string[], start: number): { part: Part; end: number } | undefined {
	const first = log[start].replace(GROUP_EDGE, '');
	const isSyntaxError = FRAME.test(first) && !FRAME.exec(first)?.[3];
	if (!HEADER.test(first) && !isSyntaxError) return undefined;
	const part: Part = { lines: isSyntaxError ? [] : [first], frames: [], exception: '' };
	let end = isSyntaxError ? start : start + 1;
	for (; end < log.length && !RETURN_CODE.test(log[end]); end++) {
		if (isNoise(log[end])) continue;
		const line = log[end].replace(GROUP_EDGE, '');
		if (!/^\s/.test(line)) break;
		const frame = FRAME.exec(line);
		if (frame) part.frames.push({ file: frame[1], line: frame[2], scope: frame[3] });
		part.lines.push(line);
	}
	const last = (log[end] ?? '').replace(GROUP_EDGE, '');
	const isException = last !== '' && !RETURN_CODE.test(last) && !HEADER.test(last);
	if (isSyntaxError && !/^\w+Error: /.test(last)) return undefined;
	if (!isException) return { part, end };
	part.exception = last;
	part.lines.push(last);
	const isGroup = GROUP_EDGE.test(log[end]);
	const most = Math.min(end + MAX_MESSAGE_LINES, log.length);
	for (end++; end < most && !isGroup && !endsMessage(log[end]); end++) {
		if (!JVM_FRAME.test(log[end])) part.lines.push(log[end]);
	}
	return { part, end };
}

function endsMessage(line: string): boolean {
	return (
		line === '' ||
		SPARK_LINE.test(line) ||
		RETURN_CODE.test(line) ||
		HEADER.test(line) ||
		GROUP_EDGE.test(line) ||
		/^(: |Caused by: |Driver stacktrace:|Exception (ignored )?in\b)/.test(line) ||
		/^(\S+ ){0,3}\[?(DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b/.test(line) ||
		LINKS.some(([pattern]) => pattern.test(line))
	);
}

function tracebackOf({ parts, end }: { parts: Part[]; end: number }): Traceback {
	const last = parts.filter(({ link }) => link !== 'worker' && link !== 'group').at(-1) ?? parts[0];
	const inWorker = parts.filter(({ link }) => link === 'worker').at(-1);
	const root = parts.find(({ link }) => link === 'group') ?? parts[0];
	const origin = last.link === 'handling' ? [last, root] : [root, last];
	const places = [...(inWorker ? [inWorker] : []), ...origin, ...[...parts].reverse()];
	return {
		cause: inWorker?.exception ?? joined(last, root),
		location: places.map(locationOf).find((location) => location !== undefined),
		excerpt: parts.flatMap(({ lines, link }) => (link === 'group' ? ['', ...lines] : lines)),
		isUncaught: last.frames.some(
			({ file, scope }) => !LIBRARY.test(file) && /^<module>|^$/.test(scope ?? ''),
		),
		isHarness: parts.some(({ frames }) => frames.some(({ file }) => file.includes(HARNESS))),
		end,
	};
}

/** What ended the program, and what led to that. */
function joined(last: Part, root: Part): string {
	if (last.exception.includes(root.exception)) return last.exception;
	const how = last.link === 'handling' ? 'while handling' : 'caused by';
	return `${last.exception}, ${how} ${root.exception}`;
}

function locationOf({ frames }: Part): string | undefined {
	const own = frames.filter(({ file }) => !LIBRARY.test(file)).at(-1);
	return own && `${own.file.slice(own.file.lastIndexOf('/') + 1)}:${own.line}`;
}

/**
 * Exceptions in a log: of the JVM, and of Python as its interpreter prints them (its module `traceback`),
 * and loguru.
 */
import { HARNESS, isLogged, JVM_FRAME, SPARK_LINE } from './logLines';

/** An exception in a log. */
export interface LoggedException {
	/** The line of the exception, and of the one that caused it. */
	cause: string;
	/** File and line of the innermost frame in the program's own code, if it has one. */
	location?: string;
	/** Its lines without frames of the JVM's libraries. */
	excerpt: string[];
	/** Whether it is a traceback of Python, and no stack trace of the JVM. */
	isPython: boolean;
	/** Whether it ended the program: nobody caught it. */
	isUncaught: boolean;
	/** The index of the line after it. */
	end: number;
}

/** Other libraries: their frames say something, but are no place in the program. */
const OTHER_LIBRARY =
	/^(org\.(locationtech|geotools|opengis|datasyslab|json4s|codehaus|wololo)|com\.(amazonaws|fasterxml|google|wherobots)|software\.amazon|io\.netty|okhttp3)\./;

/** A line that names an exception: of a cause, or as Py4J passes it on. */
const CAUSED_BY = /^\s*(?:Caused by: |: )(.*)/;

/** Where Spark gives up on a task, what happened to the task itself. */
const LOST_TASK =
	/^.*most recent failure: Lost task \S+ in stage \S+ \(TID \d+\)(?: \([^()]*\))?: /;

/** An exception with a message. */
const SAYS_WHY = /: \S/;

/** The innermost cause that says something, or else the innermost one, and where it stands. */
function findInnermost(block: readonly string[]) {
	let silent: { index: number; text: string } | undefined;
	for (let index = block.length - 1; index >= 0; index--) {
		let text = CAUSED_BY.exec(block[index])?.[1].replace(LOST_TASK, '') ?? '';
		// A message can begin on the next line, also the reason why an executor or a stage was lost.
		if (/:\s*$/.test(text)) text = `${text.trimEnd()} ${block[index + 1] ?? ''}`;
		if (SAYS_WHY.test(text)) return { index, text };
		if (text !== '') silent ??= { index, text };
	}
	return silent;
}

/**
 * What caused an exception that Python only passes on.
 *
 * @param block the lines after that exception
 * @returns the cause, the lines that name it, and how many of the block belong to it
 */
function findPassedOn(block: readonly string[]) {
	const inner = findInnermost(block);
	if (!inner) return undefined;
	// The outermost exception may name a file that the innermost one does not.
	const outer = block.slice(0, inner.index).filter((line) => CAUSED_BY.test(line));
	const length = block.findLastIndex((line) => CAUSED_BY.test(line)) + 1;
	return { cause: inner.text, excerpt: [...outer.slice(0, 1), block[inner.index]], length };
}

const MAIN_THREAD = /^Exception in thread "main" (?!org\.apache\.spark\.SparkUserAppException)(.*)/;

const EXCEPTION_HEAD = /^([\w$]+\.)+[A-Z][\w$]*(Exception|Error)\b/;

/** The exception that ended a JAR, or the last one that names its code. */
export function findJavaException(lines: readonly string[]): LoggedException | undefined {
	const isOwn = (line: string) => {
		const frame = JVM_FRAME.exec(line);
		return frame?.[1] !== undefined && !OTHER_LIBRARY.test(frame[1]);
	};
	const main = lines.findLastIndex((line) => MAIN_THREAD.test(line));
	const lastOwn = lines.findLastIndex(isOwn) + 1;
	const head =
		main < 0 ? lines.slice(0, lastOwn).findLastIndex((line) => EXCEPTION_HEAD.test(line)) : main;
	if (head < 0) return undefined;
	const next = lines.findIndex(
		(line, index) => index > head && /^Traceback |^Exception in /.test(line),
	);
	const block = lines
		.slice(head, next < 0 ? undefined : next)
		.filter((line) => !SPARK_LINE.test(line) && line !== '');
	const first = MAIN_THREAD.exec(block[0])?.[1] ?? block[0];
	const found = findInnermost(block.slice(1));
	const isBetter = found && (SAYS_WHY.test(found.text) || !SAYS_WHY.test(first));
	const after = block.slice(isBetter ? found.index + 1 : 0);
	const places = [...after, ...block].filter(isOwn);
	const place = places.find((frame) => /:\d+\)/.test(frame)) ?? places.at(0);
	return {
		cause: (isBetter ? found.text : first).replace(LOST_TASK, ''),
		location: place && JVM_FRAME.exec(place)?.[2],
		excerpt: isBetter ? [block[0], ...after] : after,
		isPython: false,
		isUncaught: main >= 0,
		end: Math.max(lastOwn, head + 1),
	};
}

interface Traceback extends LoggedException {
	/** Whether it comes from the service's script that starts programs. */
	isHarness: boolean;
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
const FRAME = /^[\s>]+File "([^"]{1,1000})", line (\d+)(?:, in (.*))?$/;
const LINKS: Array<[RegExp, Link]> = [
	[/^The above exception was the direct cause of the following exception:$/, 'cause'],
	[/^During handling of the above exception, another exception occurred:$/, 'handling'],
	[/see the stack trace below\.?$/, 'worker'],
];

const findLink = (line: string) => LINKS.find(([pattern]) => pattern.test(line))?.[1];

/** Code of Python, of packages (compiled code has no folder), and of the platform. */
const LIBRARY =
	/^<|(site|dist)-packages\/|\/lib\/python\d|\/pyspark(\.zip)?\/|\/py4j|run-scripts\/|\.(pyx|pxi|pxd)$/;

/** An exception of the JVM, or a text with one in it. */
const FROM_JVM = /\bPy4J\w*Error\b|\bAn error occurred while calling \S+$/;

/** A message may go on for some lines. */
const MAX_MESSAGE_LINES = 10;

const isNoise = (line: string) => SPARK_LINE.test(line) || JVM_FRAME.test(line);

/** The edge of an exception group beside its lines: "  | ", "  +-+---- 1 ----". */
const GROUP_EDGE = /^\s*(?:\| ?|\+[-+]+(?: \d+ -+)?$|\+ (?=Exception Group Traceback))/;

const isGroup = ({ link }: Part) => link === 'group';
const isWorker = ({ link }: Part) => link === 'worker';

/** All tracebacks, in the order of the lines; those of a chain are one. */
export function parseTracebacks(log: readonly string[]): Traceback[] {
	const chains: Array<{ parts: Part[]; inThread: boolean; end: number }> = [];
	let chain: (typeof chains)[number] | undefined;
	let link: Link | undefined;
	let said: string[] = [];
	for (let index = 0; index < log.length; ) {
		const inGroup = GROUP_EDGE.test(log[index]);
		const line = log[index].replace(GROUP_EDGE, '');
		if (!link && (SPARK_LINE.test(line) || isLogged(line))) chain = undefined;
		const found = parsePart(log, index);
		if (found) {
			const { part, end } = found;
			const outer = HEADER.exec(line)?.[1].replace('Exception Group ', '').trim();
			const how = outer ? 'worker' : (link ?? (chain && inGroup ? 'group' : undefined));
			if (!chain || !how) {
				const inThread = /^Exception in thread /.test(log[index - 1] ?? '');
				chains.push((chain = { parts: [], inThread, end }));
			}
			const passing = chain.parts.filter((each) => !isWorker(each)).at(-1);
			if (passing && how === 'worker') passing.exception = part.exception;
			chain.parts.push({ ...part, lines: [...said, ...part.lines], link: how });
			chain.end = end;
			link = undefined;
			said = [];
			index = end;
			continue;
		}
		const next = findLink(line);
		if (next) {
			link = next;
			said = ['', line, ''];
		} else if (chain && inGroup && /^[\w.]+(: |$)/.test(line)) {
			chain.parts.push({ link: 'group', lines: [line], frames: [], exception: line });
			chain.end = index + 1;
		}
		index++;
	}
	return chains.map(toTraceback);
}

/** The traceback that begins at a line, and the index after it; a syntax error has no heading. */
function parsePart(log: readonly string[], start: number): { part: Part; end: number } | undefined {
	const first = log[start].replace(GROUP_EDGE, '');
	const isSyntaxError = FRAME.test(first) && !FRAME.exec(first)?.[3];
	if (!HEADER.test(first) && !isSyntaxError) return undefined;
	// Other programs indent what a program wrote.
	const margin = isSyntaxError ? 0 : first.length - first.trimStart().length;
	const at = (index: number) => {
		const line = (log[index] ?? '').replace(GROUP_EDGE, '');
		return line.slice(Math.min(margin, line.length - line.trimStart().length));
	};
	// Loguru puts empty lines between frames.
	const isSpaced = at(start + 1) === '';
	const part: Part = { lines: isSyntaxError ? [] : [at(start)], frames: [], exception: '' };
	let end = isSyntaxError ? start : start + 1;
	for (; end < log.length; end++) {
		const line = at(end);
		if (isNoise(log[end]) || (isSpaced && line === '')) continue;
		if (!/^[\s>]/.test(line)) break;
		const frame = FRAME.exec(line);
		if (frame) part.frames.push({ file: frame[1], line: frame[2], scope: frame[3] });
		part.lines.push(line);
	}
	const last = at(end);
	if (isSyntaxError && !/^\w+Error: /.test(last)) return undefined;
	if (last === '' || HEADER.test(last)) return { part, end };
	const from = ++end;
	const inGroup = GROUP_EDGE.test(log[from - 1]);
	const most = Math.min(from + MAX_MESSAGE_LINES, log.length);
	while (end < most && !inGroup && !isEndOfMessage(log, end)) end++;
	const message = log.slice(from, end).filter((line) => !JVM_FRAME.test(line));
	part.lines.push(last, ...message);
	part.exception = last.endsWith(':') ? `${last} ${message.find(Boolean) ?? ''}`.trim() : last;
	// Those of Python itself have one line: what follows may be the program's next words.
	const next = /^\w+: ./.test(last)
		? log.slice(from, end).findIndex((line) => !/^\s/.test(line))
		: -1;
	if (next >= 0) end = from + next;
	if (!FROM_JVM.test(part.exception.replace(/\.$/, ''))) return { part, end };
	const rest = log.slice(end);
	const other = rest.findIndex((line) => HEADER.test(line) || findLink(line) !== undefined);
	const java = findPassedOn(other < 0 ? rest : rest.slice(0, other));
	if (!java) return { part, end };
	part.exception = java.cause;
	part.lines.push(...java.excerpt);
	return { part, end: end + java.length };
}

function isEndOfMessage(log: readonly string[], index: number): boolean {
	const line = log[index];
	return (
		// Spark shows the statement below its message.
		(line === '' && !/^== /.test(log[index + 1] ?? '')) ||
		SPARK_LINE.test(line) ||
		HEADER.test(line) ||
		GROUP_EDGE.test(line) ||
		/^(: |Caused by: |Driver stacktrace:|Exception (ignored )?in\b)/.test(line) ||
		isLogged(line) ||
		findLink(line) !== undefined
	);
}

function toTraceback(chain: { parts: Part[]; inThread: boolean; end: number }): Traceback {
	const { parts, inThread, end } = chain;
	const last = parts.filter((part) => !isWorker(part) && !isGroup(part)).at(-1) ?? parts[0];
	const inWorker = parts.filter(isWorker).at(-1);
	const inGroup = parts.filter(isGroup);
	const root = inGroup.find(({ exception }) => !/sub-exceptions?\)$/.test(exception)) ?? parts[0];
	const origin = last.link === 'handling' ? [last, root] : [root, last];
	const places = [...(inWorker ? [inWorker] : []), ...origin, ...[...parts].reverse()];
	return {
		cause: joinCauses(last, root),
		location: places.map(formatLocation).find((location) => location !== undefined),
		excerpt: parts.flatMap((part) => (isGroup(part) ? ['', ...part.lines] : part.lines)),
		isPython: true,
		// An exception that nobody caught goes up to the main module.
		isUncaught:
			inThread ||
			last.frames.some(
				({ file, scope }) => !LIBRARY.test(file) && /^<module>|^$/.test(scope ?? ''),
			),
		isHarness: parts.some(({ frames }) => frames.some(({ file }) => file.includes(HARNESS))),
		end,
	};
}

/** What ended the program, and what led to that. */
function joinCauses(last: Part, root: Part): string {
	if (last.exception.includes(root.exception)) return last.exception;
	const how = last.link === 'handling' ? 'while handling' : 'caused by';
	return `${last.exception}, ${how} ${root.exception}`;
}

function formatLocation({ frames }: Part): string | undefined {
	const own = frames.filter(({ file }) => !LIBRARY.test(file)).at(-1);
	return own && `${own.file.slice(own.file.lastIndexOf('/') + 1)}:${own.line}`;
}

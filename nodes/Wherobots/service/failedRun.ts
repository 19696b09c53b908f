/**
 * Why a run failed, from the lines of its log. Such a log ends with the traceback of the service's own
 * script; the program's stands somewhere before it, with frames of the JVM between its lines.
 * Tracebacks are as Python's interpreter prints them (its module `traceback`).
 */
import { HARNESS, JVM_FRAME, LIBRARY_FRAME, RETURN_CODE, SPARK_LINE } from './logLines';

export interface FailedRun {
	/** The line of the exception that ended the program; several causes are named in one line. */
	cause?: string;
	/** File and line in the program's own code: `tiles.py:31`. */
	location?: string;
	/** The lines that say why: a traceback without frames of the JVM, or an exception of the JVM. */
	excerpt: string[];
	/** How the program ended; above 128, or negative, when it was killed. */
	returnCode?: number;
}

const MAX_CAUSE = 300;
const MAX_EXCERPT_LINES = 50;
/** A traceback that the program survived is its last words only if it wrote at most this much afterwards. */
const MAX_LINES_AFTER = 20;

/** Other libraries: their frames say something, but are no place in the program. */
const OTHER_LIBRARY =
	/^(org\.(locationtech|geotools|opengis|datasyslab|json4s|codehaus|wololo)|com\.(amazonaws|fasterxml|google|wherobots)|software\.amazon|io\.netty|okhttp3)\./;

/**
 * The lines that can say why a run failed: without frames of Spark, Scala and Java, and of consecutive
 * lines of Spark's log only the last. So a log of millions of lines is read within a few thousand.
 */
export function tellingLines(lines: readonly string[]): string[] {
	return lines
		.filter((line) => !LIBRARY_FRAME.test(line))
		.filter((line, index, all) => !SPARK_LINE.test(line) || !SPARK_LINE.test(all[index + 1] ?? ''));
}

/** What the lines say; the excerpt is empty where they hold no exception of the program. */
export function explainFailure(log: readonly string[]): FailedRun {
	const lines = tellingLines(log);
	const code = lastMatch(lines, RETURN_CODE)?.[1];
	const returnCode = code === undefined ? undefined : Number(code);
	const found = causeIn(lines, returnCode);
	return {
		excerpt: shortened(found.excerpt ?? []),
		...(found.cause ? { cause: cut(found.cause) } : {}),
		...(found.location ? { location: found.location } : {}),
		...(returnCode === undefined ? {} : { returnCode }),
	};
}

const lastMatch = (lines: readonly string[], pattern: RegExp) =>
	pattern.exec(lines[lastIndex(lines, (line) => pattern.test(line))] ?? '');

type Found = Partial<Pick<FailedRun, 'cause' | 'location' | 'excerpt'>>;

const OUT_OF_MEMORY = /\bjava\.lang\.OutOfMemoryError\b.*|^Fatal Python error: .*/;

function causeIn(lines: string[], returnCode: number | undefined): Found {
	const lastWords = lastMatch(lines, OUT_OF_MEMORY)?.[0];
	if (returnCode !== undefined && (returnCode > 128 || returnCode < 0)) {
		// Its exceptions did not end it: it survived them, or they are what a killed JVM left behind.
		const signal = returnCode < 0 ? -returnCode : returnCode - 128;
		const why = signal === 9 ? ', usually because it ran out of memory' : '';
		return { cause: lastWords ?? `The program was killed by signal ${signal}${why}` };
	}
	const tracebacks = tracebacksOf(lines);
	const own = tracebacks.filter(({ location }) => location !== undefined);
	// Python ends with 1 when nobody caught an exception.
	const uncaught = (returnCode ?? 1) === 1 ? own.filter(({ isUncaught }) => isUncaught) : [];
	const last = uncaught.at(-1) ?? own.filter((each) => isNearEnd(lines, each)).at(-1);
	if (last) return withJavaCause(last, lines, lastWords);
	// An exception of the service's own script is the cause when it could not even start the program.
	const ofHarness = tracebacks.find(({ isHarness }) => isHarness && returnCode === undefined);
	return javaException(lines) ?? ofHarness ?? { cause: lastWords ?? lastException(lines) };
}

const ownLines = (lines: readonly string[]) =>
	lines.filter((line) => !SPARK_LINE.test(line) && !/^\s/.test(line) && line !== '');

function isNearEnd(lines: string[], { end }: Traceback): boolean {
	return ownLines(lines.slice(end)).length <= MAX_LINES_AFTER;
}

/** The last line of a program that printed its exception, or what is wrong with its arguments. */
function lastException(lines: string[]): string | undefined {
	const end = lastIndex(lines, (line) => RETURN_CODE.test(line));
	const last = ownLines(lines.slice(0, end < 0 ? undefined : end)).at(-1) ?? '';
	return /^(([\w.$]+\.)?\w*(Error|Exception)|[\w.-]+: error)(: .|$)/.test(last) ? last : undefined;
}

const CAUSED_BY = /^\s*(?:Caused by: |: )(.*)/;

/** Where Spark gives up on a task, what happened to the task itself. */
const LOST_TASK =
	/^.*most recent failure: Lost task \S+ in stage \S+ \(TID \d+\)(?: \([^()]*\))?: /;

/** An exception with a message. */
const SAYS_WHY = /: \S/;

/** The innermost cause that says something, or else the innermost one, and where it stands. */
function innermost(lines: readonly string[], from: number, end: number) {
	let silent: { index: number; text: string } | undefined;
	for (let index = end - 1; index >= from; index--) {
		let text = CAUSED_BY.exec(lines[index])?.[1].replace(LOST_TASK, '') ?? '';
		// Why an executor or a stage was lost can stand on a line of its own.
		if (/ reason:$/i.test(text)) text += ` ${lines[index + 1] ?? ''}`;
		if (SAYS_WHY.test(text)) return { index, text };
		if (text !== '') silent ??= { index, text };
	}
	return silent;
}

/** A traceback that only passes on an exception of the JVM names what caused that. */
function withJavaCause(traceback: Traceback, lines: string[], lastWords?: string): Found {
	if (!/^[\w.]*Py4J\w*Error\b/.test(traceback.cause)) return traceback;
	const from = traceback.end;
	const next = lines.findIndex((line, index) => index >= from && /^Traceback /.test(line));
	const java = innermost(lines, from, next < 0 ? lines.length : next);
	if (!java) return { ...traceback, cause: lastWords ?? traceback.cause };
	// The outermost exception may name a file that the innermost one does not.
	const outer = lines.slice(from, java.index).filter((line) => CAUSED_BY.test(line));
	const excerpt = [...traceback.excerpt, ...outer.slice(0, 1), lines[java.index]];
	return { ...traceback, cause: java.text, excerpt };
}

const MAIN_THREAD = /^Exception in thread "main" (?!org\.apache\.spark\.SparkUserAppException)(.*)/;

/** The exception that ended a JAR, or the last one that names its code. */
function javaException(lines: string[]): Found | undefined {
	const isOwn = (line: string) => {
		const frame = JVM_FRAME.exec(line);
		return frame?.[1] !== undefined && !OTHER_LIBRARY.test(frame[1]);
	};
	let head = lastIndex(lines, (line) => MAIN_THREAD.test(line));
	if (head < 0) head = lastIndex(lines.slice(0, lastIndex(lines, isOwn) + 1), isExceptionHead);
	if (head < 0) return undefined;
	const next = lines.findIndex(
		(line, index) => index > head && /^Traceback |^Exception in /.test(line),
	);
	const block = lines
		.slice(head, next < 0 ? undefined : next)
		.filter((line) => !SPARK_LINE.test(line) && !RETURN_CODE.test(line) && line !== '');
	const first = MAIN_THREAD.exec(block[0])?.[1] ?? block[0];
	const found = innermost(block, 1, block.length);
	const inner = found && (SAYS_WHY.test(found.text) || !SAYS_WHY.test(first)) ? found : undefined;
	const after = block.slice(inner?.index ?? 0);
	const places = [...after, ...block].filter(isOwn);
	const place = places.find((frame) => /:\d+\)/.test(frame)) ?? places.at(0);
	return {
		cause: (inner?.text ?? first).replace(LOST_TASK, ''),
		location: place && JVM_FRAME.exec(place)?.[2],
		excerpt: inner ? [block[0], ...after] : after,
	};
}

function lastIndex(lines: readonly string[], test: (line: string) => boolean): number {
	let index = lines.length - 1;
	while (index >= 0 && !test(lines[index])) index--;
	return index;
}

const isExceptionHead = (line: string) => /^([\w$]+\.)+[A-Z][\w$]*(Exception|Error)\b/.test(line);

function cut(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > MAX_CAUSE ? `${line.slice(0, MAX_CAUSE).replace(/\p{Cs}$/u, '')}…` : line;
}

/** At most fifty lines: of more, the first and the last. */
function shortened(lines: readonly string[]): string[] {
	if (lines.length <= MAX_EXCERPT_LINES) return [...lines];
	const half = MAX_EXCERPT_LINES / 2;
	return [...lines.slice(0, half - 1), '…', ...lines.slice(-half)];
}

interface Traceback {
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
function tracebacksOf(log: readonly string[]): Traceback[] {
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

/**
 * Why a run failed, from the lines of its log. Such a log ends with the traceback of the service's own
 * script; the program's stands somewhere before it, with frames of the JVM between its lines.
 */
import { JVM_FRAME, LIBRARY_FRAME, RETURN_CODE, SPARK_LINE } from './logLines';
import { tracebacksOf, type Traceback } from './tracebacks';

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
	const code = lines
		.map((line) => RETURN_CODE.exec(line)?.[1])
		.filter(Boolean)
		.at(-1);
	const returnCode = code === undefined ? undefined : Number(code);
	const found = causeIn(lines, returnCode);
	return {
		excerpt: shortened(found.excerpt ?? []),
		...(found.cause ? { cause: cut(found.cause) } : {}),
		...(found.location ? { location: found.location } : {}),
		...(returnCode === undefined ? {} : { returnCode }),
	};
}

type Found = Partial<Pick<FailedRun, 'cause' | 'location' | 'excerpt'>>;

const OUT_OF_MEMORY = /\bjava\.lang\.OutOfMemoryError\b.*|^Fatal Python error: .*/;

function causeIn(lines: string[], returnCode: number | undefined): Found {
	const lastWords = lines
		.map((line) => OUT_OF_MEMORY.exec(line)?.[0])
		.filter(Boolean)
		.at(-1);
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

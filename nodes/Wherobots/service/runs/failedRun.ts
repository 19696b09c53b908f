/**
 * Why a run failed, from the lines of its log. Such a log ends with the traceback of the service's own
 * script; what ended the program stands somewhere before it.
 */
import { findJavaException, type LoggedException, parseTracebacks } from './exceptions';
import {
	isLogged,
	LIBRARY_FRAME,
	findLoggedError,
	RETURN_CODE,
	listShownTexts,
	SPARK_LINE,
	unfold,
} from './logLines';

export interface FailedRun {
	/** What ended the program, in one line: an exception and what caused it, or its last words. */
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
/** What the program survived, or said, is the cause only if it wrote at most this much afterwards. */
const MAX_LINES_AFTER = 20;

const isSparkError = (line = '') => SPARK_LINE.test(line) && findLoggedError(line) !== undefined;

/**
 * The lines that can say why a run failed, as a terminal shows them: records of JSON as text, without
 * frames of Spark, Scala and Java, and of consecutive lines of Spark's log only the last, and its last
 * error. So a log of millions of lines is read within a few thousand.
 */
export function selectTellingLines(log: readonly string[]): string[] {
	return log
		.flatMap((raw) => unfold(raw).flatMap(listShownTexts))
		.filter((line) => !LIBRARY_FRAME.test(line))
		.filter(
			(line, index, all) =>
				!SPARK_LINE.test(line) ||
				!SPARK_LINE.test(all[index + 1] ?? '') ||
				(isSparkError(line) && !isSparkError(all[index + 1])),
		);
}

/** What the lines say; the excerpt is empty where they hold no exception of the program. */
export function explainFailure(log: readonly string[]): FailedRun {
	const lines = selectTellingLines(log);
	const end = lines.findLastIndex((line) => RETURN_CODE.test(line));
	const code = RETURN_CODE.exec(lines[end] ?? '')?.[1];
	const returnCode = code === undefined ? undefined : Number(code);
	const found = findCause(end < 0 ? lines : lines.slice(0, end), returnCode);
	return {
		excerpt: shorten(found.excerpt ?? []),
		...(found.cause ? { cause: cut(found.cause) } : {}),
		...(found.location ? { location: found.location } : {}),
		...(returnCode === undefined ? {} : { returnCode }),
	};
}

type Found = Partial<Pick<FailedRun, 'cause' | 'location' | 'excerpt'>>;

/** An exception that only passes on what another program, or the JVM, has said before. */
const PASSES_ON = /\bPy4J\w*Error\b|\bCalledProcessError: .*\bpip\b/;

function findCause(lines: string[], returnCode: number | undefined): Found {
	const said = findLastWordsOfOthers(lines);
	if (returnCode !== undefined && (returnCode > 128 || returnCode < 0)) {
		// Its exceptions did not end it: it survived them, or they are what a killed JVM left behind.
		const signal = returnCode < 0 ? -returnCode : returnCode - 128;
		const why = signal === 9 ? ', usually because it ran out of memory' : '';
		return { cause: said ?? `The program was killed by signal ${signal}${why}` };
	}
	const tracebacks = parseTracebacks(lines);
	const own = tracebacks.filter(({ location }) => location !== undefined);
	const isNearEnd = ({ end }: LoggedException) =>
		lines.slice(end).filter(isOwnLine).length <= MAX_LINES_AFTER;
	// Python ends with 1 when nobody caught an exception.
	const uncaught = (returnCode ?? 1) === 1 ? own.filter(({ isUncaught }) => isUncaught) : [];
	const inPython = uncaught.at(-1) ?? own.filter(isNearEnd).at(-1);
	const exception = inPython ?? findJavaException(lines);
	const end = (inPython ? tracebacks.at(-1) : exception)?.end;
	const words = findLastWords(lines.slice(end), exception, returnCode);
	if (exception && words) {
		const { excerpt } = exception;
		return { cause: words, excerpt: excerpt.includes(words) ? excerpt : [...excerpt, words] };
	}
	if (exception && !PASSES_ON.test(exception.cause)) return exception;
	if (exception) return { ...exception, cause: said ?? exception.cause };
	// An exception of the service's own script is the cause when it could not even start the program.
	const ofHarness = tracebacks.find(({ isHarness }) => isHarness && returnCode === undefined);
	const other = tracebacks.filter((each) => !each.isHarness && isNearEnd(each)).at(-1);
	return ofHarness && said === undefined ? ofHarness : { cause: said ?? other?.cause ?? words };
}

const isOwnLine = (line: string) => !SPARK_LINE.test(line) && !/^\s/.test(line) && line !== '';

/** What a JVM that crashes says of its signal, and of the code where that happened. */
const CRASH =
	/^# +((?:SIG[A-Z]+|Internal Error) \([^)]*\)|Native memory allocation .*|[CJVjv] +[[\d].*)/;

/** What the JVM, Python and pip say when they cannot go on. */
const LAST_WORDS =
	/\bjava\.lang\.OutOfMemoryError\b.*|^Fatal Python error: .*|(?<=^ERROR: )(?:Cannot install .* conflicting dependencies|No matching distribution found for ).*/;

function findLastWordsOfOthers(lines: readonly string[]): string | undefined {
	const crash = lines.flatMap((line) => CRASH.exec(line)?.[1] ?? []);
	if (crash.length > 0) return `The JVM crashed: ${crash.join(' in ')}`;
	return lines.flatMap((line) => LAST_WORDS.exec(line)?.[0] ?? []).at(-1);
}

/** A line that names an exception, or what is wrong with the arguments of a program. */
const NAMES_ERROR = /^(([\w.$]+\.)?\w*(Error|Exception)|[\w.-]+: error)(: .|$)/;

/** A text in words, as somebody may have given it to `sys.exit`. */
const TEXT = /^(?!Exception ignored )[^\s{].*\p{L}{2}/u;

/**
 * The error that a program wrote to its log at the end, or the text with which Python ended.
 *
 * @param lines those after the exception
 */
function findLastWords(
	lines: readonly string[],
	exception: LoggedException | undefined,
	returnCode: number | undefined,
): string | undefined {
	const { isUncaught = false, isPython = true } = exception ?? {};
	// What is said right after an exception is about it.
	const goesOn = lines.findIndex(
		(line) => isLogged(line) && !SPARK_LINE.test(line) && findLoggedError(line) === undefined,
	);
	const own = [...lines.entries()].filter(
		([, line]) => isOwnLine(line) || (returnCode !== 1 && findLoggedError(line) !== undefined),
	);
	for (const [index, line] of own.slice(-MAX_LINES_AFTER).reverse()) {
		const isApart = !exception || (goesOn >= 0 && index > goesOn);
		const error = findLoggedError(line) ?? (NAMES_ERROR.test(line) ? line : undefined);
		if (error !== undefined) return isApart && !isUncaught ? error : undefined;
		const isText = returnCode === 1 && isPython && !isLogged(line) && TEXT.test(line);
		if (isText && (isApart || !isUncaught)) return line;
	}
	return undefined;
}

function cut(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > MAX_CAUSE ? `${line.slice(0, MAX_CAUSE).replace(/\p{Cs}$/u, '')}…` : line;
}

/** At most fifty lines: of more, the first and the last. */
function shorten(lines: readonly string[]): string[] {
	if (lines.length <= MAX_EXCERPT_LINES) return [...lines];
	const half = MAX_EXCERPT_LINES / 2;
	return [...lines.slice(0, half - 1), '…', ...lines.slice(-half)];
}

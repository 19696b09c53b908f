/** Exceptions of the JVM: what caused them, and where they stand in the program's own code. */
import { JVM_FRAME, SPARK_LINE } from '../logLines';

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
export function findPassedOn(block: readonly string[]) {
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

/**
 * Logs of failed runs: how each begins to fail, and what the package is to say about it. Each is a
 * chapter of a file in test/fixtures/logs: its title, what is said, and its lines, in which `<…>` stands
 * for lines that several logs have.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { REPOSITORY } from '../../scripts/lib/paths';

const FILES = path.join(REPOSITORY, 'test/fixtures/logs');

const read = (name: string) => readFileSync(path.join(FILES, `${name}.txt`), 'utf8');

/** The lines of a log that is kept as a file. */
export const logFile = (name: string): string[] => read(name).trimEnd().split('\n');

/** What the service's own script writes when the program has ended. */
export const closing = (code: number): string[] =>
	logFile('closing').map((line) => line.replace('<code>', String(code)));

export interface FailedLog {
	title: string;
	lines: string[];
	/** Fields that are not named must be absent, or not in question where a text is. */
	says: { cause?: string; location?: string; returnCode?: number };
	/** Lines that the excerpt must, and must not, contain. */
	shows: string[];
	hides: string[];
}

/** Lines that many logs have: parts of a program's traceback, frames of Spark, Scala and Java. */
const COMMON = Object.fromEntries(
	read('common')
		.split(/^### /m)
		.slice(1)
		.map((part) => {
			const [name, ...lines] = part.trimEnd().split('\n');
			return [name, lines];
		}),
);

/** The lines that a line of a chapter stands for: itself, unless it is `<name>` or `<name value>`. */
function linesOf(line: string): string[] {
	const [, name, value = ''] = /^<(\w+)(?: (.+))?>$/.exec(line) ?? [];
	if (name === undefined) return [line];
	if (name === 'closing') return closing(Number(value));
	return name === 'file' ? logFile(value) : COMMON[name];
}

function readChapter(chapter: string): FailedLog {
	const [head, log] = chapter.split('\n---\n');
	const [title, ...facts] = head.split('\n');
	const of = (name: string) =>
		facts.filter((fact) => fact.startsWith(`${name}: `)).map((fact) => fact.slice(name.length + 2));
	const [[cause], [location], [returnCode]] = ['cause', 'location', 'returnCode'].map(of);
	return {
		title,
		lines: log.trimEnd().split('\n').flatMap(linesOf),
		says: {
			...(cause !== undefined && { cause }),
			...(location !== undefined && { location }),
			...(returnCode !== undefined && { returnCode: Number(returnCode) }),
		},
		shows: of('shows'),
		hides: of('hides'),
	};
}

const IDLE = [...Array<string>(30).fill('working'), 'nothing to do', ...closing(3)];

/** Logs of Python programs, of those that end with an exception of the JVM, of JARs, and as libraries write them. */
export const failedLogs: FailedLog[] = [
	...['python', 'py4j', 'jar', 'libraries'].flatMap((name) =>
		read(name).split(/^### /m).slice(1).map(readChapter),
	),
	{
		title: 'a deep recursion, with lines of Spark in between',
		lines: [
			...COMMON.main,
			...Array.from({ length: 200 }, (_, index) => [
				`  File "/opt/job/walk.py", line ${index}, in walk`,
				'26/11/25 03:00:20 INFO BlockManager: Removed broadcast_1',
				'    walk(node.parent)',
			]).flat(),
			'RecursionError: maximum recursion depth exceeded',
			...closing(1),
		],
		says: {
			cause: 'RecursionError: maximum recursion depth exceeded',
			location: 'walk.py:199',
			returnCode: 1,
		},
		shows: ['    main()', '…', 'RecursionError'],
		hides: ['line 100', 'BlockManager'],
	},
	...[COMMON.caught, [...COMMON.main, 'ValueError: no tile']].map((exception, index) => ({
		title: `an exit with a code of its own, long after an exception was logged (${index})`,
		lines: [...exception, ...IDLE],
		says: { returnCode: 3 },
		shows: [],
		hides: [],
	})),
];

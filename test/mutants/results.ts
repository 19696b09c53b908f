/** What became of the planted mistakes: read from Stryker's report, kept, and shown on a page. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import ts from 'typescript';

import { PARTS } from './parts';
import { REASONS } from './reasons';
import { filesOf, SOURCES } from './sample';

/** The part of Stryker's JSON report that is used. */
export interface Report {
	files: Record<string, { source: string; mutants: ReportedMutant[] }>;
	testFiles?: Record<string, { tests: Array<{ name: string }> }>;
}

interface Place {
	line: number;
	column: number;
}

interface ReportedMutant {
	status: string;
	replacement?: string;
	location: { start: Place; end: Place };
}

export interface Survivor {
	file: string;
	line: number;
	/** `code → its replacement`, each shortened. */
	change: string;
	/** No test runs the line at all. */
	uncovered?: boolean;
}

export interface PartResult {
	date: string;
	/** The `codeOf` the part that the mistakes were planted in. */
	code?: string;
	noticed: number;
	survivors: Survivor[];
}

export type Results = Record<string, PartResult>;

const FILE = path.join(__dirname, 'results.json');
const PAGE = path.join(__dirname, 'results.md');
const MOST_CHARACTERS = 70;

/** Share of the mistakes that has to be noticed, in percent. */
export const LEAST_NOTICED = 95;

/** Stryker's words for a mistake that made tests fail or hang, and for one that did not. */
const NOTICED = new Set(['Killed', 'Timeout']);
const UNNOTICED = new Set(['Survived', 'NoCoverage']);

export function readReport({ files }: Report, date: string): PartResult {
	const result: PartResult = { date, noticed: 0, survivors: [] };
	for (const [file, { source, mutants }] of Object.entries(files)) {
		for (const mutant of mutants) {
			if (NOTICED.has(mutant.status)) result.noticed += 1;
			if (!UNNOTICED.has(mutant.status)) continue;
			const { start, end } = mutant.location;
			result.survivors.push({
				file: file.replace(/^nodes\/Wherobots\//, ''),
				line: start.line,
				change: `${short(between(source, start, end))} → ${short(mutant.replacement ?? '')}`,
				...(mutant.status === 'NoCoverage' && { uncovered: true }),
			});
		}
	}
	result.survivors.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
	return result;
}

/** What tells the code of a part, as it is now, from any other: without comments, types, imports and names of files. */
export function codeOf(name: string): string {
	const { ESNext: module } = ts.ModuleKind;
	const compilerOptions = { module, target: ts.ScriptTarget.ESNext, removeComments: true };
	const codes = filesOf(PARTS[name].sources).map((file) => {
		const source = readFileSync(path.join(SOURCES, file), 'utf8');
		const { outputText } = ts.transpileModule(source, { compilerOptions });
		return outputText.replace(/^import [^;]*;$/gm, '').trim();
	});
	return createHash('sha256').update(codes.sort().join('\n')).digest('hex');
}

/**
 * `file: test` for each test that has failed with no mistake.
 *
 * @param list the JSON of `[file, test]` in a line for each test that has, as jest-circus-mutants.cjs
 * writes it
 */
export function idleTests(reports: Report[], list: string): string[] {
	const failed = new Set(list.split('\n'));
	const tests = reports.flatMap(({ testFiles = {} }) =>
		Object.entries(testFiles).flatMap(([file, found]) =>
			found.tests.map(({ name }): [string, string] => [file, name]),
		),
	);
	const idle = tests.filter((test) => !failed.has(JSON.stringify(test)));
	return [...new Set(idle.map((test) => test.join(': ')))];
}

/** The text between two places, whose lines and columns count from one. */
function between(source: string, start: Place, end: Place): string {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	lines[lines.length - 1] = lines[lines.length - 1].slice(0, end.column - 1);
	lines[0] = lines[0].slice(start.column - 1);
	return lines.join('\n');
}

function short(code: string): string {
	const line = code.replace(/\s+/g, ' ').trim();
	return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line;
}

export async function readResults(): Promise<Results> {
	return JSON.parse(await readFile(FILE, 'utf8').catch(() => '{}')) as Results;
}

export async function writeResults(all: Results): Promise<void> {
	// A part may have another name now, or be in another part.
	const results = Object.fromEntries(Object.entries(all).filter(([name]) => name in PARTS));
	await writeFile(FILE, `${JSON.stringify(results, null, '\t')}\n`);
	await writeFile(PAGE, page(results));
}

/** Share of the mistakes that were noticed, in percent with one decimal. */
export function scoreOf(...results: PartResult[]): string {
	const { planted, noticed } = sharedScore(results);
	return planted === 0 ? 'none' : ((100 * noticed) / planted).toFixed(1);
}

/** Whether fewer mistakes were noticed than have to be. */
export function isBelow(...results: PartResult[]): boolean {
	const { planted, noticed } = sharedScore(results);
	return noticed < (planted * LEAST_NOTICED) / 100;
}

/** How many mistakes of all these were noticed, without those that may stay. */
export function sharedScore(results: PartResult[]) {
	const noticed = results.reduce((count, result) => count + result.noticed, 0);
	const unexplained = results
		.flatMap(({ survivors }) => survivors)
		.filter(({ file, change }) => reasonFor(file, change) === undefined);
	return { planted: noticed + unexplained.length, noticed, unexplained };
}

function page(results: Results): string {
	const names = Object.keys(PARTS);
	const run = names.filter((name) => name in results);
	const missing = names.filter((name) => !(name in results));
	const current = run.filter((name) => results[name].code === codeOf(name));
	const row = (name: string, kinds: string, date: string, ...of: PartResult[]) => {
		const { planted, noticed } = sharedScore(of);
		const all = noticed + of.reduce((count, { survivors }) => count + survivors.length, 0);
		const numbers = [all, all - planted, noticed, `${scoreOf(...of)} %`].join(' | ');
		return `| ${name} | ${kinds} | ${numbers} | ${date} |`;
	};
	const rows = run.map((name) => {
		const kinds = PARTS[name].without?.length ? 'all but texts' : 'all';
		const since = current.includes(name) ? '' : ', perhaps on older code';
		return row(name, kinds, `${results[name].date}${since}`, results[name]);
	});
	return [
		'# Planted mistakes',
		'',
		'`npm run mutants` has [Stryker](https://stryker-mutator.io) plant small mistakes in the code, one at a time, and runs the tests that are meant for that code. A mistake that no test notices shows where the tests are thin. `-- --part NAME` runs one part, which takes minutes; `-- --list` names the parts. This page is written by that command, the reasons are in [reasons.ts](reasons.ts).',
		'',
		'Left out are the texts of forms and, unless `-- --static` is given, what is computed once when a module is loaded, such as constants and patterns.',
		'',
		`Some mistakes may stay, for the reasons below: nearly all of them change nothing that anybody could see. Of the others, at least ${LEAST_NOTICED} % have to be noticed in each part: otherwise the command fails. Each part is judged by its own fast tests alone (see [parts.ts](parts.ts)): what others would notice as well does not count.`,
		'',
		'Where the last column says "perhaps on older code", the code of the part was not the same, or is not known to have been, when this page was written: the part is not in the sum, and the lines below are those of that day.',
		'',
		'| part | kinds of mistakes | planted | may stay | noticed | score | run on |',
		'|---|---|---|---|---|---|---|',
		...rows,
		row('all on the present code', '', '', ...current.map((name) => results[name])),
		'',
		missing.length > 0
			? `**Not run yet:** ${missing.join(', ')}. Nothing is known about them.`
			: 'Every part has been run.',
		'',
		...run.flatMap((name) => survivorsOf(name, results[name])),
	].join('\n');
}

function survivorsOf(name: string, { survivors }: PartResult): string[] {
	if (survivors.length === 0) return [];
	return [
		`## Not noticed: ${name}`,
		'',
		'| where | mistake | why no test notices |',
		'|---|---|---|',
		...survivors.map(({ file, line, change, uncovered }) => {
			const reason =
				reasonFor(file, change) ??
				(uncovered ? 'no test of this part runs it' : 'not looked into yet');
			return `| ${file}:${line} | ${code(change)} | ${reason} |`;
		}),
		'',
	];
}

/** The reasons that fit no mistake any more: `file: part of a mistake`. */
export function idleReasons(results: Results): string[] {
	const survivors = Object.values(results).flatMap((result) => result.survivors);
	const fits = (file: string, part: string) =>
		survivors.some((survivor) => survivor.file === file && survivor.change.includes(part));
	return Object.entries(REASONS).flatMap(([file, reasons]) => {
		const parts = reasons.flatMap(([, ...changes]) => changes);
		return parts.filter((part) => !fits(file, part)).map((part) => `${file}: ${part}`);
	});
}

/** The first reason that fits. */
function reasonFor(file: string, change: string): string | undefined {
	const isMeant = (part: string) => change.includes(part);
	return REASONS[file]?.find(([, ...changes]) => changes.some(isMeant))?.[0];
}

/** As code inside a table, whatever characters it has. */
function code(text: string): string {
	const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/\|/g, '&#124;');
	return `<code>${escaped}</code>`;
}

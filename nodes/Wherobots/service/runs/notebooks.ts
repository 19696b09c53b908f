/** Jupyter notebooks as Python scripts: the service runs scripts, not notebooks. */
import type { IDataObject } from 'n8n-workflow';

import { parseLeadingJson, parseLenientJson, writeJson } from '../json';
import {
	isCode,
	KEYWORDS,
	type Statement,
	parseStatements,
	findAssignedNames,
	findSyntaxProblem,
	passValueTo,
} from './python';
import { isRecord } from '../records';

export interface Script {
	text: string;
	/** What of the notebook is not in it, each with its cell: `cell 3: %%sql`. */
	leftOut: string[];
}

/** Of a notebook, a cell or a file. */
const IS_PYTHON = /python|pyspark|^\.py$/i;
/** What the metadata of a notebook of Databricks has. */
const DATABRICKS = 'application/vnd.databricks.v1+notebook';

/** Commands that only measure or hide what Python code does, or say that it is Python. The code is kept. */
const WRAPPING_CELL = /^%(?:%(?:time|capture|pyspark)|python)\b/;
const WRAPPING_LINE = /^((?:[^=#"'(\n]*=)?[ \t]*)%time[ \t]+(?=\S)/;

/** The command that a whole cell is for, after empty lines and comments. */
const CELL_COMMAND = /^(?:[ \t]*(?:#[^\n]*)?\n)*(%%[^\n]*)\n?/;
/** In Databricks, the language of a cell is such a command, too. */
const DATABRICKS_COMMAND =
	/^(?:[ \t]*(?:#[^\n]*)?\n)*(%python\b[ \t]*|%(?:%|(?:fs|md|r|scala|sh|sql)\b)[^\n]*)\n?/;

/**
 * A command of the notebook in place of a statement, with its continued lines: a magic or shell line,
 * also as the value of an assignment; a question about a name; an installation.
 */
const COMMAND =
	/^(?:[ \t]*(?:[%!?]|(?:pip|conda)[ \t]+install\b)|[^=#"'(\n]*=[ \t]*(?:%[A-Za-z]|!)|[^#"'\n]*\?[ \t]*(?=\n|$))(?:[^\n]*\\\n)*[^\n]*\n?/;
/** Such a command where a notebook was exported and imported again. */
const EXPORTED_COMMAND = /^(?:[^=#"'(\n]*=)?[ \t]*get_ipython\(\)\./;

/** A statement that draws a map and does not store it. */
const DRAWS = /^(?![^]*(?:save|to_html))[^]*\bSedona(?:Kepler|PyDeck)\./;
/** A statement that only shows what a name stands for. */
const SHOWS = /^(?:display\((\w+)\)|(\w+))(?:\s*;)?\s*(?:#.*)?$/;

/** What Jupyter brings, as IPython has it outside of a notebook, and what this package adds. */
const BROUGHT = {
	display: `try:
    from IPython.display import display
except ImportError:
    def display(*objects, **options):
        print(*objects)
`,
	get_ipython: `try:
    from IPython import get_ipython
except ImportError:
    def get_ipython():
        return None
`,
	// Values of NumPy and pandas become those of JSON; others, such as dates, become text.
	n8n_output: `def n8n_output(value):
    from json import dumps
    to_json = lambda each: each.tolist() if hasattr(each, "tolist") else str(each)
    print("N8N_OUTPUT", dumps(value, default=to_json), flush=True)
`,
	displayhook: 'from sys import displayhook\n',
	exc_info: 'from sys import exc_info\n',
};

/**
 * The script for a notebook: its code cells in order, without what only Jupyter understands.
 *
 * @param parameters values for the names that the cell tagged `parameters` sets, as in papermill
 * @param leaveOutMaps whether to leave out cells that only draw maps, which nobody sees in a job run
 * @returns otherwise, the problem of the notebook, or of the `unknown` parameters: the end of a sentence,
 * after "which"
 */
export function convertNotebook(
	text: string,
	parameters: IDataObject,
	leaveOutMaps: boolean,
): Script | { problem: string; unknown?: string[] } {
	// Python writes NaN into outputs.
	const notebook = parseLeadingJson(text, parseLenientJson);
	if (!isRecord(notebook)) return { problem: 'is not a Jupyter notebook: it is not JSON' };
	const { cells, worksheets, nbformat } = notebook;
	if (worksheets !== undefined || Number(nbformat) < 4) {
		return { problem: 'has an old format: open it in Jupyter and save it again' };
	}
	if (!Array.isArray(cells)) return { problem: 'is not a Jupyter notebook: it has no cells' };
	const language = getLanguage(notebook);
	if (!IS_PYTHON.test(language)) {
		return { problem: `is written in ${language}: only Python can be run` };
	}
	const all = cells.map(parseCell).filter(({ type }) => type === 'code');
	if (all.length === 0) return { problem: 'has no code cells' };

	const assignments = Object.entries(parameters).map(
		([name, value]) => `${name} = ${toLiteral(value)}\n`,
	);
	const hasParameters = assignments.length > 0;
	const tagged = all.findIndex(({ tags }) => tags.includes('parameters'));
	if (hasParameters && tagged < 0) return { problem: 'has no cell with the tag "parameters"' };
	// Those of an earlier execution by papermill would override these.
	const used = all.filter(({ tags }) => !hasParameters || !tags.includes('injected-parameters'));

	const leftOut: string[] = [];
	/** Imports that Python allows only at the beginning of a file. */
	const future: string[] = [];
	/** The names that the tagged cell sets. */
	const settable = new Set<string>();
	/** Names of maps. */
	const maps = new Set<string>();
	const isDatabricks = isRecord(notebook.metadata) && DATABRICKS in notebook.metadata;
	let body = '';
	for (const { number, source, tags, language: ofCell } of used) {
		const leave = (what: string) => leftOut.push(`cell ${number}: ${what.trim().split('\n')[0]}`);
		const [head = '', command = ''] =
			(isDatabricks ? DATABRICKS_COMMAND : CELL_COMMAND).exec(source) ?? [];
		// With its lines where they were.
		const code = head.replace(/[^\n]+/g, '') + source.slice(head.length);
		const statements = parseStatements(code, COMMAND, WRAPPING_LINE);
		body += `\n# Cell ${number}\n`;
		if (tags.includes('skip-execution')) leave('skip-execution');
		else if (!IS_PYTHON.test(ofCell)) leave(`${ofCell}: ${source.trim()}`);
		else if (command && !WRAPPING_CELL.test(command)) leave(command);
		else if (isOnlyDrawing(statements, maps) && leaveOutMaps) leave(code);
		else {
			const mayFail = tags.includes('raises-exception');
			const problem = mayFail ? undefined : findSyntaxProblem(statements);
			if (problem) {
				return {
					problem: `Python cannot run: cell ${number} ${problem}. Correct the cell, or give it the tag "skip-execution"`,
				};
			}
			const last = statements.filter(isCode).at(-1);
			const isShown = !command.startsWith('%%capture') && !isDrawing(last?.text ?? '', maps);
			let run = '';
			for (const statement of statements) {
				const { text: python, isCommand } = statement;
				if (isCommand || EXPORTED_COMMAND.test(python)) {
					leave(python);
					run += commentOut(python);
				} else if (/^from[ \t]+__future__[ \t]/.test(python)) future.push(python.trim());
				else if (statement === last && isShown) run += passValueTo(statement, 'displayhook');
				else run += python;
			}
			body += mayFail ? wrapInTry(run, number) : run;
		}
		if (hasParameters && tags.includes('parameters')) {
			body += `\n# Parameters\n${assignments.join('')}`;
			findAssignedNames(statements).forEach((name) => settable.add(name));
		}
	}
	const unknown = Object.keys(parameters).filter((name) => !settable.has(name));
	if (unknown.length > 0) {
		const known = [...settable].join(', ') || 'nothing';
		return { unknown, problem: `sets ${known} in its cell with the tag "parameters"` };
	}
	if (!/^(?![ \t]*(?:#|pass {2}#|$))/m.test(body)) return { problem: 'has no Python code to run' };
	const brought = Object.entries(BROUGHT).filter(([name]) => body.includes(`${name}(`));
	const start = [...future.map((line) => `${line}\n`), ...brought.map(([, lines]) => lines)];
	return { text: start.join('') + body, leftOut };
}

/** The rule for parameters: the end of a sentence about their field, or undefined. */
export function checkNotebookParameters(parameters: IDataObject): string | undefined {
	for (const [name, value] of Object.entries(parameters)) {
		if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) || KEYWORDS.has(name)) {
			return `must have names of Python variables, not "${name}"`;
		}
		if (!isExact(value)) {
			return `has a number in ${name} that n8n cannot hold exactly: enter the object as JSON, not as an expression, or the number as text`;
		}
	}
	return undefined;
}

function isExact(value: unknown): boolean {
	if (typeof value === 'number')
		return Number.isSafeInteger(value) || (value % 1 !== 0 && Number.isFinite(value));
	return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

/** A value of JSON as Python writes it. JSON's strings and numbers are Python's, too. */
function toLiteral(value: unknown): string {
	if (value === null || value === undefined) return 'None';
	if (typeof value === 'boolean') return value ? 'True' : 'False';
	if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`;
	if (!isRecord(value) || typeof value.toJSON === 'function') return writeJson(value);
	const entries = Object.entries(value).map(
		([key, each]) => `${writeJson(key)}: ${toLiteral(each)}`,
	);
	return `{${entries.join(', ')}}`;
}

/** The language of a notebook: Python if it says so anywhere, or says nothing at all. */
function getLanguage({ metadata }: IDataObject): string {
	const about = isRecord(metadata) ? metadata : {};
	const member = (value: unknown, name: string) => (isRecord(value) ? value[name] : undefined);
	const { language_info: info, kernelspec: kernel } = about;
	const mode = member(info, 'codemirror_mode');
	const said = [
		...[member(info, 'name'), member(kernel, 'language'), member(about[DATABRICKS], 'language')],
		...[member(mode, 'name') ?? mode, member(info, 'file_extension'), member(info, 'mimetype')],
	];
	// Kernels are called anything.
	const names = [member(kernel, 'display_name'), member(kernel, 'name')];
	const [texts = ['python']] = [said, names]
		.map((list) => list.filter((each) => typeof each === 'string' && each !== '').map(String))
		.filter((list) => list.length > 0);
	return texts.find((each) => IS_PYTHON.test(each)) ?? texts[0];
}

/** A cell with its position among all, from 1. */
function parseCell(cell: unknown, index: number) {
	const { cell_type: type, source = '', metadata } = isRecord(cell) ? cell : {};
	const { tags, vscode } = isRecord(metadata) ? metadata : {};
	// As a text or as a list of its lines.
	const text = [source].flat().join('').replace(/\r\n?/g, '\n');
	return {
		type,
		number: index + 1,
		source: text && `${removeIndent(text)}\n`,
		tags: Array.isArray(tags) ? tags : [],
		language: String((isRecord(vscode) && vscode.languageId) || 'python'),
	};
}

/** Code as Jupyter reads it: without the indentation of its first line. */
function removeIndent(code: string): string {
	const [indent] = /^[ \t]*(?=[^\s#])/m.exec(code) ?? [''];
	const lines = code.split('\n');
	return lines
		.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
		.join('\n');
}

/** As comments, and a statement that does nothing: the line may be the only one of its block. */
function commentOut(command: string): string {
	const [indent] = /^[ \t]*/.exec(command) ?? [''];
	return `${indent}pass  # ${command.slice(indent.length).replace(/\n(?=[^])/g, '\n# ')}`;
}

/** Code whose failure does not end the run. It is a text, for strings in it must not be indented. */
function wrapInTry(code: string, number: number): string {
	const run = `exec(compile(${writeJson(code)}, "cell ${number}", "exec"))`;
	return `try:\n    ${run}\nexcept Exception:\n    print(repr(exc_info()[1]))\n`;
}

/** The name that a statement only shows. */
const findShownName = (statement: string) => SHOWS.exec(statement)?.slice(1).find(Boolean);

function isDrawing(statement: string, maps: ReadonlySet<string>): boolean {
	const text = statement.trim();
	return DRAWS.test(text) || maps.has(findShownName(text) ?? '');
}

/** Whether a cell does no more than draw maps. @param maps their names; updated */
function isOnlyDrawing(statements: Statement[], maps: Set<string>): boolean {
	const real = statements.filter(isCode).map(({ text }) => text.trim());
	for (const statement of real.filter((each) => DRAWS.test(each))) {
		const name = /^(\w+)\s*=(?!=)/.exec(statement)?.[1];
		if (name) maps.add(name);
	}
	return (
		real.some((each) => isDrawing(each, maps)) &&
		real.every((each) => isDrawing(each, maps) || findShownName(each))
	);
}

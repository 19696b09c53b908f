/** Jupyter notebooks as Python scripts: the service runs scripts, not notebooks. */
import type { IDataObject } from 'n8n-workflow';

import { jsonIn, writeJson } from './json';
import { isRecord } from './records';

export interface Script {
	text: string;
	/** What of the notebook is not in it, each with its cell: `cell 3: %%sql`. */
	leftOut: string[];
}

/** Commands that only measure or hide what Python code does, which is kept. */
const WRAPPING_CELL = /^%%(?:time|capture)\b/;
const WRAPPING_LINE = /^([ \t]*(?:[^=#"'(\n]*=[ \t]*)?)%time[ \t]+(?=\S)/;

/** The command that a whole cell is for, after empty lines and comments. */
const CELL_COMMAND = /^(?:[ \t]*(?:#[^\n]*)?\n)*(%%[^\n]*)\n?/;

/**
 * A command of the notebook in place of a statement, with its continued lines: a magic or shell line,
 * also as the value of an assignment; a question about a name; an installation.
 */
const COMMAND =
	/(?:[ \t]*(?:[%!?]|(?:pip|conda)[ \t]+install\b)|[^=#"'(\n]*=[ \t]*(?:%[A-Za-z]|!)|[^#"'\n]*\?[ \t]*(?=\n|$))(?:[^\n]*\\\n)*[^\n]*\n?/y;

/** What ends no statement: comments, strings, continued lines; then the rest, piece by piece. */
const TOKEN =
	/#[^\n]*|"""(?:[^"\\]|\\[^]|"(?!""))*(?:"""|\\?$)|'''(?:[^'\\]|\\[^]|'(?!''))*(?:'''|\\?$)|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|\\\n|[^#"'\\\n()[\]{}]+|[^]/y;

/** A statement that draws a map and does not store it. */
const DRAWS = /^(?![^]*(?:save|to_html))[^]*\bSedona(?:Kepler|PyDeck)\./;
/** A statement that only shows what a name stands for. */
const SHOWS = /^(?:display\((\w+)\)|(\w+))\s*;?\s*(?:#.*)?$/;

const DISPLAY = `try:
    from IPython.display import display
except ImportError:
    def display(*objects, **options):
        print(*objects)
`;

/**
 * The script for a notebook: its code cells in order, without what only Jupyter understands.
 *
 * @param parameters values for the names that the cell tagged `parameters` sets, as in papermill
 * @param leaveOutMaps whether to leave out cells that only draw maps, which nobody sees in a job run
 * @returns otherwise, the problem of the notebook: the end of a sentence, after "which"
 */
export function notebookScript(
	text: string,
	parameters: IDataObject,
	leaveOutMaps: boolean,
): Script | { problem: string } {
	const notebook = jsonIn(text, JSON.parse);
	if (!isRecord(notebook)) return { problem: 'is not a Jupyter notebook: it is not JSON' };
	const { cells, worksheets, nbformat } = notebook;
	if (worksheets !== undefined || Number(nbformat) < 4) {
		return { problem: 'has an old format: open it in Jupyter and save it again' };
	}
	if (!Array.isArray(cells)) return { problem: 'is not a Jupyter notebook: it has no cells' };
	const language = languageOf(notebook);
	if (!/^i?python/i.test(language)) {
		return { problem: `is written in ${language}: only Python can be run` };
	}
	const all = cells.map(cellOf).filter(({ isCode }) => isCode);
	if (all.length === 0) return { problem: 'has no code cells' };

	const assignments = Object.entries(parameters).map(
		([name, value]) => `${name} = ${literal(value)}\n`,
	);
	const hasParameters = assignments.length > 0;
	const tagged = all.findIndex(({ tags }) => tags.includes('parameters'));
	if (hasParameters && tagged < 0) return { problem: 'has no cell with the tag "parameters"' };
	// Those of an earlier execution by papermill would override these.
	const used = all.filter(({ tags }) => !hasParameters || !tags.includes('injected-parameters'));

	const leftOut: string[] = [];
	/** Imports that Python allows only at the beginning of a file. */
	const future: string[] = [];
	/** Names of maps that were left out. */
	const maps = new Set<string>();
	let body = '';
	for (const { number, source, tags } of used) {
		const leave = (what: string) => leftOut.push(`cell ${number}: ${what.trim().split('\n')[0]}`);
		const [head = '', command = ''] = CELL_COMMAND.exec(source) ?? [];
		const code = source.slice(head.length);
		const statements = [...statementsOf(code)];
		body += `\n# Cell ${number}\n`;
		if (command && !WRAPPING_CELL.test(command)) leave(command);
		else if (leaveOutMaps && onlyDraws(statements, maps)) leave(code);
		else {
			for (const statement of statements.map((each) => each.replace(WRAPPING_LINE, '$1'))) {
				if (startsWith(COMMAND, statement)) {
					leave(statement);
					body += commented(statement);
				} else if (/^from[ \t]+__future__[ \t]/.test(statement)) future.push(statement.trim());
				else body += statement;
			}
		}
		if (hasParameters && tags.includes('parameters')) {
			body += `\n# Parameters\n${assignments.join('')}`;
		}
	}
	if (!/^(?![ \t]*(?:#|pass {2}#|$))/m.test(body)) return { problem: 'has no Python code to run' };
	const start = [
		...future.map((line) => `${line}\n`),
		...(/\bdisplay\(/.test(body) ? [DISPLAY] : []),
	];
	return { text: start.join('') + body, leftOut };
}

/** The rule for parameters: the end of a sentence about their field, or undefined. */
export function notebookParametersProblem(parameters: IDataObject): string | undefined {
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

const KEYWORDS = new Set(
	(
		'False None True and as assert async await break class continue def del elif else except ' +
		'finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'
	).split(' '),
);

function isExact(value: unknown): boolean {
	if (typeof value === 'number')
		return Number.isSafeInteger(value) || (value % 1 !== 0 && Number.isFinite(value));
	return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

/** A value of JSON as Python writes it. JSON's strings and numbers are Python's, too. */
function literal(value: unknown): string {
	if (value === null || value === undefined) return 'None';
	if (typeof value === 'boolean') return value ? 'True' : 'False';
	if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
	if (!isRecord(value) || typeof value.toJSON === 'function') return writeJson(value);
	const entries = Object.entries(value).map(([key, each]) => `${writeJson(key)}: ${literal(each)}`);
	return `{${entries.join(', ')}}`;
}

/** The language of a notebook; Python where it does not say. */
function languageOf({ metadata }: IDataObject): string {
	const { language_info: info, kernelspec } = isRecord(metadata) ? metadata : {};
	const named = [isRecord(info) && info.name, isRecord(kernelspec) && kernelspec.language];
	return String(named.find((name) => typeof name === 'string' && name !== '') ?? 'python');
}

/** A cell with its position among all, from 1. */
function cellOf(cell: unknown, index: number) {
	const { cell_type: type, source = '', metadata } = isRecord(cell) ? cell : {};
	const tags = isRecord(metadata) && Array.isArray(metadata.tags) ? metadata.tags : [];
	// As a text or as a list of its lines.
	const text = [source].flat().join('').replace(/\r\n?/g, '\n');
	return { isCode: type === 'code', number: index + 1, source: text && `${text}\n`, tags };
}

/** Statements of Python and commands, each with the line end. */
function* statementsOf(code: string): Generator<string> {
	let statement = '';
	let depth = 0;
	for (let at = 0; at < code.length; ) {
		COMMAND.lastIndex = TOKEN.lastIndex = at;
		const command = statement === '' ? COMMAND.exec(code) : null;
		const [token] = command ?? TOKEN.exec(code) ?? [''];
		at += token.length;
		statement += token;
		if (/^[([{]$/.test(token)) depth++;
		else if (/^[)\]}]$/.test(token)) depth--;
		if (!command && (token !== '\n' || depth > 0)) continue;
		yield statement;
		statement = '';
		depth = 0;
	}
	if (statement !== '') yield statement;
}

function startsWith(pattern: RegExp, text: string): boolean {
	pattern.lastIndex = 0;
	return pattern.test(text);
}

/** As comments, and a statement that does nothing: the line may be the only one of its block. */
function commented(command: string): string {
	const [indent] = /^[ \t]*/.exec(command) ?? [''];
	return `${indent}pass  # ${command.slice(indent.length).replace(/\n(?=[^])/g, '\n# ')}`;
}

/** Whether a cell does no more than draw maps. @param maps names of those left out; updated */
function onlyDraws(statements: string[], maps: Set<string>): boolean {
	const real = statements.map((each) => each.trim()).filter((each) => !/^(?:#.*)?$/.test(each));
	const shown = (statement: string) => SHOWS.exec(statement)?.slice(1).find(Boolean);
	const isDrawing = (statement: string) =>
		DRAWS.test(statement) || maps.has(shown(statement) ?? '');
	const drawn = real.filter((statement) => DRAWS.test(statement));
	if (!real.some(isDrawing) || !real.every((each) => isDrawing(each) || shown(each))) return false;
	for (const statement of drawn) {
		const name = /^(\w+)\s*=(?!=)/.exec(statement)?.[1];
		if (name) maps.add(name);
	}
	return true;
}

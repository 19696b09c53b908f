/** Python source, as far as it can be understood without Python: its statements, and what Python refuses. */

export const KEYWORDS: ReadonlySet<string> = new Set(
	(
		'False None True and as assert async await break class continue def del elif else except ' +
		'finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'
	).split(' '),
);

interface Token {
	kind: string;
	text: string;
	/** Where it is in its statement, and in how many brackets. */
	at: number;
	depth: number;
}

/** What is on one line, as far as brackets and strings do not go on. Empty lines and comments are some, too. */
export interface Statement {
	/** With its line end. */
	text: string;
	/** The line of the cell, from 1. */
	line: number;
	/** Whether it is one of the notebook instead of Python. */
	isCommand: boolean;
	/** Without spaces and comments. */
	tokens: Token[];
}

/** The pieces of Python, in the order in which they are tried. */
const KINDS = {
	blank: /[ \t\f]+|#[^\n]*|\\\n/y,
	// Without a choice for each character: strings can have millions of them.
	string:
		/[a-z]{0,2}(?:"""[^"\\]*(?:(?:\\[^]|"(?!""))[^"\\]*)*"""|'''[^'\\]*(?:(?:\\[^]|'(?!''))[^'\\]*)*'''|"(?!"")[^"\\\n]*(?:\\[^][^"\\\n]*)*"|'(?!'')[^'\\\n]*(?:\\[^][^'\\\n]*)*')/y,
	number: /0[xob][\da-f_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[+-]?\d[\d_]*)?j?/y,
	name: /[\p{XIDS}_]\p{XIDC}*/uy,
	open: /[([{]/,
	close: /[)\]}]/,
	operator: /(?:\*\*|\/\/|>>|<<|[-+*/%@&|^=!<>:])=|\*\*|\/\/|>>|<<|->|\.\.\.|[-+*/%@&|^~<>=.,:;]/,
	end: /\n/,
	// It takes the rest: none of that is known to be code.
	unended: /"""[^]*|'''[^]*|["'][^\n]*/y,
	other: /[^]/,
};
const NAMES_OF_KINDS = Object.keys(KINDS);
const TOKEN = new RegExp(
	Object.values(KINDS)
		.map(({ source }) => `(${source})`)
		.join('|'),
	'yiu',
);

/**
 * The statements of a cell of a notebook.
 *
 * @param command matches a command of the notebook at the beginning of a statement
 * @param wrapper matches one around a statement, of which only the first group is kept
 */
export function parseStatements(code: string, command: RegExp, wrapper: RegExp): Statement[] {
	const statements: Statement[] = [];
	let line = 1;
	let depth = 0;
	let statement: Statement = { text: '', line, isCommand: false, tokens: [] };
	for (let rest = code; rest !== ''; ) {
		if (statement.text === '') {
			rest = rest.replace(wrapper, '$1');
			statement.isCommand = command.test(rest);
		}
		TOKEN.lastIndex = 0;
		const found = (statement.isCommand ? command : TOKEN).exec(rest);
		const text = found?.[0] ?? rest;
		// The first group is the whole match.
		const kind = NAMES_OF_KINDS[(found?.lastIndexOf(text) ?? 0) - 1] ?? 'end';
		if (kind === 'close') depth--;
		if (kind !== 'blank' && kind !== 'end') {
			statement.tokens.push({ kind, text, at: statement.text.length, depth });
		}
		if (kind === 'open') depth++;
		rest = rest.slice(text.length);
		statement.text += text;
		if (rest !== '' && (kind !== 'end' || depth > 0) && !statement.isCommand) continue;
		statements.push(statement);
		line += statement.text.split('\n').length - 1;
		statement = { text: '', line, isCommand: false, tokens: [] };
		depth = 0;
	}
	return statements;
}

/** Whether a statement is more than a comment or an empty line. */
export function isCode({ tokens, isCommand }: Statement): boolean {
	return isCommand || tokens.length > 0;
}

/** The names that statements give values to: more rather than fewer where code is unusual. */
export function findAssignedNames(statements: Statement[]): string[] {
	return statements.flatMap(({ tokens }) => {
		const end = tokens.findLastIndex(({ text, depth }) => text === '=' && depth === 0);
		const isBlock = KEYWORDS.has(tokens[0]?.text);
		const isInBrackets = /^[([]$/.test(tokens[0]?.text);
		return tokens.slice(0, Math.max(0, end)).flatMap((token, index) => {
			const [before, after] = [tokens[index - 1]?.text, tokens[index + 1].text];
			const isTarget =
				/^[=,]$/.test(after) ||
				(after === ':' && !isBlock) ||
				(isInBrackets && /^[)\]]$/.test(after));
			const isPart = before === '.' || (before === ':' && !isBlock);
			return isName(token) && isTarget && !isPart ? [token.text] : [];
		});
	});
}

/** Words that are also names, where they begin a statement. */
const SOFT_KEYWORDS: ReadonlySet<string> = new Set(['case', 'match', 'type']);
/** Strings with code inside, which may have quotes, too. */
const WITH_CODE = /^(?:[ft][a-z]?|[a-z][ft])["']/i;

/**
 * What Python refuses in a cell: the end of a sentence about the cell, or undefined where nothing is
 * found. Neither the order of names and operators nor indentation is looked at.
 */
export function findSyntaxProblem(statements: Statement[]): string | undefined {
	/** The indentation of each function around a statement. */
	let functions: number[] = [];
	for (const statement of statements.filter(isCode)) {
		const indent = measureIndent(statement.text);
		functions = functions.filter((each) => each < indent);
		if (isFunctionStart(statement)) functions.push(indent);
		const problem = statement.isCommand
			? undefined
			: checkStatement(statement, functions.length > 0);
		if (problem) return `has ${problem} on line ${statement.line}`;
	}
	return undefined;
}

function measureIndent(text: string): number {
	let indent = 0;
	for (const character of /^[ \t]*/.exec(text)?.[0] ?? '') {
		indent += character === '\t' ? 8 - (indent % 8) : 1;
	}
	return indent;
}

function isFunctionStart({ tokens: [first, second] }: Statement): boolean {
	return first?.text === 'def' || (first?.text === 'async' && second?.text === 'def');
}

function checkStatement({ text, tokens }: Statement, isInFunction: boolean): string | undefined {
	if (text.includes('\0')) return 'a null character';
	const problem = checkTokens(tokens);
	const isInside = isInFunction || tokens.some(({ text: word }) => word === 'lambda');
	if (problem || isInside) return problem;
	const word = tokens.find((token) => /^(?:async|await|return|yield)$/.test(token.text));
	return word && `"${word.text}" outside of a function`;
}

function checkTokens(tokens: Token[]): string | undefined {
	const brackets: string[] = [];
	const hasCode = tokens.some(({ kind, text }) => kind === 'string' && WITH_CODE.test(text));
	for (const [index, token] of tokens.entries()) {
		const { kind, text } = token;
		if (kind === 'unended') return 'an unterminated string';
		if (kind === 'other') return `the character "${text}"`;
		if (kind === 'open') brackets.push(text);
		if (kind === 'close' && !['()', '[]', '{}'].includes(`${brackets.pop()}${text}`)) {
			return `a bracket "${text}" without an opening one`;
		}
		if (hasCode || index === 0) continue;
		const before = tokens[index - 1];
		const isSoft = index === 1 && SOFT_KEYWORDS.has(before.text);
		if (isSoft || !isEndOfValue(before) || !isStartOfValue(token, before)) continue;
		if (before.text === 'print') return 'a Python 2 print statement';
		return `no operator between ${before.text.slice(0, 40)} and ${text.slice(0, 40)}`;
	}
	if (brackets.length > 0) return `a bracket "${brackets[0]}" that is not closed`;
	const [first, last] = [tokens[0], tokens[tokens.length - 1]];
	if (isIncomplete(first) && !/^[-+~@*]$/.test(first.text)) return `nothing before "${first.text}"`;
	// As in `from module import *`.
	return isIncomplete(last) && last.text !== '*' ? `nothing after "${last.text}"` : undefined;
}

function isIncomplete({ kind, text }: Token): boolean {
	return kind === 'operator' && !/^(?:[,:;]|\.\.\.)$/.test(text);
}

function isName({ kind, text }: Token): boolean {
	return kind === 'name' && !KEYWORDS.has(text);
}

function isEndOfValue(token: Token): boolean {
	return isName(token) || /^(?:string|number|close)$/.test(token.kind);
}

function isStartOfValue(token: Token, before: Token): boolean {
	if (token.kind === 'string') return before.kind !== 'string';
	return isName(token) || token.kind === 'number';
}

/** What begins a statement that has no value, or none that is worth showing. */
const NO_VALUE = new RegExp(
	'^(?:assert|async|await|break|class|continue|def|del|display|elif|else|except|finally|for|from|' +
		'global|if|import|nonlocal|pass|print|raise|return|try|while|with|yield|@)$',
);
const ASSIGNMENT = /^(?:[^=!<>]?|\*\*|\/\/|<<|>>)=$/;

/**
 * A statement with the value of its last expression given to a function; as it is when it has none. A
 * semicolon at the end hides the value, as in Jupyter.
 */
export function passValueTo({ text, tokens }: Statement, to: string): string {
	const flat = tokens.filter(({ depth }) => depth === 0);
	const [first, ...rest] = flat.slice(flat.map((token) => token.text).lastIndexOf(';') + 1);
	const isExpression =
		first &&
		measureIndent(text) === 0 &&
		!NO_VALUE.test(first.text) &&
		!flat.some((token) => token.text === ':') &&
		!rest.some((token) => token.kind === 'operator' && ASSIGNMENT.test(token.text));
	if (!isExpression) return text;
	const last = tokens[tokens.length - 1];
	const end = last.at + last.text.length;
	const value = text.slice(first.at, end);
	const isTuple = rest.some((token) => token.text === ',');
	return `${text.slice(0, first.at)}${to}(${isTuple ? `(${value})` : value})${text.slice(end)}`;
}

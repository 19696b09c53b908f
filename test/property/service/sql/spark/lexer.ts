/**
 * The rules of Spark's published lexer (SqlBaseLexer.g4) in our own words: the longest match is the next
 * token, or that of the first rule on a tie. What no rule matches, or is not closed, is an error in Spark.
 */

type Kind = 'hidden' | 'text' | 'name' | 'word' | 'number' | 'sign' | 'error';

const DECIMAL = String.raw`(?:\d+\.\d*|\.\d+)`;
/** What follows a decimal directly must not be part of a name. */
const ALONE = String.raw`(?!\w)`;

const RULES: Array<[Kind, RegExp]> = [
	['hidden', /[ \t\r\n]+|--(?:\\\n|[^\r\n])*\r?\n?/y],
	['text', /'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|r'[^']*'|r"[^"]*"/iy],
	['name', /`(?:[^`]|``)*`/y],
	['number', new RegExp(String.raw`\d+e[+-]?\d+(?:f|bd?|d)?|\d+[lsy]|\d+(?:f|bd|d)?`, 'iy')],
	['number', new RegExp(`${DECIMAL}(?:e[+-]?\\d+)?(?:f|bd|d)?${ALONE}`, 'iy')],
	['word', /[\p{L}\d_]+/uy],
	['word', /\p{L}+:\/\/[\p{L}\d_/\-.?=&#%]+/uy],
	[
		'sign',
		/<=>|>>>|\/\*\+|\*\/|<=|>=|<>|!=|==|!>|!<|<<|>>|\|\||::|->|=>|[-=<>+*/%~&|^:?(),.;[\]!]/y,
	],
];

export interface Token {
	kind: Kind;
	start: number;
	end: number;
}

export function lex(statement: string): Token[] {
	const tokens: Token[] = [];
	for (let start = 0; start < statement.length; ) {
		let best: Token = { kind: 'error', start, end: start + 1 };
		const commentEnd = endOfComment(statement, start);
		if (commentEnd > start) best = { kind: 'hidden', start, end: commentEnd };
		for (const [kind, pattern] of RULES) {
			pattern.lastIndex = start;
			if (!pattern.test(statement)) continue;
			const isLonger = pattern.lastIndex > best.end || best.kind === 'error';
			if (isLonger) best = { kind, start, end: pattern.lastIndex };
		}
		tokens.push(best);
		start = best.end;
	}
	return tokens;
}

/** Where a bracketed comment ends. Comments nest; a hint is not a comment and does not open one. */
function endOfComment(statement: string, start: number): number {
	const bounds = /\/\*(?!\+)|\*\//gy;
	const any = /\/\*(?!\+)|\*\//g;
	bounds.lastIndex = start;
	if (bounds.exec(statement)?.[0] !== '/*') return start;
	any.lastIndex = start + 2;
	for (let depth = 1; depth > 0; ) {
		const bound = any.exec(statement);
		if (!bound) return statement.length;
		depth += bound[0] === '/*' ? 1 : -1;
	}
	return any.lastIndex;
}

/**
 * A token of a statement, as Spark's lexer splits it. `space` is white space or a comment; `text` a
 * string in quotes (some settings of Spark read double quotes as a name); `name` one in backquotes;
 * `word` a keyword, a name or a number; `parameter` is `:name`, and `path` the same directly after
 * another token, as in `column:field`. `unclear` is text that versions or settings of Spark read
 * differently, and everything after it.
 */
export interface SqlToken {
	kind: 'space' | 'text' | 'name' | 'word' | 'parameter' | 'path' | 'sign' | 'unclear';
	text: string;
}

/** A name as Spark reads it whatever characters it has, but for `${…}`, which it replaces before. */
export function inBackquotes(name: string): string {
	return `\`${name.replaceAll('`', '``')}\``;
}

/**
 * The first match is the next token. Only what every version reads alike is included, or rejects. Left
 * out are comments with a backslash at the end of a line, variables (`${…}`), unquoted URLs (`s3://…`)
 * and a number with a signed exponent and a suffix (`1e+5x` is two tokens). A hint is not a comment: it
 * contains ordinary tokens.
 */
const PARTS: Array<[SqlToken['kind'], RegExp]> = [
	['space', /\s+|--[^\\\r\n]*(?:\\(?![\r\n])[^\\\r\n]*)*/uy],
	['text', /'[^'\\]*(?:\\[^][^'\\]*)*'|"[^"\\]*(?:\\[^][^"\\]*)*"|r'[^']*'|r"[^"]*"/iy],
	['name', /`[^`]*(?:``[^`]*)*`/y],
	['unclear', /(?::?[\w\p{L}]+:\/\/|:[rR]['"])[^]*/uy],
	['word', /(?:\d+e[+-]\d+|(?:\d+\.\d*|\.\d+)(?:e[+-]?\d+)?)(?:bd|[df])?(?!\w)/iy],
	['word', /(?!\d+[eE][+-]\d)[\w\p{L}]+/uy],
	['path', /(?<=[\w\p{L}`'")\]]):[\p{L}_][\w\p{L}]*/uy],
	['parameter', /:[\p{L}_][\w\p{L}]*/uy],
	['sign', /::|\|>|\/\*\+|\*\/|\/(?!\*)|[-:+*%=<>!~&|^.,;()[\]]/y],
];

/** Splits a statement into tokens, whose texts together are the statement. */
export function* sqlTokens(statement: string): Generator<SqlToken> {
	for (let at = 0; at < statement.length; ) {
		const token = commentAt(statement, at) ?? partAt(statement, at);
		yield token;
		at += token.text.length;
	}
}

/** Comments nest. One that contains a hint is left out: some versions read that as a comment, too. */
function commentAt(statement: string, start: number): SqlToken | undefined {
	if (!statement.startsWith('/*', start) || statement[start + 2] === '+') return undefined;
	const bounds = /\/\*\+?|\*\//g;
	bounds.lastIndex = start + 2;
	for (let depth = 1; depth > 0; ) {
		const bound = bounds.exec(statement)?.[0];
		if (bound === undefined || bound === '/*+') return undefined;
		depth += bound === '/*' ? 1 : -1;
	}
	return { kind: 'space', text: statement.slice(start, bounds.lastIndex) };
}

function partAt(statement: string, start: number): SqlToken {
	for (const [kind, pattern] of PARTS) {
		pattern.lastIndex = start;
		const text = pattern.exec(statement)?.[0];
		if (text !== undefined) return { kind, text };
	}
	return { kind: 'unclear', text: statement.slice(start) };
}

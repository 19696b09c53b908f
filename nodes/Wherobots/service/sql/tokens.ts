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

/**
 * The first match is the next token. Only what every version reads alike is included. Left out are
 * comments with a backslash at the end of a line or a nested comment, variables (`${…}`), unquoted
 * URLs (`s3://…`), unquoted names with non-English letters, and a number with a signed exponent and a
 * suffix (`1e+5x` is two tokens). A hint is not a comment: it contains ordinary tokens.
 */
const PARTS: Array<[SqlToken['kind'], RegExp]> = [
	[
		'space',
		/[ \t\r\n]+|--[^\\\r\n]*(?:\\(?![\r\n])[^\\\r\n]*)*|\/\*(?!\+)[^*/]*(?:(?:\*(?!\/)|\/(?!\*))[^*/]*)*\*\//y,
	],
	['text', /'[^'\\]*(?:\\[^][^'\\]*)*'|"[^"\\]*(?:\\[^][^"\\]*)*"|r'[^']*'|r"[^"]*"/iy],
	['name', /`[^`]*(?:``[^`]*)*`/y],
	['unclear', /:?\w+(?:[^\0-\x7f]|:\/\/)[^]*|:r['"][^]*/iy],
	[
		'word',
		/(?:\d+e[+-]\d+|(?:\d+\.\d*|\.\d+)(?:e[+-]?\d+)?)(?:bd|[df])?(?!\w)|(?!\d+e[+-]\d)\w+/iy,
	],
	['path', /(?<=[\w`'")\]]):[a-z_]\w*/iy],
	['parameter', /:[a-z_]\w*/iy],
	['sign', /::|\/\*\+|\*\/|\/(?!\*)|[-:+*%=<>!~&|^.,;()[\]]/y],
	['unclear', /[^]+/y],
];

/** Splits a statement into tokens, whose texts together are the statement. */
export function* sqlTokens(statement: string): Generator<SqlToken> {
	for (let at = 0; at < statement.length; ) {
		for (const [kind, pattern] of PARTS) {
			pattern.lastIndex = at;
			const text = pattern.exec(statement)?.[0];
			if (text === undefined) continue;
			yield { kind, text };
			at += text.length;
			break;
		}
	}
}

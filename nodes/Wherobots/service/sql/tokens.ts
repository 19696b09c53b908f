/** A part of a statement, as Spark's lexer takes it apart. */
export interface SqlToken {
	kind: /** White space and comments. */
	| 'space'
		/** A text in quotes; some settings of Spark take the double ones for a name. */
		| 'text'
		/** A name in backquotes. */
		| 'name'
		/** A keyword, a name or a number. */
		| 'word'
		/** `:name`. */
		| 'parameter'
		/** The same right behind something, as in `column:field`, which is not a parameter. */
		| 'path'
		| 'sign'
		/** What is read differently by different versions and settings of Spark, and all that follows. */
		| 'unclear';
	text: string;
}

/**
 * The first that matches is the next token. Only what every version reads alike is here, which leaves
 * out: comments with a backslash at the end of a line or another comment inside, variables (`${…}`), addresses without
 * quotes (`s3://…`), names with other letters than those of English without quotes, and a number with a
 * signed exponent to which something is attached (`1e+5x` is two tokens). A hint is no comment: between
 * its signs are tokens as everywhere.
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

/** Takes a statement apart: the texts of its tokens make it up. */
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

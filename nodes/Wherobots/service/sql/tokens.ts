/** A part of a statement, as Spark's lexer takes it apart. */
export interface SqlToken {
	kind:
		/** A comment or a hint. */
		| 'comment'
		/** A text in quotes. */
		| 'text'
		/** A name in backquotes. */
		| 'quotedName'
		/** A word, a keyword or a name. */
		| 'word'
		/** `:name`; the text is the name alone. */
		| 'parameter'
		/** Anything else: signs, numbers, space. */
		| 'other';
	text: string;
}

/**
 * What a statement consists of, one alternative a kind. What is not closed reaches to the end. A
 * backslash continues a comment on the next line, and a raw text (`r'…'`) knows no escapes. Casts
 * (`::`) and the paths of JSON columns (`column:field`) are no parameters.
 */
const PARTS: Array<[SqlToken['kind'], RegExp]> = [
	['comment', /--(?:\\\r?\n|[^\r\n])*/y],
	[
		'text',
		/r'[^']*(?:'|$)|r"[^"]*(?:"|$)|'[^'\\]*(?:\\[^][^'\\]*)*(?:'|\\?$)|"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)/iy,
	],
	['quotedName', /`[^`]*(?:`|$)(?::[\p{L}_][\p{L}\p{N}_]*)?/uy],
	['other', /::|[\])]:[\p{L}_][\p{L}\p{N}_]*/uy],
	['word', /[\p{L}\p{N}_]+(?::[\p{L}_][\p{L}\p{N}_]*)*/uy],
	['parameter', /:[A-Za-z_]\w*/y],
	['other', /[^]/uy],
];

/** Takes a statement apart: the texts of its tokens, with a colon before parameters, make it up. */
export function* sqlTokens(statement: string): Generator<SqlToken> {
	for (let at = 0; at < statement.length; ) {
		const token = statement.startsWith('/*', at)
			? { kind: 'comment' as const, text: bracketedComment(statement, at) }
			: nextToken(statement, at);
		at += token.text.length;
		yield token.kind === 'parameter' ? { ...token, text: token.text.slice(1) } : token;
	}
}

function nextToken(statement: string, at: number): SqlToken {
	for (const [kind, pattern] of PARTS) {
		pattern.lastIndex = at;
		const text = pattern.exec(statement)?.[0];
		if (text) return { kind, text };
	}
	return { kind: 'other', text: statement[at] };
}

/** A comment in `/*` and its end; comments in it have an end of their own. */
function bracketedComment(statement: string, start: number): string {
	const bounds = /\/\*|\*\//g;
	bounds.lastIndex = start;
	let depth = 0;
	for (let bound = bounds.exec(statement); bound; bound = bounds.exec(statement)) {
		depth += bound[0] === '/*' ? 1 : -1;
		if (depth === 0) return statement.slice(start, bounds.lastIndex);
	}
	return statement.slice(start);
}

/** A part of a statement, as Spark's lexer takes it apart. */
export interface SqlToken {
	kind: /** A comment or a hint. */
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
 * What a statement consists of besides texts and comments in brackets. What is not closed reaches to
 * the end. A backslash continues a comment on the next line. Casts (`::`) and the paths of JSON columns
 * (`column:field`) are no parameters.
 */
const PARTS: Array<[SqlToken['kind'], RegExp]> = [
	['comment', /--(?:\\\r?\n|[^\r\n])*/y],
	['quotedName', /`[^`]*(?:`|$)(?::[\p{L}_][\p{L}\p{N}_]*)?/uy],
	['other', /::|[\])]:[\p{L}_][\p{L}\p{N}_]*/uy],
	['word', /[\p{L}\p{N}_]+(?::[\p{L}_][\p{L}\p{N}_]*)*/uy],
	['parameter', /:[A-Za-z_]\w*/y],
	['other', /[^]/uy],
];

/** Takes a statement apart: the texts of its tokens, with a colon before parameters, make it up. */
export function* sqlTokens(statement: string): Generator<SqlToken> {
	for (let at = 0; at < statement.length; ) {
		const token = nextToken(statement, at);
		at += token.text.length;
		yield token.kind === 'parameter' ? { ...token, text: token.text.slice(1) } : token;
	}
}

function nextToken(statement: string, at: number): SqlToken {
	if (statement.startsWith('/*', at)) {
		return { kind: 'comment', text: statement.slice(at, endOfComment(statement, at)) };
	}
	if (QUOTE.test(statement[at]) || RAW_TEXT.test(statement.slice(at, at + 2))) {
		return { kind: 'text', text: statement.slice(at, endOfText(statement, at)) };
	}
	for (const [kind, pattern] of PARTS) {
		pattern.lastIndex = at;
		const text = pattern.exec(statement)?.[0];
		if (text) return { kind, text };
	}
	return { kind: 'other', text: statement[at] };
}

const QUOTE = /['"]/;
const RAW_TEXT = /^r['"]/i;

/** Where a text ends. A raw one (`r'…'`) knows no escapes. One pattern for it would overflow on megabytes. */
function endOfText(statement: string, start: number): number {
	const isRaw = !QUOTE.test(statement[start]);
	const begin = isRaw ? start + 1 : start;
	const quote = statement[begin];
	for (let at = begin + 1; at < statement.length; at++) {
		if (statement[at] === quote) return at + 1;
		if (statement[at] === '\\' && !isRaw) at++;
	}
	return statement.length;
}

/** Where a comment in brackets ends; comments in it have an end of their own. */
function endOfComment(statement: string, start: number): number {
	const bounds = /\/\*|\*\//g;
	bounds.lastIndex = start;
	let depth = 0;
	for (let bound = bounds.exec(statement); bound; bound = bounds.exec(statement)) {
		depth += bound[0] === '/*' ? 1 : -1;
		if (depth === 0) return bounds.lastIndex;
	}
	return statement.length;
}

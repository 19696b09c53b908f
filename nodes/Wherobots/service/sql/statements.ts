/**
 * SQL statements: their tokens, what their text shows, and values in them. The service takes only text,
 * so values are inserted as literals of Spark SQL that no value can break out of.
 */

import { hasExpression, toVisible } from '../rules';

/**
 * A token of a statement, as Spark's lexer splits it. `space` is white space or a comment; `text` a
 * string in quotes (some settings of Spark read double quotes as a name); `name` one in backticks;
 * `word` a keyword, a name or a number; `parameter` is `:name`, and `path` the same directly after
 * another token, as in `column:field`. `unclear` is text that versions or settings of Spark read
 * differently, and everything after it.
 */
interface SqlToken {
	kind: 'space' | 'text' | 'name' | 'word' | 'parameter' | 'path' | 'sign' | 'unclear';
	text: string;
}

/** A name as Spark reads it whatever characters it has, but for `${…}`, which it replaces before. */
export function quoteName(name: string): string {
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
export function* tokenize(statement: string): Generator<SqlToken> {
	for (let at = 0; at < statement.length; ) {
		const token = matchComment(statement, at) ?? matchPart(statement, at);
		yield token;
		at += token.text.length;
	}
}

/** Comments nest. One that contains a hint is left out: some versions read that as a comment, too. */
function matchComment(statement: string, start: number): SqlToken | undefined {
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

function matchPart(statement: string, start: number): SqlToken {
	for (const [kind, pattern] of PARTS) {
		pattern.lastIndex = start;
		const text = pattern.exec(statement)?.[0];
		if (text !== undefined) return { kind, text };
	}
	return { kind: 'unclear', text: statement.slice(start) };
}

/** A statement without the fence of Markdown that models put round it. */
export function removeFence(statement: string): string {
	return /^\s*```\w*[^\S\n]*\n([^]*)\n[^\S\n]*```\s*$/.exec(statement)?.[1] ?? statement;
}

/** First words of statements that only read, unless they contain one of the words below. */
const READING = new Set(['SELECT', 'WITH', 'FROM', 'TABLE', 'VALUES', 'SHOW', 'DESCRIBE', 'DESC']);

const EXPLAIN_MODES = new Set(['EXTENDED', 'CODEGEN', 'COST', 'FORMATTED', 'LOGICAL']);

/** What LIST shows. */
const RESOURCES = /^(FILE|JAR|ARCHIVE)S?$/;

/**
 * Words that make a statement unsafe wherever they occur, even if it begins like a query: a WITH or FROM
 * can lead to an INSERT, and some functions call any Java method.
 */
const CHANGING = new Set([
	...['INSERT', 'INTO', 'OVERWRITE', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE', 'CREATE', 'DROP'],
	...['ALTER', 'CALL', 'REFLECT', 'TRY_REFLECT', 'JAVA_METHOD'],
]);

/**
 * The word before and such a word where it changes nothing, unless it is called: as part of a name or
 * after AS, since no change is written there even if a table is called `as`.
 */
const HARMLESS = /^(?:(?:\.|AS) .*|SHOW CREATE|\|> DROP)$/;

/** First words of statements that return no rows. */
const WITHOUT_ROWS = new Set([
	...['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE', 'LOAD', 'CREATE', 'DROP', 'ALTER'],
	...['USE', 'GRANT', 'REVOKE', 'CACHE', 'UNCACHE', 'REFRESH', 'ANALYZE', 'MSCK', 'REPAIR'],
]);

/** What a statement does, as far as its text shows. */
export function examine(statement: string) {
	const tokens = [...tokenize(statement)];
	const code = tokens.filter(({ kind }) => kind !== 'space');
	while (code.at(-1)?.text === ';') code.pop();
	const words = code.filter(({ kind }) => kind === 'word').map(toUpper);
	const obstacle =
		findObstacleAtStart(words, statement.trim()) ??
		code.find(isObstacle)?.text ??
		findObstacleOutsideCode(tokens);
	// The value of a setting is any text.
	const unclear = words[0] !== 'SET' && code.at(-1)?.kind === 'unclear' ? code.at(-1)!.text : '';
	const [sign] = /^(?:\?|\$\d+|[‘’“”])/.exec(unclear) ?? [];
	const isKnown = READING.has(words[0]) || CHANGING.has(words[0]);
	return {
		/** There is nothing but comments. */
		isEmpty: code.length === 0,
		/** A sign of other databases, or of word processors, that no version of Spark takes. */
		sign,
		/** Another statement follows the first. */
		isMany: isKnown && code.some(({ text }) => text === ';'),
		/** It contains an n8n expression that was not evaluated; in a text, one that uses n8n's data. */
		hasExpression: code.some(({ kind, text }) =>
			kind === 'text'
				? hasExpression(text)
				: (kind === 'unclear' || kind === 'name') && /\{\{|^\$json/.test(text),
		),
		/** It contains an object, which n8n has turned into text. */
		hasObject: code.some(
			({ text }, at) =>
				text === 'object' && code[at + 1]?.kind === 'word' && code[at - 1]?.text === '[',
		),
		/**
		 * It certainly changes nothing. Strict: false for anything unknown, for a function whose name is
		 * quoted or computed, and for a program that transforms rows.
		 */
		onlyReads: obstacle === undefined,
		/** The first part because of which that is not certain. */
		obstacle,
		mayReturnRows: !WITHOUT_ROWS.has(words[0]),
	};
}

/** The name of the first table that a query names, without its catalog and namespace. */
export function findTableName(statement: string): string | undefined {
	const code = [...tokenize(statement)].filter(({ kind }) => kind !== 'space');
	const from = code.findIndex((token) => token.kind === 'word' && toUpper(token) === 'FROM');
	const isName = ({ kind }: SqlToken) => kind === 'word' || kind === 'name';
	let at = from + 1;
	while (code[at + 1]?.text === '.' && isName(code[at]) && code[at + 2]) at += 2;
	if (from < 0 || !code[at] || !isName(code[at])) return undefined;
	return code[at].text.replace(/^`|`$/g, '').replaceAll('``', '`');
}

/** First words of what can stand in parentheses as a table. */
const QUERIES = new Set(['SELECT', 'WITH', 'FROM', 'TABLE', 'VALUES']);

/** A query that only reads, without what may follow it; undefined for any other statement. */
export function toSubquery(statement: string): string | undefined {
	const tokens = [...tokenize(statement)];
	const isEnd = ({ kind, text }: SqlToken) => kind === 'space' || text === ';';
	const texts = tokens.slice(0, tokens.findLastIndex((token) => !isEnd(token)) + 1);
	const first = tokens.find(({ kind }) => kind === 'word');
	const isQuery = first && QUERIES.has(toUpper(first)) && examine(statement).onlyReads;
	return isQuery ? texts.map(({ text }) => text).join('') : undefined;
}

/** Spark takes some foreign letters for English ones: to it, `ınsert` is INSERT. So does JavaScript. */
function toUpper({ text }: SqlToken): string {
	return text.toUpperCase();
}

/** @param whole what is in the way if there is no word */
function findObstacleAtStart([...words]: string[], whole: string): string | undefined {
	while (words[0] === 'EXPLAIN') words.splice(0, EXPLAIN_MODES.has(words[1]) ? 2 : 1);
	const [first = whole, second = ''] = words;
	return READING.has(first) || (first === 'LIST' && RESOURCES.test(second)) ? undefined : first;
}

/** Whether a token is, or hides, what may change something, such as a quoted name used as a function. */
function isObstacle(token: SqlToken, at: number, code: SqlToken[]): boolean {
	const { kind, text } = token;
	const isCall = code[at + 1]?.text === '(';
	if (kind === 'unclear' || text === ';') return true;
	if (kind === 'name' || kind === 'text') return isCall;
	const word = kind === 'word' ? toUpper(token) : '';
	if (word === 'USING') return !isCall;
	if (word === 'IDENTIFIER') return isCall;
	// A hint how to join: what merges into a table has INTO.
	if (word === 'MERGE' && isCall) return false;
	const before = at > 0 ? toUpper(code[at - 1]) : '';
	return CHANGING.has(word) && (isCall || !HARMLESS.test(`${before} ${word}`));
}

/**
 * A variable, which Spark replaces in strings, too; and a changing word in a nested comment, for readers
 * to whom that ends earlier.
 */
function findObstacleOutsideCode(tokens: SqlToken[]): string | undefined {
	if (tokens.some(({ text }) => text.includes('${'))) return '${';
	const nested = tokens.filter(({ kind, text }) => kind === 'space' && text.lastIndexOf('/*') > 0);
	const words = nested.flatMap(({ text }) => text.match(/\w+/g) ?? []);
	return words.find((word) => CHANGING.has(word.toUpperCase()));
}

/** Text that every mode of Spark reads alike, without quotes, escapes, variables or line breaks. */
const PLAIN_TEXT = /^[\p{L}\p{N} !#%&()*+,\-./:;<=>?@[\]^_{|}~]*$/u;

/**
 * Text as a literal; undefined when it contains an unpaired surrogate. One with a quote, a backslash, a `$`
 * or a control character is written as bytes: Spark's settings decide whether a backslash escapes, what
 * a doubled quote means, and whether `${…}` is replaced, and bytes mean the same under all of them.
 */
export function toTextLiteral(text: string): string | undefined {
	if (!text.isWellFormed()) return undefined;
	if (PLAIN_TEXT.test(text)) return `'${text}'`;
	return `CAST(X'${Buffer.from(text).toString('hex').toUpperCase()}' AS STRING)`;
}

/** A value as it is written in a statement. */
export interface Literal {
	/** Where an expression may stand. */
	sql: string;
	/** Where the grammar wants a number: a text that is one, without its quotes. */
	number?: string;
	/** Where the grammar wants a text in quotes; undefined when this text cannot be written so. */
	quoted?: string;
	/** Between parentheses: the values of a list. */
	values?: string;
}

/** Text as a literal; undefined when it contains an unpaired surrogate. */
export function toTextValue(text: string): Literal | undefined {
	const sql = toTextLiteral(text);
	if (sql === undefined) return undefined;
	const quote = ["'", '"'].find((each) => !text.includes(each));
	const isWritable = quote !== undefined && !/[\\$\p{Cc}]/u.test(text);
	const quoted = isWritable ? `${quote}${text}${quote}` : undefined;
	return { sql, quoted, ...(/^\d+(\.\d+)?$/.test(text) && { number: text }) };
}

/**
 * A number as a literal, with all its digits: `12.30` is a DECIMAL, `1e3` a DOUBLE. Undefined when it is
 * not a number of Spark SQL.
 */
export function toNumberLiteral(digits: string): string | undefined {
	if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(digits)) return undefined;
	// In parentheses when negative: after a minus, its sign would begin a comment.
	return digits.startsWith('-') ? `(${digits})` : digits.replace(/^\+/, '');
}

/** The words before and after a place where the grammar wants a number. */
const NUMBER_PLACE = /^(?:LIMIT|OFFSET|BUCKET) | (?:ROWS|PERCENT|PRECEDING|FOLLOWING)$/;

/** Statements, and words before a place, where the grammar wants a text in quotes. */
const QUOTED_STATEMENT = /^(?:SHOW|COMMENT|ALTER)$/;
const QUOTED_PLACE = /^(?:COMMENT|LOCATION)$/;

/**
 * A statement with each `:name` replaced by its literal, but not in strings, quoted names and comments.
 * Casts (`::`) and paths of JSON columns (`column:field`) stay as they are.
 *
 * Each name needs a literal and each literal a name, and all places must be certain: `problem` says
 * otherwise, as the end of a sentence.
 */
export function bindParameters(statement: string, literals: ReadonlyMap<string, Literal>) {
	const tokens = [...tokenize(statement)];
	const code = tokens.filter(({ kind }) => kind !== 'space');
	const unwritable: string[] = [];
	let at = 0;
	const texts = tokens.map(({ kind, text }) => {
		if (kind === 'space') return text;
		const place = findPlace(code, at++);
		const literal = kind === 'parameter' ? literals.get(text.slice(1)) : undefined;
		const written = literal && place in literal ? literal[place] : literal?.sql;
		if (literal && written === undefined) unwritable.push(text);
		return written ?? text;
	});
	const problem =
		unwritable.length > 0
			? `has a value for ${unwritable[0]} that cannot be used there: it contains both kinds of quotes, a backslash, a $ or a control character`
			: checkBinding(tokens, literals);
	return { text: texts.join(''), problem };
}

/** What the grammar wants at a token. */
function findPlace(code: SqlToken[], at: number): keyof Literal {
	const word = (index: number) => (code[index]?.text ?? '').toUpperCase();
	const [before, after] = [word(at - 1), word(at + 1)];
	if (before === '(' && after === ')') return 'values';
	if (NUMBER_PLACE.test(`${before} ${after}`)) return 'number';
	return QUOTED_STATEMENT.test(word(0)) || QUOTED_PLACE.test(before) ? 'quoted' : 'sql';
}

function checkBinding(tokens: SqlToken[], literals: ReadonlyMap<string, Literal>) {
	const named = (kind: SqlToken['kind']) =>
		tokens.filter((token) => token.kind === kind).map(({ text }) => text.slice(1));
	const inQuery = named('parameter');
	const missing = inQuery.find((name) => !literals.has(name));
	if (missing !== undefined) {
		const isLike = (name: string) => name.toLowerCase() === missing.toLowerCase();
		const like = [...literals.keys()].find(isLike);
		const but = like === undefined ? '' : `, only for :${like}: case matters`;
		return `has no value for :${missing}, which is in the query${but}`;
	}
	const unused = [...literals.keys()].find((name) => !inQuery.includes(name))?.slice(0, 60);
	const rest = tokens.at(-1);
	if (literals.size > 0 && rest?.kind === 'unclear') {
		return `cannot be used with this query until you rewrite the part that begins with ${toVisible(rest.text.slice(0, 20))}: versions of Spark read it differently`;
	}
	const foreign = tokens.find(({ kind, text }) => kind === 'word' && /[^\w.+-]/.test(text))?.text;
	if (literals.size > 0 && foreign !== undefined) {
		return `cannot be used with this query: write \`${foreign}\` instead of ${foreign}`;
	}
	const attached = named('path').find((name) => literals.has(name));
	if (attached !== undefined) {
		return `has a value for :${attached}, which needs a space before its colon in the query`;
	}
	if (unused === undefined) return undefined;
	const isQuoted = tokens.some(
		({ kind, text }) => kind === 'text' && text.match(/:\w+/g)?.includes(`:${unused}`),
	);
	const where = isQuoted ? 'in quotes in the query: take it out of them' : 'not in the query';
	return `has a value for :${unused}, which is ${where}`;
}

/**
 * Values in SQL statements. The service takes only text, so values are inserted as literals of Spark
 * SQL that no value can break out of.
 */
import { sqlTokens, type SqlToken } from './tokens';

/** Text that every mode of Spark reads alike, without quotes, escapes, variables or line breaks. */
const PLAIN_TEXT = /^[\p{L}\p{N} !#%&()*+,\-./:;<=>?@[\]^_{|}~]*$/u;

/**
 * Text as a literal; undefined when it contains half a character. One with a quote, a backslash, a `$`
 * or a control character is written as bytes: Spark's settings decide whether a backslash escapes, what
 * a doubled quote means, and whether `${…}` is replaced, and bytes mean the same under all of them.
 */
export function textLiteral(text: string): string | undefined {
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

/** Text as a literal; undefined when it contains half a character. */
export function textValue(text: string): Literal | undefined {
	const sql = textLiteral(text);
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
export function numberLiteral(digits: string): string | undefined {
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
	const tokens = [...sqlTokens(statement)];
	const code = tokens.filter(({ kind }) => kind !== 'space');
	const unwritable: string[] = [];
	let at = 0;
	const texts = tokens.map(({ kind, text }) => {
		if (kind === 'space') return text;
		const place = placeOf(code, at++);
		const literal = kind === 'parameter' ? literals.get(text.slice(1)) : undefined;
		const written = literal && place in literal ? literal[place] : literal?.sql;
		if (literal && written === undefined) unwritable.push(text);
		return written ?? text;
	});
	const problem =
		unwritable.length > 0
			? `has a value for ${unwritable[0]} that cannot stand there: it contains both kinds of quotes, a backslash, a $ or a control character`
			: bindingProblem(tokens, literals);
	return { text: texts.join(''), problem };
}

/** What the grammar wants at a token. */
function placeOf(code: SqlToken[], at: number): keyof Literal {
	const word = (index: number) => (code[index]?.text ?? '').toUpperCase();
	const [before, after] = [word(at - 1), word(at + 1)];
	if (before === '(' && after === ')') return 'values';
	if (NUMBER_PLACE.test(`${before} ${after}`)) return 'number';
	return QUOTED_STATEMENT.test(word(0)) || QUOTED_PLACE.test(before) ? 'quoted' : 'sql';
}

function bindingProblem(tokens: SqlToken[], literals: ReadonlyMap<string, Literal>) {
	const named = (kind: SqlToken['kind']) =>
		tokens.filter((token) => token.kind === kind).map(({ text }) => text.slice(1));
	const inQuery = named('parameter');
	const missing = inQuery.find((name) => !literals.has(name));
	if (missing !== undefined) return `has no value for :${missing}, which is in the query`;
	const rest = tokens.at(-1);
	if (literals.size > 0 && rest?.kind === 'unclear') {
		return `cannot be used with this query: versions of Spark differ in how they read the part that begins with ${rest.text.slice(0, 20)}`;
	}
	const foreign = tokens.find(({ kind, text }) => kind === 'word' && /[^\w.+-]/.test(text))?.text;
	if (literals.size > 0 && foreign !== undefined) {
		return `cannot be used with this query: write \`${foreign}\` instead of ${foreign}`;
	}
	const attached = named('path').find((name) => literals.has(name));
	if (attached !== undefined) {
		return `has a value for :${attached}, which needs a space before its colon in the query`;
	}
	const unused = [...literals.keys()].find((name) => !inQuery.includes(name));
	return unused && `has a value for :${unused.slice(0, 60)}, which is not in the query`;
}

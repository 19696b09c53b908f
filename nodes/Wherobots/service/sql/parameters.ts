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

/**
 * A number as a literal, with all its digits: `12.30` is a DECIMAL, `1e3` a DOUBLE. Undefined when it is
 * not a number of Spark SQL.
 */
export function numberLiteral(digits: string): string | undefined {
	if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(digits)) return undefined;
	// In parentheses when negative: after a minus, its sign would begin a comment.
	return digits.startsWith('-') ? `(${digits})` : digits.replace(/^\+/, '');
}

/**
 * A statement with each `:name` replaced by its literal, but not in strings, quoted names and comments.
 * Casts (`::`) and paths of JSON columns (`column:field`) stay as they are.
 *
 * Each name needs a literal and each literal a name, and all places must be certain: `problem` says
 * otherwise, as the end of a sentence.
 */
export function bindParameters(statement: string, literals: ReadonlyMap<string, string>) {
	const tokens = [...sqlTokens(statement)];
	const text = tokens
		.map((token) => (token.kind === 'parameter' && literals.get(token.text.slice(1))) || token.text)
		.join('');
	return { text, problem: bindingProblem(tokens, literals) };
}

function bindingProblem(tokens: SqlToken[], literals: ReadonlyMap<string, string>) {
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

/**
 * Values in SQL statements. The service takes only text, so values are inserted as literals of Spark
 * SQL that no value can break out of.
 */
import { sqlTokens, type SqlToken } from './tokens';

/** A number as its digits: `12.30` is a DECIMAL, `1e3` a DOUBLE, and none is rounded. */
export interface SqlNumber {
	digits: string;
}

/** A point in time in ISO 8601, to the microsecond. */
export interface SqlTimestamp {
	timestamp: string;
}

/** A value in a statement; a list becomes `(1, 2, 3)`, as after IN. */
export type SqlValue = null | boolean | SqlNumber | SqlTimestamp | string | SqlValue[];

/** A number of Spark SQL. */
const DIGITS = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/;

/** Text that every mode of Spark reads alike, without quotes, escapes, variables or line breaks. */
const PLAIN_TEXT = /^[\p{L}\p{N} !#%&()*+,\-./:;<=>?@[\]^_{|}~]*$/u;

/**
 * A value as a literal. Text with a quote, a backslash, a `$` or a control character is written as
 * bytes: Spark's settings decide whether a backslash escapes, what a doubled quote means, and whether
 * `${…}` is replaced, and bytes mean the same under all of them.
 *
 * @throws RangeError when the value has no literal; the message is the end of a sentence
 */
export function sqlLiteral(value: SqlValue): string {
	if (value === null) return 'NULL';
	if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
	if (typeof value === 'string') {
		if (/\p{Cs}/u.test(value)) throw new RangeError('contains a broken character');
		return PLAIN_TEXT.test(value)
			? `'${value}'`
			: `CAST(X'${Buffer.from(value).toString('hex').toUpperCase()}' AS STRING)`;
	}
	if ('digits' in value) {
		if (!DIGITS.test(value.digits)) throw new RangeError('must be a number');
		// In parentheses when negative: after a minus, its sign would begin a comment.
		return value.digits.startsWith('-') ? `(${value.digits})` : value.digits.replace(/^\+/, '');
	}
	if ('timestamp' in value) {
		if (!TIMESTAMP.test(value.timestamp)) throw new RangeError('must be a point in time');
		return `TIMESTAMP '${value.timestamp}'`;
	}
	if (value.length === 0) throw new RangeError('must not be an empty list');
	return `(${value.map(sqlLiteral).join(', ')})`;
}

/**
 * Why values cannot be inserted into a statement, as the end of a sentence; undefined when they can.
 * Each name needs a value and each value a name, and all places must be certain.
 */
export function bindingProblem(statement: string, names: readonly string[]): string | undefined {
	const tokens = [...sqlTokens(statement)];
	const named = (kind: SqlToken['kind']) =>
		tokens.filter((token) => token.kind === kind).map(({ text }) => text.slice(1));
	const inQuery = named('parameter');
	const missing = inQuery.find((name) => !names.includes(name));
	if (missing !== undefined) return `has no value for :${missing}, which is in the query`;
	const rest = tokens.at(-1);
	if (names.length > 0 && rest?.kind === 'unclear') {
		return `cannot be used with this query: versions of Spark differ in how they read the part that begins with ${rest.text.slice(0, 20)}`;
	}
	const attached = named('path').find((name) => names.includes(name));
	if (attached !== undefined) {
		return `has a value for :${attached}, which needs a space before its colon in the query`;
	}
	const unused = names.find((name) => !inQuery.includes(name));
	return unused && `has a value for :${unused.slice(0, 60)}, which is not in the query`;
}

/**
 * A statement with each `:name` replaced by the literal of its value, but not in strings, quoted names
 * and comments. Casts (`::`) and paths of JSON columns (`column:field`) stay as they are.
 */
export function bindParameters(statement: string, values: ReadonlyMap<string, SqlValue>): string {
	return [...sqlTokens(statement)]
		.map(({ kind, text }) => {
			const value = kind === 'parameter' ? values.get(text.slice(1)) : undefined;
			return value === undefined ? text : sqlLiteral(value);
		})
		.join('');
}

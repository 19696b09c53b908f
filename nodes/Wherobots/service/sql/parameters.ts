/**
 * Values in SQL statements. The service takes statements as text alone, so values are written into
 * them: as literals of Spark SQL that no value can leave.
 */

/** A value that can stand in a statement; a list stands for `(1, 2, 3)`, as after IN. */
export type SqlValue = null | boolean | number | bigint | string | Date | Uint8Array | SqlValue[];

/** Text that means itself in every mode of Spark: no quote, escape, variable or line break in it. */
const PLAIN_TEXT = /^[\p{L}\p{N} !#%&()*+,\-./:;<=>?@[\]^_{|}~]*$/u;

/**
 * A part of a statement: what is skipped whole (comments, texts, quoted names), a cast, or `:name`.
 * A raw text (`r'…'`) knows no escapes. What is not closed reaches to the end.
 */
const TOKEN =
	/--[^\r\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|\br'[^']*(?:'|$)|\br"[^"]*(?:"|$)|'(?:[^'\\]|\\[^])*(?:'|$)|"(?:[^"\\]|\\[^])*(?:"|$)|`[^`]*(?:`|$)(?::[\p{L}_])?|::|[\p{L}\p{N}_\])]:[\p{L}_]|:([A-Za-z_]\w*)/giu;

/**
 * A value as a literal. Text with a quote, a backslash, a `$` or a control character is written as
 * bytes: Spark's settings decide whether a backslash escapes, what a doubled quote means, and whether
 * `${…}` is replaced, and bytes mean the same under all of them.
 *
 * @throws RangeError when there is no literal for the value; the message ends a sentence
 */
export function sqlLiteral(value: SqlValue): string {
	if (value === null) return 'NULL';
	if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
	if (typeof value === 'bigint') return signed(String(value));
	if (typeof value === 'number') {
		if (!Number.isFinite(value)) throw new RangeError('must be a finite number');
		return signed(String(value));
	}
	if (typeof value === 'string') {
		if (/\p{Cs}/u.test(value)) throw new RangeError('contains a broken character');
		return PLAIN_TEXT.test(value)
			? `'${value}'`
			: `CAST(${hexLiteral(new TextEncoder().encode(value))} AS STRING)`;
	}
	if (value instanceof Date) {
		if (Number.isNaN(value.getTime())) throw new RangeError('must be a valid date');
		return `TIMESTAMP '${value.toISOString()}'`;
	}
	if (value instanceof Uint8Array) return hexLiteral(value);
	if (value.length === 0) throw new RangeError('must not be an empty list');
	return `(${value.map(sqlLiteral).join(', ')})`;
}

/**
 * A statement with the literal of each value in the place of its `:name`. Names in texts, quoted
 * names and comments stay, as do casts (`::`) and the paths of JSON columns (`column:field`).
 *
 * @throws RangeError when a name has no value; the message names it
 */
export function bindParameters(
	statement: string,
	values: Readonly<Record<string, SqlValue>>,
): string {
	return statement.replace(TOKEN, (token, name: string | undefined) => {
		if (name === undefined) return token;
		if (!Object.hasOwn(values, name)) throw new RangeError(`The parameter ':${name}' has no value`);
		return sqlLiteral(values[name]);
	});
}

/** In brackets when it is negative: after a minus, its sign would begin a comment. */
function signed(digits: string): string {
	return digits.startsWith('-') ? `(${digits})` : digits;
}

function hexLiteral(bytes: Uint8Array): string {
	const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
	return `X'${hex.toUpperCase()}'`;
}

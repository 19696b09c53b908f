/** Every string and every number of a valid JSON text, so that digits in strings are skipped. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
/** A long number outside a string. Strings of digits are common, and must not slow parsing down. */
const MAYBE_LONG_INTEGER = /[\s:,[]-?\d{16}/;
const LONG_INTEGER = /^-?\d{16,}$/;

/**
 * JSON.parse that does not round: an integer beyond the safe range of a JavaScript number (snapshot
 * ids, nanosecond timestamps) arrives as the string of its digits.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseJson(text: string): unknown {
	// First as it is: what is no JSON must not become some by being put in quotes, and on a string
	// without an end the pattern would try each of its characters as a beginning.
	const value: unknown = JSON.parse(text);
	if (typeof value !== 'number' && !MAYBE_LONG_INTEGER.test(text)) return value;
	return JSON.parse(
		text.replace(STRING_OR_NUMBER, (token) =>
			LONG_INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
		),
	);
}

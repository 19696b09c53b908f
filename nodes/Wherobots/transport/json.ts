/** Every string and every number of a valid JSON text, so that digits inside strings are passed over. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
/** Where a number can begin. Ids made of digits inside strings are common, and must cost nothing. */
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

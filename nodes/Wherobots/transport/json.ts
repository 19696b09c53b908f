/** Every string and every number of a valid JSON text, so that digits inside strings are passed over. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
/** The shortest integers beyond the safe range have so many digits. */
const LONG = 16;
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
	if (typeof value !== 'number' && !mayHoldLongInteger(text)) return value;
	return JSON.parse(
		text.replace(STRING_OR_NUMBER, (token) =>
			LONG_INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
		),
	);
}

/** Of sixteen digits in a row one is at a sixteenth character: nearly all of a text need not be looked at. */
function mayHoldLongInteger(text: string): boolean {
	for (let at = LONG - 1; at < text.length; at += LONG) {
		if (isDigit(text, at)) {
			let from = at;
			while (isDigit(text, from - 1)) from--;
			let to = at + 1;
			while (isDigit(text, to)) to++;
			if (to - from >= LONG) return MAYBE_LONG_INTEGER.test(text);
		}
	}
	return false;
}

function isDigit(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	return code >= 0x30 && code <= 0x39;
}

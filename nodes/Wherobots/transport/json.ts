/** The start of a string, or a number. */
const QUOTE_OR_NUMBER = /"|-?\d[\d.eE+-]*/g;
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
	// Parsed unchanged first: quotes around a number must not turn invalid JSON into valid JSON.
	const value: unknown = JSON.parse(text);
	if (typeof value !== 'number' && !MAYBE_LONG_INTEGER.test(text)) return value;
	return JSON.parse(quoteLongIntegers(text));
}

function quoteLongIntegers(json: string): string {
	const parts: string[] = [];
	let copied = 0;
	const tokens = new RegExp(QUOTE_OR_NUMBER);
	for (let token = tokens.exec(json); token; token = tokens.exec(json)) {
		if (token[0] === '"') {
			tokens.lastIndex = endOfString(json, token.index);
		} else if (LONG_INTEGER.test(token[0]) && !Number.isSafeInteger(Number(token[0]))) {
			parts.push(json.slice(copied, token.index), `"${token[0]}"`);
			copied = tokens.lastIndex;
		}
	}
	return parts.join('') + json.slice(copied);
}

/** Where a string that starts at `start` ends. One pattern for it would overflow on megabytes. */
function endOfString(json: string, start: number): number {
	for (let end = start; ; ) {
		end = json.indexOf('"', end + 1);
		let backslashes = 0;
		while (json[end - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return end + 1;
	}
}

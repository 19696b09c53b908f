/** JSON and decimal numbers, with all their digits. */

/** The start of a string, a number, or one of Python's extensions of JSON. */
const QUOTE_OR_NUMBER = /"|-?\d[\d.eE+-]*|-?Infinity|NaN/g;
/**
 * A long number outside a string; fewer digits are always within the safe range. Strings of digits are
 * common and must not slow down parsing.
 */
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
	return JSON.parse(quoteNumbers(text, isLong));
}

/** Before the digits of long integers while they are texts. Nobody can guess it, so no other text has it. */
const MARK = `long${Math.random()}:`;
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');

/** An integer that a JavaScript number cannot hold, in JSON that is sent on. */
export class LongInteger {
	constructor(private readonly digits: string) {}

	toJSON(): string {
		return MARK + this.digits;
	}

	toString(): string {
		return this.digits;
	}
}

/**
 * Parses JSON that is sent on: `writeJson` writes its long integers as the numbers they are.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseJsonToSend(text: string): unknown {
	JSON.parse(text);
	return JSON.parse(quoteNumbers(text, isLong, MARK), (_, value: unknown) =>
		typeof value === 'string' && value.startsWith(MARK)
			? new LongInteger(value.slice(MARK.length))
			: value,
	);
}

/** JSON.stringify, with long integers of `parseJsonToSend` in all their digits. */
export function writeJson(value: unknown): string {
	return JSON.stringify(value).replace(MARKED, '$1');
}

/**
 * Parses JSON of files that other programs wrote: `NaN` and `Infinity`, which Python writes as they are,
 * arrive as strings of their names.
 *
 * @throws SyntaxError when the text is not JSON even so
 */
export function parseLenientJson(text: string): unknown {
	try {
		return parseJson(text);
	} catch {
		return JSON.parse(quoteNumbers(text, (token) => isLong(token) || isName(token)));
	}
}

const isName = (token: string) => /^-?(NaN|Infinity)$/.test(token);

/** As `parseLenientJson`; a fraction of more than 15 digits that JavaScript would round is a string, too. */
export function parsePrintedJson(text: string): unknown {
	JSON.parse(quoteNumbers(text, isName));
	const isInexact = (token: string) => token.length > 15 && String(Number(token)) !== token;
	return JSON.parse(quoteNumbers(text, (token) => isName(token) || isInexact(token)));
}

/**
 * JSON.parse for values that have to arrive as they are: a number that JavaScript would write otherwise
 * is the string of its digits, such as `1.50` and `0.1234567890123456789`.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseExactJson(text: string): unknown {
	JSON.parse(text);
	return JSON.parse(quoteNumbers(text, (token) => String(Number(token)) !== token));
}

/** What a JSON text says; undefined for any other text. @param parse throws for those */
export function parseLeadingJson(
	text: string,
	parse: (json: string) => unknown = parseJson,
): unknown {
	try {
		return parse(text.trim());
	} catch {
		return undefined;
	}
}

function isLong(token: string): boolean {
	return LONG_INTEGER.test(token) && !Number.isSafeInteger(Number(token));
}

/** Puts quotes around the numbers outside of strings that `isWanted` chooses, and a mark before them. */
function quoteNumbers(json: string, isWanted: (token: string) => boolean, mark = ''): string {
	const parts: string[] = [];
	let copied = 0;
	const tokens = new RegExp(QUOTE_OR_NUMBER);
	for (let token = tokens.exec(json); token; token = tokens.exec(json)) {
		if (token[0] === '"') {
			tokens.lastIndex = findEndOfString(json, token.index);
		} else if (isWanted(token[0])) {
			parts.push(json.slice(copied, token.index), `"${mark}${token[0]}"`);
			copied = tokens.lastIndex;
		}
	}
	return parts.join('') + json.slice(copied);
}

/** The end of the string at `start`, or of a truncated text. A regex would overflow on megabytes. */
function findEndOfString(json: string, start: number): number {
	for (let end = start; ; ) {
		end = json.indexOf('"', end + 1);
		if (end < 0) return json.length;
		let backslashes = 0;
		while (json[end - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return end + 1;
	}
}

/** Digits with or without a decimal point, or in exponential notation, as for long fractions. */
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * A decimal string without an exponent, digit for digit: `12.3400` stays as it is, `1.5E-7` becomes
 * `0.00000015`. It is never converted to a number, which would round it.
 *
 * @returns undefined for anything else
 */
export function toPlainDecimal(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const match = DECIMAL.exec(value);
	if (!match) return undefined;
	const [, sign, whole, fraction = '', exponent] = match;
	let digits = whole + fraction;
	if (digits === '') return undefined;
	if (exponent === undefined) return value;
	let point = whole.length + Number(exponent);
	if (point < 1) {
		digits = '0'.repeat(1 - point) + digits;
		point = 1;
	}
	digits = digits.padEnd(point, '0');
	const head = digits.slice(0, point).replace(/^0+(?=\d)/, '');
	return `${sign}${head}${digits.length > point ? `.${digits.slice(point)}` : ''}`;
}

/** Whether one decimal text is a larger number than another. Both are as `toPlainDecimal` gives them. */
export function isAbove(one: string, other: string): boolean {
	const [[a, fractionA], [b, fractionB]] = [one, other].map((text) => `${text}.`.split('.'));
	const places = Math.max(fractionA.length, fractionB.length);
	return BigInt(a + fractionA.padEnd(places, '0')) > BigInt(b + fractionB.padEnd(places, '0'));
}

/** JSON; of what is nested too deeply to be written, only that. */
export function toJson(value: object): string {
	try {
		return JSON.stringify(value);
	} catch {
		return '(nested too deeply)';
	}
}

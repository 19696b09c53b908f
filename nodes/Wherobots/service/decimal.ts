/** Decimal numbers as text, with all their digits. */

/** Digits with or without a decimal point, or in exponential notation, as for long fractions. */
const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * A decimal string without an exponent, digit for digit: `12.3400` stays as it is, `1.5E-7` becomes
 * `0.00000015`. It is never converted to a number, which would round it.
 *
 * @returns undefined for anything else
 */
export function plainDecimal(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const match = DECIMAL.exec(value);
	if (!match) return undefined;
	const [, sign, whole, fraction, exponent] = match;
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

/** Whether one decimal text is a larger number than another. Both are as `plainDecimal` gives them. */
export function isAbove(one: string, other: string): boolean {
	const [[a, fractionA], [b, fractionB]] = [one, other].map((text) => `${text}.`.split('.'));
	const places = Math.max(fractionA.length, fractionB.length);
	return BigInt(a + fractionA.padEnd(places, '0')) > BigInt(b + fractionB.padEnd(places, '0'));
}

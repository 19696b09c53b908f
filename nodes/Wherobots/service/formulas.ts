/**
 * Values that a spreadsheet takes for a formula: those that begin with = + - @, also in their
 * full-width forms, or with a tab or a line break before them.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** The value with an apostrophe in front when a spreadsheet would calculate it. */
export function neutralizeFormula(value: string): string {
	return FORMULA.test(value) ? `'${value}` : value;
}

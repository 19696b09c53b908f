/**
 * Values that a spreadsheet takes for formulas: those that begin with = + - @, their full-width forms,
 * a tab or a line break.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** The value with an apostrophe in front when a spreadsheet would calculate it. */
export function neutralizeFormula(value: string): string {
	return FORMULA.test(value) ? `'${value}` : value;
}

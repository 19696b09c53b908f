/** What spreadsheets take for formulas: = + - @, also full-width, a tab or a line break at the start. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** The value with an apostrophe in front when a spreadsheet would calculate it. */
export function neutralizeFormula(value: string): string {
	return FORMULA.test(value) ? `'${value}` : value;
}

/** What can be said of a statement by looking at it. */
import { sqlTokens, type SqlToken } from './tokens';

/** What a statement that only reads begins with. */
const READING = new Set(['SELECT', 'WITH', 'VALUES', 'SHOW', 'DESCRIBE', 'DESC']);

const EXPLAIN_MODES = new Set(['EXTENDED', 'CODEGEN', 'COST', 'FORMATTED', 'LOGICAL']);

/**
 * Words with which what begins like a query can change something, wherever they stand: a WITH can lead
 * to an INSERT, and some functions call any method of Java.
 */
const CHANGING = new Set([
	...['INSERT', 'INTO', 'OVERWRITE', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE', 'CREATE', 'DROP'],
	...['ALTER', 'CALL', 'REFLECT', 'TRY_REFLECT', 'JAVA_METHOD'],
]);

/** What a statement that gives no rows begins with. */
const WITHOUT_ROWS = new Set([
	...['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE', 'LOAD', 'CREATE', 'DROP', 'ALTER'],
	...['USE', 'GRANT', 'REVOKE', 'CACHE', 'UNCACHE', 'REFRESH', 'ANALYZE', 'MSCK', 'REPAIR'],
]);

/** The tokens of a statement that count, and not the semicolons at its end. */
function codeOf(statement: string): SqlToken[] {
	const code = [...sqlTokens(statement)].filter(({ kind }) => kind !== 'space');
	while (code.at(-1)?.text === ';') code.pop();
	return code;
}

/** The words of a statement, in capitals. */
function wordsOf(code: SqlToken[]): string[] {
	return code.filter(({ kind }) => kind === 'word').map(({ text }) => text.toUpperCase());
}

/**
 * Whether a statement certainly changes nothing. It is strict: what it does not understand makes the
 * answer no, and so do a column that is named like one of the words above without quotes, a function
 * whose name is quoted or put together, and a program that rows are sent through.
 */
export function onlyReads(statement: string): boolean {
	const code = codeOf(statement);
	const words = wordsOf(code);
	while (words[0] === 'EXPLAIN') words.splice(0, EXPLAIN_MODES.has(words[1]) ? 2 : 1);
	if (words[0] === 'SHOW' && words[1] === 'CREATE') words.splice(1, 1);
	return (
		READING.has(words[0]) &&
		!words.some((word) => CHANGING.has(word)) &&
		!statement.includes('${') &&
		!code.some((token, at) => token.text === ';' || isHidden(token, code[at + 1]))
	);
}

/** Whether a token does not say what is executed: a text, a name in quotes, or something else. */
function isHidden({ kind, text }: SqlToken, next: SqlToken | undefined): boolean {
	if (kind === 'unclear') return true;
	if (/^using$/i.test(text)) return next?.text !== '(';
	return next?.text === '(' && (kind === 'name' || kind === 'text' || /^identifier$/i.test(text));
}

/** Whether a statement may give rows. */
export function mayGiveRows(statement: string): boolean {
	return !WITHOUT_ROWS.has(wordsOf(codeOf(statement))[0]);
}

/** Whether there is anything but comments in a statement. */
export function isStatement(statement: string): boolean {
	return codeOf(statement).some(({ text }) => text !== ';');
}

/** Whether an expression of n8n stands in a statement as it is, because nothing evaluated it. */
export function hasExpression(statement: string): boolean {
	return codeOf(statement).some(
		({ kind, text }) => (kind === 'unclear' || kind === 'name') && text.includes('{{'),
	);
}

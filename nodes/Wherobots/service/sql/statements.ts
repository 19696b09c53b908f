/** What the text of a statement shows. */
import { sqlTokens, type SqlToken } from './tokens';

/** First words of statements that only read. */
const READING = new Set(['SELECT', 'WITH', 'VALUES', 'SHOW', 'DESCRIBE', 'DESC']);

const EXPLAIN_MODES = new Set(['EXTENDED', 'CODEGEN', 'COST', 'FORMATTED', 'LOGICAL']);

/**
 * Words that make a statement unsafe wherever they occur, even if it begins like a query: a WITH can
 * lead to an INSERT, and some functions call any Java method.
 */
const CHANGING = new Set([
	...['INSERT', 'INTO', 'OVERWRITE', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE', 'CREATE', 'DROP'],
	...['ALTER', 'CALL', 'REFLECT', 'TRY_REFLECT', 'JAVA_METHOD'],
]);

/** First words of statements that return no rows. */
const WITHOUT_ROWS = new Set([
	...['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE', 'LOAD', 'CREATE', 'DROP', 'ALTER'],
	...['USE', 'GRANT', 'REVOKE', 'CACHE', 'UNCACHE', 'REFRESH', 'ANALYZE', 'MSCK', 'REPAIR'],
]);

/** The tokens of a statement without white space, comments and trailing semicolons. */
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
 * Whether a statement certainly changes nothing. Strict: the answer is no for anything unknown, for an
 * unquoted column named like one of the words above, for a function whose name is quoted or computed,
 * and for a program that transforms rows.
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

/** Whether a token hides what is executed, such as a string or quoted name used as a function. */
function isHidden({ kind, text }: SqlToken, next: SqlToken | undefined): boolean {
	if (kind === 'unclear') return true;
	if (/^using$/i.test(text)) return next?.text !== '(';
	return next?.text === '(' && (kind === 'name' || kind === 'text' || /^identifier$/i.test(text));
}

/** Whether a statement may return rows. */
export function mayReturnRows(statement: string): boolean {
	return !WITHOUT_ROWS.has(wordsOf(codeOf(statement))[0]);
}

/** Whether a statement contains more than comments. */
export function isStatement(statement: string): boolean {
	return codeOf(statement).some(({ text }) => text !== ';');
}

/** Whether a statement contains an n8n expression that was not evaluated. */
export function hasExpression(statement: string): boolean {
	return codeOf(statement).some(
		({ kind, text }) => (kind === 'unclear' || kind === 'name') && text.includes('{{'),
	);
}

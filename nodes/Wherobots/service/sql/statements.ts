/** What can be said of a statement by looking at it. */
import { sqlTokens } from './tokens';

/** What a statement that only reads begins with, where the rest of it decides. */
const READING = new Set(['SELECT', 'WITH', 'VALUES']);

/** What a statement begins with that only reads whatever follows. */
const SHOWING = new Set(['SHOW', 'DESCRIBE', 'DESC']);

const EXPLAIN_MODES = new Set(['EXTENDED', 'CODEGEN', 'COST', 'FORMATTED', 'LOGICAL']);

/**
 * Words that what begins like a query can change something with, wherever they stand: a WITH can lead
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

/** The words of a statement in capitals, with semicolons; nothing of comments, texts and quoted names. */
function wordsOf(statement: string): string[] {
	return [...sqlTokens(statement)]
		.filter(({ kind, text }) => kind === 'word' || text === ';')
		.map(({ text }) => text.toUpperCase());
}

/**
 * Whether a statement certainly changes nothing. It is strict: a column that is named like one of the
 * words above makes the answer no, unless its name is quoted.
 */
export function onlyReads(statement: string): boolean {
	const words = wordsOf(statement);
	while (words.at(-1) === ';') words.pop();
	while (words[0] === 'EXPLAIN') words.splice(0, EXPLAIN_MODES.has(words[1]) ? 2 : 1);
	if (words.includes(';')) return false;
	if (SHOWING.has(words[0])) return true;
	return READING.has(words[0]) && !words.some((word) => CHANGING.has(word));
}

/** Whether a statement may give rows. */
export function mayGiveRows(statement: string): boolean {
	return !WITHOUT_ROWS.has(wordsOf(statement)[0]);
}

/** Whether there is anything but comments in a statement. */
export function isStatement(statement: string): boolean {
	return [...sqlTokens(statement)].some(
		({ kind, text }) => kind !== 'comment' && !/^[\s;]*$/.test(text),
	);
}

/** Whether an expression of n8n stands in a statement as it is, because nothing evaluated it. */
export function hasExpression(statement: string): boolean {
	const code = [...sqlTokens(statement)]
		.filter(({ kind }) => kind !== 'comment' && kind !== 'text')
		.map(({ text }) => text)
		.join('');
	return /\{\{/.test(code);
}

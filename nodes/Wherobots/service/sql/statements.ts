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

/** What a statement does, as far as its text shows. */
export function examine(statement: string) {
	const code = [...sqlTokens(statement)].filter(({ kind }) => kind !== 'space');
	while (code.at(-1)?.text === ';') code.pop();
	const words = code.filter(({ kind }) => kind === 'word').map(({ text }) => text.toUpperCase());
	return {
		/** There is nothing but comments. */
		isEmpty: code.length === 0,
		/** It contains an n8n expression that was not evaluated. */
		hasExpression: code.some(
			({ kind, text }) => (kind === 'unclear' || kind === 'name') && text.includes('{{'),
		),
		/**
		 * It certainly changes nothing. Strict: false for anything unknown, for an unquoted column named
		 * like one of the words above, for a function whose name is quoted or computed, and for a program
		 * that transforms rows.
		 */
		onlyReads: isReading(words) && !statement.includes('${') && !code.some(isHidden),
		mayReturnRows: !WITHOUT_ROWS.has(words[0]),
	};
}

function isReading([...words]: string[]): boolean {
	while (words[0] === 'EXPLAIN') words.splice(0, EXPLAIN_MODES.has(words[1]) ? 2 : 1);
	if (words[0] === 'SHOW' && words[1] === 'CREATE') words.splice(1, 1);
	return READING.has(words[0]) && !words.some((word) => CHANGING.has(word));
}

/** Whether a token hides what is executed, such as a string or quoted name used as a function. */
function isHidden({ kind, text }: SqlToken, at: number, code: SqlToken[]): boolean {
	const isCall = code[at + 1]?.text === '(';
	if (kind === 'unclear' || text === ';') return true;
	if (/^using$/i.test(text)) return !isCall;
	return isCall && (kind === 'name' || kind === 'text' || /^identifier$/i.test(text));
}

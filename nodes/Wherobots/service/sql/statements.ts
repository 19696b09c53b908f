/** What the text of a statement shows. */
import { sqlTokens, type SqlToken } from './tokens';

/** First words of statements that only read, unless they contain one of the words below. */
const READING = new Set([
	...['SELECT', 'WITH', 'FROM', 'TABLE', 'VALUES', 'SHOW', 'DESCRIBE', 'DESC'],
]);

const EXPLAIN_MODES = new Set(['EXTENDED', 'CODEGEN', 'COST', 'FORMATTED', 'LOGICAL']);

/** What LIST shows. */
const RESOURCES = /^(FILE|JAR|ARCHIVE)S?$/;

/**
 * Words that make a statement unsafe wherever they occur, even if it begins like a query: a WITH or FROM
 * can lead to an INSERT, and some functions call any Java method.
 */
const CHANGING = new Set([
	...['INSERT', 'INTO', 'OVERWRITE', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE', 'CREATE', 'DROP'],
	...['ALTER', 'CALL', 'REFLECT', 'TRY_REFLECT', 'JAVA_METHOD'],
]);

/**
 * The word before and such a word where it changes nothing, unless it is called: as part of a name or
 * after AS, since no change is written there even if a table is called `as`.
 */
const HARMLESS = /^(?:(?:\.|AS) .*|SHOW CREATE|\|> DROP)$/;

/** First words of statements that return no rows. */
const WITHOUT_ROWS = new Set([
	...['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE', 'LOAD', 'CREATE', 'DROP', 'ALTER'],
	...['USE', 'GRANT', 'REVOKE', 'CACHE', 'UNCACHE', 'REFRESH', 'ANALYZE', 'MSCK', 'REPAIR'],
]);

/** What a statement does, as far as its text shows. */
export function examine(statement: string) {
	const tokens = [...sqlTokens(statement)];
	const code = tokens.filter(({ kind }) => kind !== 'space');
	while (code.at(-1)?.text === ';') code.pop();
	const words = code.filter(({ kind }) => kind === 'word').map(upper);
	const obstacle =
		obstacleAtStart(words) ?? code.find(isObstacle)?.text ?? obstacleOutsideCode(tokens);
	return {
		/** There is nothing but comments. */
		isEmpty: code.length === 0,
		/** It contains an n8n expression that was not evaluated. */
		hasExpression: code.some(
			({ kind, text }) => (kind === 'unclear' || kind === 'name') && text.includes('{{'),
		),
		/**
		 * It certainly changes nothing. Strict: false for anything unknown, for a function whose name is
		 * quoted or computed, and for a program that transforms rows.
		 */
		onlyReads: obstacle === undefined,
		/** The first part because of which that is not certain. */
		obstacle,
		mayReturnRows: !WITHOUT_ROWS.has(words[0]),
	};
}

/** Spark takes some foreign letters for English ones: to it, `ınsert` is INSERT. So does JavaScript. */
function upper({ text }: SqlToken): string {
	return text.toUpperCase();
}

function obstacleAtStart([...words]: string[]): string | undefined {
	while (words[0] === 'EXPLAIN') words.splice(0, EXPLAIN_MODES.has(words[1]) ? 2 : 1);
	const [first = '', second = ''] = words;
	return READING.has(first) || (first === 'LIST' && RESOURCES.test(second)) ? undefined : first;
}

/** Whether a token is, or hides, what may change something, such as a quoted name used as a function. */
function isObstacle(token: SqlToken, at: number, code: SqlToken[]): boolean {
	const { kind, text } = token;
	const isCall = code[at + 1]?.text === '(';
	if (kind === 'unclear' || text === ';') return true;
	if (kind === 'name' || kind === 'text') return isCall;
	const word = kind === 'word' ? upper(token) : '';
	if (word === 'USING') return !isCall;
	if (word === 'IDENTIFIER') return isCall;
	const before = at > 0 ? upper(code[at - 1]) : '';
	return CHANGING.has(word) && (isCall || !HARMLESS.test(`${before} ${word}`));
}

/**
 * A variable, which Spark replaces in strings, too; and a changing word in a nested comment, for readers
 * to whom that ends earlier.
 */
function obstacleOutsideCode(tokens: SqlToken[]): string | undefined {
	if (tokens.some(({ text }) => text.includes('${'))) return '${';
	const nested = tokens.filter(({ kind, text }) => kind === 'space' && text.lastIndexOf('/*') > 0);
	const words = nested.flatMap(({ text }) => text.match(/\w+/g) ?? []);
	return words.find((word) => CHANGING.has(word.toUpperCase()));
}

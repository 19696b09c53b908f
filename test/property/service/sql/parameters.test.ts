import fc from 'fast-check';

import {
	bindParameters,
	type Literal,
	toNumberLiteral,
	tokenize,
	toTextLiteral,
	toTextValue,
} from '../../../../nodes/Wherobots/service/sql/statements';
import { forAll, USUALLY } from '../../../support/forAll';

const text = fc.oneof(
	fc.string({ unit: 'binary' }).filter((value) => !/\p{Cs}/u.test(value)),
	fc.string(),
	fc.constantFrom("'", "\\'", "''", "' OR 1=1 --", '${env:HOME}', '\n', '\\', "a\\'; DROP TABLE t"),
);

/** What Spark reads from a text literal, whatever its settings for escapes. */
function textOf(literal: string): string {
	const bytes = /^CAST\(X'([0-9A-F]*)' AS STRING\)$/.exec(literal)?.[1];
	if (bytes !== undefined) return Buffer.from(bytes, 'hex').toString('utf8');
	expect(literal).toMatch(/^'[^'\\$\r\n]*'$/);
	return literal.slice(1, -1);
}

describe('a literal', () => {
	it('stands for exactly its text, and leaves nothing to escapes or variables', async () =>
		await forAll([text], USUALLY, (value) =>
			expect(textOf(String(toTextLiteral(value)))).toBe(value),
		));

	it('stands for exactly its number, and never begins with a minus', async () =>
		await forAll([fc.double({ noNaN: true, noDefaultInfinity: true })], USUALLY, (value) => {
			const literal = String(toNumberLiteral(String(value)));
			expect(literal).not.toMatch(/^-/);
			expect(Number(literal.replace(/[()]/g, '')) === value).toBe(true);
		}));

	it.each<[string, string | undefined]>([
		['-1', '(-1)'],
		['12.30', '12.30'],
		['+1e3', '1e3'],
		['1e+3', '1e+3'],
		['-0.12345678901234567890', '(-0.12345678901234567890)'],
		...['NaN', 'Infinity', '1 OR 1', '', '1\n'].map((text): [string, undefined] => [
			text,
			undefined,
		]),
	])('of the number %j is %s', (digits, literal) => expect(toNumberLiteral(digits)).toBe(literal));

	it('of half a character is refused', () => {
		expect(toTextLiteral('\ud800')).toBeUndefined();
	});
});

describe('tokens', () => {
	const parts = fc.constantFrom(
		...["'", '"', '`', '--', '/*', '*/', '/*+', '\\', '\n', "r'", ':a', '::', ':', 'a', ' ', ';'],
	);

	it('make up the statement', async () =>
		await forAll([fc.array(fc.oneof(parts, fc.string({ unit: 'binary' })))], USUALLY, (pieces) => {
			const statement = pieces.join('');
			const texts = [...tokenize(statement)].map((token) => token.text);
			expect(texts.join('')).toBe(statement);
		}));

	it('are found in long statements', () => {
		const long = `SELECT '${"x\\'".repeat(1_000_000)}', /* ${'y'.repeat(3_000_000)} */ :a`;
		expect([...tokenize(long)].at(-1)).toEqual({ kind: 'parameter', text: ':a' });
	});
});

describe('parameters of a statement', () => {
	const values = new Map(Object.entries({ a: { sql: '1' }, b: { sql: "'x'" } }));

	it.each([
		['SELECT :a, :b', "SELECT 1, 'x'"],
		["SELECT ':a', \":a\", `:a`, r'\\:a' -- :a\n/* :a */ + :a", undefined],
		["SELECT 'it\\'s :a', :a", "SELECT 'it\\'s :a', 1"],
		[
			'SELECT c::a, c :: int, v:c, `v`:c, f(x):c, :a',
			'SELECT c::a, c :: int, v:c, `v`:c, f(x):c, 1',
		],
		['SELECT 5-:a /* /* :b */ :b */', 'SELECT 5-1 /* /* :b */ :b */'],
		['SELECT\u00a0:a, `größe`', 'SELECT\u00a01, `größe`'],
		["SELECT 'a' ':a' 'it''s :a', :a", "SELECT 'a' ':a' 'it''s :a', 1"],
		['SELECT R\'\\\', :a, r"\\", :a', 'SELECT R\'\\\', 1, r"\\", 1'],
		["SELECT r'it is :a', :a", "SELECT r'it is :a', 1"],
		["SELECT '\\u003Aa \\\\', :a", "SELECT '\\u003Aa \\\\', 1"],
		["SELECT 1 -- it's C:\\Temp\n, :a", "SELECT 1 -- it's C:\\Temp\n, 1"],
		['SELECT `it``s :a`, :a', 'SELECT `it``s :a`, 1'],
		["SELECT car'x', :a", "SELECT car'x', 1"],
		['SELECT /*+ BROADCAST(t), COALESCE(:a) */ :a', 'SELECT /*+ BROADCAST(t), COALESCE(1) */ 1'],
	])('%s', (statement, expected) => {
		const bound = bindParameters(statement, values).text;
		expect(bound).toBe(expected ?? statement.replace(/:a$/, '1'));
	});

	const texts = {
		ids: { sql: '(1, 2)', values: '1, 2' },
		n: toTextValue('10') as Literal,
		quote: toTextValue("it's") as Literal,
		both: toTextValue(`"it's"`) as Literal,
	};

	it.each([
		['SELECT 1 WHERE a IN (:ids) OR a IN :ids', 'SELECT 1 WHERE a IN (1, 2) OR a IN (1, 2)'],
		['TABLE t LIMIT :n OFFSET /* */ :n', 'TABLE t LIMIT 10 OFFSET /* */ 10'],
		['FROM t TABLESAMPLE (:n ROWS) SELECT *', 'FROM t TABLESAMPLE (10 ROWS) SELECT *'],
		['SELECT :n, (:n)', "SELECT '10', ('10')"],
		['TABLE t LIMIT :quote', `TABLE t LIMIT ${texts.quote.sql}`],
		['SHOW TABLES LIKE :quote', 'SHOW TABLES LIKE "it\'s"'],
		['comment on table t is :quote', 'comment on table t is "it\'s"'],
		['CREATE TABLE t (a INT COMMENT :quote)', 'CREATE TABLE t (a INT COMMENT "it\'s")'],
		['SELECT a LIKE :quote', `SELECT a LIKE ${texts.quote.sql}`],
	])('are written as their place demands: %s', (statement, expected) => {
		const used = Object.entries(texts).filter(([name]) => statement.includes(`:${name}`));
		expect(bindParameters(statement, new Map(used))).toEqual({ text: expected });
	});

	it('are refused where they cannot be written', () => {
		const { problem } = bindParameters('SHOW TABLES LIKE :both', new Map([['both', texts.both]]));
		expect(problem).toBe(
			'has a value for :both that cannot be used there: it contains both kinds of quotes, a backslash, a $ or a control character',
		);
	});

	it('are never looked for inside values', async () =>
		await forAll([text], USUALLY, (value) => {
			const v = { sql: String(toTextLiteral(`:w${value}`)) };
			const both = new Map(Object.entries({ v, w: { sql: '2' } }));
			const bound = bindParameters('SELECT :v, :w', both).text;
			expect(bound.endsWith(', 2')).toBe(true);
			expect(textOf(bound.slice('SELECT '.length, -', 2'.length))).toBe(`:w${value}`);
		}));

	const problemOf = (statement: string, names: string[]) =>
		bindParameters(statement, new Map(names.map((name) => [name, { sql: '1' }]))).problem;

	const inQuotes = 'which is in quotes in the query: take it out of them';
	const space = 'which needs a space before its colon in the query';
	const unlike = (part: string) =>
		`cannot be used with this query until you rewrite the part that begins with ${part}: versions of Spark read it differently`;

	it.each([
		['SELECT :a, :b', ['a'], 'has no value for :b, which is in the query'],
		['SELECT 1', ['a'], 'has a value for :a, which is not in the query'],
		["SELECT ':ab'", ['a'], 'has a value for :a, which is not in the query'],
		["SELECT ':a'", ['a'], `has a value for :a, ${inQuotes}`],
		['SELECT "%:a%"', ['a'], `has a value for :a, ${inQuotes}`],
		['SELECT :a, ?', ['a'], unlike('?')],
		['SELECT :a IN:b', ['a', 'b'], `has a value for :b, ${space}`],
		['SELECT :a LIMIT:a', ['a'], `has a value for :a, ${space}`],
		['SELECT /* /*+ */ :a', ['a'], unlike('/* /*+ */ :a')],
		['SELECT größe, :a', ['a'], 'cannot be used with this query: write `größe` instead of größe'],
		['SELECT :a -- \\\r\n, 2', ['a'], unlike('\\\r\n, 2')],
		['SELECT ${x}, :a', ['a'], unlike('${x}, :a')],
		['SELECT :a, 1e+5x', ['a'], unlike('1e+5x')],
		['SELECT :a FROM s3://b--c', ['a'], unlike('s3://b--c')],
	])('%s does not match its values: %j', (statement, names, problem) =>
		expect(problemOf(statement, names)).toBe(problem),
	);

	it.each([
		['SELECT :a, :a', ['a']],
		['SELECT ${x}, v:a', []],
		['SELECT größe', []],
	])('%s matches its values: %j', (statement, names) =>
		expect(problemOf(statement, names)).toBeUndefined(),
	);
});

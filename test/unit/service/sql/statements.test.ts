import {
	hasExpression,
	isStatement,
	mayReturnRows,
	onlyReads,
} from '../../../../nodes/Wherobots/service/sql/statements';

describe('only reads', () => {
	it.each([
		'SELECT 1',
		'  (select 1) ',
		'-- what is there\nWITH t AS (SELECT 1) SELECT * FROM t;',
		"SELECT 'DROP TABLE x', `update` FROM t -- INSERT\n/* DELETE */;;",
		'SHOW CREATE TABLE t',
		'describe extended t',
		'EXPLAIN FORMATTED SELECT 1',
		'VALUES (1), (2)',
		"SELECT replace(name, 'a', 'b') FROM t",
		'SELECT /*+ BROADCAST(t) */ * FROM t JOIN s USING (id)',
		"SELECT transform(a, x -> x + 1), map('a', 1) FROM `t` -- C:\\temp",
	])('%s', (statement) => expect(onlyReads(statement)).toBe(true));

	it.each([
		'INSERT INTO t VALUES (1)',
		'WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a',
		'FROM a INSERT INTO t SELECT *',
		'SELECT 1; DROP TABLE t',
		'SHOW TABLES; DROP TABLE t',
		'EXPLAIN CREATE TABLE t AS SELECT 1',
		'CREATE TABLE t AS SELECT 1',
		"SELECT java_method('java.lang.System', 'exit')",
		"SELECT reflect('java.lang.System', 'exit')",
		'CALL system.expire_snapshots()',
		'SET x = 1',
		'SELECT update FROM t',
		'',
		// Comments and hints, as Spark ends them.
		'WITH t AS (SELECT 1 /* /*+ */) INSERT INTO foo SELECT * FROM t /* */',
		"WITH t AS (SELECT /*+ x('*/ ') */ 1) INSERT INTO foo SELECT 1",
		"WITH t AS (SELECT /*+ x(t) -- */ '\n 1) INSERT INTO foo SELECT '",
		'WITH t AS (SELECT 1) -- \\\r\nINSERT INTO foo SELECT 1',
		'SELECT 1 /* /* */ */',
		'SELECT 1 /*',
		// Functions that the statement does not name.
		"SELECT `reflect`('java.lang.System', 'exit')",
		"SELECT \"reflect\"('java.lang.System', 'exit')",
		"SELECT `reflect` /* */ ('java.lang.System', 'exit')",
		"SELECT identifier ('reflect')('java.lang.System', 'exit')",
		// Programs, and what is read from elsewhere.
		"SELECT TRANSFORM(a) USING 'sh -c id' FROM t",
		"WITH t AS (SELECT 1) MAP a Using 'sh' FROM t",
		'WITH t AS (SELECT 1) REDUCE a USING"sh" FROM t',
		"SELECT '${spark.x}'",
		'SELECT * FROM x://y',
		'SELECT ı FROM t',
		"SELECT 'a",
	])('not: %s', (statement) => expect(onlyReads(statement)).toBe(false));
});

it('knows what gives no rows', () => {
	expect(mayReturnRows('/* a */ insert into t select 1')).toBe(false);
	expect(mayReturnRows('SELECT 1')).toBe(true);
	expect(mayReturnRows('CALL system.x()')).toBe(true);
	expect(mayReturnRows('SET')).toBe(true);
});

it('knows what is no statement', () => {
	expect(isStatement('-- only this\n/* and this */ ; ')).toBe(false);
	expect(isStatement(' \n\t ;; ')).toBe(false);
	expect(isStatement("''")).toBe(true);
});

it('finds expressions that nothing evaluated', () => {
	expect(hasExpression('SELECT {{ $json.a }}')).toBe(true);
	expect(hasExpression('SELECT `{{ $json.a }}`')).toBe(true);
	expect(hasExpression("SELECT '{{ a }}' -- {{ b }}")).toBe(false);
});

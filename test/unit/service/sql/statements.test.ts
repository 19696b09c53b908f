import {
	examine,
	findTableName,
	removeFence,
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
		'SELECT /*+ MERGE(t) */ * FROM t JOIN s ON t.id = s.id',
		'SELECT /*+ broadcast(s), merge(t, s) */ * FROM t JOIN s ON t.id = s.id',
		"SELECT transform(a, x -> x + 1), map('a', 1) FROM `t` -- C:\\temp",
		'FROM t SELECT id',
		'TABLE t',
		'FROM t |> WHERE a > 1 |> SELECT a, b |> DROP b |> AS u |> LIMIT 1',
		'SELECT t.update, u.`a`.insert, a AS delete, b as Merge FROM ice.create.call AS into',
		'LIST JARS',
		"list file 'a'",
		'SELECT 1 /* /* */ nested /* twice */ */',
		'SELECT\u00a01\u3000',
		'SELECT größe FROM städte',
		'SHOW CREATE TABLE a.drop',
	])('%s', (statement) => expect(examine(statement).onlyReads).toBe(true));

	it.each([
		'SELECT 1; DROP TABLE t',
		'SHOW TABLES; DROP TABLE t',
		"SELECT java_method('java.lang.System', 'exit')",
		"SELECT reflect('java.lang.System', 'exit')",
		'SELECT update FROM t',
		'FROM as INSERT OVERWRITE t SELECT *',
		'FROM a.insert INSERT INTO t SELECT *',
		'TABLE t |> INSERT INTO u',
		"SELECT system.builtin.reflect('java.lang.System', 'exit')",
		"SELECT system.`reflect`('java.lang.System', 'exit')",
		"FROM t AS java_method('java.lang.System', 'exit')",
		'LIST x',
		'SHOW DROP',
		"FROM t MAP a USING 'sh'",
		'',
		// Comments and hints, where Spark ends them.
		'WITH t AS (SELECT 1 /* /*+ */) INSERT INTO foo SELECT * FROM t /* */',
		"WITH t AS (SELECT /*+ x('*/ ') */ 1) INSERT INTO foo SELECT 1",
		"WITH t AS (SELECT /*+ x(t) -- */ '\n 1) INSERT INTO foo SELECT '",
		'WITH t AS (SELECT 1) -- \\\r\nINSERT INTO foo SELECT 1',
		'SELECT 1 /* /* */',
		'/* /* */ CALL system.x() -- */ SELECT 1',
		'SELECT 1 /*',
		// Functions whose names are quoted or computed.
		"SELECT `reflect`('java.lang.System', 'exit')",
		"SELECT \"reflect\"('java.lang.System', 'exit')",
		"SELECT `reflect` /* */ ('java.lang.System', 'exit')",
		"SELECT identifier ('reflect')('java.lang.System', 'exit')",
		// Programs, and what is read from elsewhere.
		'WITH t AS (SELECT 1) REDUCE a USING"sh" FROM t',
		"SELECT '${spark.x}'",
		'SELECT * FROM x://y',
		'ınsert INTO t VALUES (1)',
		'WITH t AS (SELECT 1) ınſert overwrite u TABLE t',
		"SELECT 'a",
	])('not: %s', (statement) => expect(examine(statement).onlyReads).toBe(false));
});

it.each([
	['Insert into t VALUES (1)', 'INSERT'],
	['EXPLAIN EXTENDED truncate table t', 'TRUNCATE'],
	['WITH a AS (SELECT 1) Delete FROM t', 'Delete'],
	['SELECT 1; SELECT 2', ';'],
	["SELECT reflect('a', 'b')", 'reflect'],
	['SELECT `a` (1)', '`a`'],
	["SELECT 'a${x}'", '${'],
	['SELECT ?', '?'],
	['/* /* */ drop */ SELECT 1', 'drop'],
	["'a'", "'a'"],
	['```sql\nSELECT 1', '```sql\nSELECT 1'],
])('names what is in the way of reading: %s', (statement, obstacle) =>
	expect(examine(statement).obstacle).toBe(obstacle),
);

it.each([
	['```sql\nSELECT 1\n```', 'SELECT 1'],
	['\n```SQL \r\nSELECT 1,\n 2\n``` \n', 'SELECT 1,\n 2'],
	['```\nSELECT `a` FROM t\n\n```', 'SELECT `a` FROM t\n'],
	['```a```', '```a```'],
	['SELECT 1 -- ```', 'SELECT 1 -- ```'],
	['Try this:\n```sql\nSELECT 1\n```', 'Try this:\n```sql\nSELECT 1\n```'],
])('takes off the fence that models put round a statement: %j', (statement, plain) =>
	expect(removeFence(statement)).toBe(plain),
);

it.each([
	['SELECT * FROM a.b.hail WHERE size > 1', 'hail'],
	["SELECT 'from x' AS a -- from y\nFROM `my table` AS t", 'my table'],
	['WITH a AS (SELECT 1 FROM `b`.`c``d`) SELECT * FROM a', 'c`d'],
	['SELECT * FROM (SELECT 1)', undefined],
	['SELECT * FROM', undefined],
	['SHOW TABLES', undefined],
])('finds the first table of %j', (statement, name) => {
	expect(findTableName(statement)).toBe(name);
});

it('recognizes statements that return no rows', () => {
	expect(examine('/* a */ insert into t select 1').mayReturnRows).toBe(false);
	expect(examine('SELECT 1').mayReturnRows).toBe(true);
	expect(examine('CALL system.x()').mayReturnRows).toBe(true);
	expect(examine('SET').mayReturnRows).toBe(true);
});

it.each<[string, string | undefined, boolean]>([
	['SELECT * FROM t WHERE a = ?', '?', false],
	['SELECT * FROM t WHERE a = $1', '$1', false],
	['SELECT ’a’', '’', false],
	["SELECT '’?$1', `“` -- ?", undefined, false],
	['SELECT ${a}', undefined, false],
	['SELECT 1; SELECT 2', undefined, true],
	['SELECT 1; -- two;', undefined, false],
	["SELECT ';'", undefined, false],
	['SET a=b;c', undefined, false],
	['SET a=really?', undefined, false],
	['BEGIN SELECT 1; END', undefined, false],
])('recognizes what is no SQL of Spark, and a second statement: %j', (text, sign, isMany) => {
	expect(examine(text)).toMatchObject({ sign, isMany });
});

it('recognizes what is not a statement', () => {
	expect(examine('-- only this\n/* and this */ ; ').isEmpty).toBe(true);
	expect(examine(' \n\t ;; ').isEmpty).toBe(true);
	expect(examine("''").isEmpty).toBe(false);
});

it('finds expressions that were not evaluated', () => {
	expect(examine('SELECT {{ $json.a }}').hasExpression).toBe(true);
	expect(examine('SELECT `{{ $json.a }}`').hasExpression).toBe(true);
	expect(examine("SELECT '{{ a }}' -- {{ b }}").hasExpression).toBe(false);
	expect(examine("SELECT * FROM t WHERE name = '{{ $json.a }}'").hasExpression).toBe(true);
});

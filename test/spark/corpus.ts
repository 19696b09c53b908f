/** Statements for the check of Read Only: what people write to read, what Spark's grammar has, and both garbled. */
import { statementOf } from '../property/service/sql/spark/grammar';

/** The same numbers each time: a linear congruential generator. */
function chooser(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

type Pick = (below: number) => number;
type Rules = Record<string, string[]>;

/** Statements of a grammar: `<rule>` stands for one of the rule's texts. */
const RULES: Rules = {
	change: [
		...['INSERT INTO <table> <query>', 'WITH <name> AS (<select>) INSERT INTO <table> <select>'],
		...['FROM <table> INSERT OVERWRITE <table> SELECT <columns>', 'DELETE FROM <table>'],
		'FROM <table> INSERT INTO <table> SELECT <columns> INSERT INTO <table> SELECT <columns>',
		'FROM as INSERT OVERWRITE TABLE <table> SELECT <columns> WHERE <condition>',
		'WITH <name> AS (<select>) DELETE FROM <table> WHERE <condition>',
		...['WITH <name> AS (<query>) UPDATE <table> SET <name> = <value>', 'DROP TABLE <table>'],
		'WITH as AS (<select>) MERGE INTO <table> USING <name> ON <condition> WHEN MATCHED THEN DELETE',
		...['CREATE TABLE <table> AS <query>', 'ALTER TABLE <table> ADD COLUMN <name> INT'],
		...['TRUNCATE TABLE <table>', 'ınsert INTO <table> <query>', 'SET <name> = 1', 'USE <name>'],
		"SELECT <column>, reflect('java.lang.System', 'exit') FROM <table>",
		"SELECT `java_method`('a', 'b') AS <name> FROM <table>",
		"SELECT TRANSFORM(<name>) USING 'sh' FROM <table>",
		...["FROM <table> MAP <name> USING 'sh'", 'ADD JAR x', "LOAD DATA INPATH 'x' INTO TABLE t"],
		'INSERT INTO <table> TABLE <table>',
		'CREATE VIEW <name> AS <query>',
		'REFRESH TABLE <table>',
		'CACHE TABLE <name> AS <select>',
	],
	statement: [
		...['<query>', '<query>', '<query>', 'WITH <name> AS (<query>) <query>', 'EXPLAIN <query>'],
		...['SHOW TABLES IN <name>', 'SHOW NAMESPACES', 'DESCRIBE TABLE EXTENDED <table>'],
		...['SHOW CREATE TABLE <table>', 'SHOW COLUMNS IN <table>', "SHOW TABLES LIKE '<name>*'"],
		...['DESCRIBE QUERY <query>', 'LIST JARS', 'LIST FILES', 'EXPLAIN FORMATTED <query>'],
		...['VALUES (<value>, <value>)', 'TABLE <table>', 'DESC FUNCTION count', 'SHOW FUNCTIONS'],
		...['SHOW TBLPROPERTIES <table>', 'SHOW PARTITIONS <table>', 'SHOW VIEWS', 'SHOW CATALOGS'],
	],
	query: [
		...['<select>', '<select>', '<select> UNION ALL <select>', '<select> EXCEPT <select>'],
		...['FROM <table> SELECT <columns>', 'FROM <table> SELECT <columns> WHERE <condition>'],
		'<select> ORDER BY <column> DESC NULLS LAST LIMIT 10 OFFSET 5',
		'FROM <table> |> WHERE <condition> |> SELECT <columns> |> LIMIT 5',
		'TABLE <table> |> DROP <name> |> AGGREGATE count(*) AS n GROUP BY <name>',
	],
	select: [
		...['SELECT <columns> FROM <table>', 'SELECT <columns> FROM <table> WHERE <condition>'],
		'SELECT <columns> FROM <table> AS <name> JOIN <table> <name> USING (<name>)',
		'SELECT <column>, count(*) AS <name> FROM <table> GROUP BY <column> HAVING count(*) > 1',
		'SELECT <columns> FROM (<select>) AS <name>',
		'SELECT /*+ BROADCAST(<name>) */ <columns> FROM <table> LEFT JOIN <table> ON <condition>',
		'SELECT <columns> FROM <table> VERSION AS OF 1 TABLESAMPLE (10 PERCENT)',
		'SELECT <columns> FROM <table> LATERAL VIEW explode(<column>) x AS <name>',
		'SELECT DISTINCT <columns> FROM <table> WHERE <column> IN (<select>)',
		'SELECT <value> AS <name>, rank() OVER (PARTITION BY <column> ORDER BY <column>) FROM <table>',
		"SELECT * FROM <table> PIVOT (sum(<name>) FOR <name> IN ('a', 'b'))",
	],
	columns: ['*', '<column>', '<column>, <column>', '<column> AS <name>, <value>', '<function>'],
	column: ['<name>', 't.<name>', '`<name>`', 't.<changing>', '<column>::STRING', '<function>'],
	condition: [
		...['<column> = <value>', '<column> > <value> AND <column> IS NOT NULL', 'NOT <condition>'],
		...['<column> BETWEEN 1 AND 2', "<column> LIKE 'a%'", 'ST_Intersects(geometry, <function>)'],
		...['<column> IN (<value>, <value>)', 'EXISTS (<select>)', '(<condition> OR <condition>)'],
	],
	function: [
		...['ST_Point(<value>, 50.7)', "replace(<name>, 'a', 'b')", 'coalesce(<column>, <value>)'],
		...['CAST(<column> AS DECIMAL(10, 2))', 'transform(<name>, x -> x + 1)', 'array(1, 2)[0]'],
		...["CASE WHEN <condition> THEN <value> ELSE 'x' END", 'struct(<value> AS <changing>)'],
		...['count(DISTINCT <name>) FILTER (WHERE <condition>)', 'date_trunc("DAY", <name>)'],
	],
	table: ['t', 'ice.db.t', '<name>', 'org_catalog.noaa.`storm events`', 'ice.db.<changing>'],
	name: [
		...['a', 'id', 'geometry', 'name', 'k1', '_x', 'größe', 'set', 'replace', 'load', 'comment'],
	],
	changing: ['update', 'DELETE', 'insert', 'Into', 'drop', 'merge', 'call', 'create'],
	value: [
		...['1', "'x'", '-2.5', '1e3', "'it\\'s'", "r'\\d'", 'NULL', "DATE '2026-01-31'", '"q"'],
		...["'INSERT INTO t'", 'TRUE', "X'00FF'", "INTERVAL '1' DAY", '12345678901'],
	],
};

const SPACES = [
	...[' ', ' ', ' ', '\n', '\t', '\r\n', '\u00a0', ' /* note */ ', ' -- note\n', '\u3000'],
	...[' /* a /* nested */ comment */ ', " /* it's */ ", ' -- "\n'],
];

function written(rule: string, pick: Pick, depth = 0): string {
	const texts = RULES[rule];
	// The first is a short one.
	const text = texts[depth > 5 ? 0 : pick(texts.length)];
	return text.replaceAll(/<(\w+)>/g, (_, inner: string) => written(inner, pick, depth + 1));
}

/** With other white space and comments between its words, outside of quotes. */
function spaced(text: string, pick: Pick): string {
	const isOdd = pick(3) === 0;
	return text.replaceAll(/'[^']*'|"[^"]*"|`[^`]*`|\/\*\+| /g, (part) =>
		part === ' ' && isOdd ? SPACES[pick(SPACES.length)] : part,
	);
}

const GARBLING = [
	...['INSERT INTO t ', 'INSERT OVERWRITE t ', 'DELETE FROM t ', 'UPDATE t SET a = 1 ', ';', '('],
	...['/*', '*/', '/*+', '--', '\n', "'", '"', '`', '\\', ' AS ', '.', ')', ',', ' FROM ', ':'],
	...['ınsert into t ', 'MERGE INTO t ', ' reflect(', '`reflect`(', 'CALL ice.system.x() ', '|> '],
	...['DROP TABLE t ', ' USING ', "'sh'", 'TRANSFORM(a) ', 'CREATE TABLE t AS ', "r'", 'TABLE t '],
	...['WITH as AS (SELECT 1) ', 'FROM as ', 'EXPLAIN ', 'ALTER TABLE t ', 'BEGIN ', 'END '],
];

/** Pieces of a statement in which others were put, left out or repeated. */
function garbled(text: string, pick: Pick): string {
	const pieces = text.split(/(?<=[\s(),;'"])/);
	for (let count = 1 + pick(3); count > 0; count--) {
		const at = pick(pieces.length + 1);
		const inserted = pick(4) > 0 ? [GARBLING[pick(GARBLING.length)]] : pieces.slice(at, at + 3);
		pieces.splice(pick(pieces.length + 1), pick(2), ...inserted);
	}
	return pieces.join('');
}

/** 5,000 statements, always the same; those in `reading` only read where they are valid. */
export function corpus(): { reading: string[]; others: string[] } {
	const pick = chooser(43);
	const make = (count: number, one: () => string) => Array.from({ length: count }, one);
	const reading = make(1_600, () => spaced(written('statement', pick), pick));
	const changing = make(1_000, () => spaced(written('change', pick), pick));
	const walked = make(1_000, () => statementOf(pick, 3 + pick(25)).tokens.join(' '));
	const lists = [reading, changing, walked];
	const mixed = make(1_400, () => {
		const list = lists[pick(lists.length)];
		return garbled(list[pick(list.length)], pick);
	});
	return { reading, others: [...changing, ...walked, ...mixed] };
}

import type { IDataObject } from 'n8n-workflow';

import { isAmbiguous, isTemporary } from '../../../../nodes/Wherobots/transport/failure';
import {
	adviseOnFile,
	explainStatement,
	StatementError,
	type Problem,
} from '../../../../nodes/Wherobots/useCases/sql/problems';
import { statement } from '../../../support/scriptedSession';

/** The error for a statement of a session that is like this. */
async function failing(
	problem: Problem,
	message: string,
	onlyReads = false,
	session: IDataObject = {},
) {
	return await explaining(problem, message, { ...statement, onlyReads }, session);
}

async function explaining(
	problem: Problem,
	message: string,
	asked: Parameters<typeof explainStatement>[2],
	session: IDataObject = {},
) {
	const call = async () => await Promise.resolve({ status: 'READY', ...session });
	const error = new StatementError(problem, message);
	return await explainStatement({ call } as never, 's-1', asked, error);
}

const IDS = 'Session ID: s-1\nExecution ID: e-1';

const CORRECT = 'Correct the statement: unchanged, it will fail again.\n';

const BACKTICKS =
	'Put names of tables and columns in backticks: quotes make them text, and so does a parameter.\n';

/** What Spark says of a statement that it does not understand at this place. */
const syntax = (place: string) =>
	`[PARSE_SYNTAX_ERROR] Syntax error at or near ${place}. SQLSTATE: 42601`;

describe('no result', () => {
	const ADVICE = {
		again: /It only reads, so it can be run again/,
		costly: /It only reads, so it can be run again, at the same cost/,
		done: /Its changes have been made: do not run it again/,
		check: /Before you run it again, check whether they were made/,
		nothing: /The statement was not sent: run the node again/,
		longer: /It took longer than 60 seconds. Raise 'Query Timeout \(Seconds\)'/,
		unconfirmed: /did not confirm that it was cancelled/,
	};

	it.each<[Problem, 'read' | 'write', string, Array<keyof typeof ADVICE>]>([
		['failed', 'read', 'failed', []],
		['failed', 'write', 'failed', []],
		['cancelled', 'read', 'cancelled', []],
		['cancelled', 'write', 'cancelled', []],
		['timedOut', 'read', 'cancelled', ['longer']],
		['timedOut', 'write', 'cancelled', ['longer']],
		['timedOutOpen', 'read', 'unknown', ['again', 'longer', 'unconfirmed']],
		['timedOutOpen', 'write', 'unknown', ['check', 'longer', 'unconfirmed']],
		['lost', 'read', 'unknown', ['again']],
		['lost', 'write', 'unknown', ['check']],
		['unclear', 'write', 'unknown', ['check']],
		['unreadable', 'write', 'unknown', ['check']],
		['resultLost', 'read', 'succeeded', ['again', 'costly']],
		['resultLost', 'write', 'succeeded', ['done']],
		['notSent', 'read', 'notSent', ['nothing']],
	])('%s: says what is known and what to do (%s)', async (problem, kind, state, advice) => {
		const error = await failing(problem, 'Why', kind === 'read');
		const given = Object.entries(ADVICE).filter(([, each]) => each.test(error.description));
		expect(given.map(([name]) => name)).toEqual(advice);
		expect(error.description).toMatch(new RegExp(`${IDS}$`));
		expect(error.facts).toEqual({
			...{ sessionId: 's-1', executionId: 'e-1', state },
			...(problem === 'failed' && { cause: 'Why' }),
			...(advice.includes('check') && { ambiguous: true }),
		});
		// An error says that the statement can be run again, or that it must not be, never both.
		expect(isAmbiguous(error)).toBe(advice.includes('check'));
		expect(isTemporary(error)).toBe(advice.includes('again') || advice.includes('nothing'));
	});

	it('says what to do, and names the statement, however long the reason is', async () => {
		const trace = `Job aborted\n${'\tat org.apache.spark.Task.run(Task.scala:1)\n'.repeat(500)}`;
		const firstFailure = { message: trace.replace('Job', 'Driver') };
		const { description } = await failing('unclear', trace, false, { firstFailure });
		expect(description).toContain('The session reported: Driver aborted');
		expect(description).toMatch(ADVICE.check);
		expect(description).toMatch(new RegExp(`${IDS}$`));
	});

	it('leaves open whether the changes were made where the catalog has not said so', async () => {
		const cause =
			'org.apache.iceberg.exceptions.CommitStateUnknownException: Service failed: 504\nCannot determine whether the commit was successful';
		const error = await failing('failed', cause, false);
		expect(isAmbiguous(error)).toBe(true);
		expect(error.facts.state).toBe('unknown');
		expect(error.message).toContain('The catalog did not confirm whether it applied the changes');
		expect(error.description).toContain('Service failed: 504');
	});

	it.each([
		'java.nio.file.AccessDeniedException: s3a://bucket/a: 403',
		"User is not authorized to perform 'glue:UpdateTable'",
		'[INSUFFICIENT_PERMISSIONS] Insufficient privileges',
	])('says what to do where the session may not: %s', async (cause) => {
		const { description } = await failing('failed', cause);
		expect(description).toContain('select a credential with another key');
	});

	it.each<[Problem, string, string, string]>([
		['failed', 'No such table', ': No such table', ''],
		['failed', 'No such table\nat line 1', ': No such table', 'at line 1\n'],
		['failed', '[NONE] No table. SQLSTATE: 42P01', ': No table', CORRECT],
		['failed', '[NONE] No table; line 1 pos 14', ': No table; line 1 pos 14', CORRECT],
		...[`'"roads"'`, "''demo''"].map((place): [Problem, string, string, string] => [
			...(['failed', syntax(place), `: Syntax error at or near ${place}`] as const),
			CORRECT + BACKTICKS,
		]),
		['failed', '', '', ''],
		['cancelled', 'By hand', '', 'By hand\n'],
	])('%s: gives the whole reason, and only once (%j)', async (problem, message, more, below) => {
		const error = await failing(problem, message);
		expect(error.message).toMatch(new RegExp(`^The statement (failed|was cancelled.*)${more}$`));
		expect(error.description).toBe(`${below}${IDS}`);
	});

	it.each<[Problem, boolean]>([
		['lost', true],
		['failed', true],
		['resultLost', true],
		['cancelled', false],
	])('comes with what went wrong first in the session: %s (%j)', async (problem, isSaid) => {
		const firstFailure = { message: 'Driver ran out of memory' };
		const { description } = await failing(problem, 'Close code 1006', false, { firstFailure });
		expect(description.includes('The session reported: Driver ran out of memory')).toBe(isSaid);
	});
});

const NO_GEOMETRY = 'Select a geometry column.';

describe('a CSV file', () => {
	const error = (column: string, type: string) =>
		`[UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE] The CSV datasource doesn't support the column \`${column}\` of the type "${type}".`;

	it.each([
		['g', 'BINARY', 'ST_AsText(`g`) for geometries, base64(`g`) for other bytes'],
		['a geometry', 'GEOMETRY', 'ST_AsText(`a geometry`)'],
		['geometry_tags', 'ARRAY<STRING>', 'to_json(`geometry_tags`)'],
		['a``b', 'MAP<STRING, INT>', 'to_json(`a``b`)'],
		['s', 'STRUCT<x: INT>', 'to_json(`s`)'],
		['n', 'VOID', 'CAST(`n` AS STRING)'],
	])('can hold the column %s of type %s with a change of the query', (column, type, use) => {
		expect(adviseOnFile('csv', NO_GEOMETRY, error(column, type))).toBe(
			`A CSV file cannot hold the column \`${column}\` as it is: in the query, use ${use}.`,
		);
	});

	it('can hold geometries so, however the error puts it', () => {
		expect(adviseOnFile('csv', NO_GEOMETRY, 'Geometry is not supported')).toContain(
			'use ST_AsText(column)',
		);
	});

	it.each([
		'[TABLE_OR_VIEW_NOT_FOUND] The table or view `t` cannot be found.',
		'[COLUMN_NOT_FOUND] the column `a`',
	])('has no part in another error: %s', (message) => {
		expect(adviseOnFile('csv', NO_GEOMETRY, message)).toBeUndefined();
	});
});

describe('what Spark reports about a statement', () => {
	const PLACES =
		"Check the table's name: catalog.namespace.table. Catalog: Get Many lists the catalogs, and Table: Get Many their tables.\n";

	it('is shown without the plan, and a table that is not there with the place to look it up', async () => {
		const missing = [
			'[TABLE_OR_VIEW_NOT_FOUND] The table or view `org`.`demo`.`citys` cannot be found. Verify the spelling and correctness of the schema and catalog.',
			'If you did not qualify the name with a schema, verify the current_schema() output, or qualify the name with the correct schema and catalog.',
			'To tolerate the error on drop use DROP VIEW IF EXISTS or DROP TABLE IF EXISTS. SQLSTATE: 42P01; line 1 pos 14;',
			"'Project [*]",
			"+- 'UnresolvedRelation [org, demo, citys], [], false",
		].join('\n');
		const { message, description } = await failing('failed', missing, true);
		expect(message).toBe(
			'The statement failed: The table or view `org`.`demo`.`citys` cannot be found. Verify the spelling and correctness of the schema and catalog. (line 1 pos 14)',
		);
		expect(description).toBe(`${CORRECT}${PLACES}${IDS}`);
	});

	it.each([
		[
			'the catalog that may not be there',
			'[REQUIRES_SINGLE_PART_NAMESPACE] spark_catalog requires a single-part namespace, but got `no``pe`.`noaa`. SQLSTATE: 42K05',
			'there may be no catalog `no``pe`',
			PLACES,
		],
		[
			'the place to look at',
			syntax("'FROM'"),
			"Syntax error at or near 'FROM'",
			'Check the spelling there and just before: a comma, quote or keyword may be missing or extra, or an expression may have returned nothing.\n',
		],
		[
			'a function that is not there',
			'[UNRESOLVED_ROUTINE] Cannot resolve routine `st_contain` on search path. SQLSTATE: 42883',
			'Cannot resolve routine `st_contain` on search path',
			'Check the spelling of the function: Wherobots has those of Spark and Apache Sedona, not all of PostGIS.\n',
		],
		[
			'what a name without quotes may be',
			'[UNRESOLVED_COLUMN.WITHOUT_SUGGESTION] A column, variable, or function parameter with name `tx` cannot be resolved. SQLSTATE: 42703',
			'A column, variable, or function parameter with name `tx` cannot be resolved',
			'If `tx` is text, put it in single quotes.\n',
		],
	])('is shown with %s', async (_, cause, title, advice) => {
		const { message, description } = await failing('failed', cause, true);
		expect(message).toBe(`The statement failed: ${title}`);
		expect(description).toBe(`${CORRECT}${advice}${IDS}`);
	});

	it('takes a name of nothing for an expression that returned it', async () => {
		const cause =
			'[UNRESOLVED_COLUMN.WITHOUT_SUGGESTION] A column with name `undefined` cannot be resolved. SQLSTATE: 42703';
		const { description } = await failing('failed', cause, true);
		expect(description).toContain(
			'An expression in the query may have returned nothing: check it.',
		);
		expect(description).not.toContain('single quotes');
	});

	const aborted = (task: string, reason: string) =>
		`Job aborted due to stage failure: ${task}${reason}\n\tat org.apache.spark.sql.A$B.next(Unknown Source)\n\tat java.base/java.lang.Thread.run(Thread.java:829)\n\nDriver stacktrace:`;
	const TASK =
		'Task 0 in stage 12.0 failed 4 times, most recent failure: Lost task 0.3 in stage 12.0 (TID 57) (10.4.12.8 executor 1): ';

	it.each([
		[
			'a value that cannot be read',
			`${TASK}org.apache.spark.SparkNumberFormatException: Not a number`,
			'Not a number',
			'',
		],
		['a task on the driver', 'java.lang.RuntimeException: Too late', 'Too late', ''],
		[
			'a function of Sedona',
			`${TASK}org.apache.spark.sql.sedona_sql.expressions.InferredExpressionException: Exception occurred while evaluating expression ST_GeomFromWKT - inputs: [POINT 7 50, 0], cause: Expected EMPTY or ( but found '7' (line 1)`,
			"Expected EMPTY or ( but found '7' (line 1)",
			'In ST_GeomFromWKT, with the input [POINT 7 50, 0].\n',
		],
		[
			'memory that was not enough',
			`${TASK}java.lang.OutOfMemoryError: Java heap space`,
			'Java heap space',
			"The session probably ran out of memory: choose a larger 'Runtime', or read less.\n",
		],
		[
			'a result that is too large',
			'Total size of serialized results of 200 tasks (1024.9 MiB) is bigger than spark.driver.maxResultSize (1024.0 MiB)',
			'Total size of serialized results of 200 tasks (1024.9 MiB) is bigger than spark.driver.maxResultSize (1024.0 MiB)',
			"The result is too large: set 'Output' to a file, or return fewer rows.\n",
		],
	])('is shown without what Spark puts around %s', async (_, cause, title, advice) => {
		const { message, description } = await failing('failed', aborted('', cause), true);
		expect(message).toBe(`The statement failed: ${title}`);
		expect(description).toBe(`${advice}${IDS}`);
		// The driver computes what is constant, and reports it without a stage.
		const onDriver = await failing('failed', cause.replace(TASK, ''), true);
		expect(onDriver).toMatchObject({ message, description });
	});

	it('says nothing of a correction to people who did not write it', async () => {
		const asked = { ...statement, advice: { ...statement.advice, refused: undefined } };
		const why = '[NONE] No table. SQLSTATE: 42P01';
		const { description } = await explaining('failed', why, asked);
		expect(description).toBe(IDS);
	});

	it.each([
		"'WithCTE\n:- 'CTERelationDef 0, false\n+- 'Project [*]",
		"'Distinct\n+- 'Project [*]",
		"'Filter ('a = 2026-01-01 00:00:00)\n+- 'UnresolvedRelation [a], [], false",
		'!Project [a#1]\n+- LocalRelation',
		"'UnresolvedRelation [a], [], false\n",
	])('leaves out the plan %j', async (plan) => {
		const failed = `[NONE] Not possible. SQLSTATE: 42703; line 1 pos 7;\n${plan}`;
		const { message, description } = await failing('failed', failed, true);
		expect(message).toBe('The statement failed: Not possible (line 1 pos 7)');
		expect(description).toBe(`${CORRECT}${IDS}`);
	});

	it.each(['ValueError: bad geometry in row 17', 'Error in user code\nbad geometry in row 17'])(
		'keeps what is no plan: %j',
		async (more) => {
			const failed = `Python worker failed at line 3 pos 4;\n${more}`;
			const { description } = await failing('failed', failed, true);
			expect(description).toContain('bad geometry in row 17');
		},
	);

	it('says where in the statement it is, also in one line', async () => {
		const grouped =
			'[MISSING_GROUP_BY] The query does not include a GROUP BY clause. SQLSTATE: 42803; line 1 pos 0;\nAggregate [id#8, count(1) AS count(1)#11L]\n+- SubqueryAlias ice.demo.cities';
		const { message, description } = await failing('failed', grouped, true);
		expect(message).toBe(
			'The statement failed: The query does not include a GROUP BY clause (line 1 pos 0)',
		);
		expect(description).not.toMatch(/Aggregate|Get Many/);
	});
});

describe('a GeoJSON file', () => {
	it('needs a geometry column, which the advice says in the words of the form', async () => {
		const why = 'java.lang.IllegalArgumentException: No geometry column found';
		const { description } = await explaining('failed', why, { ...statement, file: 'geojson' });
		expect(description).toBe(`Select a geometry column, or set 'Output' to CSV File.\n${IDS}`);
	});

	it('has no part in another error about geometries', () => {
		const why = 'IllegalArgumentException: Invalid geometry in column g';
		expect(adviseOnFile('geojson', NO_GEOMETRY, why)).toBeUndefined();
	});
});

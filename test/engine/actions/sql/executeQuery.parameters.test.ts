import { ok } from '../../harness';
import { INSERT, suiteWithSql } from './query';

const { suite, run } = suiteWithSql();

describe('parameters', () => {
	it('are bound by value', async () => {
		suite.sql.answer(/./, { rows: [{ a: 1 }] });
		const parameter = [{ name: 'name', type: 'text', value: "x' OR ':size'" }];
		ok(await run("SELECT ':name', :name -- :name", { queryParameters: { parameter } }));
		expect(suite.sql.taken()[0].text).toBe(
			"SELECT ':name', CAST(X'7827204F5220273A73697A6527' AS STRING) -- :name",
		);
	});

	it.each([
		[[{ name: 'a b' }], '\'Query Parameters\' has the name "a b"'],
		[
			[{ name: 'a', type: 'uuid', value: 'x' }],
			"'Query Parameters' has an entry whose 'Type' must be one of automatic, boolean, ",
		],
		[[{ name: 'a' }, { name: ':a' }], "'Query Parameters' has two values for :a"],
		[[{ name: 'b' }], "'Query Parameters' has no value for :a"],
	])('are checked: %j', async (parameter, message) => {
		const { error } = await run('SELECT :a', { queryParameters: { parameter } });
		expect(error?.message).toContain(message);
		expect(suite.requests.count).toBe(0);
	});

	it.each([
		['text', 'SELECT :a', '{{ $json.a }}'],
		['text', 'SELECT :a', "'; `{{ a }}`"],
		['text', 'SHOW TABLES LIKE :a', '{{ a }}'],
		['list', 'SELECT 1 WHERE 2 IN :a', '["{{ $json.a }}", "`{{"]'],
	])('may contain what a query may not, an expression: %s in %s', async (type, query, value) => {
		const parameter = [{ name: 'a', type, value: '={{ $json.value }}' }];
		const options = { input: [{ value }] };
		const { error } = await run(query, { queryParameters: { parameter } }, options);
		expect(String(error?.message)).not.toContain('contains {{');
		const withExpression = `${query} {{ $json.b }}`;
		const inQuery = await run(withExpression, { queryParameters: { parameter } }, options);
		expect(inQuery.error?.message).toContain("'Query' contains {{, which is not valid SQL");
	});

	it.each([
		['an expression without braces', '> $json.a', 'contains $json', "SELECT '$json.a'"],
		[
			'an object that n8n has turned into text',
			...['= [object Object]', 'has [object Object]', "SELECT '[object Object]', a[object]"],
		],
	])('%s is none of SQL, but for a text', async (_, condition, what, good) => {
		const { error } = await run(`SELECT * FROM t WHERE a ${condition}`);
		expect(error?.message).toBe(`'Query' ${what}, which is not valid SQL`);
		expect(suite.requests.count).toBe(0);
		suite.sql.answer(good, { rows: [{ a: 1 }] });
		expect((await run(good)).json).toEqual([{ a: 1 }]);
	});

	it('a fence round the query is no part of it', async () => {
		suite.sql.answer('SELECT 1', { rows: [{ a: 1 }] });
		expect((await run('```sql\nSELECT 1\n```', { readOnly: true })).json).toEqual([{ a: 1 }]);
	});

	it.each([
		['\u200bSELECT 1', '"<U+200B>SELECT 1"'],
		['SELECT 1\u2060', '"<U+2060>"'],
		['\u0000', '"<U+0000>"'],
	])('Read Only names what cannot be seen by its code: %j', async (query, shown) => {
		const { error } = await run(query, { readOnly: true });
		expect(error?.message).toContain(`the check stopped at ${shown}`);
	});

	it('Read Only refuses a statement that changes something', async () => {
		expect((await run(INSERT, { readOnly: true })).error?.message).toBe(
			"'Query' must only read, because 'Read Only' is on: the check stopped at \"INSERT\"",
		);
		expect(suite.requests.count).toBe(0);
	});
});

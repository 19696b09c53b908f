import { ok } from '../../harness';
import { INSERT, SELECT, cities, point, suiteWithSql } from './query';

const { suite, run } = suiteWithSql();

describe('rows', () => {
	beforeEach(() => {
		suite.sql.answer(SELECT, { rows: cities, geometryColumns: ['at'] });
	});

	const expected = [
		{
			...{ id: '9007199254740993', name: 'Köln 🏙', height: 52.5, active: true, tags: ['a'] },
			at: 'POINT (7.1 50.7)',
		},
		{ id: 2, name: null, height: 1, active: false, at: null, tags: [] },
	];

	it.each([
		{},
		{ sqlFrames: 'binary' },
		{ sqlStates: 'twice', sqlNoise: true },
		{ sqlStates: 'last', sqlNoise: true },
		{ sqlCompression: 'none' },
		{ sqlSessionLocation: 'relative', sqlUnknownSession: 'notFound' },
		{ sqlMetaWhileStarting: 'url' },
		{ sqlMetaWhileStarting: 'absent' },
	] as const)('come as items with their types (%j)', async (variants) => {
		Object.assign(suite.variants, variants);
		const { json, hints } = ok(await run(SELECT));
		expect(json).toEqual(expected);
		expect(hints).toEqual([]);
		expect(suite.sql.taken()).toHaveLength(1);
	});

	it('come with geometries as GeoJSON', async () => {
		const empty = { type: 'Point', coordinates: [] };
		const elsewhere = { type: 'Point', coordinates: [779_000, 6_570_000] };
		const rows = [
			...cities,
			{ ...cities[1], at: empty },
			{ ...cities[1], at: { ...elsewhere, srid: 3857 } },
		];
		suite.sql.answer(SELECT, { rows, geometryColumns: ['at'] });
		const { json } = ok(await run(SELECT, { geometryFormat: 'geojson' }));
		const crs = { type: 'name', properties: { name: 'EPSG:3857' } };
		// An empty point, of which the service cannot make GeoJSON, does not cost the others.
		expect(json.map(({ at }) => at)).toEqual([point, null, empty, { ...elsewhere, crs }]);
	});

	it('keep both columns of one name', async () => {
		suite.sql.answer('SELECT a, a', { columns: ['a', 'a'], rows: [[1, 2]] });
		const { json, hints } = await run('SELECT a, a');
		expect(json).toEqual([{ a: 1, a_2: 2 }]);
		expect(hints).toEqual([expect.stringContaining('renamed: a_2.')]);
	});

	it.each(['empty', 'null', 'object'] as const)('may be missing altogether (%s)', async (way) => {
		suite.variants.sqlNoRows = way;
		suite.sql.answer('SELECT 0', { columns: ['a'], rows: [] });
		suite.sql.answer('SELECT nothing', {});
		const { json, hints } = ok(await run('SELECT 0'));
		expect(json).toEqual([]);
		expect(hints).toEqual(['There are no rows in the result of the query (its columns are a).']);
		expect((await run('SELECT nothing')).json).toEqual([]);
	});

	it.each([
		['SELECT "name" FROM cities', true],
		['select "name", id FROM cities', true],
		['SELECT "city" AS kind FROM cities', false],
		['SELECT `name` FROM cities', false],
	])('come with a hint where a name is in double quotes: %s', async (query, isSaid) => {
		suite.sql.answer(query, { rows: [{ name: 'name' }] });
		const hint = '"name" in double quotes is text in Spark SQL: put names in backticks.';
		expect(ok(await run(query)).hints).toEqual(isSaid ? [hint] : []);
	});

	it('are all that arrive, with a hint where more may have been left out', async () => {
		const rows = Array.from({ length: 2_500 }, (_, n) => ({ n }));
		suite.sql.answer(/^SELECT n/, { rows });
		const cut = await run('SELECT n');
		expect([cut.json.length, cut.hints]).toEqual([
			1_000,
			[expect.stringContaining('so some may be missing')],
		]);
		expect((await run('SELECT n LIMIT 1000')).hints).toEqual([]);
		suite.variants.sqlRowLimit = Infinity;
		const all = await run('SELECT n');
		expect([all.json, all.hints]).toEqual([rows, []]);
		const few = await run('SELECT n', { options: { maxRows: 10 } });
		expect(few.json).toEqual(rows.slice(0, 10));
		expect(few.hints).toEqual(["Only 10 of 2500 rows are returned ('Max Rows')."]);
		expect((await run('SELECT n', { options: { maxRows: 2500 } })).hints).toEqual([]);
	});
});

describe('a statement without rows', () => {
	it.each(['WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a', 'SET x = 1', 'ADD JAR x'])(
		'returns one item, however it begins: %s',
		async (statement) => {
			for (const way of ['empty', 'null', 'object'] as const) {
				suite.variants.sqlNoRows = way;
				suite.sql.answer(statement, {});
				const { json } = await run(statement);
				expect(json).toEqual([expect.objectContaining({ state: 'succeeded' })]);
			}
		},
	);

	it('returns one item', async () => {
		suite.sql.answer(INSERT, {});
		const { json } = ok(await run(INSERT, { output: 'csv' }));
		const [{ id, sessionId, store }] = suite.sql.taken();
		expect(json).toEqual([{ executionId: id, sessionId, state: 'succeeded' }]);
		expect(store).toBeUndefined();
	});

	it("fails in the service's words, with what to do, the IDs to find it by, and codes among the details", async () => {
		const { error } = await run('CALL nothing()');
		expect(error?.message).toMatch(/^The statement failed: The table or view cannot be found\./);
		expect(error?.description).toMatch(/^Correct the statement/);
		expect(`${error?.message} ${error?.description}`).not.toMatch(/NOT_FOUND|SQLSTATE/);
		expect(error?.context?.data).toMatchObject({
			cause: expect.stringMatching(/^\[TABLE_OR_VIEW_NOT_FOUND\] .* SQLSTATE: 42P01$/),
		});
		const [{ id, sessionId }] = suite.sql.taken();
		expect(error?.description).toContain(`Session ID: ${sessionId}\nExecution ID: ${id}`);
		expect(error?.context?.data).toMatchObject({ executionId: id, sessionId, state: 'failed' });
	});
});

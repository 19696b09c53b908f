import { STATEMENT_LIMITS } from '../../../../nodes/Wherobots/transport/sql/runStatement';
import { INSERT, SELECT, cities, point, suiteWithSql } from './query';

const { suite, run } = suiteWithSql();

describe('rows', () => {
	beforeEach(() => {
		suite.sandbox.sql.answer(SELECT, { rows: cities, geometryColumns: ['at'] });
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
		{ sqlRowLayout: 'lines' },
		{ sqlSessionLocation: 'relative', sqlUnknownSession: 'notFound' },
		{ sqlMetaWhileStarting: 'url' },
		{ sqlMetaWhileStarting: 'absent' },
	] as const)('come as items with their types (%j)', async (variants) => {
		Object.assign(suite.sandbox.variants, variants);
		const { json, error, hints } = await run(SELECT);
		expect(error).toBeUndefined();
		expect(json).toEqual(expected);
		expect(hints).toEqual([]);
		expect(suite.sandbox.sql.taken()).toHaveLength(1);
	});

	it.each(['text', 'object'] as const)('come with geometries as GeoJSON (%s)', async (layout) => {
		suite.sandbox.variants.sqlRowGeoJson = layout;
		const { json, error } = await run(SELECT, { geometryFormat: 'geojson' });
		expect(error).toBeUndefined();
		expect(json.map(({ at }) => at)).toEqual([point, null]);
	});

	it('that the session compresses are an error with advice', async () => {
		suite.sandbox.variants.sqlCompression = 'brotli';
		const { error } = await run(SELECT);
		expect(error?.description).toContain('CSV or GeoJSON file');
	});

	it.each(['empty', 'null'] as const)('may be missing altogether (%s)', async (way) => {
		suite.sandbox.variants.sqlNoRows = way;
		suite.sandbox.sql.answer('SELECT 0', { columns: ['a'], rows: [] });
		const { json, error, hints } = await run('SELECT 0');
		expect(error).toBeUndefined();
		expect(json).toEqual([]);
		expect(hints).toEqual(['There are no rows in the result of the query.']);
	});

	it('come with a hint when there are more than the service sends', async () => {
		const rows = Array.from({ length: 1_001 }, (_, n) => ({ n }));
		suite.sandbox.sql.answer('SELECT n', { rows });
		const { json, hints } = await run('SELECT n');
		expect(json).toHaveLength(1_000);
		expect(hints).toEqual([expect.stringContaining('the service sends no more')]);
		const few = await run('SELECT n', { options: { maxRows: 10 } });
		expect(few.json).toEqual(rows.slice(0, 10));
		expect(few.hints).toEqual([expect.stringContaining("'Max Rows'")]);
	});

	it.each([
		[
			'SELECT x',
			'[{"d": 1234567890123456789.01, "n": NaN}]',
			{ d: '1234567890123456789.01', n: 'NaN' },
		],
	])('keep what JavaScript numbers lose', async (query, json, row) => {
		suite.sandbox.sql.answer(query, { columns: ['d', 'n'], rows: [{}], json });
		expect((await run(query)).json).toEqual([row]);
	});

	it('are not taken for complete when they are cut off', async () => {
		suite.sandbox.sql.addFault({ at: 'frame', fault: { kind: 'shorten', bytes: 40 } });
		const { error, json } = await run(SELECT);
		expect(json).toEqual([]);
		expect(error?.message).toBe('The rows that the SQL session sent cannot be read');
		expect(error?.description).toContain('not all of them arrived');
	});
});

describe('a statement without rows', () => {
	it('returns one item', async () => {
		suite.sandbox.sql.answer(INSERT, {});
		const { json, error } = await run(INSERT, { output: 'csv' });
		expect(error).toBeUndefined();
		const [{ id, sessionId, store }] = suite.sandbox.sql.taken();
		expect(json).toEqual([{ executionId: id, sessionId, state: 'succeeded' }]);
		expect(store).toBeUndefined();
	});

	it("fails in the service's words, with the IDs to find it by", async () => {
		const { error } = await run('CALL nothing()');
		expect(error?.message).toMatch(/^The statement failed: \[TABLE_OR_VIEW_NOT_FOUND\]/);
		const [{ id, sessionId }] = suite.sandbox.sql.taken();
		expect(error?.description).toContain(`Session ID: ${sessionId}\nExecution ID: ${id}`);
		expect(error?.context?.facts).toMatchObject({ executionId: id, sessionId, state: 'failed' });
	});

	it('fails, and says why if the reason comes first', async () => {
		suite.sandbox.variants.sqlErrorEvent = 'before';
		STATEMENT_LIMITS.explanationMs = 50;
		const { error } = await run('CALL nothing()');
		expect(error?.message).toMatch(/^The statement failed/);
	});
});

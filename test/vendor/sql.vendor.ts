/** wherobots-python-dbapi: SQL sessions and statements. */
import { Date_, DateUnit, Decimal } from 'apache-arrow';

import { describeWith } from './environment';
import { startJudge, type Judge, type Outcomes } from './judge';

/** A row of every type. */
const TYPES = {
	whole: 1,
	long: 9_007_199_254_740_993n,
	number: 1.5,
	price: 12_345n,
	text: 'größe',
	flag: true,
	nothing: null,
	bytes: Buffer.from('abc'),
	day: new Date('2026-11-25'),
	at: new Date('2026-11-25T10:20:30.456Z'),
	list: [1, 2],
	record: { a: 1, b: 'x' },
	pairs: new Map([['a', 1]]),
};

function answers({ sandbox: { sql } }: Judge): void {
	const place = { type: 'Point', coordinates: [7.1, 50.7] };
	const few = { rows: [{ id: 1 }] };
	sql.answer('SELECT * FROM types', {
		rows: [TYPES],
		types: { price: new Decimal(2, 10), day: new Date_(DateUnit.DAY) },
	});
	sql.answer('SELECT * FROM places', { rows: [{ place }], geometryColumns: ['place'] });
	sql.answer('SELECT * FROM empty', { columns: ['id', 'name'], rows: [] });
	sql.answer('SELECT * FROM t', few);
	sql.answer(/^CREATE TABLE/, {});
	sql.answer("SELECT * FROM t WHERE name = 'O''Brien' AND id = 7", { rows: [{ id: 7 }] });
	sql.answer('SELECT slow', { ...few, seconds: 3_600 });
	sql.answer('SELECT progress', { ...few, seconds: 20 });
	sql.answer('SELECT cut', { ...few, seconds: 60 });
	sql.answer('SELECT late cut', few);
	sql.answer('SELECT silent', { ...few, seconds: 10 });
	sql.addFault({
		at: 'frame',
		state: 'running',
		statement: /^SELECT cut/,
		times: 1,
		fault: { kind: 'cut', where: 'after' },
	});
	sql.addFault({ at: 'retrieve', statement: /late cut/, times: 1, fault: { kind: 'cut' } });
	sql.addFault({ at: 'statement', statement: /silent/, fault: { kind: 'silence' } });
}

describeWith('clients')('wherobots-python-dbapi', () => {
	let judge: Judge;
	let sql: Outcomes;
	let fallback: Outcomes;

	beforeAll(async () => {
		judge = await startJudge('clients', { timings: { sqlStartMs: 2_000 } });
		answers(judge);
		sql = await judge.work('sql.py');
		judge.sandbox.variants.sqlSessionQuota = 1;
		fallback = await judge.work('sql_fallback.py');
	});

	afterAll(async () => await judge?.stop());

	it('shares a session among the same requests only, and only where none is forced', () => {
		// In order: the same request; another key; another shutdown time; a forced one; no runtime.
		expect(sql.session).toEqual({ fallback: null, first: [0, 0, 2, 3, 4, 5] });
	});

	it('is told when it gets the session of another request instead', () => {
		expect(fallback.beyond_the_quota).toEqual([null, 'quota']);
	});

	it('reads rows of every type, as Arrow', () => {
		expect(sql.types).toEqual({
			columns: Object.keys(TYPES),
			rows: [
				[
					...['1', '9007199254740993', '1.5', '123.45', 'größe', 'True', 'None', "b'abc'"],
					...['2026-11-25', '2026-11-25 10:20:30.456000+00:00', '[1 2]'],
					...["{'a': 1, 'b': 'x'}", "[('a', 1)]"],
				],
			],
		});
	});

	it('reads geometries in each representation, as EWKT by default', () => {
		expect(sql.geometries).toEqual({
			None: 'SRID=4326;POINT (7.1 50.7)',
			wkt: 'POINT (7.1 50.7)',
			ewkt: 'SRID=4326;POINT (7.1 50.7)',
			geojson: '{"type":"Point","coordinates":[7.1,50.7]}',
			wkb: expect.stringMatching(/^b'\\x01\\x01\\x00\\x00\\x00/),
			ewkb: expect.stringMatching(/^b'\\x01\\x01\\x00\\x00 \\xe6\\x10/),
		});
	});

	it('reads the columns of a result without rows', () => {
		expect(sql.nothing_found).toEqual({ columns: ['id', 'name'], rows: [] });
	});

	it('reads no columns from a statement without a result', () => {
		expect(sql.without_result).toEqual({ columns: [], rows: [] });
	});

	it('writes its own parameters into the text, and doubles quotes', () => {
		expect(sql.parameters.rows).toEqual([['7']]);
	});

	it('is told why a statement failed', () => {
		expect(sql.failed).toEqual({
			error: 'OperationalError',
			message: expect.stringMatching(/^\[TABLE_OR_VIEW_NOT_FOUND\] /),
		});
	});

	it('has a result stored, and gets a presigned address and the size', () => {
		expect(sql.stored).toEqual({ size: expect.any(Number), uri: 'part-00000.csv' });
	});

	it('gets no address for a result without rows', () => {
		expect(sql.stored_nothing).toEqual({ stored: null });
	});

	it('takes a statement that it has cancelled for an empty result', () => {
		expect(sql.cancelled).toEqual({ columns: [], rows: [] });
		expect(judge.sandbox.sql.taken('SELECT slow')).toMatchObject([{ state: 'cancelled' }]);
	});

	it('is told the progress of a statement', () => {
		const told = sql.progress as Array<[completed: number, total: number, active: number]>;
		expect(told.at(-1)).toEqual([4, 4, 0]);
		expect(told.map(([completed]) => completed)).toEqual(told.map(([each]) => each).sort());
	});

	it('executes thirty statements in turn and ten at once over one connection', () => {
		expect(sql.thirty_in_turn).toEqual(Array(30).fill([['1']]));
		expect(sql.ten_at_once).toEqual(Array(10).fill([['1']]));
	});

	it.each([
		['cut_while_running', 'SELECT cut'],
		['cut_before_the_result', 'SELECT late cut'],
	])('attaches again to a statement whose connection was lost (%s)', (which, statement) => {
		expect(sql[which]).toEqual({ columns: ['id'], rows: [['1']] });
		expect(judge.sandbox.sql.taken(statement)).toHaveLength(1);
	});

	it('lost its connection twice in that', () => {
		expect(sql.reconnected).toBe(2);
	});

	it('asks a statement that is silent for its state', () => {
		expect(sql.silent).toEqual([['1']]);
	});

	it('cannot return rows as JSON in 0.30.1', () => {
		const message = "'list' object has no attribute 'empty'";
		expect(sql.as_json).toEqual({ error: 'AttributeError', message });
	});

	it('sends nothing that the protocol does not have', () => {
		expect(judge.sandbox.sql.violations).toEqual([]);
	});
});

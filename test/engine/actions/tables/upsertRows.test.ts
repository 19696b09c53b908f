/** Insert or Update Rows: each item is the row with its key, however often it is written. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { errorOf, ok, type NodeOptions } from '../../harness';
import { fieldsOf } from '../../harness/pickers';
import { at } from '../parameters';
import { NAME, numberedRows, rowsOf, stagedFiles, suiteWithTable, takeInserts } from './tables';

const { suite, run, refused, shapes, lose } = suiteWithTable();

const matchOn = (...matchingColumns: string[]): INodeParameters => ({
	row: { mappingMode: 'autoMapInputData', value: null, matchingColumns } as never,
});

const upsert = async (input: IDataObject[], more: INodeParameters = {}, options?: NodeOptions) =>
	await run('upsertRows', { ...matchOn('id'), ...more }, { input, ...options });

/** What was sent for items that are taken. */
async function sent(input: IDataObject[], more?: INodeParameters): Promise<string> {
	takeInserts(suite);
	ok(await upsert(input, more));
	const [{ text }, ...others] = suite.sql.taken();
	expect(others).toEqual([]);
	return text;
}

const INSERTED =
	'WHEN NOT MATCHED THEN INSERT (`id`, `name`, `size`, `count`, `day`, `seen`, `price`, `tags`, `geometry`) VALUES (s.c0, s.c1, s.c2, s.c3, s.c4, s.c5, s.c6, s.c7, s.c8)';

describe('the statement', () => {
	it('merges all items by their key, with the casts of Insert Rows', async () => {
		const text = await sent([
			{ id: 1, name: 'a', geometry: 'POINT (7.1 50.7)' },
			{ id: 2, name: null, geometry: 'POINT (1 2)' },
		]);
		expect(text).toBe(
			`MERGE INTO ${NAME} AS t USING (SELECT CAST(CAST(c0 AS STRING) AS BIGINT) AS c0, CAST(c1 AS STRING) AS c1, CAST(CAST(c2 AS STRING) AS DOUBLE) AS c2, CAST(CAST(c3 AS STRING) AS INT) AS c3, CAST(CAST(c4 AS STRING) AS DATE) AS c4, CAST(CAST(c5 AS STRING) AS TIMESTAMP) AS c5, CAST(CAST(c6 AS STRING) AS DECIMAL(10, 2)) AS c6, transform(from_json(CAST(c7 AS STRING), 'ARRAY<STRING>', map('mode', 'FAILFAST')), x0 -> x0) AS c7, ST_GeomFromWKT(CAST(c8 AS STRING), 4326) AS c8, CAST(c9 AS STRING) AS number, CAST(c10 AS STRING) AS given FROM VALUES ('1', 'a', NULL, NULL, NULL, NULL, NULL, NULL, 'POINT (7.1 50.7)', '0', '110000001'), ('2', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'POINT (1 2)', '1', '110000001') AS v(c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10)) AS s ON t.\`id\` = s.c0 WHEN MATCHED THEN UPDATE SET \`name\` = s.c1, \`geometry\` = s.c8 ${INSERTED}`,
		);
	});

	it('leaves what some items have no value for as it is in the table', async () => {
		const text = await sent([
			{ id: 1, name: 'a', size: 1 },
			{ id: 2, name: 'b' },
		]);
		expect(text).toContain(
			"UPDATE SET `name` = s.c1, `size` = CASE WHEN substr(s.given, 3, 1) = '1' THEN s.c2 ELSE t.`size` END WHEN",
		);
		expect(rowsOf(suite, text).map((row) => row.at(-1))).toEqual(['111000000', '110000000']);
	});

	it('changes no column that is left empty in the form, and sets one that an expression makes NULL', async () => {
		const value = {
			id: '={{ $json.no }}',
			name: null,
			size: '={{ null }}',
			count: '={{ $json.x }}',
		};
		const row = { mappingMode: 'defineBelow', value, matchingColumns: ['id'] } as never;
		expect(await sent([{ no: 1 }], { row })).toContain('UPDATE SET `size` = s.c2 WHEN');
	});

	it.each<[INodeParameters, RegExp]>([
		[{ ifMatched: 'leave' }, /AS s ON t\.`id` = s\.c0 WHEN NOT MATCHED THEN INSERT/],
		[{ ifMissing: 'leave' }, /UPDATE SET `name` = s\.c1, `day` = s\.c4$/],
		[
			{ ifMissing: 'fail' },
			/`day` = s\.c4 WHEN NOT MATCHED AND raise_error\(concat\('The table has no row for item ', s\.number\)\) IS NULL THEN INSERT/,
		],
		[
			matchOn('name', 'day'),
			/ON t\.`name` = s\.c1 AND t\.`day` = s\.c4 WHEN MATCHED THEN UPDATE SET `id` = s\.c0 WHEN/,
		],
	])('follows the form: %j', async (more, expected) => {
		expect(await sent([{ id: 1, name: 'a', day: '2026-01-31' }], more)).toMatch(expected);
	});

	it('reads a file for many items, which is gone afterwards', async () => {
		const state = takeInserts(suite);
		const { json } = ok(await upsert(numberedRows(5, { name: 'x'.repeat(200_000) })));
		expect(suite.sql.taken()[0].text).toContain('v[9] AS number, v[10] AS given FROM (SELECT');
		expect(state.ids).toEqual([0, 1, 2, 3, 4]);
		expect(json[4].wherobots).toMatchObject({ state: 'succeeded', table: NAME, rows: 5 });
		expect(stagedFiles(suite)).toEqual([]);
	});

	it('needs no required column where it only updates', async () => {
		const item = { name: 'a', size: 1 };
		const only = { ...matchOn('name'), ifMissing: 'leave' };
		expect(await sent([item], only)).toMatch(/UPDATE SET `size` = s\.c2$/);
		const error = await upsert([item], matchOn('name'));
		expect(error.error?.message).toContain('has no value for id, which must have one');
	});
});

describe('refused before anything is sent', () => {
	it.each<[string, IDataObject[], INodeParameters, string]>([
		[
			'two items of one key',
			[{ id: 7 }, { id: 8 }, { id: '07' }],
			{},
			'the same key in items 0 and 2: id = "7"',
		],
		[
			'an item without a key',
			[{ id: 1 }, { id: 2, day: null }],
			matchOn('day'),
			'has no value for day, which is a column to match on',
		],
		['no key', [{ id: 1 }], matchOn(), 'needs columns to match on'],
		[
			'nothing to update',
			[{ id: 1, name: 'a' }, { id: 2 }],
			{ ifMissing: 'leave' },
			'has no value to update',
		],
		['a value that does not fit', [{ id: 1, count: 1.5 }], {}, 'has the value 1.5 for count'],
	])('%s', async (_, input, more, message) => {
		const error = await refused('upsertRows', { ...matchOn('id'), ...more }, { input });
		expect(error?.message).toContain(message);
	});

	it.each([
		['size', 'cannot match on size, whose type is number (DOUBLE)'],
		['geometry', 'cannot match on geometry'],
		['tags', 'cannot match on tags, whose type is list'],
		['former', 'has "former", which is not a column'],
		['ID', 'has "ID", which is not a column'],
	])('%s as a key beside another one', async (name, message) => {
		const error = await refused('upsertRows', matchOn('id', name), { input: [{ id: 1 }] });
		expect(error?.message).toContain(message);
	});

	it.each(['leave', 'fail'])(
		'nothing to do, since rows that match are left (%s)',
		async (ifMissing) => {
			const form = { ...matchOn('id'), ifMatched: 'leave', ifMissing };
			const error = await refused('upsertRows', form, { input: [{ id: 1 }] });
			expect(error?.message).toContain("must be 'Insert' when 'If a Row Matches' is 'Leave It'");
		},
	);

	it.each([
		['fixed[2]', 'AQI', 'AQI='],
		['timestamptz', '2026-01-31T09:00:00.50Z', '2026-01-31T10:00:00.5+01:00'],
		['boolean', 'yes', true],
		['date', '20260131', '2026-01-31'],
	])('one key of the type %s in two notations', async (type, one, other) => {
		const error = await refused(
			'upsertRows',
			{ ...shapes(type), ...matchOn('geometry') },
			{ input: [{ geometry: one }, { geometry: other }] },
		);
		expect(error?.message).toContain('has the same key in items 0 and 1');
	});

	it.each(['__proto__', 'constructor', 'select', 'a `b`'])(
		'not a column that is called %s',
		async (name) => {
			const { catalogs } = suite.store;
			const fields = [name, 'value'].map((each) => ({ name: each, type: 'string' }));
			catalogs.addTable(catalogs.get('cat-org') as never, 'surveys', { name: 'odd', fields });
			takeInserts(suite);
			const place = at('cat-org', 'surveys', 'odd');
			const input = ['1', '2'].map(
				(key) => JSON.parse(`{"${name}": "${key}", "value": "x"}`) as IDataObject,
			);
			ok(await run('upsertRows', { ...place, ...matchOn(name) }, { input }));
			const [{ text }] = suite.sql.taken();
			expect(text).toContain(
				`ON t.\`${name.replaceAll('`', '``')}\` = s.c0 WHEN MATCHED THEN UPDATE SET \`value\``,
			);
			expect(rowsOf(suite, text).map(([key]) => key)).toEqual(['1', '2']);
		},
	);
});

it('an item whose key is not in the table is named with its key, and no row is changed', async () => {
	suite.sql.answer(/^MERGE/, {
		error:
			'org.apache.spark.SparkException: Job aborted due to stage failure: java.lang.RuntimeException: The table has no row for item 1\n\tat org.apache.spark',
	});
	const { error } = await upsert(
		[
			{ id: 1, name: 'a' },
			{ id: 77, name: 'b' },
		],
		{ ifMissing: 'fail' },
	);
	expect(error?.message).toBe('Item 1 matches no row of the table: id = "77"');
	expect(error?.description).toContain('No row was changed.');
});

describe('a statement whose outcome is lost', () => {
	const rows = [
		{ id: 1, name: 'a' },
		{ id: 2, name: 'b' },
	];

	it('is sent again, since that changes nothing more', async () => {
		lose();
		const state = takeInserts(suite);
		ok(await upsert(rows));
		expect(state.ids).toEqual([1, 2]);
	});

	it('is sent again in another session where the first is over', async () => {
		const state = takeInserts(suite);
		suite.sql.addFault({ at: 'statement', times: 1, fault: { kind: 'die' } });
		ok(await upsert(rows));
		expect(suite.requests.of('createSqlSession')).toHaveLength(2);
		expect(state.ids).toEqual([1, 2]);
	});

	it('is sent again by Retry On Fail', async () => {
		lose({ times: 2 });
		const state = takeInserts(suite);
		ok(await upsert(rows, {}, { maxTries: 2 }));
		expect(state.ids).toEqual([1, 2]);
	});

	it('says that it can be repeated when it is lost again', async () => {
		lose({ times: 2 });
		takeInserts(suite);
		const { error } = await upsert(rows);
		expect(error?.description).toContain('The statement was sent twice. The first attempt failed:');
		expect(error?.description).toContain(
			'Run it again: rows that were already changed stay as they are.',
		);
		expect(error?.description).toContain('Either all 2 rows or none of them are in the table.');
		expect(error?.context?.data).toMatchObject({ state: 'unknown' });
		expect(error?.context?.data).not.toHaveProperty('ambiguous');
	});

	it('stays open when the second time is refused', async () => {
		lose();
		suite.sql.answer(/^MERGE/, { error: 'Found conflicting files' });
		const { error } = await upsert(rows);
		expect(error?.description).toContain('Either all 2 rows or none of them are in the table.');
		expect(error?.context?.data).toMatchObject({ state: 'unknown' });
	});

	it.each<[string, IDataObject[], INodeParameters]>([
		['rows that match are left', rows, { ifMatched: 'leave' }],
		['items have nothing but their keys', [{ id: 1 }, { id: 2 }], {}],
	])('is not sent again where it would only insert: %s', async (_, input, form) => {
		lose();
		takeInserts(suite);
		const { error } = await upsert(input, form, { maxTries: 2 });
		expect(error?.message).toContain('it is not certain what the statement changed');
		expect(suite.sql.taken()).toEqual([]);
	});
});

it('updates the other items if the node continues on failure', async () => {
	const state = takeInserts(suite);
	expect(
		(
			await upsert([{ id: 1 }, { id: 1 }, { id: 2 }], {}, { onError: 'continueRegularOutput' })
		).items.map((item) => errorOf(item)?.message),
	).toEqual([undefined, expect.stringContaining('the same key in items 0 and 1'), undefined]);
	expect(state.ids).toEqual([1, 2]);
});

it('offers only columns to match on that can be keys', async () => {
	const node = {
		resource: 'table',
		operation: 'upsertRows',
		...at('cat-org', 'surveys', 'places'),
	};
	const { fields } = await fieldsOf(suite.sandbox, 'getTableColumns', node);
	const names = fields.filter(({ canBeUsedToMatch }) => canBeUsedToMatch).map(({ id }) => id);
	expect(names).toEqual(['id', 'name', 'count', 'day', 'seen', 'price']);
});

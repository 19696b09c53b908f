/** Statements that Get Rows and Insert Rows write, carried out by a real Spark with Sedona and Iceberg. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { findAppendsBetween } from '../../nodes/Wherobots/service/tables/catalogs';
import type { Column } from '../../nodes/Wherobots/service/sql/columns';
import { describeMisfit, parseGeometry } from '../../nodes/Wherobots/service/sql/geometry';
import {
	type Spatial,
	selectStatement,
	type RowsWanted,
} from '../../nodes/Wherobots/service/tables/selectRows';
import { toRowText, toValues, buildInsert } from '../../nodes/Wherobots/service/tables/writeRows';
import { toTableName } from '../../nodes/Wherobots/service/tables/names';
import { slippedWkt, validWkt } from '../support/wkt';
import { cellReader } from './nested';
import { describeWithSpark, suiteWithService } from './suite';

const column = (name: string, type: string, sqlType?: string): Column => ({
	...{ name, type, sqlType },
	isRequired: false,
});
const geometry = column('geometry', 'geometry');
const id = column('id', 'long', 'BIGINT');

const wanted = (table: string, more: Partial<RowsWanted> = {}): RowsWanted => ({
	...{ table, columns: [], asText: false, conditions: [], isAny: false, sort: [] },
	...more,
});

describeWithSpark('Tables', () => {
	const suite = suiteWithService();
	const run = async (query: string, readOnly = false) => await suite.run(query, { readOnly });

	const read = async (rows: RowsWanted) => await run(selectStatement(rows), true);
	const idsOf = async (rows: RowsWanted) => (await read(rows)).map((row) => Number(row.id));

	describe('shapes', () => {
		const shapes = async (...texts: string[]) => {
			const rows = texts.map((text, at) => `(${at}, '${text}')`).join(', ');
			await run(
				`CREATE OR REPLACE TEMPORARY VIEW shapes AS SELECT id, ST_GeomFromWKT(text) AS geometry FROM VALUES ${rows}, (98, 'POINT EMPTY'), (99, CAST(NULL AS STRING)) AS t(id, text)`,
			);
		};
		const found = async (spatial: Partial<Spatial>, limit?: number) =>
			await idsOf(
				wanted('`shapes`', { spatial: { column: geometry, ...spatial }, sort: [], limit }),
			);
		const bonn = { longitude: 7.1, latitude: 50.7 };

		it('within a distance are measured from their nearest part', async () => {
			await shapes(
				'POINT (7.1 50.7)',
				'POINT (8.1 50.7)',
				'POLYGON ((6 50, 9 50, 9 52, 6 52, 6 50))',
				'LINESTRING (7.11 40, 7.11 60)',
			);
			expect(await found({ place: bonn, meters: 70_427 })).toEqual([0, 2, 3]);
			expect(await found({ place: bonn, meters: 70_429 })).toEqual([0, 1, 2, 3]);
			expect(await found({ place: bonn, meters: 700 })).toEqual([0, 2]);
			expect(await found({ place: bonn, meters: 710 })).toEqual([0, 2, 3]);
			expect(await found({ place: bonn, isSorted: true })).toEqual([0, 2, 3, 1, 98, 99]);
			expect(await found({ place: bonn, isSorted: true, meters: 1_000 }, 2)).toHaveLength(2);
		});

		it('are measured as the earth is in the north, where degrees of longitude are short', async () => {
			// A line across both axes, whose nearest point is elsewhere on a map of degrees.
			await shapes('LINESTRING (0 60.5, 1 60)', 'LINESTRING (0 60.5, 1 60, 5 58)');
			const place = { longitude: 0, latitude: 60 };
			// 55.6 km to the north and to the east: the line is half of the diagonal away.
			expect(await found({ place, meters: 39_000 })).toEqual([]);
			expect(await found({ place, meters: 39_500 })).toEqual([0, 1]);
		});

		it('are found across the date line', async () => {
			await shapes(
				'POINT (-179.99 0)',
				'POLYGON ((-179.99 -1, -179 -1, -179 1, -179.99 1, -179.99 -1))',
				'POINT (179.98 0)',
				'POINT (0 0)',
			);
			const place = { longitude: 179.99, latitude: 0 };
			expect(await found({ place, meters: 2_300 })).toEqual([0, 1, 2]);
			expect(await found({ place, meters: 2_200 })).toEqual([2]);
			expect(await found({ place, isSorted: true }, 4)).toEqual([2, 0, 1, 3]);
			expect(await found({ box: [179.985, -1, -179.985, 1] })).toEqual([0, 1]);
			expect(await found({ box: [-1, -1, 1, 1] })).toEqual([3]);
		});

		it('are found at a pole', async () => {
			await shapes('POINT (0 89.9)', 'POINT (180 89.9)', 'POINT (90 80)');
			const place = { longitude: 0, latitude: 90 };
			expect(await found({ place, meters: 12_000 })).toEqual([0, 1]);
			expect(await found({ place, isSorted: true }, 3)).toContain(2);
		});

		it('that touch a geometry are found', async () => {
			await shapes('POINT (1 1)', 'POINT (2 2)', 'LINESTRING (0 1, 5 1)');
			const shape = 'POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))';
			expect(await found({ shape })).toEqual([0, 2]);
			expect(await found({ shape, column: { ...geometry, srid: 3857 } })).toEqual([0, 2]);
		});

		it('that are empty or missing are told from others', async () => {
			await shapes('POINT (1 1)');
			const empty = { column: geometry, text: '' };
			const isEmpty = wanted('`shapes`', { conditions: [{ ...empty, operator: 'isEmpty' }] });
			expect(await idsOf(isEmpty)).toEqual([98, 99]);
			const isNot = wanted('`shapes`', { conditions: [{ ...empty, operator: 'isNotEmpty' }] });
			expect(await idsOf(isNot)).toEqual([0]);
			const text = await read(wanted('`shapes`', { columns: [geometry], asText: true }));
			expect(text).toEqual([
				{ geometry: 'POINT (1 1)' },
				{ geometry: 'POINT EMPTY' },
				{ geometry: null },
			]);
		});
	});

	it('compares columns of every type', async () => {
		await run(`CREATE OR REPLACE TEMPORARY VIEW typed AS SELECT 1L AS id, "it's 50%" AS name,
			2.5D AS size, 3 AS count, DATE '2026-01-31' AS day, TIMESTAMP '2026-01-31T08:00:00Z' AS seen,
			CAST(1.50 AS DECIMAL(10, 2)) AS price, TRUE AS flag, X'0102' AS bytes,
			TIMESTAMP_NTZ '2026-01-31T09:00:00.5' AS local, CAST(NULL AS STRING) AS none`);
		const is = async (name: string, sqlType: string, operator: never, text: string) =>
			await idsOf(
				wanted('`typed`', {
					columns: [id],
					conditions: [{ column: column(name, 'any', sqlType), operator, text }],
				}),
			);
		const cases: Array<[string, string, string, string, boolean]> = [
			['id', 'BIGINT', 'equals', '1', true],
			['name', 'STRING', 'startsWith', "it's", true],
			['name', 'STRING', 'contains', '50%', true],
			['name', 'STRING', 'contains', '5_%', false],
			['name', 'STRING', 'equals', "' OR 1=1 --", false],
			['size', 'DOUBLE', 'greater', '2.4e0', true],
			['size', 'DOUBLE', 'less', 'NaN', true],
			['count', 'INT', 'lessOrEqual', '3', true],
			['day', 'DATE', 'equals', '2026-01-31', true],
			['seen', 'TIMESTAMP', 'equals', '2026-01-31T08:00:00Z', true],
			['local', 'TIMESTAMP_NTZ', 'equals', '2026-01-31T09:00:00.5', true],
			['price', 'DECIMAL(10, 2)', 'equals', '1.5', true],
			['flag', 'BOOLEAN', 'equals', 'true', true],
			['bytes', 'BINARY', 'equals', 'AQI=', true],
			['none', 'STRING', 'isEmpty', '', true],
			['none', 'STRING', 'notEquals', 'a', true],
			['none', 'STRING', 'equals', '', false],
		];
		for (const [name, sqlType, operator, text, isFound] of cases) {
			expect([name, operator, text, await is(name, sqlType, operator as never, text)]).toEqual([
				...[name, operator, text],
				isFound ? [1] : [],
			]);
		}
	});

	it('sorts and limits, and takes names with any character', async () => {
		const odd = column('a `b` -- ; \'c\' "d"', 'long', 'BIGINT');
		await run(
			`CREATE OR REPLACE TEMPORARY VIEW \`odd \`\` name\` AS SELECT id AS \`${odd.name.replaceAll('`', '``')}\` FROM range(5)`,
		);
		const rows = await read(
			wanted('`odd `` name`', { sort: [{ column: odd, isDescending: true }], limit: 2 }),
		);
		expect(rows).toEqual([{ [odd.name]: 4 }, { [odd.name]: 3 }]);
	});

	it('reads tags and snapshots, and only the rows added since, before and after compactions', async () => {
		const table = toTableName('ice', 'n1.n2', 'history');
		await run('CREATE NAMESPACE IF NOT EXISTS ice.n1');
		await run('CREATE NAMESPACE IF NOT EXISTS ice.n1.n2');
		await run(`CREATE TABLE ${table} (id BIGINT) USING iceberg`);
		await run(`INSERT INTO ${table} VALUES (1)`);
		await run(`ALTER TABLE ${table} CREATE TAG \`2026-11-18.0\``);
		await run(`INSERT INTO ${table} VALUES (2)`);
		await run(`INSERT INTO ${table} VALUES (3)`);
		await run(
			"CALL ice.system.rewrite_data_files(table => 'n1.n2.history', options => map('rewrite-all', 'true'))",
		);
		await run(`INSERT INTO ${table} VALUES (4)`);
		await run(`UPDATE ${table} SET id = 20 WHERE id = 2`);
		const history = async () => {
			const rows = await run(
				`SELECT CAST(snapshot_id AS STRING) AS id, CAST(parent_id AS STRING) AS parent, operation FROM ${table}.snapshots ORDER BY committed_at`,
			);
			return rows.map(({ id: own, parent, operation }) => ({
				'snapshot-id': String(own),
				'parent-snapshot-id': parent as string | null,
				summary: { operation },
			}));
		};
		const snapshots = await history();
		const ids = snapshots.map((each) => each['snapshot-id']);
		expect(snapshots.map(({ summary }) => summary.operation)).toEqual([
			...['append', 'append', 'append', 'replace', 'append', 'overwrite'],
		]);
		const sorted = async (versions: RowsWanted['versions']) =>
			await idsOf(wanted(table, { versions, sort: [{ column: id, isDescending: false }] }));
		expect(await sorted([{ at: '2026-11-18.0' }])).toEqual([1]);
		expect(await sorted([{ at: ids[2] }])).toEqual([1, 2, 3]);
		const added = async (since: number, until: number) => {
			const found = findAppendsBetween({ snapshots }, ids[since], ids[until]);
			return [await sorted(found?.versions), found?.others.length];
		};
		expect(await added(0, 1)).toEqual([[2], 0]);
		expect(await added(0, 2)).toEqual([[2, 3], 0]);
		expect(await added(0, 3)).toEqual([[2, 3], 0]);
		expect(await added(1, 4)).toEqual([[3, 4], 0]);
		expect(await added(3, 5)).toEqual([[4], 1]);
		expect(await added(4, 5)).toEqual([[], 1]);

		// What is left can be read without those that have expired.
		await run(
			"CALL ice.system.expire_snapshots(table => 'n1.n2.history', older_than => TIMESTAMP '2200-01-01', retain_last => 2)",
		);
		await run(`INSERT INTO ${table} VALUES (5)`);
		const left = await history();
		expect(left.length).toBeLessThan(snapshots.length);
		const last = left.at(-1)?.['snapshot-id'] ?? '';
		const since = left.at(-2)?.['snapshot-id'] ?? '';
		expect(await sorted(findAppendsBetween({ snapshots: left }, since, last)?.versions)).toEqual([
			5,
		]);
		expect(findAppendsBetween({ snapshots: left }, ids[1], last)).toBeUndefined();
		await expect(sorted([{ at: ids[1] }])).rejects.toThrow(/Cannot find snapshot/i);
	});

	describe('rows that are inserted', () => {
		const insert = async (table: string, columns: Column[], rows: IDataObject[]) => {
			const reader = cellReader('Europe/Berlin');
			const texts = rows.map((row) =>
				toRowText(columns.map((each) => reader.read(each, row[each.name]))),
			);
			return await run(buildInsert(table, columns, toValues(texts, columns.length)));
		};

		it('have exactly their texts, also such that try to leave their literal', async () => {
			const table = toTableName('ice', 'n3', 'texts');
			await run('CREATE NAMESPACE IF NOT EXISTS ice.n3');
			await run(`CREATE TABLE ${table} (id BIGINT, text STRING) USING iceberg`);
			const odd = fc.oneof(
				fc.string({ unit: 'binary' }),
				fc
					.array(
						fc.constantFrom(
							...["'", '"', '\\', '`', '${spark.master}', '--', '/*', ';', ':p', '\n'],
							...["'), (1, '", ') AS v(a)', '\\u0027', ' '],
						),
						{ maxLength: 8 },
					)
					.map((parts) => parts.join('')),
			);
			const texts = fc
				.sample(odd, { numRuns: 400, seed: 7 })
				.filter((text) => text.isWellFormed() && !text.includes('\u0000'));
			const columns = [id, column('text', 'string', 'STRING')];
			await insert(
				table,
				columns,
				texts.map((text, at) => ({ id: at, text })),
			);
			const rows = await run(`SELECT text FROM ${table} ORDER BY id`, true);
			expect(rows.map(({ text }) => text)).toEqual(texts);
		});

		it('have geometries with the SRID of their column, or none', async () => {
			await run(
				'CREATE TABLE shapes_in USING parquet AS SELECT 1L AS id, ST_Point(1, 2) AS geometry',
			);
			const shapes = [
				{ id: 2, geometry: 'SRID=4326;POINT (7.1 50.7)' },
				{ id: 3, geometry: '{"type":"LineString","coordinates":[[0,0],[1e-7,1]]}' },
				{ id: 4 },
			];
			await insert('shapes_in', [id, { ...geometry, srid: 4326 }], shapes);
			await insert('shapes_in', [id, geometry], [{ id: 5, geometry: 'POINT EMPTY' }]);
			await insert('shapes_in', [id, geometry], [{ id: 6, geometry: 'SRID=4326;POINT (1 2)' }]);
			const read = await run(
				'SELECT id, ST_AsText(geometry) AS text, ST_SRID(geometry) AS srid FROM shapes_in WHERE id > 1 ORDER BY id',
				true,
			);
			expect(read).toEqual([
				{ id: 2, text: 'POINT (7.1 50.7)', srid: 4326 },
				{
					id: 3,
					text: expect.stringMatching(/^LINESTRING \(0 0, 0\.0000001 1\)$/) as string,
					srid: 4326,
				},
				{ id: 4, text: null, srid: null },
				{ id: 5, text: 'POINT EMPTY', srid: 0 },
				{ id: 6, text: 'POINT (1 2)', srid: 4326 },
			]);
		});

		it('may be any WKT that is checked', async () => {
			await run(
				'CREATE TABLE all_types USING parquet AS SELECT 1L AS id, ST_Point(1, 2) AS geometry',
			);
			const taken = fc
				.sample(fc.oneof(validWkt, slippedWkt), { numRuns: 600, seed: 11 })
				.filter((wkt) => {
					const geometry = parseGeometry(wkt);
					return geometry.problem === undefined && !describeMisfit(geometry, 4326);
				})
				.map((wkt, at) => ({ id: at + 2, geometry: wkt }));
			expect(taken.length).toBeGreaterThan(300);
			await insert('all_types', [id, { ...geometry, srid: 4326 }], taken);
			const [{ n }] = await run('SELECT count(geometry) AS n FROM all_types', true);
			expect(n).toBe(taken.length + 1);
		});
	});
});

import type { INodeParameters } from 'n8n-workflow';

import { ok } from '../../harness';
import { NAME, suiteWithTable } from './tables';

const { suite, run, refused, lose } = suiteWithTable();

const where = (...condition: INodeParameters[]) => ({ conditions: { condition } });

const SMALL = where({ column: 'size', operator: 'less', value: '2.5' });
const FILTER = "(`size` < CAST('2.5' AS DOUBLE))";

/** Rows go when the statement is carried out, in one commit. */
function deletes(deletedRows: number) {
	const { catalogs } = suite.store;
	const table = catalogs.tableNamed(NAME);
	if (!table) throw new Error('There is no table');
	const made: string[] = [];
	const changes = () => {
		made.push(catalogs.commit(table, { addedRows: 0, deletedRows, operation: 'delete' }));
	};
	suite.sql.answer(/^DELETE/, { changes });
	return made;
}

describe('delete rows', () => {
	it('says how many rows are gone, and which snapshot to go back to', async () => {
		const made = deletes(3);
		const { json, hints } = ok(await run('deleteRows', SMALL));
		const [{ id: executionId, sessionId, text }] = suite.sql.taken();
		expect(text).toBe(`DELETE FROM ${NAME} WHERE ${FILTER}`);
		expect(json).toEqual([
			{
				...{ executionId, sessionId, state: 'succeeded', table: NAME },
				...{ deletedRows: 3, snapshotId: made[0], previousSnapshotId: '9223372036854775807' },
			},
		]);
		expect(hints.join()).not.toContain('Statement');
	});

	it('only counts on request, with the same condition', async () => {
		suite.sql.answer(/^SELECT/, { rows: [{ rows: 9007199254740993n }] });
		const { json } = ok(await run('deleteRows', { ...SMALL, onlyCount: true }));
		expect(json).toEqual([{ table: NAME, rows: '9007199254740993' }]);
		expect(suite.sql.taken().map(({ text }) => text)).toEqual([
			`SELECT count(*) AS \`rows\` FROM ${NAME} WHERE ${FILTER}`,
		]);
	});

	it('takes a spatial filter, alone or with conditions', async () => {
		deletes(1);
		const box = { spatialFilter: 'box', boundingBox: '7, 50, 8, 51' };
		ok(await run('deleteRows', box));
		const inBox = 'ST_Intersects(`geometry`, ST_PolygonFromEnvelope(7D, 50D, 8D, 51D))';
		expect(suite.sql.taken()[0].text).toBe(`DELETE FROM ${NAME} WHERE ${inBox}`);
		ok(await run('deleteRows', { ...SMALL, ...box }));
		expect(suite.sql.taken()[1].text).toBe(`DELETE FROM ${NAME} WHERE ${FILTER} AND ${inBox}`);
	});

	it.each<[string, INodeParameters, string]>([
		['no condition', {}, "'Conditions' must not be empty without a 'Spatial Filter'"],
		['no condition to count', { onlyCount: true }, "'Conditions' must not be empty"],
		[
			'the nearest rows, of which there are as many as the table has',
			{ spatialFilter: 'nearest', latitude: '50', longitude: '7' },
			"'Spatial Filter' must be one of box, intersects, none, within",
		],
		['a column that is not there', where({ column: 'nope', value: '1' }), 'has "nope"'],
		[
			'a text that every text contains',
			where({ column: 'name', operator: 'contains', value: '' }),
			"'Conditions' has no value for name",
		],
		[
			'a text with which every text starts',
			where({ column: 'name', operator: 'startsWith', value: '={{ "" }}' }),
			"'Conditions' has no value for name",
		],
		['a value of another type', where({ column: 'id', value: 'x' }), 'has the value "x" for id'],
	])('refuses %s, and sends nothing', async (_, form, message) => {
		expect((await refused('deleteRows', form))?.message).toContain(message);
	});

	it('says that it does not know how many where the table cannot be read afterwards', async () => {
		deletes(2);
		suite.fails('getTable', 403, { skip: 1 });
		const { json, hints } = ok(await run('deleteRows', SMALL));
		expect(json[0]).toMatchObject({
			...{ state: 'succeeded', deletedRows: null, snapshotId: null },
			previousSnapshotId: '9223372036854775807',
		});
		expect(hints.join()).toContain('is not certain');
	});

	it('tells the rows of each item, one deletion after the other', async () => {
		const made = deletes(1);
		const conditions = where({ column: 'id', value: '={{ $json.id }}' });
		const { json } = ok(await run('deleteRows', conditions, { input: [{ id: 1 }, { id: 2 }] }));
		expect(json.map(({ deletedRows, snapshotId }) => [deletedRows, snapshotId])).toEqual(
			made.map((id) => [1, id]),
		);
	});

	it('is sent once, and Retry On Fail repeats nothing when its end is not known', async () => {
		lose();
		const made = deletes(3);
		const { error } = await run('deleteRows', SMALL, { maxTries: 3 });
		expect(error?.message).toContain('it is not certain what the statement changed');
		expect(error?.description).toContain('Retry On Fail did not send it again');
		expect(error?.context?.data).toMatchObject({
			...{ ambiguous: true, state: 'unknown' },
			statement: `DELETE FROM ${NAME} WHERE ${FILTER}`,
		});
		expect(made).toEqual([]);
	});
});

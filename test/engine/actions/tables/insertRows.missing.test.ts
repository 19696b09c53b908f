/** Insert Rows where there is no table, with Create Missing Table and without. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { createIn } from '../../../sandbox/seed/createIn';
import { createdTable, type CreatedTable } from '../../../sandbox/sql/createdTable';
import { by } from '../../../support/files';
import { ok } from '../../harness';
import { at } from '../parameters';
import { suiteWithTable } from './tables';

const { suite, run, refused } = suiteWithTable();

const TREES = '`org_catalog`.`surveys`.`trees`';

beforeEach(() => {
	suite.sql.answer(/^INSERT/, {});
	suite.sql.answer(/^CREATE TABLE/, (statement) => ({
		changes: () => void createIn(suite, createdTable(statement) as CreatedTable),
	}));
});

const intoTrees = (options: INodeParameters = {}) => ({
	...at('cat-org', 'surveys', 'trees'),
	options: { createMissingTable: true, ...options },
});
const insert = async (input: IDataObject[], options?: INodeParameters) =>
	ok(await run('insertRows', intoTrees(options), { input }));

const texts = () => suite.sql.taken().map(({ text }) => text);

describe('a table that is missing', () => {
	it('is created once, from all items, before their rows are inserted', async () => {
		const input = [
			{ id: 1, height: 2, tags: ['a'] },
			{ id: 2, height: 2.5 },
		];
		expect((await insert(input)).json).toHaveLength(2);
		const [create, first] = texts();
		expect(create).toBe(
			`CREATE TABLE IF NOT EXISTS ${TREES} (\`id\` BIGINT, \`height\` DOUBLE, \`tags\` ARRAY<STRING>)`,
		);
		expect(first).toContain("VALUES ('1', '2', ");
		expect(first).toContain(`INSERT INTO ${TREES} (\`id\`, \`height\`, \`tags\`)`);
		await insert(input);
		expect(texts().filter((text) => text.startsWith('CREATE'))).toHaveLength(1);
	});

	it('has a geometry for a point in two fields, in the system of the options', async () => {
		await insert([{ id: 1, lat: 50.7, lon: 7.1 }], { latitudeField: 'lat', longitudeField: 'lon' });
		const [create, first] = texts();
		expect(create).toContain('(`id` BIGINT, `geometry` GEOMETRY(4326))');
		expect(first).toContain("VALUES ('1', 'POINT (7.1 50.7)')");
	});

	it('is not created in a namespace that is not there', async () => {
		const place = { ...at('cat-org', 'zzz', 'trees'), options: { createMissingTable: true } };
		const error = await refused('insertRows', place, { input: [{ id: 1 }] });
		expect(error?.message).toBe('There is no namespace with the name "zzz"');
	});

	it('is not created when an item is refused', async () => {
		const input = [{ id: 1 }, { id: 9007199254740992 }];
		const error = await refused('insertRows', intoTrees(), { input });
		expect(error?.message).toContain('cannot hold exactly');
	});

	it('is not created of items without fields', async () => {
		const error = await refused('insertRows', intoTrees(), { input: [{}] });
		expect(error?.message).toBe("'Create Missing Table' needs columns");
		expect(error?.description).toContain(
			'The input items have no fields, so there is nothing to make columns from.',
		);
	});

	it.each(['insertRows', 'loadFile'])('has no period in its name (%s)', async (operation) => {
		const form =
			operation === 'loadFile'
				? { storageId: by('id', 'stor-acme'), files: by('path', 'in/a.csv'), loadMode: 'create' }
				: { options: { createMissingTable: true } };
		const place = at('cat-org', 'surveys', 'noaa.t2');
		const error = await refused(operation, { ...place, ...form }, { input: [{ id: 1 }] });
		expect(error?.message).toBe(
			"'Table' must not contain a period: leave out the catalog and the namespace",
		);
	});

	it('fails the node unless the option is on', async () => {
		const form = intoTrees({ createMissingTable: false });
		const error = await refused('insertRows', form, { input: [{ id: 1 }] });
		expect(error?.httpCode).toBe('404');
	});
});

describe('without the option', () => {
	it('says that a view takes no rows', async () => {
		const { error } = await run('insertRows', at('cat-org', 'noaa', 'recent_hail'));
		expect(error?.message).toBe(
			"'Table' is a view, which takes no rows: choose the table behind it",
		);
		expect(error?.description).toBeFalsy();
	});

	it('does not offer to create a table where the namespace is missing', async () => {
		const { error } = await run('insertRows', at('cat-org', 'zzz', 'a'));
		expect(error?.message).toBe('There is no namespace with the name "zzz"');
		expect(error?.description).not.toContain('Create Missing Table');
	});
});

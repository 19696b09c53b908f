import { by } from '../../support/files';
import { suiteWithSandbox } from '../harness/suite';
import { at } from './parameters';

const suite = suiteWithSandbox();

describe('catalogs', () => {
	const create = { resource: 'catalog', operation: 'create', name: 'surveys' };

	it('gives a new catalog the ID that the following operations take', async () => {
		const created = await suite.run({ ...create, options: { location: 's3://bucket/surveys' } });
		const [catalog] = created.json;
		expect(catalog).toMatchObject({
			name: 'surveys',
			location: 's3://bucket/surveys',
			id: expect.any(String),
			numericId: expect.any(Number),
		});
		expect(catalog.id).toBe(catalog.extId);
		const place = at(String(catalog.id));
		await suite.succeeds({ resource: 'namespace', operation: 'getAll', ...place });
	});

	it.each([
		['of its ID', { id: 7, extId: 'x', name: 'n' }, [{ id: 'a', name: 'n' }, { id: 'x' }], 'x'],
		['of its number', { id: 7, name: 'n' }, [{ id: 'a', name: 'n' }, { id: 7 }], '7'],
		[
			'of its name',
			{ id: 7, name: 'n' },
			[
				{ id: 'a', name: 'm' },
				{ id: 'b', name: 'n' },
			],
			'b',
		],
		['of no name', { id: 7, extId: 'x' }, [{ id: 'a' }, { id: 'b', name: 'n' }], 'x'],
		['of none', { id: 7, extId: 'x', name: 'n' }, [{ id: 'a', name: 'm' }], 'x'],
		['of an empty list', { extId: 'x', name: 'n' }, [], 'x'],
		['of no list', { extId: 'x', name: 'n' }, null, 'x'],
	])('uses the ID of the catalog in the list %s', async (_, created, catalogs, id) => {
		suite.responds('createCatalog', created);
		suite.responds('listCatalogs', { catalogs });
		expect((await suite.succeeds(create)).json[0].id).toBe(id);
	});

	it('sends nothing but what was entered', async () => {
		await suite.run(create);
		await suite.run({ ...create, options: { organizationId: 'org-1' } });
		expect(suite.requests.of('createCatalog').map(({ body }) => body)).toEqual([
			{ name: 'surveys' },
			{ name: 'surveys', organizationId: 'org-1' },
		]);
	});

	it('returns the hierarchy as trees or as tables that can be addressed', async () => {
		const hierarchy = { resource: 'catalog', operation: 'getHierarchy', returnAll: true };
		const trees = await suite.run({ ...hierarchy, output: 'catalogs' });
		expect(trees.json.map(({ id, name }) => [id, name])).toEqual(
			suite.store.catalogs.all().map(({ id, name }) => [id, name]),
		);
		const tables = await suite.run({ ...hierarchy, output: 'tables' });
		expect(tables.json).toContainEqual({
			catalogId: 'cat-glue',
			catalogName: 'lake_glue',
			namespace: 'sales',
			name: 'stores',
			sqlName: 'lake_glue.sales.stores',
			location: 's3://acme-lake/sales/stores',
		});
		expect(tables.json.length).toBeGreaterThan(120);
	});
});

it('a view comes with its SQL first, also with a slash in its name', async () => {
	const view = by('name', 'summary / by month');
	const where = { ...at('cat-org', 'noaa'), view };
	const { json } = await suite.run({ resource: 'view', operation: 'get', ...where });
	expect(Object.entries(json[0])).toEqual([
		['definition', expect.stringContaining('GROUP BY 1')],
		['catalogId', 'cat-org'],
		['namespace', 'noaa'],
		['name', 'summary / by month'],
		['columns', expect.arrayContaining([expect.stringMatching(/^\w+: \w+$/)])],
		['properties', expect.any(Object)],
	]);
});

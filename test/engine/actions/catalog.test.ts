import { suiteWithSandbox } from '../harness/suite';
import { at } from './parameters';

const suite = suiteWithSandbox();

describe('catalogs', () => {
	it('gives a new catalog the ID that the following operations take', async () => {
		const created = await suite.run({
			resource: 'catalog',
			operation: 'create',
			name: 'surveys',
			options: { location: 's3://bucket/surveys' },
		});
		const [catalog] = created.json;
		expect(catalog).toMatchObject({
			name: 'surveys',
			location: 's3://bucket/surveys',
			id: expect.any(String),
			numericId: expect.any(Number),
		});
		expect(catalog.id).toBe(catalog.extId);
		const namespaces = await suite.run({
			resource: 'namespace',
			operation: 'getAll',
			...at(String(catalog.id)),
		});
		expect(namespaces.error).toBeUndefined();
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
		const respond = (endpoint: 'createCatalog' | 'listCatalogs', value: unknown) =>
			suite.fails(endpoint, { kind: 'replace', body: JSON.stringify(value) });
		respond('createCatalog', created);
		respond('listCatalogs', { catalogs });
		const parameters = { resource: 'catalog', operation: 'create', name: 'surveys' };
		const { json } = await suite.succeeds(parameters);
		expect(json[0].id).toBe(id);
	});

	it('sends nothing but what was entered', async () => {
		const parameters = { resource: 'catalog', operation: 'create', name: 'surveys' };
		await suite.run(parameters);
		await suite.run({ ...parameters, options: { organizationId: 'org-1' } });
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

describe('views', () => {
	const summary = {
		...{ resource: 'view', operation: 'get', ...at('cat-org', 'noaa') },
		view: { __rl: true, mode: 'name', value: 'summary / by month' },
	};

	it('come with their SQL first, also with a slash in the name', async () => {
		const { json } = await suite.run(summary);
		expect(Object.entries(json[0])).toEqual([
			['definition', expect.stringContaining('GROUP BY 1')],
			['catalogId', 'cat-org'],
			['namespace', 'noaa'],
			['name', 'summary / by month'],
			['columns', expect.arrayContaining([expect.stringMatching(/^\w+: \w+$/)])],
			['properties', expect.any(Object)],
		]);
	});
});

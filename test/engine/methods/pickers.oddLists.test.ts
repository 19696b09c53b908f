import { pick, type Picker } from '../harness/pickers';
import { suiteWithSandbox } from '../harness/suite';
import { by } from '../../support/files';
import type { EndpointId } from '../../sandbox';

const suite = suiteWithSandbox();
const inCatalog = { resource: 'view', operation: 'get', catalogId: by('list', 'cat-org') };
const inNamespace = { ...inCatalog, namespace: by('list', 'noaa') };

/** A service that responds with these values. */
function responds(endpoint: EndpointId, value: unknown): void {
	suite.responds(endpoint, value);
}

/** What a person sees, and what the node is given. */
async function offered(picker: Picker, options?: Parameters<typeof pick>[2]) {
	const { results } = await pick(suite.sandbox, picker, options);
	return results.map(({ name, value }) => [name, value]);
}

/** Values that no ID can be. */
const NO_ID = [undefined, null, '', '  ', true, {}, ['a']];

describe.each<[Picker, EndpointId, (records: object[]) => unknown]>([
	['searchApiKeys', 'listApiKeys', (records) => records],
	['searchCatalogs', 'listCatalogs', (catalogs) => ({ catalogs })],
	['searchCloudConnections', 'listCloudConnections', (records) => records],
	['searchJobRuns', 'listRuns', (items) => ({ items, next_page: null })],
	['searchEnvironmentPresets', 'listEnvironmentPresets', (records) => records],
	['searchPresets', 'listPresets', (records) => records],
	['searchStorages', 'listStorages', (records) => records],
])('%s', (picker, endpoint, bodyOf) => {
	beforeEach(() => {
		suite.variants.myFiles = 'missing';
	});

	it('offers what has no name by its ID', async () => {
		const names = [undefined, null, '', ' ', false, {}];
		responds(endpoint, bodyOf(names.map((name, index) => ({ id: `id-${index}`, name }))));
		expect(await offered(picker)).toEqual(names.map((_, index) => [`id-${index}`, `id-${index}`]));
	});

	it('offers nothing that has no ID', async () => {
		const records = NO_ID.map((id) => ({ id, name: 'unusable' }));
		responds(endpoint, bodyOf([...records, { id: 7, name: 12 }]));
		expect(await offered(picker)).toEqual([['12', '7']]);
		expect(await offered(picker, { filter: ' 1' })).toEqual([['12', '7']]);
	});

	it('reads every other field as far as it makes sense', async () => {
		for (const odd of [null, '', 5, {}, ['a'], 'text']) {
			const record = {
				...{ status: odd, type: odd, path: odd, preview: odd, revoked: odd, protected: odd },
				...{ createTime: odd, createdAt: odd, expiresAt: odd, awsAccountId: odd },
			};
			responds(endpoint, bodyOf([{ id: 'id-1', name: 'one\n\u2028line', ...record }]));
			const { results } = await pick(suite.sandbox, picker);
			expect(results).toHaveLength(1);
			const [{ name, description = '' }] = results;
			expect(name).toMatch(/^one line($| \()/);
			expect(`${name} ${description}`).not.toMatch(/undefined|null|object|NaN|\(\)|\n/);
			suite.faults.clear();
		}
	});
});

describe.each<[Picker, EndpointId, string, object]>([
	['searchNamespaces', 'listNamespaces', 'namespaces', {}],
	['searchTables', 'listTables', 'tables', {}],
	['searchTables', 'listTables', 'tables', { table_type: null }],
	['searchViews', 'listTables', 'tables', { table_type: 'VIEW' }],
])('%s', (picker, endpoint, key, more) => {
	it(`takes the name for the ID (${JSON.stringify(more)})`, async () => {
		const entries = [...NO_ID, 5, 'b', 'a'].map((name) => ({ name, ...more }));
		responds(endpoint, { [key]: [...entries, { name: 'other', table_type: 'MATERIALIZED' }] });
		const parameters = inNamespace;
		const usable = (await offered(picker, { parameters })).filter(([name]) => name !== 'other');
		expect(usable).toEqual([
			['5', '5'],
			['a', 'a'],
			['b', 'b'],
		]);
	});
});

it('job runs show in brackets what is known of them', async () => {
	responds('listRuns', {
		items: [
			{ id: 'a', name: 'one', status: 'RUNNING', createTime: '2026-03-01T09:00:00.123Z' },
			{ id: 'b', name: 'two', status: 'RUNNING', createTime: 'yesterday' },
			{ id: 'c', name: 'three', createTime: '2026-03-01T09:00:00Z' },
			{ id: 'd', name: 'four', status: null, createTime: null },
		],
	});
	expect((await offered('searchJobRuns')).map(([name]) => name)).toEqual([
		'one (RUNNING, 2026-03-01 09:00 UTC)',
		'two (RUNNING)',
		'three (2026-03-01 09:00 UTC)',
		'four',
	]);
});

it('API keys show when they expire, in whatever form the service says it', async () => {
	const times = ['2026-03-01T09:00:00.5+01:00', 'next week', 1_772_352_000_000, null, {}];
	responds(
		'listApiKeys',
		times.map((expiresAt, index) => ({ id: `id-${index}`, expiresAt, revoked: index === 9 })),
	);
	const { results } = await pick(suite.sandbox, 'searchApiKeys');
	expect(results.map(({ description }) => description)).toEqual([
		'Expires 2026-03-01 08:00 UTC',
		'Expires next week',
		'Expires 2026-03-01 08:00 UTC',
		undefined,
		undefined,
	]);
});

describe('regions and runtimes', () => {
	const DEFAULT = ['Organization Default', 'organizationDefault'];

	it('are those that can be read as such', async () => {
		responds('getConfigHint', {
			regions: {
				hint: [
					...[null, 'aws-text', ['aws-list'], {}],
					...NO_ID.map((regionName) => ({ regionName })),
					{ regionName: 'aws-off-1', enabled: false },
					{ regionName: 'aws-on-1', enabled: null, availability: {} },
					{ regionName: 'aws-on-2', enabled: true, availability: 'beta' },
				],
			},
			runtimes: {
				hint: [
					...[null, 'text', ['list'], {}],
					...NO_ID.map((id) => ({ id, name: 'unusable' })),
					{ id: 'off', name: 'Off', enabled: false },
					{ id: 5, name: null },
					{ id: 'x-large-himem', name: '', description: 4 },
					{ id: 'mine', name: 'My Own', description: ['any'], enabled: 1 },
				],
			},
		});
		const regions = await pick(suite.sandbox, 'searchRegions');
		expect(regions.results.slice(1)).toEqual([
			{ name: 'aws-on-1', value: 'aws-on-1' },
			{ name: 'aws-on-2', value: 'aws-on-2', description: 'beta' },
		]);
		const runtimes = await pick(suite.sandbox, 'searchRuntimes');
		expect(runtimes.results.slice(1)).toEqual([
			{ name: '5', value: '5' },
			{ name: 'X-Large-HiMem', value: 'x-large-himem', description: '4' },
			{ name: 'My Own', value: 'mine' },
		]);
		expect([regions, runtimes].map(({ results: [{ name, value }] }) => [name, value])).toEqual([
			DEFAULT,
			DEFAULT,
		]);
	});

	it('are the known ones where the service names none', async () => {
		responds('getConfigHint', { regions: { hint: [{ regionName: 'off', enabled: false }] } });
		expect(await offered('searchRegions')).toContainEqual(['aws-us-west-2', 'aws-us-west-2']);
		expect(await offered('searchRuntimes')).toContainEqual(['Tiny', 'tiny']);
	});
});

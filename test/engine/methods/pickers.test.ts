import { methods } from '../../../nodes/Wherobots/methods';
import { pick, type Picker } from '../harness/pickers';
import { credentialsFor, suiteWithSandbox } from '../harness/suite';

const suite = suiteWithSandbox();

const byId = (value: string) => ({ __rl: true, mode: 'list', value });
const form = { resource: 'view', operation: 'get' };
const noaa = { ...form, catalogId: byId('cat-org'), namespace: byId('noaa') };
const places = { ...noaa, resource: 'table', operation: 'getRows' };
const acme = { resource: 'file', operation: 'upload', storageId: byId('stor-acme') };

async function names(picker: Picker, options?: Parameters<typeof pick>[2]): Promise<string[]> {
	return (await pick(suite.sandbox, picker, options)).results.map(({ name }) => name);
}

describe('catalog, namespace, table and view', () => {
	it('goes from one to the next', async () => {
		const catalogs = await pick(suite.sandbox, 'searchCatalogs');
		expect(catalogs.results).toEqual([
			{ name: 'bucket_tables', value: 'cat-s3tables', description: 'Amazon S3 Tables' },
			{ name: 'lake_glue', value: 'cat-glue', description: 'AWS Glue Data Catalog' },
			{ name: 'org_catalog', value: 'cat-org', description: 'Managed' },
		]);
		const parameters = { ...form, catalogId: byId('cat-org') };
		expect(await names('searchNamespaces', { parameters })).toContain('odd.names/level two');
		expect(await names('searchTables', { parameters: noaa })).toEqual([
			'broken_metadata',
			'hail',
			'wind',
		]);
		expect(await names('searchViews', { parameters: noaa })).toEqual([
			'recent_hail',
			'summary / by month',
		]);
	});

	it('finds what is typed, in any case', async () => {
		const parameters = { ...noaa, namespace: byId('many') };
		expect(await names('searchTables', { parameters, filter: ' TILE_01 ' })).toHaveLength(10);
		expect(await names('searchCatalogs', { filter: 'nothing like it' })).toEqual([]);
	});

	it.each([
		['searchNamespaces', { catalogId: byId('') }, 'Catalog'],
		['searchTables', { catalogId: byId('cat-org'), namespace: byId('') }, 'Namespace'],
		[
			'searchViews',
			{ catalogId: byId('cat-org'), namespace: byId('={{ $json.ns }}') },
			'Namespace',
		],
		['searchTables', { catalogId: byId(''), namespace: byId('noaa') }, 'Catalog'],
		['searchNamespaces', {}, 'Catalog'],
	] as const)('%s says which field comes first', async (picker, parameters, label) => {
		const opened = pick(suite.sandbox, picker, { parameters: { ...form, ...parameters } });
		await expect(opened).rejects.toMatchObject({
			message: `Choose a value for '${label}' first`,
			description: expect.stringContaining(`depends on '${label}'`),
		});
		expect(suite.requests.count).toBe(0);
	});
});

describe('API keys and cloud connections', () => {
	it('offers keys that are not revoked, with what tells them apart', async () => {
		const { results } = await pick(suite.sandbox, 'searchApiKeys');
		expect(results.map(({ name }) => name)).not.toContainEqual(expect.stringContaining('leaked'));
		expect(results.find(({ name }) => name.startsWith('airflow'))).toEqual({
			name: expect.stringMatching(/^airflow \(.+\.\.\..+\)$/),
			value: expect.any(String),
			description: expect.stringMatching(/^Expires 2026-11-23 \d\d:\d\d UTC$/),
		});
	});

	it('tells keys and connections of the same name apart', async () => {
		const [connection] = (await pick(suite.sandbox, 'searchCloudConnections')).results;
		for (const endpoint of ['listApiKeys', 'listCloudConnections'] as const) {
			const records = ['one', 'two'].map((id) => ({ id, name: 'twin' }));
			suite.responds(endpoint, records);
		}
		expect(connection.name).toMatch(/\(\d{12}\)$/);
		for (const list of ['searchCloudConnections', 'searchApiKeys'] as const) {
			expect(await names(list)).toEqual(['twin, one', 'twin, two']);
		}
	});
});

it.each([
	['searchPresets', ['default', 'large shuffle', 'raster']],
	['searchEnvironmentPresets', ['default', 'raster tools']],
] as const)('%s offers presets by name, and says which are protected', async (picker, presets) => {
	const { results } = await pick(suite.sandbox, picker);
	expect(results).toEqual(
		presets.map((name) => ({
			...{ name, value: expect.any(String) },
			description: name === 'default' ? 'Protected' : undefined,
		})),
	);
});

describe('job runs', () => {
	it('goes through the pages of the service', async () => {
		for (let index = 0; index < 150; index += 1)
			suite.store.createRun({ name: `page-run-${index}` });
		const first = await pick(suite.sandbox, 'searchJobRuns', { filter: 'page-run' });
		expect(first.results).toHaveLength(100);
		expect(first.results[0].name).toMatch(
			/^page-run-\d+ \(PENDING, 20\d\d-\d\d-\d\d \d\d:\d\d UTC\)$/,
		);
		const token = String(first.paginationToken);
		const second = await pick(suite.sandbox, 'searchJobRuns', { filter: 'page-run', token });
		expect(second.results).toHaveLength(50);
		expect(second.paginationToken).toBeUndefined();
		expect(suite.requests.of('listRuns')[0].query).toMatchObject({ name: 'page-run*' });
	});

	it.each([
		[undefined, undefined],
		['', undefined],
		['   ', undefined],
		[' page-run ', 'page-run*'],
		['page*run', 'page*run'],
	])('asks for %j as %j', async (filter, name) => {
		await pick(suite.sandbox, 'searchJobRuns', { filter });
		expect(suite.requests.of('listRuns').map(({ query }) => query.name)).toEqual([name]);
	});

	it('does not ask for names that no run can have', async () => {
		expect(await pick(suite.sandbox, 'searchJobRuns', { filter: 'with space' })).toEqual({
			results: [],
		});
		expect(suite.requests.count).toBe(0);
	});
});

describe('regions and runtimes', () => {
	it("offers the service's own lists without what is switched off", async () => {
		const regions = await names('searchRegions');
		expect(regions[0]).toBe('Organization Default');
		expect(regions).toContain('byoc-acme-us-east-1');
		expect(regions).not.toContain('aws-ap-south-1');
		// To filter by, where no run is in the default as such.
		expect(await names('searchRunRegions')).toEqual(regions.slice(1));
		const { results } = await pick(suite.sandbox, 'searchRuntimes', { filter: 'himem' });
		expect(results.map(({ value }) => value)).toContain('x-large-himem');
		expect(await names('searchRuntimes', { filter: 'matcher' })).toEqual([]);
	});

	it.each(['forbidden', 'missing'] as const)(
		'knows some by itself (%s)',
		async (accountEndpoints) => {
			suite.variants.accountEndpoints = accountEndpoints;
			expect(await names('searchRegions')).toContain('aws-us-west-2');
			expect(await names('searchRuntimes')).toContain('Tiny');
		},
	);
});

/** A form in which all is chosen that a picker asks for first. */
const formOf = (picker: Picker) => {
	if (/Files|Folders/.test(picker)) return acme;
	return picker === 'searchVersions' ? { ...places, table: byId('hail') } : noaa;
};
const pickers = Object.keys(methods.listSearch) as Picker[];

/** The description of the service is public. */
const withKey = pickers.filter((picker) => picker !== 'searchApiRequests');

it.each(withKey)('%s says that the key is not accepted', async (picker) => {
	const credentials = { ...credentialsFor(suite.sandbox), apiKey: 'not-a-valid-key' };
	const opened = pick(suite.sandbox, picker, { parameters: formOf(picker), credentials });
	await expect(opened).rejects.toThrow('did not accept the API key or token');
	// A picker shows text, where the error panel shows HTML.
	await expect(opened).rejects.toMatchObject({ description: expect.not.stringContaining('<br>') });
});

const offeredAnyway: Partial<Record<Picker, string>> = {
	searchRegions: 'aws-us-west-2',
	searchRunRegions: 'aws-us-west-2',
	searchRuntimes: 'Micro',
};

it.each(pickers)(
	'%s says that the service is out of order, or offers what is known, before people give up',
	async (picker) => {
		suite.faults.add({ fault: { kind: 'status', status: 503 } });
		const begun = suite.clock.now();
		const opened = pick(suite.sandbox, picker, { parameters: formOf(picker) });
		const offered = offeredAnyway[picker];
		if (offered === undefined) await expect(opened).rejects.toMatchObject({ httpCode: '503' });
		else expect((await opened).results.map(({ name }) => name)).toContain(offered);
		expect(suite.clock.now() - begun).toBeLessThanOrEqual(20_000);
	},
);

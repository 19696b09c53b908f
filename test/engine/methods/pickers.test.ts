import { credentialsFor } from '../harness';
import { pick, type Picker } from '../harness/pickers';
import { suiteWithSandbox } from '../harness/suite';

const suite = suiteWithSandbox();

const byId = (value: string) => ({ __rl: true, mode: 'list', value });
const form = { resource: 'view', operation: 'get' };
const noaa = {
	...form,
	catalogId: byId('cat-org'),
	namespace: byId('noaa'),
	storageId: byId('stor-acme'),
};

async function names(picker: Picker, options?: Parameters<typeof pick>[2]): Promise<string[]> {
	return (await pick(suite.sandbox, picker, options)).results.map(({ name }) => name);
}

describe('catalog, namespace, table and view', () => {
	it('goes from one to the next', async () => {
		const { sandbox } = suite;
		const catalogs = await pick(sandbox, 'searchCatalogs');
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
	] as const)('%s says which field comes first', async (picker, parameters, label) => {
		const opened = pick(suite.sandbox, picker, { parameters: { ...form, ...parameters } });
		await expect(opened).rejects.toThrow(`Choose a value for '${label}' first`);
		expect(suite.sandbox.requests.count).toBe(0);
	});
});

describe('API keys and cloud connections', () => {
	it('offers keys that are not revoked, with what tells them apart', async () => {
		const { results } = await pick(suite.sandbox, 'searchApiKeys');
		expect(results.map(({ name }) => name)).not.toContainEqual(expect.stringContaining('leaked'));
		expect(results.find(({ name }) => name.startsWith('airflow'))).toEqual({
			name: expect.stringMatching(/^airflow \(.+\.\.\..+\)$/),
			value: expect.any(String),
			description: expect.stringMatching(/^Expires 2026-11-23/),
		});
	});

	it('offers connections with their account', async () => {
		expect(await names('searchCloudConnections', { filter: '1111' })).toEqual([
			'Production account (111122223333)',
		]);
	});
});

describe('environment override presets', () => {
	it('offers presets by name, and says which are protected', async () => {
		const { results } = await pick(suite.sandbox, 'searchPresets');
		expect(results).toEqual([
			{ name: 'default', value: expect.any(String), description: 'Protected' },
			{ name: 'large shuffle', value: expect.any(String), description: undefined },
			{ name: 'raster', value: expect.any(String), description: undefined },
		]);
	});
});

describe('storages, folders and files', () => {
	const inStorage = { ...form, storageId: byId('stor-acme') };

	it('offers the storages, and My Files where they are switched on', async () => {
		const { sandbox } = suite;
		const { results } = await pick(sandbox, 'searchStorages');
		expect(results).toEqual([
			{
				name: 'Wherobots Managed Storage',
				value: 'stor-managed',
				description: 'Managed · s3://wbts-managed/acme',
			},
			{ name: 'acme-jobs', value: 'stor-acme', description: 'Integration · s3://acme-jobs' },
			{
				name: 'open-data',
				value: 'stor-open-data',
				description: 'Integration · s3://acme-open-data/v1 · read-only',
			},
			{
				name: 'My Files (aws-us-west-2)',
				value: 'user_files::aws-us-west-2',
				description: 'Your own',
			},
		]);
		sandbox.variants.myFiles = 'listed';
		expect(await names('searchStorages')).toHaveLength(4);
		sandbox.variants.myFiles = 'missing';
		expect(await names('searchStorages', { filter: 'my files' })).toEqual([]);
		sandbox.variants.accountEndpoints = 'forbidden';
		expect(await names('searchStorages')).toHaveLength(3);
	});

	it('offers all folders and files below the root, those near it first', async () => {
		const parameters = inStorage;
		expect(await names('searchFolders', { parameters })).toEqual(['/', 'jobs/', 'jobs/lib/']);
		expect(await names('searchFiles', { parameters })).toEqual([
			'README.md',
			'jobs/nightly_etl.py',
			'jobs/lib/helpers.py',
		]);
	});

	it('looks in the folder that is typed', async () => {
		const parameters = inStorage;
		const filter = 'jobs/lib/HELP';
		expect(await names('searchFiles', { parameters, filter })).toEqual(['jobs/lib/helpers.py']);
		const { query, path } = suite.sandbox.requests.of('listDirectory')[0];
		expect([path, query.limit]).toEqual(['/storage/stor-acme/directories/jobs/lib/', '200']);
	});

	it('comes in parts where there is much', async () => {
		const { sandbox } = suite;
		for (let n = 0; n < 450; n++) sandbox.store.storages.put('stor-acme', `jobs/f${n}`, '');
		const seen: string[] = [];
		let token: string | undefined;
		do {
			const part = await pick(sandbox, 'searchFiles', { parameters: inStorage, token });
			seen.push(...part.results.map(({ name }) => name));
			token = part.paginationToken as string | undefined;
		} while (token !== undefined);
		expect(new Set(seen).size).toBe(453);
		expect(seen).toHaveLength(453);
	});

	it('does not go in circles', async () => {
		const { sandbox } = suite;
		const edit = (page: object) => ({
			...page,
			items: [
				{ name: 'jobs', path: '', type: 'FOLDER' },
				{ name: 'up', path: 'up/', type: 'FOLDER' },
			],
		});
		sandbox.faults.add({ endpoint: 'listDirectory', fault: { kind: 'edit', edit } });
		expect(await names('searchFolders', { parameters: inStorage })).toContain('up/');
		expect(sandbox.requests.count).toBeLessThan(10);
	});

	it.each(['', '={{ $json.storage }}'])('asks for the storage first (%j)', async (value) => {
		const parameters = { ...form, storageId: byId(value) };
		const opened = pick(suite.sandbox, 'searchFiles', { parameters });
		await expect(opened).rejects.toThrow("Choose a value for 'Storage' first");
	});
});

describe('job runs', () => {
	it('goes through the pages of the service', async () => {
		const { sandbox } = suite;
		for (let index = 0; index < 150; index += 1)
			sandbox.store.createRun({ name: `page-run-${index}` });
		const first = await pick(sandbox, 'searchJobRuns', { filter: 'page-run' });
		expect(first.results).toHaveLength(100);
		const token = String(first.paginationToken);
		const second = await pick(sandbox, 'searchJobRuns', { filter: 'page-run', token });
		expect(second.results).toHaveLength(50);
		expect(second.paginationToken).toBeUndefined();
		expect(sandbox.requests.of('listRuns')[0].query).toMatchObject({ name: 'page-run*' });
	});

	it('does not ask for names that no run can have', async () => {
		expect(await names('searchJobRuns', { filter: 'with space' })).toEqual([]);
		expect(suite.sandbox.requests.count).toBe(0);
	});
});

describe('regions and runtimes', () => {
	it("offers the service's own lists without what is switched off", async () => {
		const regions = await names('searchRegions');
		expect(regions[0]).toBe('Organization Default');
		expect(regions).toContain('byoc-acme-us-east-1');
		expect(regions).not.toContain('aws-ap-south-1');
		const { results } = await pick(suite.sandbox, 'searchRuntimes', { filter: 'himem' });
		expect(results.map(({ value }) => value)).toContain('x-large-himem');
		expect(await names('searchRuntimes', { filter: 'matcher' })).toEqual([]);
	});

	it("falls back to the organization's regions when the hints are not there", async () => {
		const { sandbox } = suite;
		const fault = { kind: 'status', status: 404 } as const;
		sandbox.faults.add({ endpoint: 'getConfigHint', fault });
		expect(await names('searchRegions')).toContain('byoc-acme-us-east-1');
	});

	it.each(['forbidden', 'missing'] as const)(
		'knows some by itself (%s)',
		async (accountEndpoints) => {
			suite.sandbox.variants.accountEndpoints = accountEndpoints;
			expect(await names('searchRegions')).toContain('aws-us-west-2');
			expect(await names('searchRuntimes')).toContain('tiny');
		},
	);

	it.each(['{"regions": 5, "runtimes": {"hint": "none"}}', '[]', 'null'])(
		'is not confused by %s',
		async (body) => {
			const { sandbox } = suite;
			sandbox.faults.add({ endpoint: 'getConfigHint', fault: { kind: 'replace', body } });
			sandbox.faults.add({ endpoint: 'getOrganization', fault: { kind: 'replace', body } });
			expect(await names('searchRegions')).toContain('aws-us-west-2');
			expect(await names('searchRuntimes')).toContain('tiny');
		},
	);
});

const pickers: Picker[] = [
	'searchApiKeys',
	'searchCatalogs',
	'searchCloudConnections',
	'searchFiles',
	'searchFolders',
	'searchJobRuns',
	'searchNamespaces',
	'searchRegions',
	'searchRuntimes',
	'searchStorages',
	'searchTables',
	'searchViews',
];

describe.each(pickers)('%s says why it cannot load', (picker) => {
	it('when the key is not accepted', async () => {
		const { sandbox } = suite;
		const credentials = { ...credentialsFor(sandbox), apiKey: 'not-a-valid-key' };
		const opened = pick(sandbox, picker, { parameters: noaa, credentials });
		await expect(opened).rejects.toThrow('did not accept the API key or token');
		// A picker shows text, where the error panel shows HTML.
		await expect(opened).rejects.toMatchObject({
			description: expect.not.stringContaining('<br>'),
		});
	});

	it('when the service is out of order, before people give up', async () => {
		if (picker === 'searchRegions' || picker === 'searchRuntimes') return;
		const { sandbox } = suite;
		sandbox.faults.add({ fault: { kind: 'status', status: 503 } });
		const begun = sandbox.clock.now();
		const opened = pick(sandbox, picker, { parameters: noaa });
		await expect(opened).rejects.toMatchObject({ httpCode: '503' });
		expect(sandbox.clock.now() - begun).toBeLessThanOrEqual(20_000);
	});
});

import { by } from '../../../support/files';
import { credentialsFor, suiteWithSandbox } from '../../harness/suite';
import { at, operationsOf } from '../parameters';

const suite = suiteWithSandbox();

describe('tables', () => {
	const table = operationsOf('table');
	const hail = at('cat-org', 'noaa', 'hail');

	it('distinguishes tables and views', async () => {
		const names = async (include: string) => {
			const parameters = table('getAll', { ...at('cat-org', 'noaa'), include, returnAll: true });
			const { json } = await suite.run(parameters);
			return json.map(({ name, tableType, catalogId, namespace }) => {
				expect([catalogId, namespace]).toEqual(['cat-org', 'noaa']);
				return `${tableType as string} ${name as string}`;
			});
		};
		expect(await names('TABLE')).toEqual(['TABLE hail', 'TABLE wind', 'TABLE broken_metadata']);
		expect(await names('VIEW')).toEqual(['VIEW recent_hail', 'VIEW summary / by month']);
		expect(await names('all')).toHaveLength(5);
	});

	it('keeps every digit of long numbers', async () => {
		const simple = await suite.run(table('get', hail));
		expect(simple.json).toMatchObject([
			{ sqlName: 'org_catalog.noaa.hail', format: 'ICEBERG', rowCount: 48_211_902 },
		]);
		expect(simple.json[0]).toMatchObject({
			columns: ['id: long', 'observed_at: timestamptz', 'geometry: geometry', 'größe (mm): double'],
			currentSnapshotId: '9223372036854775807',
		});
		const raw = await suite.run(table('get', { ...hail, simplify: false }));
		expect(raw.json[0].snapshots).toMatchObject([
			{ 'snapshot-id': '3051729675574597004' },
			{ 'snapshot-id': '9223372036854775807', 'parent-snapshot-id': '3051729675574597004' },
		]);
	});

	it('has the name for SQL of its own catalog, and none where the list lacks it', async () => {
		const stores = await suite.run(table('get', at('cat-glue', 'sales', 'stores')));
		expect(stores.json[0].sqlName).toBe('lake_glue.sales.stores');
		suite.responds('listCatalogs', { catalogs: [{ id: 'cat-other', name: 'other' }] });
		const { json } = await suite.succeeds(table('get', hail));
		expect(json).toMatchObject([{ name: 'hail', sqlName: null }]);
	});

	it('keeps spaces at the ends of names', async () => {
		const catalog = suite.store.catalogs.get('cat-org');
		if (!catalog) throw new Error('no catalog');
		suite.store.catalogs.addTable(catalog, ' spaced ', { name: ' table ' });
		const { json } = await suite.run(table('get', at('cat-org', ' spaced ', ' table ')));
		expect(json[0]).toMatchObject({ namespace: ' spaced ', name: ' table ' });
	});

	it.each([
		['get', {}],
		['getRows', {}],
		['insertRows', { row: { mappingMode: 'defineBelow', value: { id: '1' } } }],
	])(
		'says in the words of the form what helps where metadata is broken: %s',
		async (name, more) => {
			const broken = at('cat-org', 'noaa', 'broken_metadata');
			const { error } = await suite.run(table(name, { ...broken, ...more }));
			expect(error?.message).toBe('Table metadata could not be read');
			expect(error?.description).toMatch(
				/ is broken or missing\.\nAsk the owner of the table to repair it\. Table: Delete can only remove it, with 'Force Delete'\.$/,
			);
		},
	);

	it.each([
		['table', 'recent_hail', 'Views are read with View: Get or SQL: Execute Query.'],
		['view', 'hail', 'Tables are read with Table: Get.'],
	])('says where the other kind is read: %s', async (resource, name, advice) => {
		const where = {
			...at('cat-org', 'noaa'),
			[resource]: by('name', name),
		};
		const { error } = await suite.run({ resource, operation: 'get', ...where });
		expect(error?.message).toBe(`There is no ${resource} with the name "${name}"`);
		expect(error?.description).toBe(
			`Choose one from the list, or enter its name alone, exactly as listed. ${advice}`,
		);
	});

	it('returns temporary credentials and the table they are for, without a body in the request', async () => {
		const { json } = await suite.run(table('getCredentials', hail));
		const expiration = expect.stringMatching(/^2026-11-21T13:00/);
		expect(json[0]).toMatchObject({ namespace: 'noaa', name: 'hail', expiration });
		expect(suite.requests.of('getTableCredentials')[0].body).toBeUndefined();
	});

	describe('delete', () => {
		it('removes the entry and says that the data files stay', async () => {
			expect((await suite.run(table('delete', at('cat-org', 'noaa', 'wind')))).json).toEqual([
				{
					deleted: true,
					catalogId: 'cat-org',
					namespace: 'noaa',
					name: 'wind',
					dataFilesKept: true,
				},
			]);
			expect(suite.requests.of('deleteTable')[0].query).toEqual({});
		});

		it('needs an admin', async () => {
			const { error } = await suite.run(table('delete', hail), {
				credentials: credentialsFor(suite.sandbox, 'user'),
			});
			expect(error?.httpCode).toBe('403');
			expect(error?.message).toBe('This needs the key of an organization admin');
			expect(error?.description).not.toContain('Force Delete');
		});

		it.each([
			['cat-glue', 'sales', 'stores', 'AWS Glue Data Catalog'],
			['cat-s3tables', 'telemetry', 'positions', 'Amazon S3 Tables'],
		])('names the foreign catalog that refuses (%s)', async (catalog, namespace, name, kind) => {
			const { error } = await suite.run(table('delete', at(catalog, namespace, name)));
			expect(error?.description).toContain(`is a foreign catalog (${kind})`);
			expect(error?.description).toMatch(
				/\nDelete the table in the system that owns the catalog\.$/,
			);
			expect(error?.description?.match(/cannot|can't|Not supported/g)).toHaveLength(1);
		});

		it('says how to go on when it is refused and the catalogs cannot be read', async () => {
			suite.fails('listCatalogs', 403);
			const broken = table('delete', at('cat-org', 'noaa', 'broken_metadata'));
			expect((await suite.run(broken)).error?.description).toContain("turn on 'Force Delete'");
		});

		it('removes an entry with broken metadata only by force, and says so', async () => {
			const broken = at('cat-org', 'noaa', 'broken_metadata');
			const refused = await suite.run(table('delete', broken));
			expect(refused.error?.description).toContain("turn on 'Force Delete'");
			expect(refused.error?.description).toContain('is broken or missing.');
			expect(refused.error?.description).not.toContain('force_delete_catalog_entry');
			expect(refused.error?.description?.match(/Force Delete/g)).toHaveLength(1);
			const forced = await suite.run(table('delete', { ...broken, options: { force: true } }));
			expect(forced.json[0]).toMatchObject({ deleted: true, name: 'broken_metadata' });
			expect(suite.requests.of('deleteTable').at(-1)?.query).toEqual({
				force_delete_catalog_entry: 'true',
			});
		});
	});
});

/** wherobots-catalog: the catalogs of an organization. */
import { describeWith } from './environment';
import { startIceberg, type Iceberg } from './iceberg';
import { startJudge, type Judge, type Outcomes } from './judge';

describeWith('clients')('wherobots-catalog', () => {
	let judge: Judge;
	let iceberg: Iceberg;
	let catalogs: Outcomes;

	beforeAll(async () => {
		judge = await startJudge('clients', { plain: true });
		iceberg = await startIceberg(judge.sandbox);
		const given = { api: judge.sandbox.baseUrl, iceberg: iceberg.url };
		catalogs = await judge.work('catalog.py', given);
	});

	afterAll(async () => {
		await iceberg?.stop();
		await judge?.stop();
	});

	it('lists the catalogs by name', () => {
		expect(catalogs.listed).toEqual(['org_catalog', 'lake_glue', 'bucket_tables']);
	});

	it('finds namespaces and tables by the ID of the catalog in that list', () => {
		expect(catalogs.namespaces).toContainEqual(['noaa']);
		expect(catalogs.tables).toEqual(['hail', 'wind', 'broken_metadata']);
	});

	it('asks for nothing in a catalog whose type is not MANAGED', () => {
		const message = expect.stringContaining("type 'FOREIGN_AWS_GLUE'");
		expect(catalogs.foreign).toEqual({ error: 'WherobotsCatalogException', message });
	});

	it('knows a catalog that does not exist by the list', () => {
		expect(catalogs.unknown.error).toBe('KeyError');
	});
});

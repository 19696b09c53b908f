/** harlequin-wherobots: its adapter, without the editor. */
import { describeWith } from './environment';
import { startJudge, type Judge, type Outcomes } from './judge';

describeWith('clients')('harlequin-wherobots', () => {
	let judge: Judge;
	let harlequin: Outcomes;

	beforeAll(async () => {
		judge = await startJudge('clients', { timings: { sqlStartMs: 2_000 } });
		const rows = [
			{ id: 1, name: 'Bonn' },
			{ id: 2, name: null },
		];
		judge.sandbox.sql.answer('SELECT * FROM t', { rows });
		const { catalogs } = judge.sandbox.store;
		const tracks = {
			type: 'list',
			'element-id': 3,
			element: 'geometry',
			'element-required': false,
		};
		const fields = [
			{ name: 'id', type: 'long' },
			{ name: 'tracks', type: tracks },
		];
		catalogs.addTable(catalogs.all()[0], 'noaa', { name: 'storms', fields });
		harlequin = await judge.work('harlequin_adapter.py');
	});

	afterAll(async () => await judge?.stop());

	it('reads rows with their types', () => {
		expect(harlequin.query).toEqual({
			columns: [
				['id', 'integer'],
				['name', 'string'],
			],
			rows: [
				{ id: 1, name: 'Bonn' },
				{ id: 2, name: null },
			],
		});
	});

	it('shows why a statement failed', () => {
		const message = expect.stringContaining('[TABLE_OR_VIEW_NOT_FOUND]');
		expect(harlequin.failed).toEqual({ error: 'HarlequinQueryError', message });
	});

	it('shows all catalogs, namespaces and tables from the hierarchy', () => {
		expect(Object.keys(harlequin.catalog)).toEqual(['org_catalog', 'lake_glue', 'bucket_tables']);
		expect(Object.keys(harlequin.catalog.org_catalog.many)).toHaveLength(120);
	});

	it('reads the columns of a table by the extId of its catalog, also nested ones', () => {
		expect(harlequin.catalog.org_catalog.noaa.storms).toEqual({ id: 'long', tracks: 'list' });
	});

	it('shows no columns of a view or a table that cannot be read', () => {
		const { broken_metadata, recent_hail } = harlequin.catalog.org_catalog.noaa;
		expect([broken_metadata, recent_hail]).toEqual(['table', 'table']);
	});

	it('shows no columns in 0.9.0 of a table whose name has to be encoded, as it is not', () => {
		expect(harlequin.catalog.org_catalog['odd.names/level two']['with space']).toBe('table');
	});
});

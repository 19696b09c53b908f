/** Three catalogs of different kinds, with names that have to survive being part of a path. */
import type { Model } from '../server/environment';
import { fieldsOf, type FieldDraft } from '../model/catalogs';
import { DAY_MS } from '../time';
import demo from './demo.json';

/** Of the tables about storms. */
const FIELDS: FieldDraft[] = [
	{ name: 'id', type: 'long', required: true },
	...fieldsOf('observed_at timestamptz, geometry geometry, größe (mm) double'),
];

export function seedCatalogs({ store, clock }: Model): void {
	const { catalogs } = store;
	const now = clock.now();
	const ago = (days: number) => now - days * DAY_MS;

	const managed = catalogs.create({ id: 'cat-org', name: 'org_catalog' });
	catalogs.addTable(managed, 'noaa', {
		name: 'hail',
		fields: FIELDS,
		updateTime: ago(1),
		rowCount: 48_211_902,
		// Beyond 2^53: a client that reads them as doubles shows other digits.
		snapshots: [
			{ id: '3051729675574597004', at: ago(30), addedRows: 40_000_000 },
			{
				id: '9223372036854775807',
				parentId: '3051729675574597004',
				at: ago(1),
				addedRows: 8_211_902,
			},
		],
	});
	catalogs.addTable(managed, 'noaa', { name: 'wind', fields: FIELDS, updateTime: ago(3) });
	catalogs.addTable(managed, 'noaa', { name: 'broken_metadata', broken: true, rowCount: null });
	catalogs.addView(managed, 'noaa', {
		name: 'recent_hail',
		fields: FIELDS,
		updateTime: ago(2),
		definition: "SELECT * FROM org_catalog.noaa.hail WHERE observed_at > DATE '2026-01-01'",
		properties: { owner: 'ada@example.com' },
	});
	catalogs.addView(managed, 'noaa', {
		name: 'summary / by month',
		definition: 'SELECT month(observed_at), count(*) FROM org_catalog.noaa.hail GROUP BY 1',
	});
	// Their names contain what means something in a URL.
	for (const name of demo.oddTableNames) {
		catalogs.addTable(managed, 'odd.names/level two', { name, fields: FIELDS, rowCount: 10 });
	}
	catalogs.addTable(managed, 'überblick 100%', { name: 'städte', rowCount: 2_060 });
	catalogs.namespace(managed, 'empty');
	for (let index = 1; index <= 120; index += 1) {
		catalogs.addTable(managed, 'many', { name: `tile_${String(index).padStart(3, '0')}` });
	}

	const glue = catalogs.create({
		id: 'cat-glue',
		name: 'lake_glue',
		type: 'FOREIGN_AWS_GLUE',
		location: 's3://acme-lake',
	});
	catalogs.addTable(glue, 'sales', {
		name: 'stores',
		format: 'DELTA',
		region: 'eu-west-1',
		rowCount: 1_204,
	});
	catalogs.addTable(glue, 'sales', { name: 'visits', format: 'DELTA', region: 'eu-west-1' });

	const tables = catalogs.create({
		id: 'cat-s3tables',
		name: 'bucket_tables',
		type: 'FOREIGN_AWS_S3_TABLES',
		location: 's3://acme-table-bucket',
	});
	catalogs.addTable(tables, 'telemetry', { name: 'positions', fields: FIELDS, updateTime: ago(0) });
}

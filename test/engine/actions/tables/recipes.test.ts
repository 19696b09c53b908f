/** The recipes that write to tables and storages: their nodes, against the spatial database of the demo. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { IDataObject, IWorkflowBase } from 'n8n-workflow';

import { REPOSITORY } from '../../../../scripts/lib/paths';
import { STATIONS } from '../../../../scripts/lib/recipes';
import { by } from '../../../support/files';
import { ok } from '../../harness';
import { suiteWithSharedSandbox } from '../../harness/suite';

const suite = suiteWithSharedSandbox({ database: true });

/** The database compiles half a minute's worth of WebAssembly on a slow machine. */
jest.setTimeout(600_000);

/** Executes the Wherobots node of a recipe, with what its reader has to choose. */
async function execute(recipe: string, input: IDataObject[] = [{}]) {
	const file = path.join(REPOSITORY, 'examples', `${recipe}.json`);
	const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as IWorkflowBase;
	const { parameters } = nodes.find(({ type }) => type === 'n8n-nodes-wherobots.wherobots')!;
	const chosen = { catalogId: by('id', 'cat-org'), storageId: by('id', 'stor-acme') };
	return ok(await suite.run({ ...parameters, ...chosen }, { input })).json;
}

const read = async (query: string) =>
	ok(await suite.run({ resource: 'sql', operation: 'executeQuery', query })).json;

it('form-updates-table updates the row of a key, and adds none', async () => {
	const report = (site: string, status: string) => ({
		...{ site, status, reported_at: '2026-11-21T12:00:00.000Z' },
		...{ latitude: 47.6062, longitude: -122.3321 },
	});
	await execute('form-updates-table', [report('S-17', 'open')]);
	await execute('form-updates-table', [report('S-17', 'closed'), report('S-18', 'open')]);
	const rows = await read('SELECT site, status, ST_AsText(location) AS place FROM surveys.sites');
	const place = 'POINT(-122.3321 47.6062)';
	expect(rows).toHaveLength(2);
	expect(rows).toContainEqual({ site: 'S-17', status: 'closed', place });
	expect(rows).toContainEqual({ site: 'S-18', status: 'open', place });
});

it('nightly-csv-to-table replaces the rows, and counts the new ones', async () => {
	const { storages } = suite.store;
	storages.put('stor-acme', 'incoming/stations.csv', STATIONS);
	expect(await execute('nightly-csv-to-table')).toMatchObject([{ rows: 3 }]);
	storages.put('stor-acme', 'incoming/stations.csv', STATIONS.replace(/^S-1.*\n/m, ''));
	expect(await execute('nightly-csv-to-table')).toMatchObject([{ rows: 2 }]);
	const rows = await read('SELECT station, ST_AsText(location) AS place FROM partners.stations');
	expect(rows).toEqual([
		{ station: 'S-2', place: 'POINT(7.0982 50.7374)' },
		{ station: 'S-3', place: 'POINT(-122.3321 47.6062)' },
	]);
});

it('weekly-geoparquet-export writes one file of GeoParquet', async () => {
	const [{ destination, path: stored }, ...more] = await execute('weekly-geoparquet-export');
	expect(more).toEqual([]);
	expect(destination).toMatch(/^s3:\/\/acme-jobs\/exports\/hail\/[\d-]+\/part-.+\.parquet$/);
	const file = suite.store.storages.get('stor-acme')!.files.get(String(stored));
	expect(file?.content?.toString('latin1')).toContain('"primary_column":"geometry"');
});

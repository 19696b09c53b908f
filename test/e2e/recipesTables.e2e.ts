/** Recipes whose statements write: a spatial database executes them. */
import { STATIONS } from '../../scripts/lib/recipes';
import { startMail } from './servers/mail';
import { fillIn } from './suite/requests';
import { useStage } from './suite/stage';

const stage = useStage({
	...{ seed: 'demo', database: true },
	timings: { sqlStartMs: 500, sqlStopMs: 500 },
});

/** The database compiles half a minute's worth of WebAssembly on a slow machine. */
const STARTED_MS = 600_000;

// Nothing else is answered here meanwhile, for which n8n would not wait.
beforeEach(async () => void (await read('SELECT 1')), STARTED_MS);

const chosen = (value: string) => ({ __rl: true, mode: 'list', value });
const IN_CATALOG = { catalogId: chosen('cat-org') };
const IN_STORAGE = { storageId: chosen('stor-acme') };

/** The rows that the database has for a query. */
async function read(query: string): Promise<unknown> {
	const answer = await stage().sandbox.sql.answerTo(query).later?.();
	return answer?.error ?? answer?.rows;
}

test('each report of a form is a row, also of the same place', async () => {
	const { n8n, sandbox, importWorkflow } = stage();
	const workflow = await importWorkflow('examples/form-to-table.json', {
		'Insert row': IN_CATALOG,
	});
	for (const note of ['a pothole', 'a pothole', 'mended']) {
		const answers = ['1 Main Street, Seattle', note, '47.6062', '-122.3321'];
		const execution = await fillIn(n8n, workflow, answers);
		expect(String(await n8n.ended(execution))).toMatch(/: success$/);
	}
	const rows =
		"SELECT note, ST_AsText(location) AS place FROM surveys.reports WHERE note <> '' ORDER BY note";
	const at = 'POINT(-122.3321 47.6062)';
	expect(await read(rows)).toEqual([
		['a pothole', at],
		['a pothole', at],
		['mended', at],
	]);
	expect(sandbox.sql.violations).toEqual([]);
});

test('a form inserts a row, and with the same key updates it', async () => {
	const { n8n, sandbox, importWorkflow } = stage();
	const workflow = await importWorkflow('examples/form-updates-table.json', {
		'Insert or update row': IN_CATALOG,
	});
	for (const [site, status] of [
		['S-17', 'open'],
		['S-18', 'open'],
		['S-17', 'closed'],
	]) {
		const execution = await fillIn(n8n, workflow, [site, status, '47.6062', '-122.3321']);
		expect(String(await n8n.ended(execution))).toMatch(/: success$/);
	}
	const rows = 'SELECT site, status, ST_AsText(location) AS place FROM surveys.sites ORDER BY site';
	const at = 'POINT(-122.3321 47.6062)';
	expect(await read(rows)).toEqual([
		['S-17', 'closed', at],
		['S-18', 'open', at],
	]);
	expect(sandbox.sql.violations).toEqual([]);
});

test("a partner's file replaces the rows of a table, and their number is mailed", async () => {
	const { sandbox, importWorkflow, execute } = stage();
	const { storages } = sandbox.store;
	const mail = await stage().use(startMail());
	const changes = { 'Load file': { ...IN_CATALOG, ...IN_STORAGE } };
	const recipe = 'examples/nightly-csv-to-table.json';
	const workflow = await importWorkflow(recipe, changes, [mail.credential]);

	storages.put('stor-acme', 'incoming/stations.csv', STATIONS);
	await execute(workflow);
	storages.put('stor-acme', 'incoming/stations.csv', STATIONS.replace(/^S-1.*\n/m, ''));
	await execute(workflow);

	expect(mail.received.map(({ subject }) => subject)).toEqual([
		'Stations: 3 rows loaded',
		'Stations: 2 rows loaded',
	]);
	expect(mail.received[0].text?.trim()).toMatch(
		/^The table org_catalog\.partners\.stations now has 3 rows from \S+stations\.csv\.\n\nExecution in n8n: \S+$/,
	);
	const rows =
		'SELECT station, name, CAST(opened AS STRING) AS opened, ST_AsText(location) AS place FROM partners.stations ORDER BY 1';
	expect(await read(rows)).toEqual([
		['S-2', 'Bonn', null, 'POINT(7.0982 50.7374)'],
		['S-3', 'Seattle', '2004-11-30', 'POINT(-122.3321 47.6062)'],
	]);
	expect(sandbox.sql.violations).toEqual([]);
});

test('last week is written as GeoParquet, and a mail says where', async () => {
	const { sandbox, importWorkflow, execute } = stage();
	const mail = await stage().use(startMail());
	const recipe = 'examples/weekly-geoparquet-export.json';
	const changes = { 'Write files': IN_STORAGE };
	await execute(await importWorkflow(recipe, changes, [mail.credential]));

	const written = [...sandbox.store.storages.get('stor-acme')!.files].filter(([path]) =>
		/^exports\/hail\/[\d-]+\/part-.*\.parquet$/.test(path),
	);
	expect(written).toHaveLength(1);
	const [[path, file]] = written;
	expect(file.content?.subarray(0, 4).toString()).toBe('PAR1');
	expect(file.content?.toString('latin1')).toContain('"primary_column":"geometry"');
	expect(mail.received).toHaveLength(1);
	const [{ subject, text }] = mail.received;
	const week = String.raw`\d+ \w{3} to \d+ \w{3} \d{4}`;
	expect(subject).toMatch(new RegExp(`^GeoParquet file: hail from ${week}$`));
	const [sentence, place] = String(text).trim().split('\n\n');
	expect(sentence).toMatch(new RegExp(`^The hail events from ${week} are in this file:$`));
	expect(place).toBe(`s3://acme-jobs/${path} (${Math.ceil(file.size / 1000)} kB)`);
	expect(sandbox.sql.violations).toEqual([]);
});

import { hailOfStorms } from '../sandbox/seed/sql';
import { startChatModel } from './servers/chatModel';
import { startMail } from './servers/mail';
import { rowsOf, tableNamed } from './suite/dataTables';
import { chat } from './suite/requests';
import { useStage } from './suite/stage';
import { DAY_MS, READABLE_TIME, yesterday } from './suite/calendar';

const HAIL = { rows: hailOfStorms(), geometryColumns: ['geometry'] };

const stage = useStage({ seed: 'demo', timings: { sqlStartMs: 500, sqlStopMs: 500 } });

describe('the result of a query', () => {
	test('is kept in a data table, and a day that is queried again replaces its counts', async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		const counts = [
			{ state: 'Texas', events: 41n, largest: 2.75 },
			{ state: 'New Mexico', events: 7n, largest: null },
		];
		sandbox.sql.answer(/FROM org_catalog\.noaa\.hail/, () => ({ rows: counts }));
		const workflow = await importWorkflow('examples/sql-result-to-data-table.json');
		const day = yesterday();
		const kept = async () => {
			const rows = await rowsOf(n8n, await tableNamed(n8n, 'hail_by_state'));
			return rows.map((row) => [row.day, row.state, row.events, row.largest]);
		};

		await stage().execute(workflow);
		expect(await kept()).toEqual([
			[day, 'Texas', 41, 2.75],
			[day, 'New Mexico', 7, null],
		]);

		counts[1] = { state: 'New Mexico', events: 8n, largest: 1.5 };
		counts.push({ state: 'Kansas', events: 1n, largest: 0.75 });
		await stage().execute(workflow);
		expect(await kept()).toEqual([
			[day, 'Texas', 41, 2.75],
			[day, 'New Mexico', 8, 1.5],
			[day, 'Kansas', 1, 0.75],
		]);

		const taken = sandbox.sql.taken();
		expect(taken).toHaveLength(2);
		for (const { text } of taken) {
			const times = [...text.matchAll(/TIMESTAMP '(.+?)'/g)].map(([, time]) => Date.parse(time));
			expect(times[1] - times[0]).toBe(DAY_MS);
			expect(times[1]).toBeLessThanOrEqual(Date.now());
		}
		expect(sandbox.sql.sessions.all()).toHaveLength(1);
		expect(sandbox.sql.violations).toEqual([]);
	});
});

describe('a map of last week', () => {
	test('is shown in a mail, with a page attached', async () => {
		const { sandbox, importWorkflow } = stage();
		const rows = HAIL.rows.map(({ size, ...row }) => ({ ...row, size_mm: size }));
		sandbox.sql.answer(/^SELECT state, size AS size_mm, geometry\s/, { ...HAIL, rows });
		const mail = await stage().use(startMail());
		const workflow = await importWorkflow('examples/weekly-map-by-mail.json', {}, [
			mail.credential,
		]);

		await stage().execute(workflow);

		const [{ subject, html, attachments }, ...more] = mail.received;
		expect(more).toEqual([]);
		expect(subject).toMatch(/^Hail from \d+ \w{3} to \d+ \w{3} \d{4}$/);
		expect(html).toMatch(/<p>[1-9][\d,]* hail events /);
		const files = attachments.map(({ filename, mimeType, contentId, disposition }) =>
			[filename, mimeType, contentId, disposition].join(' '),
		);
		expect(files).toEqual(['map.png image/png <map> inline', 'map.html text/html  attachment']);
		const [{ text }] = sandbox.sql.taken();
		const times = [...text.matchAll(/TIMESTAMP '(.+?)'/g)].map(([, time]) => Date.parse(time));
		expect(times.map((time) => new Date(time).getUTCDay())).toEqual([1, 1]);
		expect(times[1] - times[0]).toBe(7 * DAY_MS);
		expect(times[1]).toBeLessThanOrEqual(Date.now());
	});
});

describe('a map of new rows', () => {
	test('is shown in a mail, for the rows that a table has since the snapshot before', async () => {
		const { sandbox, importWorkflow } = stage();
		const table = sandbox.store.catalogs.tableNamed('org_catalog.noaa.hail');
		if (!table) throw new Error('The demo data has no table hail');
		const before = table.snapshots.at(-1)?.id;
		const made = sandbox.store.catalogs.commit(table, { addedRows: 4 });
		sandbox.sql.answer(/VERSION AS OF/, HAIL);
		const mail = await stage().use(startMail());
		const workflow = await importWorkflow(
			'examples/new-rows-map-by-mail.json',
			{ 'Table changed': { catalogId: { __rl: true, mode: 'list', value: 'cat-org' } } },
			[mail.credential],
		);

		const execution = await stage().execute(workflow);

		const [{ snapshotId, previousSnapshotId }] = execution.json('Table changed');
		expect([snapshotId, previousSnapshotId]).toEqual([made, before]);
		const [{ subject, html, attachments }, ...more] = mail.received;
		expect(more).toEqual([]);
		expect(subject).toBe('4 new rows in hail');
		expect(html).toMatch(
			new RegExp(
				`4 rows were added to hail on ${READABLE_TIME}\\. The table now has 48,211,906 rows\\.`,
			),
		);
		expect(attachments.map(({ filename }) => filename)).toEqual(['map.png', 'map.html']);
		const [{ text }] = sandbox.sql.taken();
		expect(text).toContain(`VERSION AS OF ${made} WHERE _file IN`);
		expect(text).toContain(`snapshot_id IN (${made})`);
		expect(sandbox.sql.violations).toEqual([]);
	});
});

describe('an agent', () => {
	test('finds a table, reads what was wrong with its statements, and gets few rows', async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		const statement = 'SELECT id, observed_at FROM org_catalog.noaa.hail LIMIT 1000';
		const rows = Array.from({ length: 200 }, (_, id) => ({ id, observed_at: `minute ${id}` }));
		sandbox.sql.answer(statement, { rows });
		const model = await stage().use(
			startChatModel([
				{ tool: 'List_catalogs', parameters: () => ({}) },
				{
					tool: 'Get_table',
					parameters: () => ({ catalog_id: 'cat-org', namespace: 'noaa', table: 'hail' }),
				},
				{ tool: 'Query', parameters: () => ({ query: 'DELETE FROM org_catalog.noaa.hail' }) },
				{ tool: 'Query', parameters: () => ({ query: 'SELECT id FROM hail' }) },
				{ tool: 'Query', parameters: () => ({ query: statement }) },
			]),
		);
		const workflow = await importWorkflow('examples/agent-answers-from-catalog.json', {}, [
			model.credential,
		]);

		const execution = await chat(n8n, workflow, 'When did it hail?');

		const ended = await n8n.ended(execution);
		expect(String(ended)).toMatch(/: success$/);
		const [catalogs, table, refused, failed, result, ...more] = model.heard;
		expect(more).toEqual([]);
		expect(catalogs).toContain('cat-org');
		expect(table).toContain('observed_at: timestamptz');
		expect(refused).toMatch(/must only read[^]*'Read Only' allows SELECT/);
		expect(failed).toMatch(/The statement failed: The table or view .*cannot be found/);
		expect(result).toContain('minute 49');
		expect(result).not.toContain('minute 50');
		expect(result).toContain('Only the first 50 of 200 rows are shown.');
		expect(sandbox.sql.taken().map(({ text }) => text)).toEqual(['SELECT id FROM hail', statement]);
		expect(JSON.stringify(ended.json('Agent'))).toContain('minute 49');
	});
});

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

import { startPostgres } from './servers/postgres';
import { startS3 } from './servers/s3';
import { startSftp } from './servers/sftp';
import { checksums, idsBetween, idsIn, recordSpan } from './suite/archive';
import { DAY_MS, daysAgo, HOUR_MS, hoursAgo, untilThereIsTime } from './suite/calendar';
import { useStage } from './suite/stage';

interface Archive {
	/** What is stored: contents by name. */
	files(): Promise<Map<string, Buffer>>;
	remove(name: string): Promise<void>;
}

const stage = useStage();

/** What a workflow stores, which it does not change when it is executed again. */
async function storedBy(workflow: string, archive: Archive) {
	await stage().execute(workflow);
	const first = await archive.files();
	await stage().execute(workflow);
	expect(checksums(await archive.files())).toEqual(checksums(first));
	return first;
}

/** Removes three files of an archive: a workflow exports these again, and then nothing. */
async function fillsGaps(workflow: string, archive: Archive, names: string[]) {
	const { sandbox, execute } = stage();
	const all = checksums(await archive.files());
	const lost = names.filter((_, index) => [3, 40, 41].includes(index));
	for (const name of lost) await archive.remove(name);
	sandbox.requests.clear();
	const execution = await execute(workflow);
	expect(checksums(await archive.files())).toEqual(all);
	expect(sandbox.requests.of('exportAuditLog')).toHaveLength(lost.length);
	expect((await execute(workflow)).json('Export what is missing')).toEqual([]);
	return { execution, lost };
}

describe('to S3', () => {
	test('daily: one object holds exactly the events of yesterday, however often it runs', async () => {
		const { sandbox, importWorkflow } = stage();
		const s3 = await stage().use(startS3('audit-archive'));
		const [start, end] = [daysAgo(1), daysAgo(0)];
		recordSpan(sandbox, start, end, 500);
		const recipe = 'examples/audit-log-daily-to-s3.json';

		const stored = await storedBy(await importWorkflow(recipe, {}, [s3.credential]), s3);

		const [year, month, day] = new Date(start).toISOString().slice(0, 10).split('-');
		const name = `year=${year}/month=${month}/day=${day}/audit-log.csv`;
		expect([...stored.keys()].sort()).toEqual([`manifests/${name}.json`, name]);
		expect(idsIn([stored.get(name)!])).toEqual(idsBetween(sandbox, start, end));
	});

	test('catch-up: exports 90 days, then only what is missing, and verifies what is stored', async () => {
		const { n8n, sandbox, importWorkflow, execute } = stage();
		const s3 = await stage().use(startS3('audit-archive'));
		const [start, end] = [daysAgo(90), daysAgo(0)];
		recordSpan(sandbox, Date.now() - 90 * DAY_MS + HOUR_MS, end, 2_000);
		// What is older must not lengthen the listing, nor hide that a day is missing.
		await s3.put('year=2025/month=01/day=01/audit-log.csv', Buffer.from('event_id,event_time\n'));
		const recipe = 'examples/audit-log-catch-up-s3.json';
		const workflow = await importWorkflow(recipe, {}, [s3.credential]);
		const verifying = 'examples/audit-log-verify-archive.json';
		const verify = await importWorkflow(verifying, {}, [s3.credential]);
		const none = await n8n.run(verify);
		expect(none.error?.message).toContain('Nothing was verified: the bucket has no manifest');

		await execute(workflow);
		const all = await s3.files();
		const names = [...all.keys()].filter((key) => key.startsWith('year='));
		expect(names).toHaveLength(91);
		expect(idsIn(names.map((name) => all.get(name)!))).toEqual(idsBetween(sandbox, start, end));

		const { execution, lost } = await fillsGaps(workflow, s3, names);
		expect(execution.json('List archive')).toHaveLength(87);
		// A file without its manifest would not be exported again, nor verified.
		const uploads = execution.nodes.filter((name) => name.startsWith('Upload'));
		expect(uploads).toEqual(['Upload manifest', 'Upload file']);

		const sound = await execute(verify);
		expect(sound.json('Compute SHA-256')).toHaveLength(90);
		expect(sound.json('Count verified files')).toEqual([{ filesVerified: 90 }]);

		const [cut] = lost;
		const whole = all.get(cut)!;
		await s3.put(cut, whole.subarray(0, whole.lastIndexOf('\n', whole.length - 2) + 1));
		const { error, nodes } = await n8n.run(verify);
		expect(nodes).not.toContain('Count verified files');
		expect(error?.message).toContain(`differs from what was exported: ${cut}`);
	});
});

describe('to SFTP', () => {
	test('hourly: one compressed file holds exactly the events of the hour before', async () => {
		await untilThereIsTime(HOUR_MS, 120_000);
		const { sandbox, importWorkflow } = stage();
		const sftp = await stage().use(startSftp());
		const [start, end] = [hoursAgo(1), hoursAgo(0)];
		recordSpan(sandbox, start, end, 300);
		const recipe = 'examples/audit-log-hourly-to-sftp.json';

		const stored = await storedBy(await importWorkflow(recipe, {}, [sftp.credential]), sftp);

		const hour = new Date(start).toISOString();
		const name = `audit-archive/${hour.slice(0, 10)}/audit-log-${hour.slice(11, 13)}.csv.gz`;
		expect([...stored.keys()]).toEqual([name]);
		expect(idsIn([gunzipSync(stored.get(name)!)])).toEqual(idsBetween(sandbox, start, end));
	});

	test('catch-up: exports 90 days, and afterwards only what is missing', async () => {
		const { n8n, sandbox, importWorkflow, execute } = stage();
		const sftp = await stage().use(startSftp());
		const [start, end] = [daysAgo(90), daysAgo(0)];
		// What is past the retention cannot be exported any more.
		recordSpan(sandbox, Date.now() - 90 * DAY_MS + HOUR_MS, end, 2_000);
		const recipe = 'examples/audit-log-catch-up-sftp.json';
		const workflow = await importWorkflow(recipe, {}, [sftp.credential]);

		// Without its folder the archive might as well be unreachable: nothing may be exported then.
		expect(String(await n8n.run(workflow))).toMatch(/: error.*No such file/);
		expect(sandbox.requests.of('exportAuditLog')).toEqual([]);
		await mkdir(path.join(sftp.folder, 'audit-archive'));

		const begun = await execute(workflow);
		const all = await sftp.files();
		expect(all.size).toBe(90);
		expect(idsIn(all.values())).toEqual(idsBetween(sandbox, start, end));
		const complete = begun.json('Export what is missing').map((each) => each.complete);
		expect(complete).toEqual([false, ...Array.from({ length: 89 }, () => true)]);

		await fillsGaps(workflow, sftp, [...all.keys()]);
	});
});

test('to PostgreSQL: rows are exactly the events of yesterday, however often it runs', async () => {
	const { sandbox, importWorkflow, execute } = stage();
	const postgres = await stage().use(startPostgres());
	const [start, end] = [daysAgo(1), daysAgo(0)];
	recordSpan(sandbox, start, end, 700);
	const recipe = 'examples/audit-log-to-postgres.json';
	const workflow = await importWorkflow(recipe, {}, [postgres.credential]);

	for (let execution = 1; execution <= 2; execution += 1) {
		await execute(workflow);
		const rows = await postgres.query('SELECT event_id FROM wherobots_audit_log');
		expect(rows.map(({ event_id }) => event_id).sort()).toEqual(idsBetween(sandbox, start, end));
	}
	const [{ count }] = await postgres.query(
		'SELECT count(*)::int FROM wherobots_audit_log WHERE resource_name = E\'a "quoted", name\\nof two lines: Zoë 東京\'',
	);
	expect(count).toBe(703);
});

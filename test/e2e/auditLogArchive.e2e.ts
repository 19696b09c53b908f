import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

import { startPostgres } from './servers/postgres';
import { startS3 } from './servers/s3';
import { startSftp } from './servers/sftp';
import { checksums, idsBetween, idsIn, recordSpan } from './suite/archive';
import { DAY_MS, daysAgo, HOUR_MS, hoursAgo, untilThereIsTime } from './suite/calendar';
import { useStage } from './suite/stage';

const stage = useStage();

const execute = async (workflowId: string, timeoutMs?: number) =>
	await stage().execute(workflowId, timeoutMs);

const filesIn = (objects: Map<string, Buffer>) =>
	new Map([...objects].filter(([key]) => key.startsWith('year=')));

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10).split('-');

test('daily to S3: one object holds exactly the events of yesterday, however often it runs', async () => {
	const { sandbox } = stage();
	const s3 = await stage().use(startS3('audit-archive'));
	const [start, end] = [daysAgo(1), daysAgo(0)];
	recordSpan(sandbox, start, end, 500);
	const file = 'examples/audit-log-daily-to-s3.json';
	const workflow = await stage().importWorkflow(file, {}, [s3.credential]);

	const execution = await execute(workflow);
	const first = await s3.objects();
	const [year, month, day] = dateOf(start);
	const name = `year=${year}/month=${month}/day=${day}/audit-log.csv`;
	expect([...first.keys()].sort()).toEqual([`manifests/${name}.json`, name]);
	expect(idsIn(filesIn(first).values())).toEqual(idsBetween(sandbox, start, end));
	expect(execution.json('Export yesterday')).toMatchObject([{ rows: 503, complete: true }]);

	await execute(workflow);
	expect(checksums(await s3.objects())).toEqual(checksums(first));
});

test('catch-up to S3: exports 90 days, afterwards only what is missing, and verifies what is stored', async () => {
	const { sandbox } = stage();
	const s3 = await stage().use(startS3('audit-archive'));
	const [start, end] = [daysAgo(90), daysAgo(0)];
	recordSpan(sandbox, Date.now() - 90 * DAY_MS + 3_600_000, end, 2_000);
	// What is older must not lengthen the listing, nor hide that a day is missing.
	await s3.put('year=2025/month=01/day=01/audit-log.csv', Buffer.from('event_id,event_time\n'));
	const file = 'examples/audit-log-catch-up-s3.json';
	const workflow = await stage().importWorkflow(file, {}, [s3.credential]);

	await execute(workflow, 110_000);
	const all = await s3.objects();
	const files = filesIn(all);
	expect(files.size).toBe(91);
	expect(idsIn(files.values())).toEqual(idsBetween(sandbox, start, end));

	const lost = [...files.keys()].filter((_, index) => [3, 40, 41].includes(index));
	for (const key of lost) await s3.remove(key);
	sandbox.requests.clear();
	const second = await execute(workflow);
	expect(second.json('List the archive')).toHaveLength(87);
	expect(checksums(await s3.objects())).toEqual(checksums(all));
	expect(sandbox.requests.of('exportAuditLog')).toHaveLength(lost.length);
	expect((await execute(workflow)).json('Export what is missing')).toEqual([]);

	const verify = await stage().importWorkflow('examples/audit-log-verify-archive.json', {}, [
		s3.credential,
	]);
	const sound = await execute(verify, 110_000);
	expect(sound.json('Compute its SHA-256')).toHaveLength(90);
	expect(sound.json('What differs')).toEqual([]);

	const [cut] = lost;
	const whole = all.get(cut) as Buffer;
	await s3.put(cut, whole.subarray(0, whole.lastIndexOf('\n', whole.length - 2) + 1));
	const unsound = await stage().n8n.run(verify, 110_000);
	expect(String(unsound)).toMatch(/: error/);
	expect(unsound.error?.message).toContain(`differs from what was exported: ${cut}`);
}, 360_000);

describe('to SFTP', () => {
	test('hourly: one compressed file holds exactly the events of the hour before', async () => {
		await untilThereIsTime(HOUR_MS, 60_000);
		const { sandbox } = stage();
		const sftp = await stage().use(startSftp());
		const [start, end] = [hoursAgo(1), hoursAgo(0)];
		recordSpan(sandbox, start, end, 300);
		const file = 'examples/audit-log-hourly-to-sftp.json';
		const workflow = await stage().importWorkflow(file, {}, [sftp.credential]);

		await execute(workflow);
		const first = await sftp.files();
		const hour = new Date(start).toISOString();
		expect([...first.keys()]).toEqual([
			`audit-archive/${hour.slice(0, 10)}/audit-log-${hour.slice(11, 13)}.csv.gz`,
		]);
		const contents = [...first.values()].map((bytes) => gunzipSync(bytes));
		expect(idsIn(contents)).toEqual(idsBetween(sandbox, start, end));

		await execute(workflow);
		expect(checksums(await sftp.files())).toEqual(checksums(first));
	});

	test('catch-up: exports 90 days, and afterwards only what is missing', async () => {
		const { sandbox } = stage();
		const sftp = await stage().use(startSftp());
		const [start, end] = [daysAgo(90), daysAgo(0)];
		// What is past the retention cannot be exported any more.
		const kept = Date.now() - 90 * DAY_MS + 3_600_000;
		recordSpan(sandbox, kept, end, 2_000);
		const file = 'examples/audit-log-catch-up.json';
		const workflow = await stage().importWorkflow(file, {}, [sftp.credential]);

		// Without its folder the archive might as well be unreachable: nothing may be exported then.
		expect(String(await stage().n8n.run(workflow))).toMatch(/: error.*No such file/);
		expect(sandbox.requests.of('exportAuditLog')).toEqual([]);
		await mkdir(path.join(sftp.folder, 'audit-archive'));

		const begun = await execute(workflow, 110_000);
		const all = await sftp.files();
		expect(all.size).toBe(90);
		expect(idsIn(all.values())).toEqual(idsBetween(sandbox, start, end));
		expect(begun.json('Export what is missing').map(({ complete }) => complete)).toEqual([
			false,
			...Array.from({ length: 89 }, () => true),
		]);

		const lost = [...all.keys()].filter((_, index) => [3, 40, 41].includes(index));
		for (const name of lost) await rm(path.join(sftp.folder, name));
		sandbox.requests.clear();
		await execute(workflow);
		expect(checksums(await sftp.files())).toEqual(checksums(all));
		expect(sandbox.requests.of('exportAuditLog')).toHaveLength(lost.length);

		const idle = await execute(workflow);
		expect(idle.json('Export what is missing')).toEqual([]);
	}, 240_000);
});

test('to PostgreSQL: rows are exactly the events of yesterday, however often it runs', async () => {
	const { sandbox } = stage();
	const postgres = await stage().use(startPostgres());
	const [start, end] = [daysAgo(1), daysAgo(0)];
	recordSpan(sandbox, start, end, 700);
	const file = 'examples/audit-log-to-postgres.json';
	const workflow = await stage().importWorkflow(file, {}, [postgres.credential]);

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

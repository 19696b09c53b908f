import fastify from 'fastify';
import { DateTime } from 'luxon';

import { writeResults } from '../../scripts/lib/recipes';
import { FLOODED } from '../support/notebooks';
import { startMail } from './servers/mail';
import { startS3 } from './servers/s3';
import { yesterday } from './suite/calendar';
import { useStage } from './suite/stage';

const SCRIPT = 'print("from Git")\n';

const stage = useStage({ seed: 'demo' });

test('a script from Git is uploaded and run, and its result comes back', async () => {
	const { sandbox, importWorkflow, execute } = stage();
	writeResults(sandbox);
	const git = fastify({ forceCloseConnections: true });
	git.get('/jobs/summary.py', async () => SCRIPT);
	const url = await git.listen({ host: '127.0.0.1', port: 0 });
	await stage().use(Promise.resolve({ stop: async () => await git.close() }));
	const workflow = await importWorkflow('examples/script-from-git.json', {
		'Download script': { url: `${url}/jobs/summary.py` },
		'Upload script': { storageId: { __rl: true, mode: 'list', value: 'stor-managed' } },
	});

	const execution = await execute(workflow);
	await execute(workflow);

	const storage = sandbox.store.storages.get('stor-managed')!;
	const script = `${storage.draft.defaultDirectory}/scripts/summary.py`;
	expect(storage.files.get(script)?.content?.toString()).toBe(SCRIPT);
	const submission = { runPython: { uri: `${storage.draft.path}/${script}` } };
	expect(stage().submitted()).toMatchObject([submission, submission]);
	expect(execution.json('Read rows')).toEqual([
		{ region: 'west', count: '3' },
		{ region: 'east', count: '4' },
	]);
});

describe('the results of a task run', () => {
	/** Executes the recipe for a run with these results, and returns what is in S3 then. */
	async function copy(results: Record<string, string>) {
		const { n8n, sandbox, importWorkflow } = stage();
		const { storages, tasks } = sandbox.store;
		const { id } = storages.create({ name: 'RasterFlow', path: 's3://my-storage' });
		storages.put(id, 'tmp/run/roofs.parquet', 'PAR1 roofs');
		storages.put(id, 'tmp/run/mosaic.zarr/.zgroup', '{"zarr_format": 2}');
		storages.put(id, 'tmp/run/mosaic.zarr/red/0.0', 'pixels');
		const taskName = 'build_mosaic';
		const { taskRunId } = tasks.createRun({ taskName, state: 'SUCCEEDED', results });
		const s3 = await stage().use(startS3('my-bucket'));
		const chosen = { storageId: { __rl: true, mode: 'list', value: id } };
		const filters = { taskName: { __rl: true, mode: 'name', value: taskName } };
		const parameters = {
			'Task run succeeded': { filters },
			'Download folder': chosen,
			'Download file': chosen,
		};
		const file = 'examples/copy-task-results-to-s3.json';
		const execution = await n8n.run(await importWorkflow(file, parameters, [s3.credential]));
		const objects = [...(await s3.files())].map(([key, content]) => [key, String(content)]);
		return {
			execution,
			objects: Object.fromEntries(objects),
			folder: `task-results/${taskRunId}`,
		};
	}

	test('are copied to S3: files, and folders file by file', async () => {
		const { execution, objects, folder } = await copy({
			o0: 's3://my-storage/tmp/run/roofs.parquet',
			o1: 's3://my-storage/tmp/run/mosaic.zarr',
		});
		expect(String(execution)).toMatch(/: success$/);
		expect(objects).toEqual({
			[`${folder}/tmp/run/roofs.parquet`]: 'PAR1 roofs',
			[`${folder}/tmp/run/mosaic.zarr/.zgroup`]: '{"zarr_format": 2}',
			[`${folder}/tmp/run/mosaic.zarr/red/0.0`]: 'pixels',
		});
	});

	test('are missed when there are none', async () => {
		const { execution, objects } = await copy({});
		expect(execution.error?.message).toMatch(/^The task run \S+ has no result at an S3 address/);
		expect(objects).toEqual({});
	});

	test('are named where they are in no storage of the organization', async () => {
		const { execution, objects } = await copy({
			o0: 's3://my-storage/tmp/run/roofs.parquet',
			o1: 's3://wherobots-temporary/run/roofs.parquet',
		});
		expect(execution.error?.message).toContain('s3://wherobots-temporary/run/roofs.parquet');
		expect(Object.keys(objects)).toHaveLength(1);
	});
});

describe('a notebook', () => {
	test('runs every morning for the day before, and what it prints is mailed', async () => {
		const { sandbox, importWorkflow } = stage();
		const mail = await stage().use(startMail());
		sandbox.store.storages.put('stor-acme', 'notebooks/flooded.ipynb', FLOODED);
		sandbox.plans.set(/^flooded-/, { logs: ['3 buildings are flooded'] });
		const storageId = { __rl: true, mode: 'list', value: 'stor-acme' };
		const workflow = await importWorkflow(
			'examples/notebook-every-morning.json',
			{
				'Download notebook': { storageId },
				'Submit and wait': { storageId },
				'Read log': {
					options: { followMinutes: 60, lateSeconds: 1, leaveOutPlatformLines: true },
				},
			},
			[mail.credential],
		);

		await stage().execute(workflow);
		await stage().execute(workflow);

		const [{ name, runPython }, ...more] = stage().submitted();
		expect([name, more]).toEqual([`flooded-${yesterday()}`, []]);
		const key = runPython.uri.slice('s3://acme-jobs/'.length);
		const script = sandbox.store.storages.get('stor-acme')!.files.get(key)!.content!.toString();
		expect(script).toContain(`# Parameters\nday = "${yesterday()}"\n`);
		expect(script).not.toMatch(/^[%!]/m);
		const day = DateTime.fromISO(yesterday()).toFormat('d LLL yyyy');
		expect(mail.received.map(({ subject }) => subject)).toEqual([
			`Notebook flooded, ${day}`,
			`Notebook flooded, ${day}`,
		]);
		expect(mail.received[0].text).toContain('3 buildings are flooded');
	});
});

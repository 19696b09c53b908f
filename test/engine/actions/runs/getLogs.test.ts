import { closing, logFile } from '../../../support/failedLogs';
import { suiteWithSandbox, textOf } from '../../harness/suite';
import { ofRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const getLogs = ofRun('getLogs');

/** A run with numbered lines that ended a long time ago. */
function ended(count: number): string {
	const { id } = suite.store.createRun({ plan: { pendingMs: 0, runningMs: 20_000, logs: count } });
	suite.clock.advance(3_600_000);
	return id;
}

const task = (index: number, count: number) =>
	`INFO TaskSetManager: Finished task ${index} of ${count}`;

const programLines = ['read 4 regions', 'loss: 0.5', '{', '  "tiles": 4', '}', 'written'];

const platformLog = [
	'creating s3://example-bucket/spark-logs/run-1/',
	'::::::',
	'Setting default log level to "WARN".',
	'26/11/25 03:00:04 WARN NativeCodeLoader: Unable to load native-hadoop library',
	...programLines.slice(0, 1),
	'[Stage 7:=====>      (3 + 4) / 8]',
	'\r 10%|#  | 1/9 [00:01<00:09,  9.87it/s]\r\u001b[32mloss: 0.5\u001b[0m',
	...programLines.slice(2),
	'{',
	'    "ETag": "\\"d41d8\\"",',
	'    "ServerSideEncryption": "AES256"',
	'}',
	...closing(1),
];

describe('Job Run: Get Logs', () => {
	it('returns one item for each line, without waiting', async () => {
		const id = ended(1);
		const { json } = await suite.succeeds(getLogs(id, { lines: 'all' }));
		const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
		expect(json).toEqual([{ time, line: task(1, 1), runId: id }]);
		expect(suite.time.pauses).toEqual([]);
	});

	it('returns the last hundred lines unless told otherwise', async () => {
		const { json } = await suite.run(getLogs(ended(150)));
		expect(json).toHaveLength(100);
		expect(json.at(-1)?.line).toBe(task(150, 150));
	});

	it.each([
		['first', 3, [1, 2, 3], 1],
		['last', 3, [1_198, 1_199, 1_200], 3],
	])('returns the %s %i lines', async (lines, lineCount, expected, requests) => {
		const { json } = await suite.run(getLogs(ended(1_200), { lines, lineCount }));
		expect(json.map(({ line }) => line)).toEqual(expected.map((i) => task(i, 1_200)));
		expect(suite.requests.of('getRunLogs').length).toBeLessThanOrEqual(requests);
	});

	it('returns a single text', async () => {
		const id = ended(3);
		expect((await suite.run(getLogs(id, { output: 'text' }))).json).toEqual([
			{
				runId: id,
				status: 'COMPLETED',
				lineCount: 3,
				complete: true,
				text: [1, 2, 3].map((i) => task(i, 3)).join('\n'),
			},
		]);
	});

	it.each([
		[{}, 'data', undefined],
		[{ fileName: 'nightly ü.log', binaryPropertyName: 'log' }, 'log', 'nightly ü.log'],
	])('returns a file: %j', async (options, field, fileName) => {
		const id = ended(700);
		const { items } = await suite.run(getLogs(id, { lines: 'all', output: 'file', options }));
		expect(items).toHaveLength(1);
		const file = { mimeType: 'text/plain', fileName: fileName ?? `${id}.log` };
		expect(items[0].binary?.[field]).toMatchObject(file);
		expect(textOf(items[0], field)).toBe(
			Array.from({ length: 700 }, (_, i) => `${task(i + 1, 700)}\n`).join(''),
		);
		expect(items[0].json).toMatchObject({ runId: id, lineCount: 700, complete: true });
	});

	it('checks where a file goes before it reads a log', async () => {
		const options = { binaryPropertyName: '={{ "" }}' };
		const { error } = await suite.run(getLogs(ended(3), { output: 'file', options }));
		expect(error?.message).toBe("'Put Output File in Field' must not be empty");
		expect(suite.requests.count).toBe(0);
	});

	it("leaves out the platform's lines when asked to, and counts without them", async () => {
		const { id } = suite.store.createRun({
			plan: { pendingMs: 0, runningMs: 20_000, outcome: 'FAILED', logs: platformLog },
		});
		suite.clock.advance(3_600_000);
		const options = { leaveOutPlatformLines: true };
		const lines = async (more: object) =>
			(await suite.run(getLogs(id, { options, ...more }))).json.map(({ line }) => line);
		expect(await lines({ lines: 'all' })).toEqual(programLines);
		expect(await lines({ lines: 'last', lineCount: 2 })).toEqual(programLines.slice(-2));
		expect(await lines({ lines: 'first', lineCount: 1 })).toEqual(programLines.slice(0, 1));
		const { json } = await suite.run(getLogs(id, { lines: 'all' }));
		expect(json.map(({ line }) => line)).toEqual(platformLog);
	});

	it('says why a run failed beside its text or file', async () => {
		const logs = logFile('failed-python');
		const plan = { pendingMs: 0, runningMs: 20_000, outcome: 'FAILED', logs } as const;
		const { id } = suite.store.createRun({ plan: { ...plan, logs } });
		suite.clock.advance(3_600_000);
		for (const output of ['text', 'file']) {
			const { json } = await suite.run(getLogs(id, { lineCount: 5, output }));
			expect(json[0]).toMatchObject({ lineCount: 5, location: 'tiles.py:31', returnCode: 1 });
			expect(json[0].cause).toContain('UNRESOLVED_COLUMN');
			expect(json[0].excerpt).toMatch(/^Traceback/);
		}
		const first = await suite.run(getLogs(id, { lines: 'first', output: 'text' }));
		expect(first.json[0]).toHaveProperty('cause');
		const some = { lines: 'first', lineCount: 2, output: 'text' };
		expect((await suite.run(getLogs(id, some))).json[0]).not.toHaveProperty('cause');
	});

	it('returns no lines for an empty log, or an item with an empty text or file', async () => {
		const id = ended(0);
		expect((await suite.run(getLogs(id))).json).toEqual([]);
		const { json } = await suite.run(getLogs(id, { output: 'text' }));
		expect(json[0]).toMatchObject({ lineCount: 0, text: '' });
		expect((await suite.run(getLogs(id, { output: 'file' }))).items[0].binary?.data.data).toBe('');
	});
});

it('the log is not empty where the service sends errors in place of lines', async () => {
	const id = ended(2);
	suite.responds('getRunLogs', { errors: [{ code: 'X', message: 'try again' }], items: [] });
	expect((await suite.run(getLogs(id))).error?.message).toBe('try again');
});

describe('the log of a run that is still active', () => {
	const going = (more: object = {}) =>
		suite.store.createRun({
			name: 'some-job-run',
			plan: { pendingMs: 5_000, runningMs: 600_000, logs: 60, ...more },
		}).id;

	it('is returned as far as it goes, with a hint that more may come', async () => {
		const id = going();
		suite.clock.advance(305_000);
		const { json, hints } = await suite.run(getLogs(id));
		expect(json).toHaveLength(29);
		expect(hints).toEqual(['Job run "some-job-run" is still RUNNING: more log lines may follow.']);
		expect(suite.time.pauses).toEqual([]);
	});

	it.each(['empty', 'notFound'] as const)(
		'is followed from before the run starts to its end, including late lines (log at first: %s)',
		async (logsWhilePending) => {
			suite.variants.logsWhilePending = logsWhilePending;
			const id = going({ logDelayMs: 20_000 });
			const { json, hints } = await suite.run(getLogs(id, { options: { followMinutes: 60 } }));
			expect(json.map(({ line }) => line)).toEqual(
				Array.from({ length: 60 }, (_, i) => task(i + 1, 60)),
			);
			expect(hints).toEqual([]);
			expect(Math.max(...suite.time.pauses)).toBeLessThanOrEqual(15_000);
		},
	);

	it('has no lines before the run starts', async () => {
		suite.variants.logsWhilePending = 'notFound';
		const { json, hints } = await suite.succeeds(getLogs(going()));
		expect(json).toEqual([]);
		expect(hints).toEqual(['Job run "some-job-run" is still PENDING: more log lines may follow.']);
	});

	it('is followed only until the first lines are there or time is up', async () => {
		const first = await suite.run(
			getLogs(going(), { lines: 'first', lineCount: 5, options: { followMinutes: 60 } }),
		);
		expect([first.json.length, first.hints]).toEqual([5, []]);

		const some = await suite.run(getLogs(going(), { options: { followMinutes: 2 } }));
		expect(some.json.length).toBeGreaterThan(5);
		expect(some.json.length).toBeLessThan(20);
		expect(some.hints).toHaveLength(1);
	});

	it('is waited for at its end for as long as chosen', async () => {
		const run = { plan: { pendingMs: 0, runningMs: 10_000, logs: 5, logDelayMs: 40_000 } };
		const short = suite.store.createRun(run).id;
		suite.clock.advance(10_000);
		const early = await suite.run(getLogs(short, { options: { lateSeconds: 1 } }));
		expect(early.json).toHaveLength(0);
		const late = await suite.run(getLogs(short, { options: { lateSeconds: 60 } }));
		expect(late.json).toHaveLength(5);
	});
});

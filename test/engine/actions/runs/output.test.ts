import type { INodeParameters } from 'n8n-workflow';

import { OUTPUT_LIMITS } from '../../../../nodes/Wherobots/useCases/runs/explainRun';
import { logFile } from '../../../support/failedLogs';
import { errorOf, suiteWithSandbox } from '../../harness/suite';
import { ofRun, pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const LINE = 'N8N_OUTPUT {"rows": 0, "file": "s3://bucket/tiles.parquet"}';
const VALUE = { rows: 0, file: 's3://bucket/tiles.parquet' };

type Outcome = 'COMPLETED' | 'FAILED' | 'TIMED_OUT';

/** A run that ended an hour ago, with this log. */
function ended(logs: string[], outcome: Outcome = 'COMPLETED'): string {
	const plan = { pendingMs: 0, runningMs: 20_000, outcome, logs };
	const { id } = suite.store.createRun({ name: 'nightly-etl', plan });
	suite.clock.advance(3_600_000);
	return id;
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `INFO Job: tile ${at}`);

const get = (runId: string, more: object = {}) =>
	ofRun('get')(runId, { options: { includeOutput: true }, ...more });
const wait = (runId: string, options: object = {}) =>
	ofRun('waitForCompletion')(runId, { waitOptions: { includeOutput: true, ...options } });

/** What an operation says of the output of a run with this log. */
async function outputOf(logs: string[], parameters = get) {
	const { json, hints } = await suite.succeeds(parameters(ended(logs)));
	const { output, outputProblem } = json[0];
	return { output, outputProblem, hints };
}

const pages = () => suite.requests.of('getRunLogs').length;

describe('the output of a job run', () => {
	const waitOptions = { includeOutput: true };
	it.each<[string, () => INodeParameters]>([
		['Create', () => ({ ...pythonRun, waitForCompletion: true, waitOptions })],
		['Wait for Completion', () => wait(ended([LINE]))],
		['Get', () => get(ended([LINE]))],
		[
			'Run Again',
			() => {
				const more = { anyStatus: true, waitForCompletion: true, waitOptions };
				return ofRun('rerun')(ended([LINE]), more);
			},
		],
	])('comes with %s, simplified or not', async (_, parameters) => {
		suite.plans.set(/./, { logs: ['start', LINE, 'end'] });
		for (const simplify of [true, false]) {
			const { json } = await suite.succeeds({ ...parameters(), simplify });
			expect(json[0].output).toEqual(VALUE);
			expect(json[0]).not.toHaveProperty('outputProblem');
			expect('payload' in json[0]).toBe(!simplify);
		}
	});

	it('is not read unless it is wanted', async () => {
		const id = ended([LINE]);
		const both = [ofRun('get')(id), ofRun('waitForCompletion')(id)];
		for (const parameters of both) {
			expect((await suite.succeeds(parameters)).json[0]).not.toHaveProperty('output');
		}
		expect(pages()).toBe(0);
	});

	it.each<[string, unknown]>([
		['[1, "two", null]', [1, 'two', null]],
		['"done"', 'done'],
		['0', 0],
		['false', false],
		['null', null],
		['{"mean": 1.0, "share": 0.30000000000000004}', { mean: 1, share: 0.30000000000000004 }],
		['{"id": 9223372036854775807}', { id: '9223372036854775807' }],
		['{"sum": 12345678901234.567890}', { sum: '12345678901234.567890' }],
		['{"mean": NaN, "max": -Infinity}', { mean: 'NaN', max: '-Infinity' }],
	])('may be any JSON: %s', async (text, value) => {
		const { output, hints } = await outputOf([`N8N_OUTPUT ${text}`]);
		expect(output).toEqual(value);
		expect(hints).toEqual([]);
	});

	it('is null where the program printed none', async () => {
		expect(await outputOf(['done', `print("${LINE}")`])).toEqual({ output: null, hints: [] });
	});

	it.each([
		["N8N_OUTPUT {'rows': 0}", "{'rows': 0}"],
		['N8N_OUTPUT {\n  "rows": 0\n}', '{'],
		['N8N_OUTPUT', 'nothing'],
		[`N8N_OUTPUT {"a": "${'x'.repeat(5_000)}`, `{"a": "${'x'.repeat(193)}…`],
		['N8N_OUTPUT see https://b.s3.amazonaws.com/k?X-Amz-Signature=abc', 'see https://b.s3'],
	])('is null with a hint that shows what came instead of JSON (%#)', async (line, shown) => {
		const { output, outputProblem, hints } = await outputOf([LINE, ...line.split('\n')]);
		expect(output).toBeNull();
		expect(outputProblem).toContain(`is not JSON on a single line: ${shown}`);
		expect(hints).toEqual([`Output of job run "nightly-etl": ${String(outputProblem)}`]);
		expect(outputProblem).not.toContain('Signature=abc');
	});

	it('has at most 64 kB', async () => {
		const text = (length: number) => `N8N_OUTPUT "${'é'.repeat(length)}"`;
		expect((await outputOf([text(32_767)])).output).toHaveLength(32_767);
		const { output, outputProblem } = await outputOf([text(32_768)]);
		expect(output).toBeNull();
		expect(outputProblem).toContain('longer than 64 kB');
	});

	it('is the last one, at the end of a long log, which is read once in pages of 1,000', async () => {
		const logs = [...many(4_000), 'N8N_OUTPUT {"rows": 1}', ...many(4_000), LINE, 'done'];
		expect((await outputOf(logs)).output).toEqual(VALUE);
		// And one at the end, which is empty.
		expect(pages()).toBe(10);
	});

	it('is not looked for in a log that is too long, which is said', async () => {
		jest.replaceProperty(OUTPUT_LIMITS, 'pages', 3);
		expect((await outputOf([...many(2_999), LINE])).output).toEqual(VALUE);
		suite.requests.clear();
		const { output, outputProblem, hints } = await outputOf([LINE, ...many(9_000)]);
		expect(output).toBeNull();
		expect(outputProblem).toMatch(/^The log has over a million lines/);
		expect(hints).toHaveLength(1);
		expect(pages()).toBe(4);
	});

	it('is waited for where its line arrives late', async () => {
		const plan = { pendingMs: 0, runningMs: 20_000, logs: [LINE], logDelayMs: 5_000 };
		const { id } = suite.store.createRun({ plan });
		expect((await suite.succeeds(wait(id))).json[0].output).toEqual(VALUE);
	});

	it('is the last one so far while the run is active', async () => {
		const logs = ['N8N_OUTPUT {"done": 1}', 'N8N_OUTPUT {"done": 2}', ...many(8)];
		const plan = { pendingMs: 5_000, runningMs: 100_000, logs, logDelayMs: 0 };
		const { id } = suite.store.createRun({ plan });
		suite.variants.logsWhilePending = 'notFound';
		for (const [ms, expected] of [
			[0, null],
			[16_000, { done: 1 }],
			[30_000, { done: 2 }],
		] as const) {
			suite.clock.advance(ms);
			const { json, hints } = await suite.succeeds(get(id));
			expect([json[0].output, hints]).toEqual([expected, []]);
		}
		expect(suite.requests.of('getRun')).toHaveLength(3);
		expect(suite.time.pauses).toEqual([]);
	});

	it('never holds back an item: a log that cannot be read is said', async () => {
		suite.fails('getRunLogs', 403);
		const { output, outputProblem, hints } = await outputOf([LINE], wait);
		expect(output).toBeNull();
		expect(outputProblem).toMatch(/^The log could not be read: /);
		expect(hints).toHaveLength(1);
	});

	it('shows no key, however it is spelled', async () => {
		const { apiKey } = suite.credentials.admin;
		const spelled = [...apiKey].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join('');
		const { output } = await outputOf([
			`N8N_OUTPUT {"key": "${apiKey}", "${apiKey}": 1, "spelled": "${spelled}"}`,
		]);
		expect(output).toEqual({ key: '***', '***': 1, spelled: '***' });
		const broken = await outputOf([`N8N_OUTPUT {"key": ${apiKey}}`]);
		expect(broken.outputProblem).toContain('{"key": ***}');
		const colored = `${apiKey.slice(0, 5)}\u001b[0m${apiKey.slice(5)}`;
		expect((await outputOf([`N8N_OUTPUT ["${colored}"]`])).output).toEqual(['***']);
		expect((await outputOf([`N8N_OUTPUT ${colored}`])).outputProblem).toMatch(/: \*\*\*$/);
	});
});

it.each([
	['the cause of a failed run', (id: string) => wait(id, { onFailure: 'return' })],
	[
		'the lines of a program',
		(id: string) => ofRun('getLogs')(id, { options: { leaveOutPlatformLines: true } }),
	],
])('%s shows no key with a code for colors in it', async (_, read) => {
	const { apiKey } = suite.credentials.admin;
	const colored = `${apiKey.slice(0, 5)}\u001b[0m${apiKey.slice(5)}`;
	const error = `ValueError: ${colored}`;
	const traceback = ['Traceback (most recent call last):', '  File "a.py", line 1', error];
	const { json } = await suite.succeeds(read(ended(traceback, 'FAILED')));
	expect(JSON.stringify(json)).toContain('ValueError: ***');
	expect(JSON.stringify(json)).not.toContain(apiKey);
});

describe('the output of a run that did not complete', () => {
	const logs = [...many(1_500), LINE, ...logFile('failed-python')];

	it('comes with its cause, of which the log is read once', async () => {
		const id = ended(logs, 'FAILED');
		const { json } = await suite.succeeds(wait(id, { onFailure: 'return' }));
		expect(json[0]).toMatchObject({ output: VALUE, location: 'tiles.py:31', returnCode: 1 });
		expect(pages()).toBe(3);
	});

	it('is in the error of the item', async () => {
		const id = ended(logs, 'FAILED');
		const { items } = await suite.run(wait(id), { onError: 'continueRegularOutput' });
		expect(errorOf(items[0])).toMatchObject({ output: VALUE, location: 'tiles.py:31' });
	});

	it.each(['FAILED', 'TIMED_OUT'] as const)('comes without a cause: %s', async (outcome) => {
		const id = ended(logs, outcome);
		const { json } = await suite.succeeds(wait(id, { logLines: 0, onFailure: 'return' }));
		expect(json[0]).toMatchObject({ output: VALUE, excerpt: '' });
	});
});

/** Recipes whose executions sleep until a person or a program answers. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import axios from 'axios';
import { execa } from 'execa';

import { REPOSITORY } from '../../scripts/lib/paths';
import { until } from '../support/until';
import { startChatModel } from './servers/chatModel';
import { startMail } from './servers/mail';
import { fillIn, pressInMail } from './suite/requests';
import { IN_N8N, useStage } from './suite/stage';

const stage = useStage();

describe('an agent that wants to run a large job', () => {
	const FILE = 'examples/agent-asks-before-large-job.json';
	const DATE = '2026-01-31';

	/** Has the agent ask for a tool, and a person press a button in the mail, if there is one. */
	async function ask(tool: string, parameters: object, press?: 'Approve' | 'Decline') {
		const { n8n, importWorkflow } = stage();
		const mail = await stage().use(startMail());
		const model = await stage().use(
			startChatModel([{ tool, parameters: () => ({ ...parameters }) }]),
		);
		const workflow = await importWorkflow(FILE, {}, [model.credential, mail.credential]);
		const execution = await fillIn(n8n, workflow, [`Process ${DATE}.`, 'ada@example.com']);
		if (press) {
			await until(async () => (await n8n.execution(execution)).status === 'waiting', IN_N8N);
			expect(stage().submitted()).toEqual([]);
			const [{ subject, html = '' }] = mail.received;
			expect(subject).toBe(`A large job for ${DATE} needs your approval`);
			expect(html).toContain(`the ETL job for ${DATE} on a large runtime`);
			expect(html).toContain(`ada@example.com wrote: Process ${DATE}.`);
			await pressInMail(html, press);
		}
		expect(String(await n8n.ended(execution))).toMatch(/: success$/);
		const { text, to } = mail.received.at(-1)!;
		expect(to?.[0].address).toBe('ada@example.com');
		return { heard: model.heard, mails: mail.received.length, answer: text };
	}

	const gated = { toolParameters: { date: DATE }, hitlParameters: {} };

	test('runs it once a person has approved it, exactly as it was approved', async () => {
		const { answer } = await ask('Run_large_job', gated, 'Approve');
		expect(stage().submitted()).toMatchObject([
			{ runtime: 'large', runPython: { args: [`--date=${DATE}`] } },
		]);
		expect(answer).toContain('COMPLETED');
	});

	test('does not run it when the person declines, and is told so', async () => {
		const { heard, answer } = await ask('Run_large_job', gated, 'Decline');
		expect(stage().submitted()).toEqual([]);
		expect(heard).toHaveLength(1);
		expect(heard[0]).toContain('rejected');
		expect(answer).toContain('rejected');
	});

	test('runs a small one without asking', async () => {
		const { mails } = await ask('Run_small_job', { date: DATE });
		expect(stage().submitted()).toMatchObject([{ runtime: 'tiny' }]);
		expect(mails).toBe(1);
	});
});

describe('a job that calls back', () => {
	const FILE = 'examples/job-calls-back.json';

	/** The lines that docs/callbacks.md adds to a program. */
	const LINES = /```python\n(.*?)```/s.exec(
		readFileSync(path.join(REPOSITORY, 'docs/callbacks.md'), 'utf8'),
	)![1];

	/** Starts the workflow, and returns its execution and the arguments of the job once it waits. */
	async function start(parameters: Record<string, Record<string, unknown>> = {}) {
		const { n8n, importWorkflow } = stage();
		const execution = await n8n.start(await importWorkflow(FILE, parameters));
		await waiting(execution);
		const [{ runPython }] = stage().submitted();
		return { execution, args: runPython.args };
	}

	const waiting = async (execution: string) =>
		await until(async () => (await stage().n8n.execution(execution)).status === 'waiting', IN_N8N);

	/** Runs a program with the lines of the docs, as the service would. */
	const run = async (main: string, args: string[], lines = LINES) =>
		await execa('python3', ['-c', `${main}\n${lines}`, ...args], { reject: false });

	test('hands over its result, after a heartbeat', async () => {
		const { n8n, sandbox } = stage();
		const { execution, args } = await start();
		expect(args[0]).toBe('--callback-url');
		const slow = 'import time\ndef main():\n    time.sleep(4)\n    return {"rows": 7}';
		const { exitCode } = await run(slow, args, LINES.replace('pause=300', 'pause=3'));
		expect(exitCode).toBe(0);
		const ended = await n8n.ended(execution);
		expect(String(ended)).toMatch(/: success$/);
		const [{ id }] = sandbox.store.runs.all();
		expect(ended.json('Result')).toEqual([{ runId: id, result: { rows: 7 } }]);
		// Once for each heartbeat.
		expect(ended.times('Wait for a call')).toBeGreaterThan(1);
	});

	test('hands over the traceback when it fails', async () => {
		const { execution, args } = await start();
		const { exitCode } = await run('def main():\n    raise KeyError("geometry")', args);
		expect(exitCode).toBe(1);
		const { status, error } = await stage().n8n.ended(execution);
		expect(status).toBe('error');
		expect(error?.message).toMatch(/^Job run calls-back-\d+ failed:\nTraceback[^]*KeyError: 'geo/);
	});

	test('and never calls is asked for when its time has passed', async () => {
		const { n8n, sandbox } = stage();
		const soon = { 'Wait for a call': { resumeAmount: 2, resumeUnit: 'seconds' } };
		const message = 'Job failed: OutOfMemoryError: Java heap space';
		sandbox.plans.set(/^calls-back-/, { runningMs: 1_000, outcome: 'FAILED', message });
		const failing = (await start(soon)).execution;
		sandbox.plans.clear();
		const { execution } = await start(soon);

		const completed = await n8n.ended(execution);
		expect(completed.error?.message).toMatch(/ completed, but its result did not arrive\./);
		expect(completed.json('Get outcome')).toMatchObject([{ status: 'COMPLETED' }]);
		expect(completed.nodes).not.toContain('Result');
		const { status, error } = await n8n.ended(failing);
		expect(status).toBe('error');
		expect(error?.message).toContain('OutOfMemoryError: Java heap space');
	});

	test('and is killed after a heartbeat is asked for, too', async () => {
		const { n8n, sandbox } = stage();
		const message = 'Job failed: it was killed';
		sandbox.plans.set(/^calls-back-/, { runningMs: 1_000, outcome: 'FAILED', message });
		const soon = { 'Wait for a call': { resumeAmount: 6, resumeUnit: 'seconds' } };
		const { execution, args } = await start(soon);
		sandbox.plans.clear();
		await axios.post(args[1], { kind: 'heartbeat' });
		const { error, nodes } = await n8n.ended(execution);
		expect(nodes).toContain('Forget heartbeat');
		expect(error?.message).toContain('it was killed');
	});
});

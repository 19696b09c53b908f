import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';

import { suiteWithTrigger } from '../harness/polling';

const { suite, active, polls, pass } = suiteWithTrigger({
	...{ event: 'runStatusChanged', statuses: ['finished'], simplify: true },
});

const LINE = 'N8N_OUTPUT {"rows": 0}';
const plan = { pendingMs: 0, runningMs: 10_000 };
const withOutputs = { options: { includeOutput: true } };

describe('the output of runs that the trigger reports', () => {
	it.each([true, false])('comes with every outcome, simplified: %s', async (simplify) => {
		const trigger = await active({ ...withOutputs, simplify });
		for (const outcome of ['COMPLETED', 'FAILED', 'TIMED_OUT'] as const) {
			suite.store.createRun({ name: outcome, plan: { ...plan, outcome, logs: ['a', LINE] } });
		}
		const cancelled = suite.store.createRun({ plan: { ...plan, logs: [LINE] } });
		pass(12_000);
		suite.store.moveRun(cancelled.id, 'CANCELLED');
		const items = await polls(trigger);
		expect(items.map(({ output }) => output)).toEqual(Array(4).fill({ rows: 0 }));
		const explained = items.filter((item) => 'cause' in item).map(({ name }) => name);
		expect(explained.sort()).toEqual(['FAILED', 'TIMED_OUT']);
		expect(suite.requests.of('getRunLogs').length).toBeLessThanOrEqual(8);
	});

	it('is not read unless it is wanted', async () => {
		const trigger = await active();
		suite.store.createRun({ plan: { ...plan, logs: [LINE] } });
		const [item] = await polls(trigger);
		expect(item).not.toHaveProperty('output');
		expect(suite.requests.of('getRunLogs')).toEqual([]);
	});

	it('says in the item, and in its log, what came instead of JSON', async () => {
		const warn = jest.spyOn(Container.get(Logger), 'warn').mockReturnValue();
		const trigger = await active(withOutputs);
		suite.store.createRun({
			name: 'some-job-run',
			plan: { ...plan, logs: ["N8N_OUTPUT {'a': 1}"] },
		});
		const [item] = await polls(trigger);
		expect(item).toMatchObject({
			output: null,
			outputProblem: expect.stringContaining("{'a': 1}"),
		});
		expect(warn.mock.calls.map(([text]) => text)).toEqual([
			`Wherobots Trigger: output of job run "some-job-run": ${String(item.outputProblem)}`,
		]);
	});

	it('all items come when there is no time to read all logs, of which those of failed runs come first', async () => {
		const { requests, store } = suite;
		const many = Array.from({ length: 80 }, (_, index) => {
			const status = index < 60 ? 'FAILED' : 'COMPLETED';
			return { status, ...store.createRun({ status: 'RUNNING', plan: { ...plan, logs: [LINE] } }) };
		});
		const trigger = await active(withOutputs);
		pass();
		for (const { id, status } of many) store.moveRun(id, status);
		const stop = requests.listen(({ endpoint }) => {
			if (endpoint === 'getRunLogs') pass(1_000);
		});
		await trigger.poll();
		stop();
		const items = trigger.take();
		expect(items).toHaveLength(80);
		const unread = items.filter(({ output }) => output === null);
		expect(unread.length).toBeGreaterThan(40);
		for (const item of unread) {
			expect(item.outputProblem).toMatch(/^The log could not be read: /);
			if (item.status === 'COMPLETED') continue;
			// The latter when the time ends during a request.
			expect(item.logProblem).toMatch(/no time left|did not respond in time/);
			expect(item.cause).toBe('Job failed: the driver exited with code 1');
		}
		const first = items.filter(({ output }) => output !== null);
		expect(first.length).toBeGreaterThan(0);
		expect(new Set(first.map(({ status }) => status))).toEqual(new Set(['FAILED']));
	});
});

import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../sandbox';
import { until } from '../support/until';
import { useStage } from './suite/stage';

/** n8n polls once a minute. */
const PATIENT = { timeoutMs: 200_000, everyMs: 250 };

interface Watch {
	parameters: Record<string, unknown>;
	/** Makes the one event happen that has to start the workflow, and returns its ID. */
	happen(sandbox: Sandbox): string;
}

const WATCHES: Watch[] = [
	{
		parameters: { event: 'runStatusChanged', statuses: ['PENDING'] },
		happen: ({ store }) => `run/${store.createRun({ status: 'PENDING' }).id}/PENDING`,
	},
	{
		parameters: { event: 'runExceededCost', costLimit: '0.0001' },
		happen: ({ store }) => `run/${store.createRun({ status: 'RUNNING' }).id}/cost`,
	},
	{
		parameters: { event: 'taskRunStateChanged', states: ['MISSED'] },
		happen: ({ store, clock }) => `taskRun/${store.tasks.missRun(clock.now()).taskRunId}/MISSED`,
	},
];

const stage = useStage();

test('active triggers start their workflows with what happened since, and with nothing before', async () => {
	const { n8n, sandbox, importWorkflow } = stage();
	sandbox.store.createRun({ name: 'ended-before', status: 'COMPLETED' });
	sandbox.store.tasks.missRun(sandbox.clock.now());
	// The service tells its time in whole seconds, and so does the border between before and since.
	await sleep(2_000);
	const workflows: string[] = [];
	try {
		for (const { parameters } of WATCHES) {
			const changes = { 'Run changed': parameters };
			workflows.push(await importWorkflow('test/e2e/workflows/trigger-runs.json', changes));
			await n8n.activate(workflows[workflows.length - 1]);
		}
		await until(() => sandbox.requests.of('listTaskRuns').length >= 2, PATIENT);
		await sleep(1_000);
		const expected = WATCHES.map(({ happen }) => [happen(sandbox)]);

		const executions = async () =>
			await Promise.all(workflows.map(async (id) => await n8n.executions(id)));
		const haveAllEnded = async () =>
			(await executions()).every(([first]) => first?.hasEnded === true);
		await until(haveAllEnded, PATIENT);

		const all = await executions();
		expect(all.flat().map(String)).toEqual(WATCHES.map(() => expect.stringMatching(/: success$/)));
		expect(all.flat().map(({ mode }) => mode)).toEqual(WATCHES.map(() => 'trigger'));
		const ids = all.map(([first]) => first.json('Run changed').map(({ eventId }) => eventId));
		expect(ids).toEqual(expected);
	} finally {
		for (const workflow of workflows) await n8n.deactivate(workflow);
	}
});

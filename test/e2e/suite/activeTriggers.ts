import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox';
import { until } from '../../support/until';
import type { N8nApi } from '../n8n/api';

/** n8n polls once a minute. */
const PATIENT = { timeoutMs: 130_000, everyMs: 250 };

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

/**
 * Activates a workflow for each event that is about runs, and insists that each is started once, with
 * what happened since and with nothing before.
 *
 * @param importWorkflow imports a file with these parameters by node name, and returns the workflow's ID
 */
export async function watchRuns(
	n8n: N8nApi,
	sandbox: Sandbox,
	importWorkflow: (
		file: string,
		parameters: Record<string, Record<string, unknown>>,
	) => Promise<string>,
): Promise<void> {
	sandbox.store.createRun({ name: 'ended-before', status: 'COMPLETED' });
	sandbox.store.tasks.missRun(sandbox.clock.now());
	// The service tells its time in whole seconds, and so does the border between before and since.
	await sleep(2_000);
	const file = 'test/e2e/workflows/trigger-runs.json';
	const workflows: string[] = [];
	try {
		for (const { parameters } of WATCHES) {
			workflows.push(await importWorkflow(file, { 'Run changed': parameters }));
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
}

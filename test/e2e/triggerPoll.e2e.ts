import { setTimeout as sleep } from 'node:timers/promises';

import { useStage } from './suite/workflowCases';

/** n8n polls once a minute. */
const PATIENCE_MS = 130_000;

const stage = useStage();

test('an active trigger starts the workflow with what happened since, and with nothing before', async () => {
	const { n8n, sandbox, importWorkflow } = stage();
	sandbox.store.createRun({ name: 'ended-before', status: 'COMPLETED' });
	const workflow = await importWorkflow('test/e2e/workflows/trigger-runs.json');
	await n8n.activate(workflow);
	try {
		await until(() => sandbox.requests.of('listRuns').length >= 2);
		await sleep(1_000);
		const { id } = sandbox.store.createRun({ status: 'PENDING' });

		await until(async () => (await n8n.executions(workflow)).length > 0);

		const [execution, ...others] = await n8n.executions(workflow);
		expect(others).toEqual([]);
		const ended = await n8n.ended(execution.id);
		expect(String(ended)).toMatch(/: success$/);
		expect(ended.mode).toBe('trigger');
		expect(ended.json('Run changed').map(({ eventId }) => eventId)).toEqual([`run/${id}/PENDING`]);
	} finally {
		await n8n.deactivate(workflow);
	}
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	const deadline = Date.now() + PATIENCE_MS;
	while (!(await condition())) {
		if (Date.now() > deadline) throw new Error(`Not so in time: ${String(condition)}`);
		await sleep(250);
	}
}

import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../support/until';
import { useStage } from './suite/workflowCases';

/** n8n polls once a minute. */
const PATIENT = { timeoutMs: 130_000, everyMs: 250 };

const stage = useStage();

test('an active trigger starts the workflow with what happened since, and with nothing before', async () => {
	const { n8n, sandbox, importWorkflow } = stage();
	sandbox.store.createRun({ name: 'ended-before', status: 'COMPLETED' });
	// The service tells its time in whole seconds, and so does the border between before and since.
	await sleep(2_000);
	const workflow = await importWorkflow('test/e2e/workflows/trigger-runs.json');
	await n8n.activate(workflow);
	try {
		await until(() => sandbox.requests.of('listRuns').length >= 2, PATIENT);
		await sleep(1_000);
		const { id } = sandbox.store.createRun({ status: 'PENDING' });

		const executions = async () => await n8n.executions(workflow);
		await until(async () => (await executions()).some(({ hasEnded }) => hasEnded), PATIENT);

		const [ended, ...others] = await executions();
		expect(others).toEqual([]);
		expect(String(ended)).toMatch(/: success$/);
		expect(ended.mode).toBe('trigger');
		expect(ended.json('Run changed').map(({ eventId }) => eventId)).toEqual([`run/${id}/PENDING`]);
	} finally {
		await n8n.deactivate(workflow);
	}
});

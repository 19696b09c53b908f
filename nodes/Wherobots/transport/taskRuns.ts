import type { TaskRun } from '../service/taskRuns';
import type { Client } from './client';
import { readRecord } from './records';

/**
 * One task run as it is now, as far as the service knows: its state lags by up to two minutes.
 *
 * @throws NodeApiError when the response is no task run; otherwise as the client does
 */
export async function readTaskRun(client: Client, taskRunId: string): Promise<TaskRun> {
	const run = await readRecord<TaskRun>(client, 'getTaskRun', { path: { taskRunId } });
	if (typeof run.state === 'string') return run;
	throw client.error({
		message: 'Wherobots Cloud returned an unexpected response',
		description: `It is not a task run: it has no state. Task run ID: ${taskRunId}`,
		codes: [],
		facts: { taskRunId },
	});
}

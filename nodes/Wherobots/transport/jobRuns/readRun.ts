import type { Run } from '../../service/types';
import type { Client } from '../client';
import { readRecord, unexpected } from '../records';

/**
 * One job run in its current state.
 *
 * @throws NodeApiError when the response is not a job run; otherwise as the client does
 */
export async function readRun(client: Client, runId: string): Promise<Run> {
	const path = { run_id: runId };
	const run = await readRecord<Run>(client, 'getRun', { path });
	if (typeof run.status === 'string') return run;
	throw unexpected(client, `It is not a job run: it has no status. Run ID: ${runId}.`, { path });
}

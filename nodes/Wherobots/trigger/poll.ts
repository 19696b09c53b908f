import type { IPollFunctions, INodeExecutionData } from 'n8n-workflow';

import { simplifyRun } from '../service/runs';
import type { Run } from '../service/types';
import { Client } from '../transport/client';
import { clock } from '../transport/clock';
import { collect } from '../transport/pagination';

/** One poll of the trigger: the new items, or null when there are none. */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const client = await Client.create(this);
	const runs = await collect<Run>(client, 'listRuns', { limit: 3 });
	return this.getMode() === 'manual' && runs.length > 0
		? [runs.map((run) => ({ json: simplifyRun(run, clock.now()) }))]
		: null;
}

/**
 * Submits job runs as a worker of n8n would, or uses an active run with the same name. It is a process of
 * its own, because each process remembers only what it has submitted itself.
 */
import { submitOnce } from '../../../../../nodes/Wherobots/procedures/runs/submit';
import { withClient } from '../../../../engine/harness/probe';
import type { Sandbox } from '../../../../sandbox';
import { work } from '../../../../support/processWork';

export interface SubmitOrder extends Pick<Sandbox, 'baseUrl' | 'credentials'> {
	names: string[];
}

/** The IDs of the runs to continue with, in the order of the names. */
export type SubmitReport = string[];

async function submit(order: SubmitOrder): Promise<SubmitReport> {
	return await withClient(order, async (client) => {
		const ids: string[] = [];
		for (const name of order.names) {
			const payload = { name, runtime: 'tiny', runPython: { uri: 's3://bucket/a.py' } };
			const request = { region: 'aws-us-west-2', payload };
			ids.push((await submitOnce(client, request, { which: 'active' }, {})).run.id);
		}
		return ids;
	});
}

void work(submit);

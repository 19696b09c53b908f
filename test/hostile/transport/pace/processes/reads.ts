/**
 * Reads one job run again and again through the transport, as a worker of n8n would. A process of its
 * own, because the limiter is one for each process.
 */
import { inParallel } from '../../../../../nodes/Wherobots/transport/clock';
import { withClient } from '../../../../engine/harness/probe';
import type { Sandbox } from '../../../../sandbox';
import { work } from '../../../../support/processWork';

/** What the process is told, as JSON in its first argument. */
export interface ReadOrder extends Pick<Sandbox, 'baseUrl' | 'credentials'> {
	runId: string;
	/** Executions side by side, and the reads of each. */
	executions: number;
	reads: number;
}

export interface ReadReport {
	done: number;
	/** Messages of the reads that failed. */
	failed: string[];
}

async function read(order: ReadOrder): Promise<ReadReport> {
	const report: ReadReport = { done: 0, failed: [] };
	const execution = async () =>
		await withClient(order, async (client) => {
			await inParallel(order.reads, 10, async () => {
				await client.call('getRun', { path: { run_id: order.runId } }).then(
					() => (report.done += 1),
					(error: Error) => report.failed.push(error.message),
				);
			});
		});
	await Promise.all(Array.from({ length: order.executions }, execution));
	return report;
}

void work(read);

/**
 * Reads one job run again and again through the transport, as a worker of n8n would. Prints a line when
 * it is ready, starts when it is sent one, and prints one line of JSON: {@link ReadReport}. A process of its own, because the limiter is one for each process.
 */
import { once } from 'node:events';

import { inParallel } from '../../../../../nodes/Wherobots/transport/inParallel';
import { withClient } from '../../../../engine/harness/probe';
import type { Sandbox } from '../../../../sandbox';

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

async function main(): Promise<void> {
	const order = JSON.parse(process.argv[2]) as ReadOrder;
	const report: ReadReport = { done: 0, failed: [] };
	process.stdout.write('ready\n');
	await once(process.stdin, 'data');
	process.stdin.destroy();
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
	process.stdout.write(`${JSON.stringify(report)}\n`);
}

void main();

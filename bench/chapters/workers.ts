import { REPOSITORY } from '../../scripts/lib/paths';
import type { Bench } from '../bench';
import { type Chapter, spread } from '../measure';
import { startRemote } from '../processes/remote';
import type { ServiceFunctions } from '../processes/service';
import type { WorkerFunctions } from '../processes/worker';
import { CREATE_AND_WAIT } from './waits';

interface Work {
	/** How many runs each worker creates and waits for, and how many tables it reads. */
	waits: number;
	reads: number;
}

/** Workers that share a key, and know nothing of each other. */
export async function workers(bench: Bench): Promise<Chapter[]> {
	const { workers: count, waitedMs } = bench.scale;
	// A list has all runs of the account, so one worker is measured with as many.
	const one = await measure(bench, 1, { waits: count * 40, reads: 0 });
	const all = await measure(bench, count, { waits: 40, reads: 100 });
	const [waits, reads] = [count * 40, (count * 100).toLocaleString('en')];
	const describe = ({ noticedMs, perMinute, refused }: typeof one) => ({
		time: spread(noticedMs),
		note: `notice after the end; at most ${perMinute} requests a minute for waits besides one for each end; ${refused} responses were 429`,
	});
	return [
		{
			title: `${count} workers on one key`,
			how: `Each creates 40 job runs of ${waitedMs / 1_000} s and waits for them, and meanwhile reads 100 tables, in n8n-core's own engine in a process of its own. The service's rate limit is enforced: 100 requests in 5 seconds.`,
			rows: [
				{ side: `one worker, ${waits} waits`, ...describe(one) },
				{ side: `${count} workers, ${waits} waits and ${reads} reads`, ...describe(all) },
			],
			checks: [
				{ target: 'no request fails', reached: String(all.failed), met: all.failed === 0 },
				{
					target: `at most ${count} × the requests of one worker's waits`,
					reached: (all.perMinute / one.perMinute).toFixed(1),
					met: all.perMinute <= count * one.perMinute,
				},
			],
		},
	];
}

async function measure({ install, packed, scale }: Bench, count: number, { waits, reads }: Work) {
	const node = install.node.bin;
	// Here the built package finds n8n-workflow, as it does in n8n.
	const NODE_PATH = `${REPOSITORY}/node_modules`;
	const service = await startRemote<ServiceFunctions>('service', node);
	const started = await Promise.all(
		Array.from(
			{ length: count },
			async () => await startRemote<WorkerFunctions>('worker', node, { NODE_PATH }),
		),
	);
	try {
		await service.call.setRateLimit(true);
		await service.call.makeRunsLast(scale.waitedMs);
		const table = await service.call.prepareInserts(0, 0);
		const target = await service.call.address();
		const work = started.flatMap(({ call }) => [
			call.execute(packed.dir, target, CREATE_AND_WAIT, toItems(waits)),
			call.execute(
				packed.dir,
				target,
				{ resource: 'table', operation: 'get', ...table },
				toItems(reads),
			),
		]);
		const failures = await Promise.all(work);
		const failed = failures.reduce((sum, each) => sum + each, 0);
		return { failed, ...(await service.call.waitFigures()) };
	} finally {
		for (const each of [...started, service]) await each.stop();
	}
}

const toItems = (count: number) => Array.from({ length: count }, (_, number) => ({ number }));

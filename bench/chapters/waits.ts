import { CREDENTIAL_TYPE, credentialData } from '../../test/e2e/n8n/workflows';
import { type Bench, expectItems, workflowSide } from '../bench';
import { type Chapter, spread } from '../measure';
import { floor, wherobots } from '../n8n/steps';
import { startRemote } from '../processes/remote';
import type { ServiceFunctions, WaitFigures } from '../processes/service';

/** The longest interval between two checks of a run, which is the default of the node. */
const LONGEST_MS = 15_000;

/** Each item is a run of its own. */
export const CREATE_AND_WAIT = {
	resource: 'jobRun',
	operation: 'create',
	name: '=run-number-{{ $json.number }}',
	runType: 'python',
	pythonUri: { __rl: true, mode: 'path', value: 's3://bucket/job.py' },
	region: { __rl: true, mode: 'list', value: 'aws-us-west-2' },
	runtime: { __rl: true, mode: 'list', value: 'tiny' },
	waitForCompletion: true,
};

/** Job runs that one node creates and waits for: how often it asks, and when it notices their ends. */
export async function waits(bench: Bench): Promise<Chapter[]> {
	const { scale } = bench;
	await bench.n8n.restart();
	// Side by side, each with a service and a key of its own: most of the time, all of them wait.
	const figures = await Promise.all(scale.waits.map(await sideBySide(bench)));
	const { data } = credentialData(bench.target.apiKey, bench.target.baseUrl);
	await bench.n8n.addCredential(CREDENTIAL_TYPE, data);
	const seconds = scale.waitedMs / 1_000;
	return [
		{
			title: `Create and wait for many job runs of ${seconds} s each`,
			how: `The service's rate limit is enforced: 100 requests in 5 seconds. A notice is the first request for a run after its end; one request for each end is not counted in the requests a minute, of which the busiest minute is shown. Sizes are measured at the same time, each with a service of its own.`,
			rows: figures.map(({ count, noticedMs, perMinute, rounds }) => ({
				side: `${count.toLocaleString('en')} runs`,
				time: spread(noticedMs),
				note: `notice after the end; at most ${perMinute} requests a minute besides one for each end, ${rounds} in all`,
			})),
			checks: figures.flatMap((each) => checksOf(each)),
		},
	];
}

function checksOf({ count, noticedMs, perMinute, refused }: WaitFigures) {
	const runs = `${count.toLocaleString('en')} runs`;
	const latest = spread(noticedMs.map((ms) => ms / LONGEST_MS)).high;
	const check = (target: string, reached: number, most: number) => ({
		...{ target: `${runs}: ${target}`, reached: String(reached), met: reached <= most },
	});
	return [
		check('no response is 429', refused, 0),
		...(count > 400
			? []
			: [
					check('at most 60 requests a minute, and one for each end', perMinute, 60),
					{
						target: `${runs}: the latest notice within 1.2 × the longest interval`,
						reached: latest.toFixed(2),
						met: latest <= 1.2,
					},
				]),
	];
}

async function sideBySide(bench: Bench): Promise<(count: number) => Promise<WaitFigures>> {
	/** Workflows are saved one after the other, because each gets the credential that was added last. */
	let saved: Promise<unknown> = Promise.resolve();
	return async (count) => {
		const service = await startRemote<ServiceFunctions>('service', bench.install.node.bin);
		try {
			await service.call.setRateLimit(true);
			await service.call.makeRunsLast(bench.scale.waitedMs);
			const target = await service.call.address();
			const numbers = Array.from({ length: count }, (_, number) => ({ number }));
			const saving = saved.then(async () => {
				const { data } = credentialData(target.apiKey, target.baseUrl);
				await bench.n8n.addCredential(CREDENTIAL_TYPE, data);
				const steps = [floor('items', numbers), wherobots(CREATE_AND_WAIT)];
				return await workflowSide(bench, `Wait for ${count}`, steps, expectItems(count));
			});
			saved = saving;
			const run = await saving;
			await run();
			return await service.call.waitFigures();
		} finally {
			await service.stop();
		}
	};
}

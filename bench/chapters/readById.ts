import { setTimeout as sleep } from 'node:timers/promises';

import { type Bench, expectItems, leastMs, PUBLISHED, workflowSide } from '../lib/bench';
import { atLeast, atMost, type Chapter, type Row, row } from '../lib/chapter';
import { inRounds, ratio, spread } from '../lib/samples';
import { floor, httpRequest, items, wherobots } from '../n8n/steps';

const LATENCY_MS = 50;
/** What the package itself uses. */
const AT_ONCE = 10;

const getRun = () =>
	wherobots({
		resource: 'jobRun',
		operation: 'get',
		runId: { __rl: true, mode: 'id', value: '={{ $json.runId }}' },
		simplify: false,
	});

const itemsOf = (ids: string[]) => items(ids.map((runId) => ({ runId })));

/** Runs by their ids, one per input item, from a service that takes its time. */
export async function readById(bench: Bench): Promise<Chapter> {
	const { floor: bare, n8n, scale, service, target } = bench;
	const count = scale.readById;
	// A fresh process: what the lists left in memory is collected at the cost of whoever comes next.
	await n8n.restart();
	const ids = await service.seedRuns(count, 'COMPLETED');
	await service.setLatency(LATENCY_MS);
	const whole = expectItems(count);
	const input = itemsOf(ids);
	const { baseUrl } = target;
	const url = `=${baseUrl}/runs/{{ $json.runId }}`;
	const ours = await workflowSide(bench, 'By ID: package', [input, getRun()], whole);
	const samples = await inRounds(
		{
			ours: async () => {
				await service.setLatency(LATENCY_MS);
				// The window of the published rate has to be free, or its wait is measured instead.
				await sleep(PUBLISHED.windowMs + 200);
				return await ours();
			},
			http: await workflowSide(bench, 'By ID: HTTP Request', [input, httpRequest(url)], whole),
			httpOne: await workflowSide(
				bench,
				'By ID: HTTP Request, batches of 1',
				[input, httpRequest(url, { options: batches(1, 1) })],
				whole,
			),
			one: await workflowSide(
				bench,
				'By ID: helper',
				[input, floor('oneByOne', { baseUrl })],
				whole,
			),
			axios: async () => await bare.byId(target, ids, AT_ONCE),
		},
		scale.longRounds,
	);
	await service.setLatency(0);
	return {
		title: `Get ${count} runs by ID, ${LATENCY_MS} ms service latency`,
		how: `One item per run. Time of the node that reads. All requests fit into one window of the published rate.`,
		rows: [
			row('this package', samples.ours, `${AT_ONCE} at once`),
			row('HTTP Request as it is', samples.http, 'all at once'),
			row('HTTP Request in batches of 1, 1 ms apart', samples.httpOne, 'still not one by one'),
			row("n8n's request helper, one at a time", samples.one),
			row(`axios, ${AT_ONCE} at once, no n8n`, samples.axios),
		],
		checks: [atLeast(8, '× as fast as one at a time', ratio(samples.one, samples.ours))],
	};
}

function batches(batchSize: number, batchInterval: number): object {
	return { batching: { batch: { batchSize, batchInterval } } };
}

/** More runs than the published rate lets through at once. */
export async function readAtRate(bench: Bench): Promise<Chapter> {
	const { n8n, scale, service, target } = bench;
	const count = scale.readAtRate;
	const ids = await service.seedRuns(count, 'COMPLETED');
	await service.setRateLimit(true);
	const input = itemsOf(ids);
	const url = `=${target.baseUrl}/runs/{{ $json.runId }}`;
	const fresh = async () => {
		await sleep(PUBLISHED.windowMs + 200);
		await service.takeCounts();
	};

	let refused = 0;
	const ours = await workflowSide(bench, 'At rate', [input, getRun()], expectItems(count));
	const samples = await inRounds(
		{
			ours: async () => {
				await fresh();
				const sample = await ours();
				refused += (await service.takeCounts()).byStatus['429'] ?? 0;
				return sample;
			},
		},
		Math.min(2, scale.longRounds),
		0,
	);
	const rows: Row[] = [row('this package', samples.ours, `${refused} responses were 429`)];

	const others = {
		'HTTP Request as it is': httpRequest(url),
		'HTTP Request as it is, errors as items': {
			...httpRequest(url),
			onError: 'continueRegularOutput',
		},
		[`HTTP Request in batches of ${PUBLISHED.requests}, ${PUBLISHED.windowMs / 1000} s apart`]:
			httpRequest(url, { options: batches(PUBLISHED.requests, PUBLISHED.windowMs) }),
	};
	for (const [side, step] of Object.entries(others)) {
		const id = await n8n.save(side, [input, step]);
		await fresh();
		const run = await n8n.run(id, { mayFail: true });
		const statuses = (await service.takeCounts()).byStatus;
		const failed = run.status === 'success' ? '' : `fails: ${run.error}; `;
		rows.push({
			side,
			time: spread([run.nodes[step.name]?.ms ?? run.ms]),
			note: `${failed}${statuses['200'] ?? 0} runs read, ${statuses['429'] ?? 0} responses were 429`,
		});
	}
	await service.setRateLimit(false);

	const least = leastMs(count);
	return {
		title: `Get ${count.toLocaleString('en')} runs by ID against the published rate limit`,
		how: `${PUBLISHED.requests} requests in ${PUBLISHED.windowMs / 1000} s, enforced by the sandbox as a sliding window. Time of the node that reads.`,
		rows: [...rows, { side: 'least time that the limit allows', time: spread([least]) }],
		checks: [
			{ target: 'no response is 429', reached: String(refused), met: refused === 0 },
			atMost(1.05, '× the least time', spread(samples.ours.map(({ ms }) => ms / least)), 3),
		],
	};
}

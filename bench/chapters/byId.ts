import { type Bench, expectItems, freshWindow, workflowSide } from '../bench';
import { atLeast, atMost, type Chapter, inRounds, ratio, type Row, row, spread } from '../measure';
import { floor, httpRequest, type Step, wherobots } from '../n8n/steps';
import { leastMs, PUBLISHED } from '../pace';

const LATENCY_MS = 50;

const GET = wherobots({
	resource: 'jobRun',
	operation: 'get',
	runId: { __rl: true, mode: 'id', value: '={{ $json.runId }}' },
	simplify: false,
});

/** One item for each of this many runs. */
async function itemsOf({ service }: Bench, count: number): Promise<Step> {
	const ids = await service.seedRuns(count, 'COMPLETED');
	return floor(
		'items',
		ids.map((runId) => ({ runId })),
	);
}

/** Runs by their IDs, one per input item: a few with latency, then more than the rate limit lets through. */
export async function byId(bench: Bench): Promise<Chapter[]> {
	// A fresh process, because collecting what the lists left in memory would slow down whatever runs next.
	await bench.n8n.restart();
	return [await withLatency(bench), await atPublishedRate(bench)];
}

async function withLatency(bench: Bench): Promise<Chapter> {
	const { scale, service, target } = bench;
	const count = scale.readById;
	const input = await itemsOf(bench, count);
	const url = `=${target.baseUrl}/runs/{{ $json.runId }}`;
	const whole = expectItems(count);
	const reading = await workflowSide(bench, 'By ID', [input, GET], whole);
	await service.setLatency(LATENCY_MS);
	const { ours, http, one } = await inRounds(
		{
			ours: async () => {
				// The window of the published rate has to be free, or waiting for it is measured instead.
				await freshWindow(bench);
				return await reading();
			},
			http: await workflowSide(bench, 'By ID: HTTP Request', [input, httpRequest(url)], whole),
			one: await workflowSide(bench, 'By ID: helper', [input, floor('oneByOne')], whole),
		},
		scale.longRounds,
	);
	await service.setLatency(0);
	return {
		title: `Get ${count} runs by ID, ${LATENCY_MS} ms latency`,
		how: 'One item per run. Time of the node that reads. All requests fit into one window of the published rate.',
		rows: [
			row('this package', ours, '10 at once'),
			row('HTTP Request', http, 'all at once'),
			row("n8n's request helper, one at a time", one),
		],
		checks: [atLeast(8, '× as fast as one at a time', ratio(one, ours))],
	};
}

async function atPublishedRate(bench: Bench): Promise<Chapter> {
	const { n8n, scale, service, target } = bench;
	const count = scale.readAtRate;
	const input = await itemsOf(bench, count);
	const url = `=${target.baseUrl}/runs/{{ $json.runId }}`;
	await service.setRateLimit(true);

	await freshWindow(bench);
	const reading = await workflowSide(bench, 'At rate', [input, GET], expectItems(count));
	const ours = await reading();
	const refused = (await service.takeCounts())['429'] ?? 0;
	const rows: Row[] = [row('this package', [ours])];

	const { requests, windowMs } = PUBLISHED;
	const batches = { batching: { batch: { batchSize: requests, batchInterval: windowMs } } };
	const others = {
		'HTTP Request': httpRequest(url),
		[`HTTP Request in batches of ${requests}, ${windowMs / 1_000} s apart`]: httpRequest(url, {
			options: batches,
		}),
	};
	for (const [side, step] of Object.entries(others)) {
		const id = await n8n.save(side, [input, step]);
		await freshWindow(bench);
		const run = await n8n.run(id, { mayFail: true });
		const counts = await service.takeCounts();
		const read = `${counts['200'] ?? 0} runs read, ${counts['429'] ?? 0} responses were 429`;
		const note = run.status === 'success' ? read : `fails: ${run.error}; ${read}`;
		rows.push(row(side, [{ ...run, ms: run.nodes[step.name]?.ms ?? run.ms }], note));
	}
	await service.setRateLimit(false);

	const least = leastMs(count);
	return {
		title: `Get ${count.toLocaleString('en')} runs by ID against the published rate limit`,
		how: `${requests} requests in ${windowMs / 1_000} s, enforced by the sandbox as a sliding window. Time of the node that reads; once.`,
		rows: [...rows, { side: 'least time that the limit allows', time: spread([least]) }],
		checks: [
			{ target: 'no response is 429', reached: String(refused), met: refused === 0 },
			atMost(1.05, '× the least time', spread([ours.ms / least]), 3),
		],
	};
}

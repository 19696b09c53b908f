import { type Bench, expectItems, freshWindow, workflowSide } from '../bench';
import { atLeast, atMost, type Chapter, inRounds, ratio, row, spread } from '../measure';
import {
	cursorPagination,
	floor,
	httpRequest,
	PACKAGE,
	splitOut,
	UNPACED,
	wherobots,
} from '../n8n/steps';
import { leastMs, PUBLISHED } from '../pace';

const PAGE = 100;

const listAll = (type: string) =>
	wherobots(
		{ resource: 'jobRun', operation: 'getAll', returnAll: true, simplify: false },
		{ type },
	);

const byHttpRequest = ({ target }: Bench, interval: number) => [
	httpRequest(`${target.baseUrl}/runs`, {
		query: { size: PAGE },
		options: cursorPagination(interval),
	}),
	splitOut('items'),
];

/** All runs as items, first as fast as the code can, then at the service's rate. */
export async function list(bench: Bench): Promise<Chapter[]> {
	const { runs } = bench.scale;
	await bench.service.seedRuns(runs, 'COMPLETED');
	return [await asFastAsCan(bench, runs), await atPublishedRate(bench, runs)];
}

async function asFastAsCan(bench: Bench, runs: number): Promise<Chapter> {
	const whole = expectItems(runs);
	const { ours, http, helper } = await inRounds(
		{
			ours: await workflowSide(bench, 'List', [listAll(UNPACED)], whole),
			http: await workflowSide(
				bench,
				'List: HTTP Request',
				byHttpRequest(bench, 0),
				expectItems(runs, 'Split Out'),
			),
			helper: await workflowSide(bench, 'List: helper', [floor('list')], whole),
		},
		bench.scale.rounds,
	);
	return {
		title: `List ${runs.toLocaleString('en')} runs (${runs / PAGE} pages) as items`,
		how: 'No latency and no rate limit. The package would wait for the published rate after 100 pages, so this is a copy of it whose pace is too high to be met, and that is the same otherwise.',
		rows: [
			row('this package, its pacing switched off', ours),
			row('HTTP Request with pagination, then Split Out', http),
			row("n8n's request helper in a bare loop", helper),
		],
		checks: [
			atMost(1.05, '× the request helper in a bare loop', ratio(ours, helper)),
			atLeast(1.3, '× as fast as HTTP Request', ratio(http, ours)),
		],
	};
}

/** Against the published limit, the package is used as it is, with its pace. */
async function atPublishedRate(bench: Bench, runs: number): Promise<Chapter> {
	const { n8n, service } = bench;
	await service.setRateLimit(true);
	const listing = await workflowSide(bench, 'List at rate', [listAll(PACKAGE)], expectItems(runs));
	await freshWindow(bench);
	const ours = await listing();
	const refused = (await service.takeCounts())['429'] ?? 0;

	const interval = Math.ceil(PUBLISHED.windowMs / PUBLISHED.requests);
	const id = await n8n.save('List at rate: HTTP Request', byHttpRequest(bench, interval));
	await freshWindow(bench);
	const http = await n8n.run(id);
	await service.setRateLimit(false);
	return {
		title: `List ${runs.toLocaleString('en')} runs against the published rate limit`,
		how: `As above with the limit of ${PUBLISHED.requests} requests in ${PUBLISHED.windowMs / 1_000} s switched on in the sandbox, and the package as it is published; once.`,
		rows: [
			row('this package', [ours]),
			row(`HTTP Request, pages ${interval} ms apart`, [http]),
			{
				side: 'least time that the limit allows',
				time: spread([leastMs(runs / PAGE)]),
			},
		],
		checks: [{ target: 'no response is 429', reached: String(refused), met: refused === 0 }],
	};
}

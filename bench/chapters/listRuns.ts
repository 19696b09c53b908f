import { setTimeout as sleep } from 'node:timers/promises';

import { type Bench, expectItems, leastMs, PUBLISHED, workflowSide } from '../lib/bench';
import { atLeast, atMost, type Chapter, figure, type GrowthPoint, row } from '../lib/chapter';
import { inRounds, ratio, type Samples, spread } from '../lib/samples';
import { pointOf } from './growthPoint';
import {
	cursorPagination,
	floor,
	httpRequest,
	PACKAGE,
	splitOut,
	UNPACED,
	wherobots,
} from '../n8n/steps';

const PAGE = 100;
const SIDES = {
	ours: 'this package, its pacing switched off',
	http: 'HTTP Request with pagination, then Split Out',
	helper: "n8n's request helper in a bare loop",
	axios: 'axios in a bare loop, no n8n',
};

/** All runs as items, as often as the list has pages. */
export async function listRuns(bench: Bench): Promise<Chapter[]> {
	const { floor: bare, scale, service, target } = bench;
	await service.seedRuns(scale.runs, 'COMPLETED');
	const sides = await sidesFor(bench, scale.runs);
	const samples = await inRounds(sides, scale.rounds);
	const ceiling = await inRounds(
		{ raw: async () => await bare.ceiling(target, `/runs?size=${PAGE}`, scale.runs / PAGE) },
		scale.rounds,
	);
	const pages = scale.runs / PAGE;
	const listing: Chapter = {
		title: `List ${scale.runs.toLocaleString('en')} runs (${pages} pages) as items`,
		how:
			'Time of the nodes that do the work. No service latency and no rate limit. ' +
			'The package would wait for the published rate after 100 pages, so this is a copy of it ' +
			'whose pace is too high to be met, and that is the same otherwise.',
		rows: [
			...rowsOf(samples),
			row('the sandbox alone: as many first pages, read and thrown away', ceiling.raw),
		],
		checks: [
			atMost(1.05, '× the request helper in a bare loop', ratio(samples.ours, samples.helper)),
			atLeast(1.3, '× as fast as HTTP Request', ratio(samples.http, samples.ours)),
		],
		growth: await growth(bench, samples),
	};
	return [listing, await atPublishedRate(bench)];
}

function rowsOf(samples: Record<keyof typeof SIDES, Samples>) {
	return Object.entries(SIDES).map(([key, side]) => row(side, samples[key as keyof typeof SIDES]));
}

async function sidesFor(bench: Bench, runs: number) {
	const { floor: bare, target } = bench;
	const url = `${target.baseUrl}/runs`;
	const whole = expectItems(runs);
	const options = cursorPagination();
	return {
		ours: await workflowSide(bench, 'List: package', [listAll(UNPACED)], whole),
		http: await workflowSide(
			bench,
			'List: HTTP Request',
			[httpRequest(url, { query: { size: PAGE }, options }), splitOut('items')],
			expectItems(runs, 'Split Out'),
		),
		helper: await workflowSide(
			bench,
			'List: helper',
			[floor('list', { baseUrl: target.baseUrl })],
			whole,
		),
		axios: async () => await bare.list(target),
	};
}

function listAll(type: string) {
	return wherobots(
		{ resource: 'jobRun', operation: 'getAll', returnAll: true, simplify: false },
		{ type },
	);
}

/** The same with a tenth and a hundredth of the runs, by the limit of Get Many. */
async function growth(
	bench: Bench,
	whole: Record<keyof typeof SIDES, Samples>,
): Promise<GrowthPoint[]> {
	const { scale } = bench;
	const task = 'list runs (records)';
	const points: GrowthPoint[] = [];
	for (const part of [100, 10]) {
		const limit = scale.runs / part;
		const step = wherobots(
			{ resource: 'jobRun', operation: 'getAll', limit, simplify: false },
			{ type: UNPACED },
		);
		const ours = await workflowSide(bench, `List: ${limit}`, [step], expectItems(limit));
		const { side } = await inRounds({ side: ours }, scale.rounds);
		points.push(pointOf(task, limit, side));
	}
	return [...points, pointOf(task, scale.runs, whole.ours)];
}

/** The same against the published limit, where the shipped package with its pace is the one to use. */
async function atPublishedRate(bench: Bench): Promise<Chapter> {
	const { n8n, scale, service, target } = bench;
	const pages = scale.runs / PAGE;
	await service.setRateLimit(true);
	const fresh = async () => {
		await sleep(PUBLISHED.windowMs + 200);
		await service.takeCounts();
	};
	const refused: number[] = [];
	const ours = await workflowSide(
		bench,
		'List at rate',
		[listAll(PACKAGE)],
		expectItems(scale.runs),
	);
	const samples = await inRounds(
		{
			ours: async () => {
				await fresh();
				const sample = await ours();
				refused.push((await service.takeCounts()).byStatus['429'] ?? 0);
				return sample;
			},
		},
		scale.longRounds,
		0,
	);
	const url = `${target.baseUrl}/runs`;
	const tries = await Promise.all(
		[0, Math.ceil(PUBLISHED.windowMs / PUBLISHED.requests)].map(async (interval) => {
			const options = cursorPagination(interval);
			const steps = [httpRequest(url, { query: { size: PAGE }, options }), splitOut('items')];
			return { interval, id: await n8n.save(`List at rate: ${interval} ms apart`, steps) };
		}),
	);
	const rows = [row('this package', samples.ours, `${Math.max(...refused)} responses were 429`)];
	for (const { interval, id } of tries) {
		await fresh();
		const run = await n8n.run(id, { mayFail: true });
		const failed = run.status === 'success' ? '' : `fails: ${run.error}; `;
		const count = (await service.takeCounts()).byStatus['429'] ?? 0;
		rows.push({
			side: `HTTP Request, pages ${interval} ms apart`,
			time: spread([run.ms]),
			note: `${failed}${count} responses were 429`,
		});
	}
	await service.setRateLimit(false);
	const least = leastMs(pages);
	const reached = spread(samples.ours.map(({ ms }) => ms / least));
	return {
		title: `List ${scale.runs.toLocaleString('en')} runs against the published rate limit`,
		how: `As above with the limit of ${PUBLISHED.requests} requests in ${PUBLISHED.windowMs / 1000} s switched on in the sandbox, and the package as it is published.`,
		rows: [...rows, { side: 'least time that the limit allows', time: spread([least]) }],
		checks: [
			{
				target: 'no response is 429',
				reached: `${Math.max(...refused)}`,
				met: Math.max(...refused) === 0,
			},
		],
		remarks: least > 0 ? [`The package takes ${figure(reached)} × the least time.`] : [],
	};
}

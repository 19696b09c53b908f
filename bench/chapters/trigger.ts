import { setTimeout as sleep } from 'node:timers/promises';

import { REPOSITORY } from '../../scripts/lib/paths';
import type { Bench } from '../bench';
import { atMost, type Chapter, figure, inRounds, ratio, row, spread } from '../measure';
import { leastMs, PUBLISHED } from '../pace';
import { type Remote, startRemote } from '../processes/remote';
import type { ServiceFunctions, Target } from '../processes/service';
import type { PollResult, TriggerFunctions } from '../processes/trigger';

const QUIET_POLLS = 100;
/** A trigger polls for weeks, so its code is compiled. */
const WARM_UPS = 3;
/** Runs that have just ended are remembered for ten minutes. */
const REST_MS = 20 * 60_000;
const HOW =
	"In n8n-core's own poll context with its own request helper, in a process of its own: a whole n8n polls once a minute at most.";

interface Scene {
	service: Remote<ServiceFunctions>;
	poller: Remote<TriggerFunctions>;
	target: Target;
}

/** What the polling trigger costs, with a service of its own that has nothing else. */
export async function trigger(bench: Bench): Promise<Chapter[]> {
	const node = bench.install.node.bin;
	const service = await startRemote<ServiceFunctions>('service', node);
	// Here the built package finds n8n-workflow, as it does in n8n.
	const NODE_PATH = `${REPOSITORY}/node_modules`;
	const poller = await startRemote<TriggerFunctions>('trigger', node, { NODE_PATH });
	try {
		const target = await service.call.address();
		const scene = { service: service.call, poller: poller.call, target };
		return [await quietPolls(bench, scene), await busyPolls(bench, scene)];
	} finally {
		await poller.stop();
		await service.stop();
	}
}

async function quietPolls({ n8n }: Bench, { service, poller, target }: Scene): Promise<Chapter> {
	await service.seedRuns(50, 'COMPLETED', 'old');
	await poller.activate(n8n.unpaced, target);
	for (let warmUp = 0; warmUp < QUIET_POLLS; warmUp++) await poller.poll();
	await service.passTime(REST_MS);
	await poller.poll();
	await service.takeCounts();
	const polls: PollResult[] = [];
	for (let count = 0; count < QUIET_POLLS; count++) polls.push(await poller.poll());
	const { total } = await service.takeCounts();
	const cpu = spread(polls.map(({ cpuMs }) => cpuMs));
	const state = Math.max(...polls.map(({ stateBytes }) => stateBytes));
	return {
		title: 'Trigger poll, nothing new',
		how: `${HOW} ${QUIET_POLLS} polls after as many that are not counted, and 20 minutes later by the service's clock: a trigger that has just been published still remembers the runs that it saw as ended.`,
		rows: [row('this package', polls)],
		checks: [
			{
				target: '1 request',
				reached: `${total / QUIET_POLLS} a poll`,
				met: total === QUIET_POLLS,
			},
			{
				target: 'under 5 ms of processor time, the request included',
				reached: `${figure(cpu)} ms`,
				met: cpu.median < 5,
			},
			{ target: 'under 1 KiB of state', reached: `${state} bytes`, met: state < 1024 },
		],
	};
}

async function busyPolls({ n8n, packed, scale }: Bench, scene: Scene): Promise<Chapter> {
	const { service, poller, target } = scene;
	const running = await service.seedRuns(scale.activeRuns / 2, 'RUNNING', 'running');
	const pending = await service.seedRuns(scale.activeRuns / 2, 'PENDING', 'pending');
	const ended = running.slice(0, scale.changes / 2);
	const started = pending.slice(0, scale.changes / 2);
	const move = async (ofEnded: string, ofStarted: string) => {
		await service.moveRuns(ended, ofEnded);
		await service.moveRuns(started, ofStarted);
		await service.takeCounts();
	};
	/** Each round has a trigger of its own, because one whose state is set back would take the poll for a late one. */
	const changedSince = async (packageDir: string) => {
		await poller.activate(packageDir, target);
		// What the first poll leaves open is read by the second one.
		await poller.poll();
		await move('COMPLETED', 'RUNNING');
	};

	let counts: Record<string, number> = {};
	let lists: Awaited<ReturnType<typeof service.listsOfRuns>> = [];
	let state = 0;
	const samples = await inRounds(
		{
			ours: async () => {
				await changedSince(n8n.unpaced);
				const result = await poller.poll();
				lists = await service.listsOfRuns();
				counts = await service.takeCounts();
				state = Math.max(state, result.stateBytes);
				const { items } = result;
				if (items !== scale.changes) throw new Error(`${items} of ${scale.changes} changes`);
				return result;
			},
			bare: async () => {
				const result = await poller.bare(lists, ended);
				const { total } = await service.takeCounts();
				if (total !== counts.total) throw new Error(`${total} requests, not ${counts.total}`);
				await move('RUNNING', 'PENDING');
				return result;
			},
		},
		scale.rounds,
		WARM_UPS,
	);
	await changedSince(packed.dir);
	await sleep(PUBLISHED.windowMs + 200);
	const paced = await poller.poll();
	if ((await service.takeCounts())['429']) throw new Error('The service refused the trigger');
	const { listRuns = NaN, getRun = NaN } = counts;
	return {
		title: `Trigger poll, ${scale.activeRuns.toLocaleString('en')} active runs, ${scale.changes} changes`,
		how: `${HOW} Half of the changes are runs that ended, half are runs that started. The pace of the package is lifted for the comparison with the same requests in bare loops around n8n's request helper (pages in a row, then single runs, ten at once), each after ${WARM_UPS} rounds that are not counted; last, the same poll at its pace.`,
		rows: [
			row('this package, its pacing switched off', samples.ours),
			row("the same requests with n8n's request helper in bare loops", samples.bare),
			row('this package', [paced]),
			{
				side: 'least time that the limit allows for as many requests',
				time: spread([leastMs(listRuns + getRun)]),
			},
		],
		checks: [
			{ target: 'at most 60 listing requests', reached: String(listRuns), met: listRuns <= 60 },
			{
				target: 'one request per ended run',
				reached: `${getRun} for ${ended.length}`,
				met: getRun <= ended.length,
			},
			{
				target: 'state under 512 KiB',
				reached: `${(state / 1024).toFixed(0)} KiB`,
				met: state < 512 * 1024,
			},
			atMost(1.2, '× the same requests in bare loops', ratio(samples.ours, samples.bare)),
		],
	};
}

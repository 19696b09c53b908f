import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { REPOSITORY } from '../../scripts/lib/paths';
import { type Bench, leastMs, PUBLISHED } from '../lib/bench';
import { atMost, type Chapter, figure, row } from '../lib/chapter';
import { inRounds, ratio, spread, type Samples } from '../lib/samples';
import { type RemoteProcess, startRemote } from '../processes/remote';
import type { Counts, ServiceFunctions } from '../service/functions';
import type { PollResult, TriggerFunctions } from '../trigger/functions';

const QUIET_POLLS = 100;
/** Runs that have just ended are remembered for ten minutes. */
const REST_MS = 20 * 60_000;
const PARAMETERS = { event: 'runStatusChanged', statuses: [], simplify: true };
const HOW =
	"In n8n-core's own poll context with its own request helper, in a process of its own: a whole n8n polls once a minute at most.";

interface Scene {
	service: RemoteProcess<ServiceFunctions>['call'];
	trigger: RemoteProcess<TriggerFunctions>['call'];
	target: { baseUrl: string; apiKey: string };
	packageDir: string;
}

/** What the polling trigger costs, with a service of its own that holds nothing else. */
export async function trigger(bench: Bench): Promise<Chapter[]> {
	const node = bench.install.node.bin;
	const here = path.join(__dirname, '..');
	const service = await startRemote<ServiceFunctions>(path.join(here, 'service/process.ts'), node);
	// Where the built package finds n8n-workflow, as it does in n8n.
	const poller = await startRemote<TriggerFunctions>(path.join(here, 'trigger/process.ts'), node, {
		NODE_PATH: path.join(REPOSITORY, 'node_modules'),
	});
	try {
		const target = await service.call.address();
		const packageDir = bench.packed.dir;
		const scene: Scene = { service: service.call, trigger: poller.call, target, packageDir };
		return [await quietPolls(scene), await busyPolls(bench, scene)];
	} finally {
		await poller.stop();
		await service.stop();
	}
}

async function quietPolls({
	service,
	trigger: poller,
	target,
	packageDir,
}: Scene): Promise<Chapter> {
	await service.seedRuns(50, 'COMPLETED', 'old');
	await poller.activate(packageDir, target, PARAMETERS, false);
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
		rows: [{ side: 'this package', time: spread(polls.map(({ ms }) => ms)) }],
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

async function busyPolls({ scale }: Bench, scene: Scene): Promise<Chapter> {
	const { service, trigger: poller, target, packageDir } = scene;
	const running = await service.seedRuns(scale.activeRuns / 2, 'RUNNING', 'running');
	const pending = await service.seedRuns(scale.activeRuns / 2, 'PENDING', 'pending');
	const ended = running.slice(0, scale.changes / 2);
	const started = pending.slice(0, scale.changes / 2);
	const change = async () => {
		await service.moveRuns(ended, 'COMPLETED');
		await service.moveRuns(started, 'RUNNING');
		await service.takeCounts();
	};
	const changeBack = async () => {
		await service.moveRuns(ended, 'RUNNING');
		await service.moveRuns(started, 'PENDING');
	};

	// The first poll after a trigger was published reads a whole day when there is nothing younger.
	const publish = async (paced: boolean) => {
		await poller.activate(packageDir, target, PARAMETERS, paced);
		await poller.poll();
	};

	const results: PollResult[] = [];
	let counts: Counts | undefined;
	let lists: Awaited<ReturnType<typeof service.listsOfRuns>> = [];
	const samples = await inRounds(
		{
			ours: async () => {
				// A trigger of its own for each round: one that is set back takes the poll for a late one.
				await publish(false);
				await change();
				const result = await poller.poll();
				lists = await service.listsOfRuns();
				counts = await service.takeCounts();
				results.push(result);
				if (result.items !== 2 * ended.length) {
					throw new Error(`A poll gave ${result.items} of ${2 * ended.length} changes`);
				}
				return result;
			},
			bare: async () => {
				const result = await poller.bare(lists, ended);
				const { total } = await service.takeCounts();
				if (total !== counts?.total) throw new Error(`${total} requests, not ${counts?.total}`);
				await changeBack();
				return result;
			},
		},
		scale.rounds,
	);
	await publish(true);
	const paced = await pacedPoll(scene, change);
	const listings = counts?.byEndpoint.listRuns ?? NaN;
	const lookups = counts?.byEndpoint.getRun ?? NaN;
	const state = Math.max(...results.map(({ stateBytes }) => stateBytes));
	return {
		title: `Trigger poll, ${scale.activeRuns.toLocaleString('en')} active runs, ${scale.changes} changes`,
		how: `${HOW} Half of the changes are runs that ended, half are runs that started. The pace of the package is lifted for the comparison with the same requests in bare loops around n8n's request helper (pages in a row, then single runs, ten at once); last, the same poll at its pace. The trigger has polled twice before: what a first poll leaves open is read by the second one.`,
		rows: [
			row('this package, its pacing switched off', samples.ours),
			row("the same requests with n8n's request helper in bare loops", samples.bare),
			row('this package', paced),
			{
				side: 'least time that the limit allows for as many requests',
				time: spread([leastMs(listings + lookups)]),
			},
		],
		checks: [
			{ target: 'at most 60 listing requests', reached: String(listings), met: listings <= 60 },
			{
				target: 'one request per ended run',
				reached: `${lookups} for ${ended.length}`,
				met: lookups <= ended.length,
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

/** One poll as the package is, at the pace of the published rate. */
async function pacedPoll(
	{ service, trigger: poller }: Scene,
	change: () => Promise<void>,
): Promise<Samples> {
	await sleep(PUBLISHED.windowMs + 200);
	await change();
	const result = await poller.poll();
	const { byStatus } = await service.takeCounts();
	if (byStatus['429']) throw new Error('The service refused requests of the trigger');
	return [result];
}

import { type Bench, expectItems, workflowSide } from '../lib/bench';
import type { Chapter } from '../lib/chapter';
import { spread } from '../lib/samples';
import { items, wherobots } from '../n8n/steps';

/** How long the runs take that are waited for, in milliseconds. */
const DURATIONS = [1_500, 5_000, 11_000, 19_000, 28_000];
const MAX_INTERVAL_S = 10;
/** Timers and a busy machine: how much later than meant a look may come. */
const TOLERANCE_MS = 250;

/** Waiting for runs: how often the service is asked, and how late their end is noticed. */
export async function waiting(bench: Bench): Promise<Chapter> {
	const { service } = bench;
	const wait = wherobots({
		resource: 'jobRun',
		operation: 'waitForCompletion',
		runId: { __rl: true, mode: 'id', value: '={{ $json.runId }}' },
		waitOptions: { maxIntervalSeconds: MAX_INTERVAL_S },
	});
	const planned = await Promise.all(DURATIONS.map(async (ms) => await service.planRun(ms)));
	const input = items(planned.map(({ id }) => ({ runId: id })));
	const side = await workflowSide(bench, 'Wait', [input, wait], expectItems(DURATIONS.length));
	await service.takeCounts();
	await side();
	const times = await service.timesByRun();

	const gaps: number[] = [];
	let excess = 0;
	let lateness = 0;
	const rows = planned.map(({ id, endsAt }, index) => {
		const looks = times[id];
		const between = looks.slice(1).map((at, look) => at - looks[look]);
		gaps.push(...between);
		const late = looks[looks.length - 1] - endsAt;
		lateness = Math.max(lateness, late);
		excess = Math.max(excess, late - (between.at(-1) ?? 0));
		const seconds = between.map((ms) => (ms / 1000).toFixed(1)).join(', ');
		return {
			side: `a run of ${DURATIONS[index] / 1000} s`,
			note: `${looks.length} requests, ${seconds} s apart; its end noticed ${(late / 1000).toFixed(2)} s late`,
		};
	});
	const { low, high } = spread(gaps);
	return {
		title: 'Wait for a run',
		how: `${DURATIONS.length} items, a run each, waited for side by side; intervals grow from 2 s to at most ${MAX_INTERVAL_S} s ('Max Interval'). Times as the sandbox saw the requests.`,
		rows,
		checks: [
			{
				target: 'at most 1 request per interval',
				reached: `requests for a run ${(low / 1000).toFixed(2)} to ${(high / 1000).toFixed(2)} s apart`,
				met: low >= 2_000 - TOLERANCE_MS && high <= MAX_INTERVAL_S * 1000 + TOLERANCE_MS,
			},
			{
				target: 'notices the end at most one interval late',
				reached: `${(lateness / 1000).toFixed(2)} s late at most`,
				met: excess <= TOLERANCE_MS,
			},
		],
	};
}

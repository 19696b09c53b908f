import { reportIn } from '../suite/report';
import { growthOf, type Growth } from './growth';
import { Soak } from './soak';

/** A shorter soak checks, and writes nothing. */
const SHORTEST_TO_WRITE = 15;

/** How long. Which random faults: others each time. */
const minutes = Number(process.env.N8N_NODES_WHEROBOTS_SOAK_MINUTES ?? 60);
const seed = Number(process.env.N8N_NODES_WHEROBOTS_SOAK_SEED ?? Date.now() % 1_000_000);

const MINUTE = 60_000;

/** Starting n8n, and waiting for what was begun. */
const BESIDE = 15 * MINUTE;

/** By so much n8n itself may hold more after a while, in MiB. */
const MOST_GROWTH = 12;

let soak: Soak;
let growth: Growth;

beforeAll(
	async () => {
		soak = await Soak.start(seed);
		await soak.run(minutes * MINUTE);
		growth = growthOf(await soak.memory());
		const { submissions, world, weather } = soak;
		const figures = [
			['figure', 'value'],
			['minutes', minutes],
			[
				'requests with an injected fault',
				[...weather.hits.values()].reduce((sum, hits) => sum + hits, 0),
			],
			...[...weather.hits].sort().map(([kind, hits]) => [`– ${kind}`, hits]),
			['events expected', world.expected.size],
			['events missed', world.missing.length],
			['events repeated or made up', world.wrong.length],
			['exports', soak.exports],
			["exports that failed or differ from the service's data", soak.problems.length],
			['executions that submit a run', submissions.count],
			['– whose run succeeded', submissions.succeeded],
			['– whose run failed as planned', submissions.runFailed],
			['– that report that nothing was submitted, correctly', submissions.notSubmitted],
			['– that are wrong', submissions.problems.length],
			['runs that were found after a lost response', submissions.recovered],
			['memory in use, first third after the warm-up', `${growth.first.toFixed(1)} MiB`],
			['memory in use, last third', `${growth.last.toFixed(1)} MiB`],
			['growth (linear regression)', `${growth.perHour.toFixed(1)} MiB an hour`],
			['peak resident size of n8n', `${growth.peak.toFixed(0)} MiB`],
			['random seed', seed],
		];
		await reportIn('soak.md', 'figures', figures, minutes < SHORTEST_TO_WRITE);
	},
	minutes * MINUTE + BESIDE,
);

afterAll(async () => await soak?.end(), 2 * MINUTE);

// How much was done is asked for only so far that a busy machine can do it.
test('the service did something wrong again and again', () => {
	const { hits } = soak.weather;
	expect(hits.size).toBeGreaterThan(5);
	expect([...hits.values()].reduce((sum, each) => sum + each, 0)).toBeGreaterThan(minutes);
});

test('every event came, once, and no poll failed', () => {
	const { expected, missing, wrong, failed } = soak.world;
	expect(expected.size).toBeGreaterThan(10 * minutes);
	expect({ missing, wrong, failed }).toEqual({ missing: [], wrong: [], failed: [] });
});

test('every export has the rows and the bytes that the service has', () => {
	expect(soak.exports).toBeGreaterThan(minutes / 5);
	expect(soak.problems).toEqual([]);
});

test('every execution submitted one run, or none and said so', () => {
	const { count, recovered, problems } = soak.submissions;
	expect(count).toBeGreaterThan(minutes / 2);
	// In a shorter soak, faults may not have met a submission.
	if (minutes >= SHORTEST_TO_WRITE) expect(recovered).toBeGreaterThan(0);
	expect(problems).toEqual([]);
});

test('n8n does not hold more and more memory', () => {
	expect(growth.samples).toBeGreaterThan(6);
	expect(growth.last - growth.first).toBeLessThan(MOST_GROWTH);
});

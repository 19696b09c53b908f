import { setTimeout as sleep } from 'node:timers/promises';

import { clock } from '../../../../nodes/Wherobots/transport/clock';
import { until } from '../../../support/until';
import { startNode } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const many = { ...pythonRun, name: '=nightly-etl-{{ $json.n }}' };
const input = Array.from({ length: 8 }, (_, n) => ({ n }));

const submissions = () => suite.requests.of('createRun').length;

/** Stops the execution once `condition` holds, and gives everything time to settle. */
async function stopWhen(parameters: object, condition: () => boolean, restMs = 600): Promise<void> {
	suite.time.restore();
	const running = startNode(suite.sandbox, { ...many, ...parameters }, { input });
	await until(condition);
	running.cancel();
	await running.result;
	await sleep(restMs);
}

/** Loses the response of a submission, and stops the execution while the run is looked for. */
async function stopWhileLookingFor(listLagMs: number): Promise<void> {
	suite.variants.runListLagMs = listLagMs;
	suite.fails('createRun', { kind: 'reset', when: 'after' }, { times: 1 });
	const { pause } = clock;
	clock.pause = async (ms, signal) => {
		if (ms === 2_000) {
			suite.clock.advance(ms);
			running.cancel();
		}
		await pause(ms, signal);
	};
	const running = startNode(suite.sandbox, { ...pythonRun, waitForCompletion: true });
	await running.result;
}

describe('an execution that is stopped while a lost submission is looked for', () => {
	it('looks once more, and cancels the run', async () => {
		await stopWhileLookingFor(1_500);
		await until(() => suite.requests.of('cancelRun').length > 0);
		const [run] = suite.store.runs.all();
		expect(suite.requests.of('cancelRun')[0].path).toContain(run.id);
	});

	it('looks no more than once when the run cannot be found yet', async () => {
		await stopWhileLookingFor(60_000);
		await sleep(600);
		expect(suite.requests.of('listRuns')).toHaveLength(2);
		expect(suite.requests.of('cancelRun')).toEqual([]);
	});
});

describe('an execution that is stopped while it submits', () => {
	it('submits none of the remaining items', async () => {
		suite.fails('createRun', { kind: 'delay', ms: 200 });
		await stopWhen({}, () => submissions() === 2);
		expect(submissions()).toBe(2);
	});

	it('submits nothing even when the wait after 429 would be over', async () => {
		suite.fails('createRun', { kind: 'status', status: 429, retryAfter: 1 });
		await stopWhen({}, () => submissions() === 1, 1_800);
		expect(submissions()).toBe(1);
		expect(suite.store.runs.size).toBe(0);
	});

	it('learns the ID of the run whose submission is under way, and cancels it', async () => {
		suite.fails('createRun', { kind: 'delay', ms: 200, when: 'after' });
		await stopWhen({ waitForCompletion: true }, () => suite.store.runs.size === 1);
		await until(() => suite.requests.of('cancelRun').length > 0);
		const [run] = suite.store.runs.all();
		expect(suite.requests.of('cancelRun')[0].path).toContain(run.id);
		expect(suite.store.runs.size).toBe(1);
	});
});

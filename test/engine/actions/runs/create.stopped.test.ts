import { clock } from '../../../../nodes/Wherobots/transport/clock';
import { aWhile, until } from '../../../support/until';
import { startNode, suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

const many = { ...pythonRun, name: '=nightly-etl-{{ $json.n }}' };
const input = Array.from({ length: 8 }, (_, n) => ({ n }));

const submissions = () => suite.requests.of('createRun').length;
const cancelled = () => suite.requests.of('cancelRun').map(({ path }) => path.split('/')[2]);
const runIds = () => suite.store.runs.all().map(({ id }) => id);

/** Calls `act` when a pause of this length or a longer one begins. */
function atPause(longerThanMs: number, act: () => void): void {
	const { pause } = clock;
	clock.pause = async (ms, signal) => {
		if (ms >= longerThanMs) act();
		await pause(ms, signal);
	};
}

/** Loses the response of a submission, and stops the execution while the run is looked for. */
async function stopWhileLookingFor(listLagMs: number): Promise<void> {
	suite.variants.runListLagMs = listLagMs;
	suite.fails('createRun', { kind: 'reset', when: 'after' }, { times: 1 });
	atPause(2_000, () => {
		suite.clock.advance(2_000);
		running.cancel();
	});
	const running = startNode(suite.sandbox, { ...pythonRun, waitForCompletion: true });
	await running.result;
}

describe('an execution that is stopped while a lost submission is looked for', () => {
	it('looks once more, and cancels the run', async () => {
		await stopWhileLookingFor(1_500);
		await until(() => cancelled().length > 0);
		expect(cancelled()).toEqual(runIds());
	});

	it('looks no more than once when the run cannot be found yet', async () => {
		await stopWhileLookingFor(60_000);
		await aWhile();
		expect(suite.requests.of('listRuns')).toHaveLength(2);
		expect(cancelled()).toEqual([]);
	});
});

describe('an execution that is stopped while it submits', () => {
	it('submits none of the remaining items', async () => {
		suite.requests.listen(() => submissions() === 2 && running.cancel());
		const running = startNode(suite.sandbox, many, { input });
		await running.result;
		await aWhile();
		expect(submissions()).toBe(2);
	});

	it('submits nothing even when the wait after 429 would be over', async () => {
		suite.fails('createRun', { kind: 'status', status: 429, retryAfter: 1 });
		atPause(1_000, () => running.cancel());
		const running = startNode(suite.sandbox, many, { input });
		await running.result;
		await aWhile();
		expect(submissions()).toBe(1);
	});

	it('learns the ID of the run whose submission is under way, and cancels it', async () => {
		const edit = (run: object) => {
			running.cancel();
			return run;
		};
		suite.fails('createRun', { kind: 'edit', edit });
		const running = startNode(suite.sandbox, { ...many, waitForCompletion: true }, { input });
		await running.result;
		await until(() => cancelled().length > 0);
		await aWhile();
		expect(runIds()).toHaveLength(1);
		expect(cancelled()).toEqual(runIds());
	});
});

import type { Run } from '../../../../../nodes/Wherobots/service/types';
import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import type { Budget, RunSource } from '../../../../../nodes/Wherobots/trigger/core/source';
import { newRunState, type RunState } from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { runService, SlowService, START } from '../slowService';
import { AskedRuns, NOW, paged, run, unlimited } from './askedRuns';

/** Makes requests fail when the poll's time is up, as the transport does. */
function cut(
	service: SlowService,
	source: RunSource<Run>,
	budget: { current?: Budget },
): RunSource<Run> {
	const ended = async <T>(work: Promise<T>): Promise<T> => {
		const done = await work;
		if (budget.current?.spent()) throw service.failure;
		return done;
	};
	return {
		...source,
		maySuspectCursor: () => false,
		runs: async (query, cursor) => await ended(source.runs(query, cursor)),
		run: async (id) => {
			service.now += 10 * SECOND;
			return await ended(source.run(id));
		},
	};
}

/** Polls once a minute, for 24 seconds each. Returns what the polls yield, and the last state. */
async function live(state: RunState, polls: number, service: SlowService, source: RunSource<Run>) {
	const given: string[] = [];
	const budget: { current?: Budget } = {};
	const bounded = cut(service, source, budget);
	for (let poll = 0; poll < polls; poll++) {
		service.now = START + poll * MINUTE;
		budget.current = service.budget();
		const polled = await pollRuns(state, 'scope', bounded, budget.current);
		state = JSON.parse(JSON.stringify(polled.state)) as RunState;
		given.push(...polled.changes.map((change) => `${change.run.id}/${change.run.status}`));
	}
	return { given, state };
}

test('runs that have ended come even when lists and single runs take ten seconds each', async () => {
	const times = [START - 3 * HOUR];
	const service = new SlowService(10);
	// It ended an hour and a half ago; the poll before saw it as running.
	const source = runService(service, times, 90 * MINUTE);
	const runs = times.map((time) => [String(time), time, ['RUNNING']] as RunState['runs'][number]);
	const { given } = await live(newRunState('scope', START - HOUR, runs), 20, service, source);
	expect(given.sort()).toEqual(times.map((time) => `${time}/COMPLETED`));
});

test('runs come even when a list that takes several polls is never read to its end', async () => {
	const service = new AskedRuns((list, cursor) => {
		if (list === 'active') return { items: [] };
		if (cursor === 'next') return new Error('The cursor is no longer known');
		return { items: [run('new', NOW - MINUTE, 'COMPLETED')], next: 'next' };
	});
	service.single = [run('followed', NOW - 3 * HOUR, 'COMPLETED')];
	let state = newRunState('scope', NOW - HOUR, [['followed', NOW - 3 * HOUR, ['RUNNING']]]);
	const given: string[] = [];
	const timeForTwo = { spent: (share = 1) => service.asked.length >= 2 * share };
	for (let poll = 0; poll < 20; poll++) {
		service.asked.length = 0;
		const polled = await pollRuns(state, 'scope', service, timeForTwo);
		given.push(...polled.changes.map((change) => change.run.id));
		state = polled.state;
	}
	expect(given.sort()).toEqual(['followed', 'new']);
});

test('deleted runs do not keep others waiting', async () => {
	const ids = Array.from({ length: 30 }, (_, index) => `deleted-${index}`);
	const created = NOW - 3 * HOUR;
	const runs = [...ids, 'ended'].map(
		(id) => [id, created, ['RUNNING']] as RunState['runs'][number],
	);
	let state = newRunState('scope', NOW - HOUR, runs);
	const service = new AskedRuns(() => ({ items: [] }));
	service.single = [run('ended', created, 'COMPLETED')];
	const given: string[] = [];
	for (let poll = 0; poll < 5; poll++, service.time += MINUTE) {
		service.askedRuns.length = 0;
		const timeFor20 = { spent: () => service.askedRuns.length >= 20 };
		const polled = await pollRuns(state, 'scope', service, timeFor20);
		given.push(...polled.changes.map((change) => change.run.id));
		state = polled.state;
	}
	expect(given).toEqual(['ended']);
});

test('a list that takes several polls does not move the watermark past a run that slipped in before its cursor', async () => {
	// The list is in the order of names. After its first page n8n was down, and "a" and "z0" to "z2" came meanwhile.
	const known = run('m', NOW - 2 * HOUR, 'COMPLETED');
	const missed = run('a', NOW - 60 * MINUTE, 'COMPLETED');
	const late = [50, 10, 5].map((ago, index) => run(`z${index}`, NOW - ago * MINUTE, 'COMPLETED'));
	let all = [[known], [known]];
	const service = new AskedRuns((list, cursor) => paged(list === 'active' ? [] : all, cursor));
	service.time = NOW - 110 * MINUTE;
	let state = newRunState('scope', NOW - 3 * HOUR, [['m', NOW - 2 * HOUR, ['COMPLETED']]]);
	const given: string[] = [];
	const poll = async (requests: number) => {
		service.asked.length = 0;
		const budget = requests ? service.timeFor(requests) : unlimited;
		const polled = await pollRuns(state, 'scope', service, budget);
		given.push(...polled.changes.map((change) => change.run.id));
		state = JSON.parse(JSON.stringify(polled.state)) as RunState;
	};
	await poll(1);
	service.time = NOW;
	all = [[known], [late[1]], [late[0], late[2]]];
	// The cursor of the second page still leads to what comes after "m".
	await poll(1);
	await poll(0);
	// From here on the list is one page.
	const everything = [missed, known, ...late];
	const listed = new AskedRuns((list) => ({
		items:
			list === 'active'
				? []
				: everything.filter((each) => Date.parse(each.createTime) * 1000 >= list),
	}));
	const polled = await pollRuns(state, 'scope', listed, unlimited);
	given.push(...polled.changes.map((change) => change.run.id));
	expect(state.watermark).toBeLessThanOrEqual(NOW - 60 * MINUTE);
	expect(given.sort()).toEqual(['a', 'z0', 'z1', 'z2']);
});

test('each poll reads the list although the request for a tracked run times out', async () => {
	let spent = false;
	const service = new AskedRuns((list) => ({
		items: list === 'active' ? [] : [run('new', NOW - MINUTE, 'COMPLETED')],
	}));
	service.run = async () => {
		spent = true;
		return await Promise.reject(new Error('timeout exceeded'));
	};
	let state = newRunState('scope', NOW - HOUR, [['followed', NOW - 3 * HOUR, ['RUNNING']]]);
	const lists: number[] = [];
	for (let poll = 0; poll < 4; poll++) {
		spent = false;
		service.asked.length = 0;
		const polled = await pollRuns(state, 'scope', service, { spent: () => spent }).catch(() => ({
			state,
		}));
		state = polled.state;
		lists.push(service.asked.length);
	}
	expect(lists).toEqual([1, 1, 1, 1]);
});

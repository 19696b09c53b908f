import { Failure } from '../../../../nodes/Wherobots/transport/failure';
import type { Run } from '../../../../nodes/Wherobots/service/records';
import type { CallOptions, Client } from '../../../../nodes/Wherobots/transport/client';
import {
	findByName,
	yieldToEarlierRun,
	wholeSecondBefore,
	type Reuse,
} from '../../../../nodes/Wherobots/procedures/runs/findByName';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;

const runOf = (id: string, status: string, createTime = '2026-11-21T11:30:00Z', name = 'nightly') =>
	({ id, name, status, createTime }) as Run;

const active: Reuse = { which: 'active' };
const any: Reuse = { which: 'any', withinMs: HOUR, evenFailed: true };
const good: Reuse = { ...any, evenFailed: false };

/** A client whose service lists these runs, and has the others only by their ID. */
function listing(listed: Run[], others: Run[] = []) {
	const asked: unknown[] = [];
	const call = async (id: string, { query, path }: CallOptions) => {
		asked.push(id === 'listRuns' ? query : path?.run_id);
		const page = { items: listed, next_page: null };
		const known = others.find((run) => run.id === path?.run_id);
		return await Promise.resolve(id === 'listRuns' ? page : known);
	};
	const client = { baseUrl: 'https://a', account: 'me', serviceNow: () => NOW, call };
	return { client: client as unknown as Client, asked };
}

const found = async (listed: Run[], reuse: Reuse) =>
	(await findByName(listing(listed).client, 'nightly', reuse, []))?.id;

it('takes the earliest of several active runs, and the newest of others', async () => {
	const times = ['2026-11-21T11:20:00Z', '2026-11-21T11:10:00Z', '2026-11-21T11:30:00Z'];
	const runs = (status: string) => times.map((time, index) => runOf(`r${index}`, status, time));
	expect(await found(runs('PENDING'), active)).toBe('r1');
	expect(await found(runs('COMPLETED'), any)).toBe('r2');
});

it('takes an active run with an unknown creation time only after all others', async () => {
	const runs = [runOf('a', 'RUNNING', 'then'), runOf('b', 'RUNNING')];
	expect(await found(runs, active)).toBe('b');
	expect(await found(runs.reverse(), active)).toBe('b');
});

describe('what this process has submitted', () => {
	/** Runs as they were submitted, newest first. */
	const submitted = (...ids: string[]) => ids.map((id) => ({ run: runOf(id, 'PENDING') }));
	const refusal = (status: number) =>
		new Failure({ message: 'm', description: '', httpCode: String(status) });

	it('is read from the newest back to the first active run, and no longer once it has ended', async () => {
		const runs = [runOf('old', 'RUNNING'), runOf('going', 'RUNNING'), runOf('new', 'COMPLETED')];
		const { client, asked } = listing([], runs);
		const own = [
			{ run: runOf('other', 'PENDING', undefined, 'hourly') },
			...submitted('new', 'going', 'old'),
		];
		expect((await findByName(client, 'nightly', any, own))?.id).toBe('going');
		expect(asked.slice(1)).toEqual(['new', 'going']);
		await findByName(client, 'nightly', any, own);
		expect(asked.slice(4)).toEqual(['going']);
	});

	it('is skipped when it may not be used', async () => {
		const { client } = listing([], [runOf('new', 'FAILED'), runOf('old', 'RUNNING')]);
		expect((await findByName(client, 'nightly', good, submitted('new', 'old')))?.id).toBe('old');
	});

	it('counts as it was submitted while the service cannot find it, but not in an outage', async () => {
		const { client } = listing([]);
		const { call } = client;
		const failing = (status: number): Client =>
			({
				...client,
				call: async (id, options) =>
					id === 'getRun' ? await Promise.reject(refusal(status)) : await call(id, options),
			}) as Client;
		const used = await findByName(failing(404), 'nightly', active, submitted('a'));
		expect(used).toMatchObject({ id: 'a', status: 'PENDING' });
		await expect(findByName(failing(500), 'nightly', active, submitted('a'))).rejects.toMatchObject(
			{ httpCode: '500' },
		);
	});
});

it.each([
	['an active run', runOf('a', 'RUNNING'), active, true],
	['a run with an unknown status', runOf('a', 'PAUSED'), active, false],
	['a completed run', runOf('a', 'COMPLETED'), active, false],
	[
		'a run at the beginning of the period',
		runOf('a', 'COMPLETED', '2026-11-21T11:00:00Z'),
		any,
		true,
	],
	['a run before the period', runOf('a', 'COMPLETED', '2026-11-21T10:59:59.999Z'), any, false],
	[
		'an active run before the period',
		runOf('a', 'RUNNING', '2026-11-21T10:59:59.999Z'),
		any,
		false,
	],
	['a run with an unknown creation time', runOf('a', 'COMPLETED', 'then'), any, false],
	['a failed run', runOf('a', 'TIMED_OUT'), any, true],
	['a failed run where only others may be used', runOf('a', 'TIMED_OUT'), good, false],
	['a run with an unknown status in the period', runOf('a', 'PAUSED'), good, true],
])('whether %s is used', async (_, run, reuse, expected) => {
	expect(await found([run], reuse)).toBe(expected ? 'a' : undefined);
});

it.each([
	['2026-11-21T12:00:00.000Z', '2026-11-21T11:59:59Z'],
	['2026-11-21T12:00:00.001Z', '2026-11-21T12:00:00Z'],
])('the whole second before %s is %s', (time, second) => {
	expect(wholeSecondBefore(Date.parse(time))).toBe(second);
});

describe('a run that was submitted at the same moment', () => {
	const created = (id: string, second: number | string, status = 'PENDING') =>
		runOf(id, status, typeof second === 'string' ? second : `2026-11-21T11:59:0${second}Z`);

	/** Gives way to an earlier run of a list, and notes what was cancelled. */
	async function givingWay(own: Run, listed: Run[] | Error, reuse = active, cancels = true) {
		const cancelled: unknown[] = [];
		const anyway = {
			call: async (id: string, options: CallOptions) => {
				cancelled.push([id, options]);
				return await (cancels ? Promise.resolve() : Promise.reject(new Error('no')));
			},
		};
		const client = {
			serviceNow: () => Date.parse('2026-11-21T12:01:00Z'),
			evenWhenCancelled: () => anyway,
			call: async () => {
				if (listed instanceof Error) return await Promise.reject(listed);
				return await Promise.resolve({ items: listed });
			},
		} as unknown as Client;
		return { earlier: await yieldToEarlierRun(client, own, reuse), cancelled };
	}

	it('the run that is later according to the list is cancelled', async () => {
		const listed = [created('a', 3), created('b', 2)];
		expect((await givingWay(created('a', 1), listed)).earlier).toEqual(listed[1]);
	});

	it.each<[string, Run, Run[] | Error]>([
		['it is the earlier one', created('a', 1), [created('b', 2)]],
		['it is alone', created('a', 1), []],
		[
			'it is the earlier one according to the list',
			created('a', 3),
			[created('a', 1), created('b', 2)],
		],
		['its creation time is unknown', created('a', 'then'), [created('b', 1)]],
		['the list cannot be read', created('a', 2), new Error('down')],
	])('a run is kept when %s', async (_, own, listed) => {
		expect(await givingWay(own, listed)).toEqual({ earlier: undefined, cancelled: [] });
	});

	it('a run that has failed is not a reason to cancel one that may yet succeed', async () => {
		const failed = created('b', 1, 'FAILED');
		expect((await givingWay(created('a', 2), [failed], any)).earlier).toBeUndefined();
		const completed = created('b', 1, 'COMPLETED');
		expect((await givingWay(created('a', 2), [completed], any)).earlier).toEqual(completed);
	});
});

/** All waits of a process for runs of one account share their requests. */
import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { jobRuns, type JobRun } from '../../../../nodes/Wherobots/service/records/jobRun';
import type { CallOptions, Client } from '../../../../nodes/Wherobots/transport/client';
import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import { Failure } from '../../../../nodes/Wherobots/transport/failure';
import {
	CostLimit,
	waitForEnd,
	type WaitForEndOptions,
} from '../../../../nodes/Wherobots/useCases/runs/wait';
import { clientWith } from '../../../support/clientWith';
import { forAll } from '../../../support/forAll';
import { runs } from '../../../support/runs';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MAX_INTERVAL = 15 * SECOND;
const LATENCY = 100;

interface Planned {
	id: string;
	endsAt: number;
	/** When lists begin to show it. */
	listedAt?: number;
}

/** A service with these runs, for any number of accounts, and what it was asked. */
class Service {
	readonly requests: Array<{ endpoint: string; at: number; account: string }> = [];

	readonly cancelled: string[] = [];

	listFails = false;

	/** Active runs of others, in front of the list. */
	others = 0;

	/** What every page has besides. */
	odd: unknown[] = [];

	constructor(readonly planned: Planned[]) {}

	count(endpoint: string, account?: string): number {
		return this.requests.filter(
			(each) => each.endpoint === endpoint && (account ?? each.account) === each.account,
		).length;
	}

	client(account = 'me', signal?: AbortSignal): Client {
		const client = {
			account,
			signal,
			executionSignal: signal,
			evenWhenCancelled: () => this.client(account),
			forItem: (ending: AbortSignal) => this.client(account, ending),
			call: async (endpoint: string, options: CallOptions) => {
				this.requests.push({ endpoint, at: time.now, account });
				await time.pause(LATENCY, signal);
				return this.answer(endpoint, options);
			},
		};
		return client as unknown as Client;
	}

	private answer(endpoint: string, { path, query, body }: CallOptions): unknown {
		const id = path?.run_id;
		switch (endpoint) {
			case 'listRuns':
				return this.page(Number(query?.cursor ?? 0));
			case 'getRun':
				return this.show(this.planned.find((run) => run.id === id) as Planned);
			case 'cancelRun':
				this.cancelled.push(String(id));
				return undefined;
			case 'getCosts': {
				const ids = body?.kubeAppIds as string[];
				const cost = { cost: '0.1', currency: 'USD', status: 'live' };
				return { costs: Object.fromEntries(ids.map((each) => [each, cost])) };
			}
			default:
				throw new Error(endpoint);
		}
	}

	private page(cursor: number) {
		if (this.listFails) throw new Failure({ message: 'No', description: '' });
		const active = this.planned.filter(
			({ endsAt, listedAt = 0 }) => listedAt <= time.now && time.now < endsAt,
		);
		const others = Array.from({ length: this.others }, (_, n) => ({
			...{ id: `other-${n}`, endsAt: Infinity },
		}));
		const all = [...others, ...active];
		const items = all.slice(cursor, cursor + 100).map((run) => this.show(run));
		const next_page = cursor + 100 < all.length ? String(cursor + 100) : null;
		return { items: [...items, ...this.odd], total: all.length, next_page };
	}

	private show({ id, endsAt }: Planned) {
		const status = time.now < endsAt ? 'RUNNING' : 'COMPLETED';
		return { id, name: `run ${id}`, status, kubeApp: { id: `app-${id}` } };
	}
}

const planned = (count: number, endsAt: (index: number) => number): Planned[] =>
	Array.from({ length: count }, (_, index) => ({ id: `r${index}`, endsAt: endsAt(index) }));

const wait = async (client: Client, id: string, options: Partial<WaitForEndOptions> = {}) =>
	await waitForEnd(client, id, {
		...{ maxWaitMs: 60 * MINUTE, maxIntervalMs: MAX_INTERVAL, cancelOnStop: true, advice: '' },
		...options,
	});

/** Waits for all runs of a service at once. @returns the greatest time between an end and its notice */
async function waitForAll(service: Service, options: Partial<WaitForEndOptions> = {}) {
	const latest = await time.during(
		Promise.all(
			service.planned.map(async ({ id, endsAt }) => {
				const run = await wait(service.client(), id, options);
				expect(run).toMatchObject({ id, status: 'COMPLETED' });
				return time.now - endsAt;
			}),
		),
	);
	return Math.max(...latest);
}

describe('runs that are waited for together', () => {
	it('cost about as many requests as few, and are noticed as soon', async () => {
		const costs = [];
		for (const count of [1, 10, 100, 400]) {
			time.restart();
			const service = new Service(planned(count, (index) => 4 * MINUTE + index * 50));
			const latest = await waitForAll(service);
			expect(latest).toBeLessThanOrEqual(1.2 * MAX_INTERVAL);
			// One for each end.
			costs.push(service.requests.length - count);
		}
		const [one, ten, hundred, fourHundred] = costs;
		expect(ten).toBeLessThan(2.5 * one);
		expect(hundred).toBeLessThan(2.5 * one);
		// Four pages instead of one.
		expect(fourHundred).toBeLessThan(4 * 2.5 * one);
	});

	it('end with their own records and soon, wherever they begin and whatever lists show', async () => {
		const anyRun = fc.record({
			beginsAt: fc.integer({ min: 0, max: 2 * MINUTE }),
			endsAt: fc.integer({ min: 0, max: 5 * MINUTE }),
			listedAt: fc.integer({ min: 0, max: 5 * MINUTE }),
		});
		await forAll(
			[
				fc.array(anyRun, { minLength: 1, maxLength: 250 }),
				fc.constantFrom(0, 90, 5_000),
				fc.boolean(),
			],
			runs(30, 300),
			async (drawn, others, listFails) => {
				time.restart();
				const begin = time.now;
				const service = new Service(
					drawn.map(({ endsAt, listedAt }, index) => ({
						...{ id: `r${index}`, endsAt: begin + endsAt, listedAt: begin + listedAt },
					})),
				);
				Object.assign(service, { others, listFails });
				await time.during(
					Promise.all(
						drawn.map(async ({ beginsAt }, index) => {
							await time.pause(beginsAt);
							const { id, endsAt } = service.planned[index];
							const run = await wait(service.client(), id);
							expect(run).toMatchObject({ id, status: 'COMPLETED' });
							const late = time.now - Math.max(endsAt, begin + beginsAt);
							expect(late).toBeLessThanOrEqual(1.2 * MAX_INTERVAL);
						}),
					),
				);
			},
		);
	});

	it('use a list that has failed again once it can be read', async () => {
		const service = new Service(planned(20, () => 20 * MINUTE));
		service.listFails = true;
		const all = waitForAll(service);
		await time.during(time.pause(MINUTE));
		service.listFails = false;
		await time.during(time.pause(5 * MINUTE));
		const before = service.count('getRun');
		await all;
		// One for each end, not one for each check.
		expect(service.count('getRun') - before).toBeLessThan(3 * 20);
	});

	it('cost no list where it has more pages than there are waits', async () => {
		const service = new Service(planned(10, () => 10 * MINUTE));
		service.others = 5_000;
		await waitForAll(service);
		expect(service.count('listRuns')).toBeLessThan(15);
		expect(service.count('getRun')).toBeLessThan(10 * 50);
	});

	it.each([[{}], [null], ['text']])('share a list in which one record is %j', async (odd) => {
		const service = new Service(planned(100, () => 4 * MINUTE));
		service.odd = [odd];
		await waitForAll(service);
		// One for each run, when it is new, and one for its end.
		expect(service.count('getRun')).toBeLessThanOrEqual(2 * 100);
	});

	it('have their costs compared with limits in one request a minute', async () => {
		const service = new Service(planned(50, () => 10 * MINUTE));
		const limits = service.planned.map(({ id }) => [id, new CostLimit('5')] as const);
		await time.during(
			Promise.all(
				limits.map(async ([id, costLimit]) => await wait(service.client(), id, { costLimit })),
			),
		);
		expect(service.count('getCosts')).toBeGreaterThanOrEqual(10);
		expect(service.count('getCosts')).toBeLessThanOrEqual(11);
	});
});

it('runs of two credentials are read by their own keys', async () => {
	const service = new Service(planned(20, () => 5 * MINUTE));
	const waits = service.planned.map(async ({ id }, index) => {
		return await wait(service.client(index % 2 ? 'me' : 'you'), id);
	});
	await time.during(Promise.all(waits));
	for (const account of ['me', 'you']) {
		expect(service.count('listRuns', account)).toBeGreaterThan(10);
		expect(service.count('getRun', account)).toBe(10);
	}
});

describe('an execution that is stopped', () => {
	it.each([0, 9])('ends its own wait only (run %i)', async (stopped) => {
		const service = new Service(planned(10, () => 5 * MINUTE));
		const stop = new AbortController();
		const all = Promise.allSettled(
			service.planned.map(async ({ id }, index) => {
				return await wait(service.client('me', index === stopped ? stop.signal : undefined), id);
			}),
		);
		// While the list is on its way.
		const stopping = time.pause(100).then(() => stop.abort());
		const [results] = await time.during(Promise.all([all, stopping]));
		for (const [index, result] of results.entries()) {
			expect(result).toMatchObject(
				index === stopped
					? { reason: expect.any(CancelledError) }
					: { value: { id: `r${index}`, status: 'COMPLETED' } },
			);
		}
		expect(service.cancelled).toEqual([`r${stopped}`]);
	});

	it('leaves no request behind when nobody else waits', async () => {
		const service = new Service(planned(10, () => 5 * MINUTE));
		const stop = new AbortController();
		const all = Promise.allSettled(
			service.planned.map(async ({ id }) => await wait(service.client('me', stop.signal), id)),
		);
		await time.during(Promise.all([all, time.pause(20).then(() => stop.abort())]));
		expect(service.count('listRuns')).toBe(0);
		// A wait that begins at that moment is not stopped with it.
		expect(await time.during(wait(service.client(), 'r0'))).toMatchObject({ id: 'r0' });
	});
});

it('each status of a run is reported once', async () => {
	const service = new Service(planned(5, () => 5 * MINUTE));
	const told: string[] = [];
	const onStatus = ({ id, status }: JobRun) => told.push(`${id} ${status}`);
	await waitForAll(service, { onStatus });
	expect(told.sort()).toEqual(
		service.planned.flatMap(({ id }) => [`${id} COMPLETED`, `${id} RUNNING`]),
	);
});

const SUBMITTED = new Date('2026-11-21T12:00:00Z');

/** Runs that are submitted and end at these times, as the service shows them whole and in lists. */
class Whole {
	singles = 0;

	asked = 0;

	/** What lists lack besides, or do not say yet. */
	omitted?: string;

	constructor(readonly planned: Planned[]) {}

	answer = async ({ url, qs = {} }: IHttpRequestOptions) => {
		this.asked += 1;
		await time.pause(LATENCY);
		const [, , id] = new URL(url).pathname.split('/');
		if (id) this.singles += 1;
		const body = id ? this.show(this.planned.find((run) => run.id === id)) : this.page(qs);
		return { body: JSON.stringify(body) };
	};

	show(run?: Planned) {
		const { id, endsAt } = run as Planned;
		const createTime = SUBMITTED.toISOString();
		const over = endsAt <= time.now && { completeTime: new Date(endsAt).toISOString() };
		return {
			...{ id, name: id, createTime, startTime: createTime, completeTime: null, ...over },
			status: over ? 'COMPLETED' : 'RUNNING',
			payload: { name: id, runPython: null, runJar: { uri: `s3://jars/${id}.jar` } },
			kubeApp: { id: `app-${id}`, events: over ? [{ code: 'RUN_END' }] : [], appMeta: {} },
		};
	}

	private page({ status, created_after, cursor = 0 }: IDataObject) {
		if (!status) expect(new Date(String(created_after)).valueOf()).toBeLessThan(time.now);
		const listed = this.planned.filter(({ endsAt }) => !status || time.now < endsAt);
		const end = Number(cursor) + 100;
		const items = listed.slice(Number(cursor), end).map((run) => {
			const { kubeApp, payload, ...rest } = this.show(run);
			const app = Object.entries(kubeApp).filter(([name]) => name !== this.omitted);
			const left = { ...payload, runJar: undefined };
			const end = this.omitted === 'completeTime' ? { completeTime: null } : {};
			return { ...rest, ...end, payload: left, kubeApp: Object.fromEntries(app) };
		});
		return { items, total: listed.length, next_page: end < listed.length ? String(end) : null };
	}
}

/** Submits and waits for all runs of a service. @returns how late the latest notice was */
async function submitAndWait(service: Whole, client: Client) {
	const late = service.planned.map(async (run) => {
		const { endsAt, id } = run;
		const { raw } = await wait(client, id, { submitted: jobRuns.of(service.show(run)) });
		const noticed = time.now;
		expect(raw).toEqual(service.show(run));
		return noticed - endsAt;
	});
	return Math.max(...(await Promise.all(late)));
}

describe('runs that were submitted', () => {
	beforeEach(() => (time.now = SUBMITTED.valueOf()));

	it('and end together are noticed in time at the published rate, which has room for others', async () => {
		const service = new Whole(planned(1_000, (index) => time.now + 2 * MINUTE + index * 20));
		const { client } = await clientWith(service);
		let added = 0;
		const other = async () => {
			for (let second = 0; second < 180; second++) {
				const began = time.now;
				await client.call('listRuns', { query: { status: ['PENDING'] } });
				added = Math.max(added, time.now - began - LATENCY);
				await time.pause(began + SECOND - time.now);
			}
			return 0;
		};
		const all = [submitAndWait(service, client), other()];
		const [latest] = await time.during(Promise.all(all));
		expect(latest).toBeLessThanOrEqual(15 * SECOND);
		expect(added).toBeLessThanOrEqual(2 * SECOND);
	}, 120_000);

	it.each(['events', 'appMeta', 'completeTime', undefined])(
		'have all that reading them shows, where lists lack %s',
		async (omitted) => {
			const service = new Whole(planned(150, () => time.now + 2 * MINUTE));
			service.omitted = omitted;
			const { client } = await clientWith(service);
			await time.during(submitAndWait(service, client));
			expect(service.singles).toBe(omitted ? 150 : 0);
		},
	);
});

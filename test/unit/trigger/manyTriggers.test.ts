/** Many triggers on one key share what they read, and its rate. */
import type { IDataObject } from 'n8n-workflow';

import { forgetAll } from '../../../nodes/Wherobots/trigger/poll';
import { clock } from '../../../nodes/Wherobots/transport/clock';
import { forgetThrottles, RATE_LIMIT } from '../../../nodes/Wherobots/transport/throttle';
import {
	createStarter,
	LATENCY,
	PAGE_SIZE,
	type PlannedRun,
	PlannedService,
	publishTrigger,
} from '../../support/publishedTriggers';
import { suiteInVirtualTime } from '../../support/virtualTime';

const time = suiteInVirtualTime();

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Minutes before the pause, and after those that it may take until all is as before. */
const BEFORE = 6;
const AFTER = 3;

const [TRIGGERS, FILTERS] = [60, 3];

/** How old what a trigger takes from another one may be. */
const AGE = 10 * SECOND;

beforeEach(() => {
	// A twentieth of the service's published rate.
	jest.replaceProperty(RATE_LIMIT, 'requests', 5);
	time.now = Date.parse('2026-11-21T12:00:00Z');
	forgetThrottles();
	forgetAll();
});

test.each([
	[10, 'five at a time'],
	[60, 'five at a time'],
	[60, 'all at once'],
])(
	'five minutes after a pause of %i minutes, when n8n starts them %s, what they send grows with their filters, not their number, and events come within an interval',
	async (minutes, how) => {
		const end = time.now + (BEFORE + minutes) * MINUTE;
		const recovered = end + 5 * MINUTE;
		const until = recovered + AFTER * MINUTE;
		const runs: PlannedRun[] = [];
		for (let at = time.now - 90 * MINUTE; at < until; at += 6 * SECOND) {
			// Some outlast the five minutes for which lists are sure to show them.
			const lasts = runs.length % 40 === 0 ? 7 * MINUTE : (runs.length % 20) * 10 * SECOND;
			runs.unshift({
				id: `run-${runs.length % FILTERS}-${runs.length}`,
				createdAt: at,
				endsAt: at + lasts,
				hasFailed: runs.length % 10 === 0,
			});
		}
		const service = new PlannedService(time, runs);
		const start = createStarter();
		const come: Array<Map<string, number>> = [];
		const live = async (index: number) => {
			const pollOnce = publishTrigger(service, index, `run-${index % FILTERS}-*`);
			const noticed = new Map<string, number>();
			come.push(noticed);
			const pollAt = async (at: number) => {
				await time.pause(at - time.now);
				for (const { json } of await pollOnce().catch(() => [])) {
					expect(noticed.has(String(json.id))).toBe(false);
					noticed.set(String(json.id), time.now);
				}
			};
			const second = (index * MINUTE) / TRIGGERS;
			const begin = time.now;
			for (let minute = 0; minute < BEFORE; minute++)
				await pollAt(begin + minute * MINUTE + second);
			await time.pause(end - time.now);
			if (index === 0) forgetAll();
			if (how === 'all at once') await pollAt(end);
			else await start(async () => pollAt(time.now));
			for (let at = end + second; at < until; at += MINUTE) if (at >= time.now) await pollAt(at);
		};
		const all = Array.from({ length: TRIGGERS }, async (_, index) => await live(index));
		await time.during(Promise.all(all));
		const late = runs
			.filter(({ endsAt }) => endsAt >= recovered && endsAt < until - 2 * MINUTE)
			.flatMap(({ id, endsAt }) =>
				come
					.filter((_, index) => id.startsWith(`run-${index % FILTERS}-`))
					.map((noticed) => (noticed.get(id) ?? Infinity) - endsAt),
			);
		expect(Math.max(...late)).toBeLessThan(MINUTE + AGE + 5 * SECOND);
		// A list of the recent ones, one of the active ones, and the log of a run that has just failed.
		const asked = AFTER * (FILTERS * 2 + 1);
		expect(service.countFrom(recovered)).toBeLessThan((asked * MINUTE) / AGE);
	},
	120_000,
);

it('the log says once an hour that the rate is short, and for how many triggers', async () => {
	const service = new PlannedService(time, []);
	const polls = Array.from({ length: 30 }, (_, index) =>
		publishTrigger(service, index, `run-${index}-*`),
	);
	for (let minute = 0; minute < 3; minute++) {
		const all = time.pause(MINUTE).then(async () => {
			await Promise.all(polls.map(async (poll) => await poll().catch(() => [])));
		});
		await time.during(all);
	}
	expect(service.warnings.filter((text) => text.includes('rate limit'))).toEqual([
		expect.stringMatching(
			/This poll waited \d+ seconds for the rate limit, .* with this key share \(30 triggers so far\)/,
		),
	]);
});

it('the log says no longer wait than its poll, although requests wait in parallel', async () => {
	const runs = Array.from({ length: 30 }, (_, index) => ({
		...{ id: `run-${index}`, createdAt: time.now, endsAt: time.now + 30 * SECOND },
		hasFailed: true,
	}));
	const service = new PlannedService(time, runs.reverse());
	const poll = publishTrigger(service, 1);
	await time.during(poll());
	const began = (time.now += 5 * MINUTE);
	await time.during(poll());
	const waits = service.warnings.flatMap((text) => /waited (\d+) seconds/.exec(text)?.[1] ?? []);
	expect(waits).toHaveLength(1);
	expect(Number(waits[0])).toBeLessThanOrEqual(Math.ceil((time.now - began) / SECOND));
});

describe('a trigger', () => {
	const runFrom = (createdAt: number, endsAt: number): PlannedRun => ({
		...{ id: `run-${createdAt}`, createdAt: time.now + createdAt, endsAt: time.now + endsAt },
	});
	const after = async <T>(ms: number, work: () => Promise<T>): Promise<T> =>
		await time.during(time.pause(ms).then(work));
	/** Two on one service, published one after the other. */
	const publishTwo = async (service: PlannedService, event?: IDataObject) => {
		const two = [1, 2].map((index) => publishTrigger(service, index, '', undefined, event));
		for (const poll of two) await after(1_000, poll);
		return two;
	};

	it('has nothing in its items that another one can change', async () => {
		const service = new PlannedService(time, [runFrom(-5_000, 10_000)]);
		const [one, other] = await publishTwo(service);
		const [first] = await after(MINUTE, one);
		(first.json.payload as IDataObject).name = 'changed';
		const asked = service.asked.length;
		const [second] = await after(1_000, other);
		expect(service.asked).toHaveLength(asked);
		expect(second.json.payload).toEqual({ name: 'run--5000', tags: ['nightly'] });
	});

	it.each([-HOUR, HOUR])(
		'that only shares knows the time of the service, although that of n8n is off by %i ms',
		async (offset) => {
			const now = clock.now;
			clock.now = () => now() + offset;
			const service = new PlannedService(time, [
				runFrom(70_000, 75_000),
				runFrom(-30 * MINUTE, -20 * MINUTE),
			]);
			const [one, other] = [publishTrigger(service, 1), publishTrigger(service, 2)];
			const both = async () => await Promise.all([one(), other()]);
			const come = [];
			for (let poll = 0; poll < 3; poll++) come.push(await after(MINUTE, both));
			clock.now = now;
			expect(come.map((each) => each.map(({ length }) => length).join())).toEqual([
				...['0,0', '1,1', '0,0'],
			]);
		},
	);

	it('reads the pages of a list in their order, although another one has read the last ones', async () => {
		const ended = Array.from({ length: PAGE_SIZE + 1 }, (_, index) =>
			runFrom(9_000 - index, 20_000),
		);
		const service = new PlannedService(time, [runFrom(MINUTE + 16_000, HOUR), ...ended]);
		const [one, other] = await publishTwo(service);
		service.latency = 2_000;
		await after(MINUTE, one);
		service.latency = LATENCY;
		// By now, the first page is too old, and what it ended with begins the second one.
		expect(await after(6_500, other)).toHaveLength(ended.length);
	});

	it('takes nothing that another one has read with the key of another account meanwhile', async () => {
		const [own, foreign] = [-9_000, -8_500].map(
			(last) =>
				new PlannedService(
					time,
					Array.from({ length: PAGE_SIZE + 1 }, (_, index) => runFrom(last - index, 20_000)),
				),
		);
		let key = 'wbk_key';
		const rotated = publishTrigger(
			{ request: async (...asked) => await (key === 'wbk_key' ? own : foreign).request(...asked) },
			...([1, '', () => key] as const),
		);
		const other = publishTrigger(own, 2);
		for (const poll of [rotated, other]) await after(1_000, poll);
		own.latency = 8_000;
		const polling = time.pause(MINUTE).then(rotated);
		const shared = time.pause(MINUTE + 1_000).then(other);
		void time.pause(MINUTE + 2_000).then(() => (key = 'wbk_foreign'));
		await time.during(Promise.all([polling, shared]));
		const ids = (await shared).map(({ json }) => json.id);
		expect(own.runs.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
		expect(ids).toHaveLength(own.runs.length);
	});

	it('on costs asks for those of the same runs once, however long it has known them', async () => {
		const service = new PlannedService(time, [runFrom(40_000, HOUR), runFrom(20_000, HOUR)]);
		const [one, other] = await publishTwo(service, {
			event: 'runExceededCost',
			costLimit: '25',
		});
		await after(28_000, one);
		await after(15_000, other);
		await after(45_000, one);
		const asked = service.askedCosts.length;
		await after(1_000, other);
		expect([asked, service.askedCosts.length]).toEqual([3, 3]);
	});

	it('is not refused because another one was', async () => {
		const service = new PlannedService(time, [runFrom(-5_000, 3_000)]);
		const [one, other] = await publishTwo(service);
		service.refuses = 1;
		await expect(after(MINUTE, one)).rejects.toThrow();
		expect(await after(1_000, other)).toHaveLength(1);
	});
});

import type { IDataObject } from 'n8n-workflow';

import type { Run } from '../../../../nodes/Wherobots/service/types';
import { pollAudit } from '../../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import type { AuditReader } from '../../../../nodes/Wherobots/trigger/core/audit/auditReading';
import { isMistrustOver, mistrustAfter } from '../../../../nodes/Wherobots/trigger/core/mistrust';
import { pollRuns } from '../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import type { RunSource, Source } from '../../../../nodes/Wherobots/trigger/core/source';
import type { AuditState, RunState } from '../../../../nodes/Wherobots/trigger/core/state';
import { DAY } from '../../../../nodes/Wherobots/trigger/core/watermark';
import type { Page } from '../../../../nodes/Wherobots/transport/pagination';

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const START = Date.parse('2026-03-10T12:00:00Z') * 1000;
const PAGE = 10;
const unlimited = { spent: () => false };
const iso = (time: number) => new Date(time / 1000).toISOString();

/** Polls a list of records with these times, newest first, once a minute. */
abstract class Service {
	now = START;

	requests = 0;

	/** Whether the last page with records names a next one, which is empty. */
	namesEmptyPage = true;

	/** Whether a cursor includes the last record of the page before. */
	isInclusive = false;

	readonly given: string[] = [];

	constructor(
		public times: readonly number[],
		/** What the service calls the total of a list that has so many. */
		private readonly total: (count: number) => number | undefined,
		/** Whether a record is shown. */
		private readonly isShown: (time: number, now: number) => boolean = () => true,
	) {}

	protected page<T>(
		record: (time: number) => T,
		start: number,
		end: number,
		cursor = '0',
	): Page<T> {
		this.requests += 1;
		const all = this.times.filter((time) => time <= this.now && time >= start && time <= end);
		const total = this.total(all.length);
		const shown = all.filter((time) => this.isShown(time, this.now)).sort((a, b) => b - a);
		const from = Math.max(0, Number(cursor) - (this.isInclusive ? 1 : 0));
		const items = shown.slice(from, from + PAGE).map(record);
		const isLast = from + PAGE >= shown.length;
		const hasNext = isLast ? this.namesEmptyPage && items.length > 0 : true;
		const next = hasNext ? String(from + PAGE) : undefined;
		return { items, next, total, isFull: items.length === PAGE };
	}

	protected common(): Source {
		return {
			now: () => this.now,
			knowsTime: () => true,
			localNow: () => this.now,
			broken: (what) => new Error(what),
			maySuspectCursor: () => true,
		};
	}

	abstract poll(): Promise<void>;

	/** Polls for so many minutes. */
	async pass(minutes: number): Promise<void> {
		for (let minute = 0; minute < minutes; minute++) {
			await this.poll();
			this.now += MINUTE;
		}
	}
}

class Runs extends Service {
	state: RunState | undefined;

	async poll(): Promise<void> {
		const run = (time: number): Run => ({
			id: String(time),
			name: 'run',
			status: 'COMPLETED',
			createTime: iso(time),
		});
		const source: RunSource = {
			...this.common(),
			monotonic: () => this.now,
			runs: async (query, cursor) =>
				'statuses' in query
					? { items: [] }
					: await Promise.resolve(this.page(run, query.createdFrom, Infinity, cursor)),
			run: async () => await Promise.resolve(undefined),
		};
		const { state, changes } = await pollRuns(this.state, 'scope', source, unlimited);
		this.state = state;
		this.given.push(...changes.map(({ run: { id } }) => id));
	}
}

class Events extends Service {
	state: AuditState | undefined;

	async poll(): Promise<void> {
		const event = (time: number): IDataObject => ({
			event_id: String(time),
			event_time: iso(time),
		});
		const source: AuditReader = {
			...this.common(),
			way: 'query',
			events: async ({ start, end = Infinity }, cursor) =>
				await Promise.resolve(this.page(event, start, end, cursor)),
		};
		const rules = { overlap: 5 * MINUTE, settle: 0 };
		const polled = await pollAudit(this.state, 'scope', rules, source, unlimited);
		this.state = polled.state;
		this.given.push(...polled.events.map(({ event: { event_id } }) => String(event_id)));
	}
}

/** Every ten seconds of two hours. */
const TIMES = Array.from({ length: 720 }, (_, index) => START - 30 * MINUTE + index * 10 * SECOND);

describe.each([
	['runs', Runs],
	['events', Events],
])('a list of %s', (_, Kind) => {
	const plain = (count: number) => count;

	test.each<[string, (count: number) => number, Partial<Service>]>([
		['a total of everything there is', () => 50_000, {}],
		[
			'a total that is an estimate',
			(count) => Math.round(count * (0.5 + ((count * 7) % 11) / 10)),
			{},
		],
		['a total that is always zero', () => 0, {}],
		['cursors that include a record', plain, { isInclusive: true, namesEmptyPage: false }],
		['nothing odd', plain, {}],
	])('with %s loses nothing, and soon costs little more', async (__, total, habits) => {
		const services = [new Kind(TIMES, () => undefined), new Kind(TIMES, total)];
		Object.assign(services[1], habits);
		const costs: number[][] = [];
		for (const service of services) {
			const cost: number[] = [];
			// While mistrust grows, while records come, and at rest.
			for (const minutes of [20, 100, 60, 10]) {
				const before = service.requests;
				await service.pass(minutes);
				cost.push(service.requests - before);
			}
			costs.push(cost);
			expect(service.given.map(Number).sort()).toEqual(TIMES.filter((time) => time > START));
		}
		const [[, busy], [, busyWithOdd, , restWithOdd]] = costs;
		expect(busyWithOdd).toBeLessThanOrEqual(1.25 * busy);
		expect(restWithOdd).toBeLessThanOrEqual(3 * 10);
	});
});

test.each([
	['runs', Runs],
	['events', Events],
])('an empty page after the last one of %s is one more request', async (_, Kind) => {
	const few = TIMES.filter((_time, index) => index % 6 === 0);
	const service = new Kind(few, (count) => count);
	await service.pass(10);
	const before = service.requests;
	await service.pass(60);
	expect(service.requests - before).toBeLessThanOrEqual(2 * 60);
});

test('runs that a list leaves out for some minutes come, when its total says that there are more', async () => {
	const hidden = TIMES.filter(
		(time, index) => index % 7 === 0 && time > START && time < START + 20 * MINUTE,
	);
	const isShown = (time: number, now: number) =>
		!hidden.includes(time) || now > START + 26 * MINUTE;
	const service = new Runs(TIMES, (count) => count, isShown);
	service.namesEmptyPage = false;
	await service.pass(1);
	service.now = START + 20 * MINUTE;
	service.times = TIMES.filter((time) => time < service.now);
	await service.pass(20);
	expect(service.given).toEqual(expect.arrayContaining(hidden.map(String)));
});

describe('lists are taken as they are', () => {
	const odd = { times: 10, since: START - 10 * MINUTE };

	test.each([
		['after ten odd polls over ten minutes', odd, START + DAY],
		['not after nine, however long they took', { times: 9, since: START - DAY }, undefined],
		['not after ten that took less', { times: 10, since: odd.since + 1 }, undefined],
	])('%s', (_, { times, since }, until) => {
		const after = mistrustAfter({ times: times - 1, since }, true, START);
		expect(after).toEqual({ times, since, until });
	});

	test.each([
		['for a day', START + DAY - 1, true],
		['no longer', START + DAY, false],
		['from the moment on at which that was found', START, true],
		["not before that, where n8n's clock was set back", START - 1, false],
	])('%s', (_, now, expected) => {
		expect(isMistrustOver({ ...odd, until: START + DAY }, now)).toBe(expected);
	});

	test('after that day, odd polls are counted from the first again', () => {
		const after = mistrustAfter({ ...odd, until: START }, true, START);
		expect(after).toEqual({ times: 1, since: START });
	});

	test('a poll that reads no list to its end changes nothing about that', () => {
		expect(mistrustAfter(odd, undefined, START)).toBe(odd);
	});
});

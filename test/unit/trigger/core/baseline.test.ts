import type { IDataObject } from 'n8n-workflow';

import type { Run } from '../../../../nodes/Wherobots/service/types';
import { eventId } from '../../../../nodes/Wherobots/trigger/core/eventIds';
import { pollAudit } from '../../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import type { AuditReader } from '../../../../nodes/Wherobots/trigger/core/audit/auditReading';
import { pollRuns } from '../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import type { Budget, RunSource } from '../../../../nodes/Wherobots/trigger/core/source';
import type { AuditState, RunState } from '../../../../nodes/Wherobots/trigger/core/state';
import { changeId } from '../../../../nodes/Wherobots/trigger/items';

const START = Date.parse('2026-03-10T12:00:00Z') * 1000;
const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const PAGE = 10;
const iso = (time: number) => new Date(time / 1000).toISOString();

/** A service that lists oldest first, by offsets, and takes some seconds for each page. */
class SlowService {
	now = START;

	requests = 0;

	failure = new Error('The service failed');

	constructor(private readonly secondsPerPage: number) {}

	page<T>(all: T[], cursor?: string): { items: T[]; next?: string } {
		this.requests += 1;
		const from = Number(cursor ?? 0);
		const items = all.slice(from, from + PAGE);
		const next = from + PAGE < all.length ? String(from + PAGE) : undefined;
		this.now += this.secondsPerPage * SECOND;
		return { items, next };
	}

	/** A poll of so many seconds. */
	budget(seconds = 24): Budget {
		const began = this.now;
		return { spent: (share = 1) => this.now - began >= seconds * share * SECOND };
	}

	common() {
		return {
			now: () => this.now,
			knowsTime: () => true,
			localNow: () => this.now,
			monotonic: () => this.now,
			broken: (what: string) => new Error(what),
			maySuspectCursor: () => true,
		};
	}
}

/** Every two seconds, from an hour before on. */
const TIMES = Array.from({ length: 3600 }, (_, index) => START - 60 * MINUTE + index * 2 * SECOND);

test('an event that comes while a first poll is reading pages is news, whatever page shows it', async () => {
	const service = new SlowService(0.2);
	const shown = () => TIMES.filter((time) => time <= service.now);
	const event = (time: number): IDataObject => ({ event_id: String(time), event_time: iso(time) });
	const source: AuditReader = {
		...service.common(),
		way: 'query',
		events: async ({ start, end = Infinity }, cursor) => {
			const all = shown().filter((time) => time >= start && time <= end);
			return service.page(all.map(event), cursor);
		},
	};
	const rules = { overlap: 5 * MINUTE, settle: 0 };
	let state: AuditState | undefined;
	const given: string[] = [];
	for (let poll = 0; poll < 8; poll++) {
		const polled = await pollAudit(state, 'scope', rules, source, service.budget());
		if (poll === 0) expect(polled.state.baseline).toBe(true);
		state = polled.state;
		given.push(...polled.events.map(({ id }) => id));
		service.now += 30 * SECOND;
	}
	const last = Number(state?.seen.at(-1)?.[1]);
	const wanted = TIMES.filter((time) => time > START + SECOND && time <= last);
	expect(wanted.length).toBeGreaterThan(100);
	const ids = new Set(given);
	expect(wanted.filter((time) => !ids.has(eventId('audit', String(time))))).toEqual([]);
	expect(given.length).toBe(ids.size);
	// Of what was there at the first response, nothing.
	expect(given.length).toBeLessThanOrEqual(wanted.length + 1);
});

/** A service whose runs end so many microseconds after they were created. */
function runService(service: SlowService, times: number[], lifetime: number): RunSource {
	const run = (time: number): Run => {
		const isOver = time + lifetime <= service.now;
		const status = isOver ? 'COMPLETED' : 'RUNNING';
		const completeTime = isOver ? iso(time + lifetime) : undefined;
		const id = String(time);
		return { id, name: id, status, createTime: iso(time), startTime: iso(time), completeTime };
	};
	return {
		...service.common(),
		runs: async (query, cursor) => {
			const from = 'statuses' in query ? service.now - lifetime + 1 : query.createdFrom;
			const all = times.filter((time) => time <= service.now && time >= from);
			const { items, next } = service.page(all, cursor);
			return { items: items.map(run), next };
		},
		run: async (id) => run(Number(id)),
	};
}

test('a run that is created or ends while a first poll is reading pages is news, whatever page shows it', async () => {
	const service = new SlowService(0.2);
	const lifetime = 20 * SECOND;
	const source = runService(service, TIMES, lifetime);
	let state: RunState | undefined;
	const given: string[] = [];
	for (let poll = 0; poll < 10; poll++) {
		const polled = await pollRuns(state, 'scope', source, service.budget());
		if (poll === 0) expect(polled.state.baseline).toBeDefined();
		state = polled.state;
		given.push(...polled.changes.map(({ run }) => changeId(run)));
		service.now += 30 * SECOND;
	}
	const ends = TIMES.filter((time) => time + lifetime > START + SECOND);
	const wanted = ends.filter((time) => time + lifetime < service.now - 2 * MINUTE);
	expect(wanted.length).toBeGreaterThan(60);
	const missing = wanted.filter((time) => !given.includes(`run/${time}/COMPLETED`));
	expect(missing).toEqual([]);
	const before = TIMES.filter((time) => time + lifetime < START).map(
		(time) => `run/${time}/COMPLETED`,
	);
	expect(given.filter((id) => before.includes(id))).toEqual([]);
	expect(new Set(given).size).toBe(given.length);
});

test.each<[string, number, Partial<RunSource>]>([
	["n8n's clock is days ahead", 6, { localNow: () => START + 3 * 24 * 60 * MINUTE }],
	['no response tells the time', 2, { knowsTime: () => false }],
])('a run that is younger than the first response is news, when %s', async (_, seconds, clock) => {
	// Each response takes four seconds, and shows what was there when it was asked for.
	const service = new SlowService(4);
	const created = START + seconds * SECOND;
	const source = { ...runService(service, [START - MINUTE, created], MINUTE), ...clock };
	let state: RunState | undefined;
	const given: string[] = [];
	for (let poll = 0; poll < 2; poll++) {
		const polled = await pollRuns(state, 'scope', source, service.budget(60));
		state = polled.state;
		given.push(...polled.changes.map(({ run }) => changeId(run)));
	}
	expect(given).toContain(`run/${created}/RUNNING`);
});

test.each([3, 8, 14])(
	'a first poll at %d seconds a page does not fail for want of time, and is finished by later ones',
	async (seconds) => {
		const service = new SlowService(seconds);
		const times = Array.from({ length: 35 }, (_, index) => START - (35 - index) * MINUTE);
		const inner = runService(service, times, 10 * MINUTE);
		let state: RunState | undefined;
		let polls = 0;
		do {
			const end = service.now + 24 * SECOND;
			const source: RunSource = {
				...inner,
				runs: async (query, cursor) => {
					const left = end - service.now;
					if (left < seconds * SECOND) {
						service.now = end;
						throw new Error(`timeout of ${left / 1000} ms exceeded`);
					}
					return await inner.runs(query, cursor);
				},
			};
			({ state } = await pollRuns(state, 'scope', source, service.budget(24)));
			polls += 1;
			service.now = Math.max(service.now, end) + 36 * SECOND;
		} while (state.baseline !== undefined && polls < 30);
		expect(state.baseline).toBeUndefined();
		expect(polls).toBeLessThan(14);
	},
);

test('a first poll of a growing list whose cursors are refused comes to an end', async () => {
	const service = new SlowService(8);
	const inner = runService(service, TIMES, 10 * MINUTE);
	let state: RunState | undefined;
	let polls = 0;
	do {
		const given = new Set<string>();
		const source: RunSource = {
			...inner,
			runs: async (query, cursor) => {
				if (cursor !== undefined && !given.has(cursor)) throw new Error('Unknown cursor');
				const page = await inner.runs(query, cursor);
				if (page.next !== undefined) given.add(page.next);
				return page;
			},
		};
		({ state } = await pollRuns(state, 'scope', source, service.budget(24)));
		polls += 1;
		service.now += 36 * SECOND;
	} while (state.baseline !== undefined && polls < 30);
	expect(state.baseline).toBeUndefined();
	expect(polls).toBeLessThan(14);
	// What lies before the first poll and was not read is no news either.
	expect(state.since).toBeGreaterThanOrEqual(START);
});

test("a first poll that takes two polls looks a day back, too, when n8n's clock is ahead and no response tells the time", async () => {
	const service = new SlowService(0);
	const ahead = 8 * 60 * MINUTE;
	const inner = runService(service, [], MINUTE);
	const asked: number[] = [];
	const source: RunSource = {
		...inner,
		now: () => service.now + ahead,
		localNow: () => service.now + ahead,
		knowsTime: () => false,
		runs: async (query, cursor) => {
			if ('statuses' in query) return { items: [] };
			asked.push(query.createdFrom);
			return await Promise.resolve({ items: [], next: cursor === undefined ? 'rest' : undefined });
		},
	};
	const first = await pollRuns(undefined, 'scope', source, { spent: () => asked.length > 0 });
	expect(first.state.resume).toMatchObject({ cursor: 'rest' });
	const { state } = await pollRuns(first.state, 'scope', source, service.budget());
	expect(state.baseline).toBeUndefined();
	expect(state.watermark).toBeLessThan(service.now);
});

test("where the service's clock is months behind, what is older than the first poll is no news either", async () => {
	const service = new SlowService(8);
	const hour = 60 * MINUTE;
	// Every two hours a run that ends, and every day one that does not.
	const ended = Array.from({ length: 240 }, (_, index) => START - (index + 1) * 2 * hour);
	const active = Array.from(
		{ length: 15 },
		(_, index) => START - (20 - index) * 24 * hour + MINUTE,
	);
	const run = (time: number): Run => {
		const status = active.includes(time) ? 'RUNNING' : 'COMPLETED';
		return { id: String(time), name: 'nightly', status, createTime: iso(time) };
	};
	const all = [...ended, ...active].sort((a, b) => a - b);
	const source: RunSource = {
		...service.common(),
		now: () => service.now - 150 * 24 * hour,
		runs: async (query, cursor) => {
			const listed = 'statuses' in query ? active : all.filter((time) => time >= query.createdFrom);
			const { items, next } = service.page(listed, cursor);
			return await Promise.resolve({ items: items.map(run), next });
		},
		run: async (id) => await Promise.resolve(run(Number(id))),
	};
	let state: RunState | undefined;
	for (let poll = 0; poll < 10; poll++) {
		const polled = await pollRuns(state, 'scope', source, service.budget(poll < 2 ? 12 : 120));
		if (poll === 0) expect(polled.state.baseline).toBe('active');
		expect(polled.changes).toEqual([]);
		state = polled.state;
		service.now += 2 * hour;
	}
	expect(state?.baseline).toBeUndefined();
});

import type { IDataObject } from 'n8n-workflow';

import {
	recognizeLog,
	recognizeService,
} from '../../../../nodes/Wherobots/trigger/core/recognition';
import { SeenEvents } from '../../../../nodes/Wherobots/trigger/core/audit/seenEvents';
import type { AuditSource, RunSource } from '../../../../nodes/Wherobots/trigger/core/source';
import {
	newRunState,
	type AuditState,
	type Doubt,
	type RunState,
} from '../../../../nodes/Wherobots/trigger/core/state';
import { MINUTE, SECOND, SlowLog, spread, START } from './audit/slowLog';

const times = spread(600, 300 * MINUTE, START + 240 * MINUTE);

/** Polls with another key until it is known whose it is. */
async function useKey(log: SlowLog, most: number): Promise<void> {
	for (let polls = 0; polls < most; polls++) {
		const doubt = log.state?.doubt ?? { credential: 'new', asked: 0 };
		const polled = await log.poll(doubt);
		if (polled && polled.state.doubt === undefined) return;
	}
	throw new Error(`Nobody knows whose key it is after ${most} polls`);
}

describe.each([1, 8, 12, 20, 33])('at %d seconds a request', (secondsPerRequest) => {
	let log: SlowLog;

	beforeEach(async () => {
		log = new SlowLog({ times });
		for (let poll = 0; poll < 20; poll++) await log.poll();
		log.given.length = 0;
		log.secondsPerRequest = secondsPerRequest;
	});

	test('a key of another organization gets through, and its news since then comes', async () => {
		log.organization = 'b';
		const changed = log.now;
		await useKey(log, 12);
		expect(log.given).toEqual([]);
		await log.begin(12);
		expect(log.failures).toBe(0);
		log.secondsPerRequest = 0.2;
		for (let poll = 0; poll < 30; poll++) await log.poll();
		const news = log.ids(
			(time) => time > changed + (secondsPerRequest + 1) * SECOND && time < log.now - 3 * MINUTE,
		);
		expect(news.length).toBeGreaterThan(40);
		expect(news.filter((id) => !log.given.includes(id))).toEqual([]);
		const old = log.ids((time) => time < changed);
		expect(log.given.filter((id) => old.includes(id))).toEqual([]);
	});

	test('a new key of the same organization goes on where the old one was', async () => {
		const last = log.now;
		log.now += 30 * MINUTE;
		await useKey(log, 12);
		log.secondsPerRequest = 0.2;
		for (let poll = 0; poll < 20; poll++) await log.poll();
		const expected = log.ids((time) => time > last && time < log.now - 3 * MINUTE);
		expect(expected.length).toBeGreaterThan(80);
		expect(expected.filter((id) => !log.given.includes(id))).toEqual([]);
		expect(new Set(log.given).size).toBe(log.given.length);
	});
});

test('a service that knows nothing for the time of one poll is no other one', async () => {
	const log = new SlowLog({ times, secondsPerRequest: 0.2 });
	for (let poll = 0; poll < 20; poll++) await log.poll();
	const before = log.given.length;
	const key: Doubt = { credential: 'new', asked: 0 };
	log.organization = 'nobody';
	await log.poll(key);
	log.organization = 'a';
	await useKey(log, 3);
	for (let poll = 0; poll < 10; poll++) await log.poll();
	expect(log.given.length).toBeGreaterThan(before + 10);
	expect(new Set(log.given).size).toBe(log.given.length);
	const news = log.ids((time) => time > START + 10 * MINUTE && time < log.now - 3 * MINUTE);
	expect(news.filter((id) => !log.given.includes(id))).toEqual([]);
});

test('replicas that are behind do not make it another one, however often polls ask them', async () => {
	let now = START;
	const source = {
		now: () => now,
		knowsTime: () => true,
		localNow: () => now,
		runs: async () => await Promise.resolve({ items: [] }),
		run: async () => await Promise.resolve(undefined),
	} as Partial<RunSource> as RunSource;
	const state = newRunState('s', START - MINUTE, [['remembered', START, ['PENDING']]]);
	let doubt: Doubt = { credential: 'new', asked: 0 };
	for (let poll = 0; poll < 12; poll++) {
		const found = await recognizeService(state, doubt, source, { spent: () => false });
		if (found.kind !== 'open') throw new Error(`Poll ${poll} decided that it is ${found.kind}`);
		// As n8n stores it.
		doubt = JSON.parse(JSON.stringify(found.doubt)) as Doubt;
		now += 10 * SECOND;
	}
	const found = await recognizeService(state, doubt, source, { spent: () => false });
	expect(found).toEqual({ kind: 'other', began: START });
});

test('without any record there is nothing to recognize an organization by', async () => {
	const state: RunState = { v: 1, kind: 'runs', scope: 'x', watermark: START, runs: [] };
	const found = await recognizeService(state, { credential: 'new', asked: 0 }, {} as RunSource, {
		spent: () => false,
	});
	expect(found.kind).toBe('other');
});

/** A log in which one event is remembered, on the last of some pages of its second. */
function fullSecond(pages: number) {
	const of = (page: number, index: number) => ({
		event_id: `event-${page * 10 + index}`,
		event_time: new Date(START / 1000).toISOString(),
	});
	const [key] = rememberedKeys(of(pages - 1, 9));
	const state = { v: 1, kind: 'audit', scope: 's', way: 'query', watermark: START - MINUTE };
	const source: AuditSource = {
		now: () => START + MINUTE,
		knowsTime: () => true,
		localNow: () => START + MINUTE,
		broken: (what) => new Error(what),
		maySuspectCursor: () => true,
		events: async (_range, cursor) => {
			const page = Number(cursor ?? 0);
			const items = Array.from({ length: 10 }, (_, index) => of(page, index));
			const next = page + 1 < pages ? String(page + 1) : undefined;
			return await Promise.resolve({ items, next });
		},
	};
	return { state: { ...state, seen: [key] } as AuditState, source };
}

function rememberedKeys(event: IDataObject) {
	const seen = new SeenEvents();
	seen.take(event, START);
	return seen.entries(-Infinity);
}

test('an event among more of its second than a poll has time for is found by the next polls', async () => {
	const { state, source } = fullSecond(5);
	let doubt: Doubt = { credential: 'new', asked: 0 };
	for (let polls = 1; polls <= 5; polls++) {
		let requests = 0;
		const counted: AuditSource = {
			...source,
			events: async (...asked) => {
				requests += 1;
				return await source.events(...asked);
			},
		};
		const found = await recognizeLog(state, doubt, counted, { spent: () => requests > 0 });
		if (polls === 5) {
			expect(found).toEqual({ kind: 'same' });
			return;
		}
		if (found.kind !== 'open') throw new Error(`Poll ${polls} decided that it is ${found.kind}`);
		// As n8n stores it.
		doubt = JSON.parse(JSON.stringify(found.doubt)) as Doubt;
	}
});

test('a run that is remembered is found on any page of the list, though it is not found by its id', async () => {
	const run = (id: string) => ({
		id,
		name: id,
		status: 'PENDING',
		createTime: new Date(START / 1000).toISOString(),
	});
	const pages = [[run('a'), run('b')], [run('c')], [run('remembered')]];
	const source: RunSource = {
		now: () => START,
		knowsTime: () => true,
		localNow: () => START,
		monotonic: () => START,
		broken: (what) => new Error(what),
		maySuspectCursor: () => true,
		runs: async (_query, cursor) => {
			const page = Number(cursor ?? 0);
			const next = page + 1 < pages.length ? String(page + 1) : undefined;
			return await Promise.resolve({ items: pages[page], next });
		},
		run: async () => await Promise.resolve(undefined),
	};
	const state = newRunState('s', START - MINUTE, [['remembered', START, ['PENDING']]]);
	const unlimited = { spent: () => false };
	const doubt = { credential: 'other', asked: 0 };
	expect(await recognizeService(state, doubt, source, unlimited)).toEqual({ kind: 'same' });
});

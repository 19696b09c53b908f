/** What the service is asked to find out whose a new key is, and what its responses decide. */
import { SeenEvents } from '../../../../nodes/Wherobots/trigger/core/audit/seenEvents';
import {
	afterRecognition,
	recognizeLog,
	recognizeService,
} from '../../../../nodes/Wherobots/trigger/core/recognition';
import type { AuditSource } from '../../../../nodes/Wherobots/trigger/core/source';
import {
	newAuditState,
	newRunState,
	type Doubt,
	type RunState,
} from '../../../../nodes/Wherobots/trigger/core/state';
import {
	HOUR,
	listedFrom,
	MINUTE,
	NEVER_SHOWN,
} from '../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, NOW, paged, run, unlimited } from './runs/askedRuns';
import { iso, SlowService } from './slowService';

const CREATED = NOW - 30 * MINUTE;
const FROM = listedFrom(CREATED);
const noTime = { spent: () => true };
const newKey: Doubt = { credential: 'new', asked: 0 };
const known = run('known', CREATED, 'COMPLETED');
const other = run('other', NOW - MINUTE, 'RUNNING');
const state = newRunState('scope', NOW - HOUR, [['known', CREATED, ['COMPLETED']]]);

test('one poll asks a log once for each of the newest events, and again for the newest of all', async () => {
	const times = [1, 2, 3, 4].map((minutes) => NOW - minutes * MINUTE);
	const seen = new SeenEvents();
	for (const time of times) seen.take({ event_id: String(time), event_time: iso(time) }, NOW);
	const remembered = newAuditState('scope', NOW - HOUR, 'query', seen.entries(-Infinity));
	const asked: number[] = [];
	const source: AuditSource = {
		...new SlowService(0).common(),
		events: async ({ start }) => {
			asked.push(start);
			return await Promise.resolve({ items: [] });
		},
	};
	const found = await recognizeLog(remembered, newKey, source, unlimited);
	expect(asked).toEqual([times[0], times[1], times[2], times[0]].map(listedFrom));
	const doubt = { credential: 'new', asked: 4, since: NOW, began: NOW };
	expect(found).toEqual({ kind: 'open', doubt });
});

test('runs are listed from the newest one on that is remembered, up to the page that has it', async () => {
	// A record that is none tells nothing, and breaks nothing.
	const pages = [[null as never, known], [other], []];
	const service = new AskedRuns((_, cursor) => paged(pages, cursor));
	expect(await recognizeService(state, newKey, service, unlimited)).toEqual({ kind: 'same' });
	expect(service.asked).toEqual([[FROM]]);
	expect(service.askedRuns).toEqual([]);
});

test('runs without a time are asked for one by one, as no list begins at one of them', async () => {
	const service = new AskedRuns(() => ({ items: [] }));
	service.single = [run('timeless', undefined, 'RUNNING')];
	const timeless = newRunState('scope', NOW - HOUR, [
		['timeless', NOW - MINUTE, ['RUNNING'], { shownAt: NEVER_SHOWN }],
	]);
	expect(await recognizeService(timeless, newKey, service, unlimited)).toEqual({ kind: 'same' });
	expect([service.asked, service.askedRuns]).toEqual([[], ['timeless']]);
});

test('a list that one poll cannot read goes on in the next one, before anything else is asked', async () => {
	const service = new AskedRuns((_, cursor) => paged([[other], [known]], cursor));
	const found = await recognizeService(state, newKey, service, service.timeFor(1));
	expect(found).toMatchObject({ kind: 'open', doubt: { asked: 0, resume: { cursor: '1' } } });
	const { doubt } = found as { doubt: Doubt };
	expect(await recognizeService(state, doubt, service, unlimited)).toEqual({ kind: 'same' });
	expect(service.asked).toEqual([[FROM], [FROM, '1']]);
	expect(service.askedRuns).toEqual([]);
});

test('a list whose cursor is refused in the next poll is read from its start', async () => {
	const service = new AskedRuns((_, cursor) =>
		cursor === undefined ? { items: [known] } : new Error('The cursor was refused'),
	);
	const doubt = { ...newKey, resume: { cursor: '1' } };
	expect(await recognizeService(state, doubt, service, unlimited)).toEqual({ kind: 'same' });
	expect(service.asked).toEqual([[FROM, '1'], [FROM]]);
});

test('a poll without any time asks one question all the same', async () => {
	const service = new AskedRuns(() => ({ items: [other] }));
	const found = await recognizeService(state, newKey, service, noTime);
	expect(found).toMatchObject({ kind: 'open', doubt: { asked: 1 } });
	expect(service.asked).toEqual([[FROM]]);
	expect(service.askedRuns).toEqual([]);
});

// Otherwise polls that always fail would look as if nothing happened at the service.
test.each([
	['there is time left', unlimited],
	['the time is over', noTime],
])('a poll whose first question gets no answer fails when %s', async (_, budget) => {
	const service = new AskedRuns(() => new Error('Not reached'));
	const asking = recognizeService(state, newKey, service, budget);
	await expect(asking).rejects.toThrow('Not reached');
	expect(service.askedRuns).toEqual([]);
});

test('a yes that comes as the time of a poll ends decides', async () => {
	const service = new AskedRuns(() => ({ items: [other] }));
	service.single = [known];
	const budget = { spent: () => service.askedRuns.length > 0 };
	expect(await recognizeService(state, newKey, service, budget)).toEqual({ kind: 'same' });
	expect(service.asked).toEqual([[FROM]]);
});

/** Has the service say no to all questions in two polls, and gives what the next one goes on from. */
async function refusedTwice(service: AskedRuns): Promise<Doubt> {
	let doubt = newKey;
	for (let poll = 0; poll < 2; poll++) {
		const found = await recognizeService(state, doubt, service, unlimited);
		if (found.kind !== 'open') throw new Error(`Poll ${poll} decided that it is ${found.kind}`);
		({ doubt } = found);
		service.time += MINUTE;
	}
	return doubt;
}

test('a service that has said no for two minutes is asked a last time', async () => {
	let items = [other];
	const service = new AskedRuns(() => ({ items }));
	const doubt = await refusedTwice(service);
	items = [other, known];
	expect(await recognizeService(state, doubt, service, unlimited)).toEqual({ kind: 'same' });
});

// A clock of n8n's that is wrong must not tell from when on records are news.
test.each([
	['comes with the time of the first question', 'tells its time', true, NOW],
	['comes without a time', 'does not tell its time', false, undefined],
])('that it is another one %s when the service %s', async (...row) => {
	const [, , isTimeKnown, began] = row;
	const service = new AskedRuns(() => ({ items: [other] }));
	service.isTimeKnown = isTimeKnown;
	const doubt = await refusedTwice(service);
	const found = await recognizeService(state, doubt, service, unlimited);
	expect(found).toEqual({ kind: 'other', began });
});

test.each([
	['goes on from when the service was first asked', NOW],
	['finds its own beginning when that is not known', undefined],
])('the first poll of another organization %s, and a note says so', async (_, began) => {
	const begun = newRunState('begun', NOW - HOUR, []);
	const next = newRunState('next', NOW - HOUR, []);
	const asked: unknown[] = [];
	const first = {
		begun: (since?: number): RunState => ({ ...begun, began: since }),
		read: async (previous?: RunState) => {
			asked.push(previous);
			return await Promise.resolve(next);
		},
		knows: () => false,
	};
	const result = await afterRecognition({ kind: 'other', began }, state, unlimited, first);
	expect(asked).toEqual([began === undefined ? undefined : { ...begun, began }]);
	const notes = [expect.stringContaining('another organization')];
	expect(result).toEqual({ state: next, notes });
});

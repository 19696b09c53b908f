/** Polls of the audit log: what is asked for, what comes, and what is remembered. */
import {
	eventIdOf,
	eventTimeOf,
	pollAudit,
	type AuditRules,
} from '../../../nodes/Wherobots/trigger/core/auditLog';
import {
	DAY,
	digest,
	MAX_REMEMBERED,
	MINUTE,
	newAuditState,
	SECOND,
	type AuditState,
	type SeenEvent,
} from '../../../nodes/Wherobots/trigger/core/cursor';
import type { AuditPage, Budget } from '../../../nodes/Wherobots/trigger/core/source';
import { AskedLog, event, NOW, unlimited } from './service';

const rules: AuditRules = { overlap: 5 * MINUTE, settle: MINUTE };
const WATERMARK = NOW - 60 * MINUTE;

const before = (more: Partial<AuditState> = {}): AuditState => ({
	...newAuditState('scope', WATERMARK, 'query'),
	...more,
});

/** A state after which so much of the log is final. */
const finalFor = (length: number, more: Partial<AuditState> = {}) =>
	before({ newest: WATERMARK + length + rules.overlap, ...more });

const known = (id: string, time: number): SeenEvent => [digest(`audit/${id}`), time];
const knownAt = (time: number, count: number) =>
	Array.from({ length: count }, (_, index) => known(String(index), time));

async function poll(
	state: AuditState | undefined,
	log: AskedLog,
	budget: Budget = unlimited,
	by: AuditRules = rules,
) {
	const { events, ...polled } = await pollAudit(state, 'scope', by, log, budget);
	return { ...polled, events: events.map(({ id }) => id.replace('audit/', '')) };
}

const showing = (items: AuditPage['items'], more: Partial<AuditPage> = {}) =>
	new AskedLog(() => ({ items, ...more }));

/** The length in seconds of each range that was asked for, from the watermark of then on. */
const lengths = ({ asked }: AskedLog) =>
	asked.map(([start, end, cursor]) => {
		const length = end === undefined ? 'all' : (end - start) / SECOND - 1;
		return cursor === undefined ? length : `${length} from ${cursor}`;
	});

describe('a first poll', () => {
	test.each([
		['the overlap', true, rules.overlap],
		['a day when nothing tells the time, as the clock may be ahead', false, DAY],
	])('looks back %s, and yields nothing', async (_, isTimeKnown, back) => {
		const log = showing([event('old', NOW - MINUTE)]);
		log.isTimeKnown = isTimeKnown;
		const { events, state } = await poll(undefined, log);
		expect(events).toEqual([]);
		expect(log.asked).toEqual([
			[NOW, undefined, undefined, 1],
			[NOW - back - SECOND, undefined, undefined, Infinity],
		]);
		expect(state).toMatchObject({
			watermark: NOW - back,
			seen: [known('old', NOW - MINUTE)],
		});
		expect(state.began).toBeUndefined();
	});

	test('that takes several polls yields only what has happened since it began', async () => {
		const log = new AskedLog((_, cursor) =>
			cursor === undefined
				? { items: [], next: '1' }
				: { items: [event('old', NOW - MINUTE), event('new', NOW + SECOND)] },
		);
		const first = await poll(undefined, log, log.timeFor(2));
		expect(first.state).toMatchObject({ began: NOW, resume: { cursor: '1' } });
		log.time += 2 * MINUTE;
		const { events, state } = await poll(first.state, log);
		expect(events).toEqual(['new']);
		expect(state.began).toBeUndefined();
	});
});

test.each([
	['comes once it has settled', NOW - MINUTE, rules, ['new']],
	['waits until it has', NOW - MINUTE + 1_000, rules, []],
	['comes at once when it is dated ahead', NOW + MINUTE, rules, ['new']],
	[
		'of the present second comes at once without a delay',
		NOW + 500_000,
		{ ...rules, settle: 0 },
		['new'],
	],
	['of the second before the watermark comes', WATERMARK - SECOND, rules, ['new']],
	['from before that does not, whatever the service shows', WATERMARK - SECOND - 1_000, rules, []],
])('an event %s', async (_, time, by, expected) => {
	expect((await poll(before(), showing([event('new', time)]), unlimited, by)).events).toEqual(
		expected,
	);
});

test('an event without a time comes once, and hides none of a log that is behind', async () => {
	const items = [event('old', WATERMARK + MINUTE), { event_id: 'timeless' }];
	const first = await poll(before(), showing(items));
	expect(first.events).toEqual(['old', 'timeless']);
	items.push(event('late', WATERMARK + 2 * MINUTE));
	expect((await poll(first.state, showing(items))).events).toEqual(['late']);
});

test('the state remembers what the next list shows again, and nothing older', async () => {
	const kept = [known('of that time', WATERMARK - SECOND), known('younger', WATERMARK)];
	const seen = [known('older', WATERMARK - SECOND - 1_000), ...kept];
	const { state } = await poll(before({ seen }), showing([event('new', NOW - 10 * MINUTE)]));
	expect(state.seen).toEqual([...kept, known('new', NOW - 10 * MINUTE)]);
	expect(state).toMatchObject({ watermark: WATERMARK, newest: NOW - 10 * MINUTE });
});

test('the watermark moves to what was final before the list was asked for', async () => {
	const { state } = await poll(finalFor(2 * MINUTE), showing([event('new', NOW - 2 * MINUTE)]));
	expect(state.watermark).toBe(WATERMARK + 2 * MINUTE);
});

test('a list with fewer events than it says is read once more, and then taken as it is', async () => {
	const log = showing([], { total: 1 });
	const first = await poll(finalFor(2 * MINUTE), log);
	expect(first.state).toMatchObject({ watermark: WATERMARK, inconsistent: true });
	expect(first.notes).toEqual([expect.stringContaining('fewer records than it said')]);
	const second = await poll(first.state, log);
	expect(second.state).toMatchObject({ watermark: WATERMARK + 2 * MINUTE, inconsistent: true });
	expect(second.notes).toEqual([]);
	expect((await poll(second.state, showing([]))).state.inconsistent).toBeUndefined();
});

test('with 5,000 new events a poll is full, and the next one goes on with the page after them', async () => {
	const items = Array.from({ length: 5_000 }, (_, index) => event(`${index}`, WATERMARK + MINUTE));
	const log = new AskedLog((_, cursor) =>
		cursor === undefined ? { items, next: '1' } : { items: [event('last', WATERMARK + MINUTE)] },
	);
	const full = await poll(before(), log);
	expect(full.events).toHaveLength(5_000);
	expect(log.asked).toHaveLength(1);
	expect((await poll(full.state, log)).events).toEqual(['last']);
});

describe('a long backlog', () => {
	const minutely = Array.from({ length: 55 }, (_, index) =>
		event(`event-${index}`, WATERMARK + (index + 0.5) * MINUTE),
	);
	const inRange = (start: number, end = Infinity) =>
		minutely.filter(
			(each) => (eventTimeOf(each) as number) >= start && (eventTimeOf(each) as number) <= end,
		);

	test('is read in ranges that fit a page, longer ones where little happened', async () => {
		const log = new AskedLog(({ start, end }, cursor = '0') => {
			const [items, next] = [inRange(start, end), Number(cursor) + 10];
			return {
				items: items.slice(Number(cursor), next),
				next: next < items.length ? String(next) : undefined,
			};
		});
		const { events, state } = await poll(finalFor(55 * MINUTE, { newest: NOW }), log);
		expect(lengths(log).slice(0, 8)).toEqual([
			'all',
			3_300,
			412,
			1_648,
			206,
			824,
			'824 from 10',
			824,
		]);
		expect(lengths(log).slice(-2)).toEqual([210, 'all']);
		expect(events).toHaveLength(55);
		expect(state).toMatchObject({ watermark: NOW - rules.overlap });
		expect(state.span).toBeUndefined();
	});

	const twoPages = (items: AuditPage['items'] = []) =>
		new AskedLog((_, cursor) => (cursor === undefined ? { items, next: '1' } : { items: [] }));
	const many = (count: number) =>
		Array.from({ length: count }, (_, index) => event(`${index}`, WATERMARK + SECOND / 2));
	const early = knownAt(WATERMARK + MINUTE, MAX_REMEMBERED + 1);

	test.each([
		['more than a quarter of an hour is final', finalFor(15 * MINUTE + SECOND), 0, 901],
		['not: less is', finalFor(15 * MINUTE), 0, 'all from 1'],
		['too many events are remembered', finalFor(10 * MINUTE, { seen: early }), 0, 600],
		['not: as many as may be', finalFor(10 * MINUTE, { seen: early.slice(1) }), 0, 'all from 1'],
		['a range is longer than that', finalFor(20 * MINUTE, { span: 15 * MINUTE + SECOND }), 0, 112],
		['not: a range is shorter', finalFor(20 * MINUTE, { span: 15 * MINUTE }), 0, '900 from 1'],
		['a range has more than 2,000 events', finalFor(20 * MINUTE, { span: 10 * MINUTE }), 2_001, 75],
		['not: as many', finalFor(20 * MINUTE, { span: 10 * MINUTE }), 2_000, '600 from 1'],
		[
			'they become a second long at the least',
			finalFor(20 * MINUTE, { span: 2 * SECOND }),
			2_001,
			1,
		],
		['not: a range of a second', finalFor(20 * MINUTE, { span: SECOND }), 2_001, '1 from 1'],
	])('is divided further when %s', async (_, state, count, second) => {
		const log = twoPages(many(count));
		await poll(state, log, log.timeFor(2));
		expect(lengths(log)[1]).toBe(second);
	});

	test('is read in ranges where an export is cut, and whole where nothing is final', async () => {
		const cut = () => new AskedLog((_, __, most) => ({ items: [], isCut: most !== Infinity }));
		const [some, none] = [cut(), cut()];
		await poll(finalFor(10 * MINUTE), some, some.timeFor(3));
		expect(some.asked.map(([, , , most]) => most)).toEqual([5_000, 2_000, 2_000]);
		expect(lengths(some)).toEqual(['all', 600, 75]);
		await poll(before(), none);
		expect(none.asked).toEqual([[WATERMARK - SECOND, undefined, undefined, Infinity]]);
	});
});

test.each([
	[MAX_REMEMBERED, WATERMARK + 2 * MINUTE, 0],
	[MAX_REMEMBERED + 1, WATERMARK + 2 * MINUTE + 50 * SECOND, 1],
])(
	'of %i events after what is final, the overlap keeps those that can be remembered',
	async (count, to, notes) => {
		const seen = Array.from({ length: count }, (_, index) =>
			known(`${index}`, WATERMARK + 2 * MINUTE + index * 10_000),
		);
		const polled = await poll(finalFor(2 * MINUTE, { seen }), showing([]));
		expect(polled.state.watermark).toBe(to);
		expect(polled.notes).toHaveLength(notes);
	},
);

test.each([
	['after a pause longer than the retention', 100, 1, 1],
	['but not without any events', 100, 0, 0],
	['nor after a pause as long as the retention', 90, 1, 0],
])("n8n's log says which events are gone %s", async (_, days, count, notes) => {
	const items = [event('kept', NOW - DAY)].slice(0, count);
	const polled = await poll(before({ watermark: NOW - days * DAY }), showing(items));
	expect(polled.notes).toHaveLength(notes);
});

describe('the ID of an event', () => {
	const byQuery = {
		event_time: '2026-03-01T12:00:40.500000+00:00',
		action_name: 'DESTROY',
		user_id: 'u1',
		user_name: null,
		client_chain: 'client=n8n',
	};
	const byExport = {
		event_id: '',
		event_time: '2026-03-01T12:00:40.5Z',
		action_name: 'DESTROY',
		user_id: 'u1',
		user_name: '',
		user_agent: '',
	};

	it("is the service's", () => {
		expect(eventIdOf({ event_id: 'a/b c' })).toBe('audit/a%2Fb%20c');
		expect(eventIdOf({ event_id: 0 })).toBe('audit/0');
	});

	it('is the same by query and by export where the service has none, and tells all fields apart', () => {
		expect(eventIdOf(byQuery)).toMatch(/^audit\/sha256:[0-9a-f]{64}$/);
		expect(eventIdOf(byExport)).toBe(eventIdOf(byQuery));
		const others = [{ action_name: 'STOP' }, { user_id: 'u2' }, { source_ip: '192.0.2.1' }];
		const ids = [{}, { event_time: '2026-03-01T12:00:40.500001Z' }, ...others];
		expect(new Set(ids.map((more) => eventIdOf({ ...byQuery, ...more }))).size).toBe(5);
	});
});

import type { CallOptions, Client } from '../../../../nodes/Wherobots/transport/client';
import { fetchLog, type ReadOptions } from '../../../../nodes/Wherobots/useCases/runs/logs';
import { suiteWithInstantPauses } from '../../../support/virtualTime';

const START = Date.parse('2026-11-21T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const time = suiteWithInstantPauses();

const ago = (ms: number) => new Date(START - ms).toISOString();

const going = { status: 'RUNNING', startTime: ago(HOUR) };
const ended = { status: 'COMPLETED', startTime: ago(HOUR), completeTime: ago(0) };

interface Service {
	/** What it shows of the run, the last one over and over. */
	runs: Array<object | Error>;
	/** When its lines can be read, in milliseconds after the start. */
	lines?: number[];
	/** What it responds instead of a log. */
	refusal?: Error;
	knowsTime?: boolean;
}

const given = async <T>(value: T | Error) =>
	await (value instanceof Error ? Promise.reject(value) : Promise.resolve(value));

/** Reads a log whose lines are the times when they came: all of it, without waiting, unless told otherwise. */
async function reading(
	{ runs, lines = [], refusal, knowsTime = true }: Service,
	options: Partial<ReadOptions> = {},
) {
	let reads = 0;
	const client = {
		serviceNow: () => START + time.now,
		knowsServiceTime: knowsTime,
		call: async (id: string, { query }: CallOptions) => {
			if (id === 'getRun') return await given(runs[Math.min(reads++, runs.length - 1)]);
			const there = lines.filter((at) => at <= time.now).slice(Number(query?.cursor));
			const items = there.map((at) => ({ timestamp: START + at, raw: `${at}` }));
			return await given(refusal ?? { items, next_page: null });
		},
	};
	const all = { selection: { which: 'all' }, quietMs: 0, ...options } as const;
	const result = await fetchLog(client as unknown as Client, 'r1', all);
	return { ...result, lines: result.lines.map(({ raw }) => Number(raw)) };
}

describe('the log of a run that has ended', () => {
	it.each([
		['just now', {}, 30_000],
		['ten seconds ago', { completeTime: ago(10_000) }, 20_000],
		['long ago', { completeTime: ago(HOUR) }, 0],
		['long ago, and was changed just now', { completeTime: ago(HOUR), updateTime: ago(0) }, 0],
		['before its last change', { completeTime: null, updateTime: ago(HOUR) }, 0],
		['on a day that does not exist', { completeTime: '2026-02-30T00:00:00Z' }, 30_000],
		['at an unknown time', { completeTime: undefined }, 30_000],
	])('is waited for while late lines may come: ended %s', async (_, more, waited) => {
		const { complete } = await reading({ runs: [{ ...ended, ...more }] }, { quietMs: 30_000 });
		expect(complete).toBe(true);
		expect(time.now).toBe(waited);
	});

	it.each([
		[30, 30_000],
		[90, 0],
	])(
		"is waited for when n8n's clock may be off by an hour: ended %i minutes ago",
		async (minutes, waited) => {
			const runs = [{ ...ended, completeTime: ago(minutes * MINUTE) }];
			await reading({ runs, knowsTime: false }, { quietMs: 30_000 });
			expect(time.now).toBe(waited);
		},
	);

	it('is read until no line has arrived for a while', async () => {
		const { lines } = await reading(
			{ runs: [ended], lines: [3_000, 7_500, 14_000] },
			{ quietMs: 5_000 },
		);
		// The second line is seen after eight seconds.
		expect(lines).toEqual([3_000, 7_500]);
		expect(time.now).toBe(13_000);
	});
});

it('a log that continues after its run has ended is read for ten more minutes', async () => {
	const lines = Array.from({ length: 1_000 }, (_, i) => i * 3_000);
	const read = await reading({ runs: [ended], lines }, { quietMs: 5_000 });
	expect(time.now).toBeGreaterThan(10 * MINUTE);
	expect(time.now).toBeLessThan(11 * MINUTE);
	expect(read.lines.at(-1)).toBe(time.now);
});

it("a log that is followed is waited for at its end, however long ago the run's record says that was", async () => {
	const { lines } = await reading(
		{ runs: [going, { ...ended, completeTime: ago(HOUR) }], lines: [4_000] },
		{ followMs: HOUR, quietMs: 10_000 },
	);
	expect(lines).toEqual([4_000]);
});

import { jobRuns } from '../../../../../nodes/Wherobots/trigger/serviceSource';
import type { Run } from '../../../../../nodes/Wherobots/service/types';
import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import type { RunSource } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { RunState } from '../../../../../nodes/Wherobots/trigger/core/state';
import { iso, MINUTE, runService, SECOND, SlowService, START } from '../slowService';

test.each([3, 8, 14])(
	'a first poll at %d seconds a page does not fail for lack of time, and is finished by later polls',
	async (seconds) => {
		const service = new SlowService(seconds);
		const times = Array.from({ length: 35 }, (_, index) => START - (35 - index) * MINUTE);
		const inner = runService(service, times, 10 * MINUTE);
		let state: RunState | undefined;
		let polls = 0;
		do {
			const end = service.now + 24 * SECOND;
			const source: RunSource<Run> = {
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

test("a first poll that takes two polls looks back a day, too, when n8n's clock is ahead and no response tells the time", async () => {
	const service = new SlowService(0);
	const ahead = 8 * 60 * MINUTE;
	const inner = runService(service, [], MINUTE);
	const asked: number[] = [];
	const source: RunSource<Run> = {
		...inner,
		kind: jobRuns,
		now: () => service.now + ahead,
		localNow: () => service.now + ahead,
		knowsTime: () => false,
		runs: async (query, cursor) => {
			if ('statuses' in query) return { items: [] };
			if (query.createdFrom === service.now + ahead) return { items: [] };
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

test("even when the service's clock is months behind, what is older than the first poll is not news", async () => {
	const service = new SlowService(8);
	const hour = 60 * MINUTE;
	// A run that ends every two hours, and one that does not every day.
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
	const source: RunSource<Run> = {
		...service.common(),
		kind: jobRuns,
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
		if (poll === 0) expect(polled.state.baseline).toBeDefined();
		expect(polled.changes).toEqual([]);
		state = polled.state;
		service.now += 2 * hour;
	}
	expect(state?.baseline).toBeUndefined();
});

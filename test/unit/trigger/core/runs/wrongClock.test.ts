import { jobRuns } from '../../../../../nodes/Wherobots/trigger/serviceSource';
import type { Run } from '../../../../../nodes/Wherobots/service/types';
import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import type { RunSource } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { RunState } from '../../../../../nodes/Wherobots/trigger/core/state';
import { iso, MINUTE, SECOND, SlowService, START } from '../slowService';

test("when the service's clock is days behind, later polls know the newest run and yield each run once", async () => {
	const service = new SlowService(0);
	const hour = 60 * MINUTE;
	const active = START - 72 * hour;
	const ended = [1, 2, 3].map((index) => START - 48 * hour + index * MINUTE);
	// More than two pages, so that later polls ask for runs newer than the newest one.
	const young = Array.from({ length: 25 }, (_, index) => START + MINUTE + index * SECOND);
	const run = (time: number): Run => {
		const status = ended.includes(time) ? 'COMPLETED' : 'RUNNING';
		return { id: String(time), name: 'nightly', status, createTime: iso(time) };
	};
	const shown = () => [active, ...ended, ...young].filter((time) => time <= service.now);
	const source: RunSource<Run> = {
		...service.common(),
		kind: jobRuns,
		now: () => service.now - 13 * 24 * hour,
		runs: async (query, cursor) => {
			const isListed = (time: number) =>
				'statuses' in query ? !ended.includes(time) : time >= query.createdFrom;
			const { items, next } = service.page(shown().filter(isListed), cursor);
			return await Promise.resolve({ items: items.map(run), next });
		},
		run: async (id) => await Promise.resolve(run(Number(id))),
	};
	let state: RunState | undefined;
	const given: string[] = [];
	for (let poll = 0; poll < 8; poll++) {
		const polled = await pollRuns(state, 'scope', source, service.budget(60));
		({ state } = polled);
		given.push(...polled.changes.map((change) => change.run.id));
		service.now += 2 * hour;
	}
	expect(given.sort()).toEqual(young.map(String));
});

import { jobRuns } from '../../../../../nodes/Wherobots/trigger/serviceSource';
import type { Run } from '../../../../../nodes/Wherobots/service/types';
import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import type { RunSource } from '../../../../../nodes/Wherobots/trigger/core/source';
import { newRunState } from '../../../../../nodes/Wherobots/trigger/core/state';

const NOW = Date.parse('2026-03-10T12:00:00Z') * 1000;
const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const unlimited = { spent: () => false };
const iso = (time: number) => new Date(time / 1000).toISOString();

const silent = {
	knowsTime: () => true,
	broken: (what: string) => new Error(what),
	maySuspectCursor: () => false,
	run: async () => await Promise.resolve(undefined),
};

test.each([-180, -5, 180])(
	"a poll with nothing to do is one request, even when n8n's clock is %s minutes ahead of the service's",
	async (minutes) => {
		const created = (index: number) => iso(NOW - 6 * MINUTE + index * SECOND);
		const runs = Array.from({ length: 60 }, (_, index): Run => {
			return { id: `run-${index}`, status: 'COMPLETED', createTime: created(index) } as Run;
		}).reverse();
		let state = newRunState('scope', NOW - 12 * MINUTE, []);
		let requests = 0;
		for (let poll = 0; poll < 20; poll++) {
			requests = 0;
			const now = NOW + poll * MINUTE;
			const service: RunSource<Run> = {
				...silent,
				// Until the first response, n8n's clock stands in for the service's.
				kind: jobRuns,
				now: () => now + (requests === 0 ? minutes * MINUTE : 0),
				localNow: () => now + minutes * MINUTE,
				runs: async (query, cursor = '0') => {
					requests += 1;
					const from = 'createdFrom' in query ? query.createdFrom : Infinity;
					const listed = runs.filter((run) => Date.parse(run.createTime ?? '') * 1000 >= from);
					const end = Number(cursor) + 50;
					return {
						items: listed.slice(Number(cursor), end),
						next: listed.length > end ? String(end) : undefined,
						total: listed.length,
					};
				},
			};
			({ state } = await pollRuns(state, 'scope', service, unlimited));
		}
		expect(requests).toBe(1);
	},
);

test("after a refused cursor, no run from before the watermark comes, even when n8n's clock was an hour behind as the newest run was shown", async () => {
	const watermark = NOW - 10 * MINUTE;
	const run = (id: string, minutesAgo: number): Run => {
		const createTime = iso(NOW - minutesAgo * MINUTE);
		return { id, status: 'COMPLETED', createTime } as Run;
	};
	const runs = [run('newest', 5), run('forgotten', 30)];
	const service: RunSource<Run> = {
		...silent,
		kind: jobRuns,
		now: () => NOW,
		localNow: () => NOW,
		maySuspectCursor: () => true,
		runs: async (query, cursor) => {
			if (cursor !== undefined) throw new Error('The cursor is refused');
			const from = 'createdFrom' in query ? query.createdFrom : Infinity;
			const items = runs.filter(({ createTime = '' }) => Date.parse(createTime) * 1000 >= from);
			return await Promise.resolve({ items });
		},
	};
	const before = newRunState('scope', watermark, [['newest', NOW - 5 * MINUTE, ['COMPLETED']]]);
	const resume = { cursor: 'refused', count: 1, final: 0 };
	const state = { ...before, newest: NOW - 65 * MINUTE, resume };
	const polled = await pollRuns(state, 'scope', service, unlimited);
	expect(polled.changes).toEqual([]);
});

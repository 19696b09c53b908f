import type { Run } from '../../../../../nodes/Wherobots/service/types';
import { jobRuns } from '../../../../../nodes/Wherobots/trigger/serviceSource';
import { pollRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import type { RunSource } from '../../../../../nodes/Wherobots/trigger/core/source';
import { type Doubt, type RunState } from '../../../../../nodes/Wherobots/trigger/core/state';
import { MINUTE, POLL_TIME, SECOND, spread, START } from '../audit/slowLog';

const times = spread(600, 300 * MINUTE, START + 240 * MINUTE);

test.each([1, 8, 12, 20, 33])(
	"at %d seconds a request, a key of another organization gets to that organization's runs",
	async (seconds) => {
		let now = START;
		let organization = 'a';
		let state: RunState | undefined;
		const given: string[] = [];
		const poll = async (doubt?: Doubt) => {
			const began = now;
			const answer = <T>(value: () => T): T => {
				now += seconds * SECOND;
				if (now <= began + POLL_TIME) return value();
				now = began + POLL_TIME;
				throw new Error('timeout exceeded');
			};
			const list = () =>
				times
					.filter((time) => time <= now)
					.slice(-50)
					.map((time) => ({
						id: `${organization}-${time}`,
						name: 'nightly-run',
						status: 'PENDING',
						createTime: new Date(time / 1000).toISOString(),
					}));
			const source: RunSource<Run> = {
				kind: jobRuns,
				now: () => now,
				knowsTime: () => now > began,
				localNow: () => now,
				broken: (what) => new Error(what),
				maySuspectCursor: () => true,
				runs: async () => answer(() => ({ items: list() })),
				run: async (id) => answer(() => list().find((run) => run.id === id)),
			};
			const budget = { spent: (share = 1) => now - began >= POLL_TIME * share };
			const polled = await pollRuns(state, 'scope', source, budget, doubt);
			now = Math.max(now, began + MINUTE);
			state = polled.state;
			given.push(...polled.changes.map(({ run }) => run.id));
		};
		while (!state || state.baseline !== undefined) await poll();
		organization = 'b';
		const changed = now;
		let polls = 0;
		do {
			await poll((state as RunState).doubt ?? { credential: 'new', asked: 0 });
			polls += 1;
		} while (state.doubt && polls < 20);
		expect(polls).toBeLessThan(12);
		while (state.baseline !== undefined && polls < 40) {
			await poll();
			polls += 1;
		}
		await poll();
		const news = times.filter(
			(time) => time > changed + (seconds + 1) * SECOND && time < now - 2 * MINUTE,
		);
		expect(polls).toBeLessThan(30);
		expect(given.filter((id) => id.startsWith('b')).map((id) => Number(id.slice(2)))).toEqual(
			expect.arrayContaining(news.slice(-10)),
		);
	},
);

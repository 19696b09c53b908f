import { jobRuns } from '../../../../nodes/Wherobots/trigger/serviceSource';
import type { Run } from '../../../../nodes/Wherobots/service/types';
import type { Budget, RunSource } from '../../../../nodes/Wherobots/trigger/core/source';

export const START = Date.parse('2026-03-10T12:00:00Z') * 1000;
export const SECOND = 1_000_000;
export const MINUTE = 60 * SECOND;
const PAGE = 10;
export const iso = (time: number) => new Date(time / 1000).toISOString();

/** A service that lists oldest first, by offsets, and takes some seconds for each page. */
export class SlowService {
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

	/** The budget of a poll of this many seconds. */
	budget(seconds = 24): Budget {
		const began = this.now;
		return { spent: (share = 1) => this.now - began >= seconds * share * SECOND };
	}

	common() {
		return {
			kind: jobRuns,
			now: () => this.now,
			knowsTime: () => true,
			localNow: () => this.now,
			broken: (what: string) => new Error(what),
			maySuspectCursor: () => true,
		};
	}
}

/** Every two seconds, beginning an hour before the start. */
export const TIMES = Array.from(
	{ length: 3600 },
	(_, index) => START - 60 * MINUTE + index * 2 * SECOND,
);

/** A service whose runs end this many microseconds after they were created. */
export function runService(
	service: SlowService,
	times: number[],
	lifetime: number,
): RunSource<Run> {
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

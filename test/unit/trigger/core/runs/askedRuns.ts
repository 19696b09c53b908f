import { ACTIVE_STATUSES } from '../../../../../nodes/Wherobots/service/jobRuns/runs';
import type { Run } from '../../../../../nodes/Wherobots/service/types';
import type { Budget, RunSource } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { Page } from '../../../../../nodes/Wherobots/transport/pagination';
import { iso, START as NOW } from '../slowService';

export { iso, NOW };

export const unlimited: Budget = { spent: () => false };

/** More requests than any poll here needs. */
const TOO_MANY = 50;

export function run(id: string, created: number | undefined, status: string, more = {}): Run {
	const createTime = created === undefined ? undefined : iso(created);
	return { id, name: 'nightly', status, createTime, ...more } as Run;
}

function activeOf(statuses: readonly string[]): 'active' {
	expect(statuses).toEqual(ACTIVE_STATUSES);
	return 'active';
}

/** A list in these pages, whose cursors are their numbers. */
export function paged(pages: Run[][], cursor = '0'): Page<Run> {
	const index = Number(cursor);
	const next = index + 1 < pages.length ? String(index + 1) : undefined;
	return { items: pages[index] ?? [], next };
}

/** A service that writes down which lists and runs it is asked for. Its clocks agree and stand still. */
export class AskedRuns implements RunSource {
	readonly asked: Array<[list: 'active' | number, cursor?: string]> = [];

	readonly askedRuns: string[] = [];

	time = NOW;

	localTime: number | undefined;

	isTimeKnown = true;

	/** Runs that are known one by one. */
	single: Run[] = [];

	constructor(
		private readonly list: (list: 'active' | number, cursor?: string) => Page<Run> | Error,
	) {}

	/** Time for so many requests for lists. */
	timeFor(requests: number): Budget {
		return { spent: () => this.asked.length >= requests };
	}

	// Functions of the object itself: a poll copies the source.
	now = () => this.time;

	localNow = () => this.localTime ?? this.time;

	knowsTime = () => this.isTimeKnown;

	monotonic = () => 0;

	broken = (what: string) => new Error(what);

	maySuspectCursor = () => true;

	runs: RunSource['runs'] = async (query, cursor) => {
		const list = 'statuses' in query ? activeOf(query.statuses) : query.createdFrom;
		this.asked.push(cursor === undefined ? [list] : [list, cursor]);
		if (this.asked.length > TOO_MANY) throw new Error('The poll does not end');
		const answer = this.list(list, cursor);
		if (answer instanceof Error) throw answer;
		return await Promise.resolve(answer);
	};

	run: RunSource['run'] = async (id) => {
		this.askedRuns.push(id);
		return await Promise.resolve(this.single.find((each) => each.id === id));
	};
}

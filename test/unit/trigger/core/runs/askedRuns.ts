import { jobRuns } from '../../../../../nodes/Wherobots/trigger/serviceSource';
import { ACTIVE_STATUSES } from '../../../../../nodes/Wherobots/service/jobRuns/runs';
import type { Run } from '../../../../../nodes/Wherobots/service/types';
import type { RunSource } from '../../../../../nodes/Wherobots/trigger/core/source';
import type { Page } from '../../../../../nodes/Wherobots/transport/pagination';
import { AskedSource } from '../askedSource';
import { iso, START as NOW } from '../slowService';

export { iso, NOW };
export { paged, unlimited } from '../askedSource';

export function run(id: string, created: number | undefined, status: string, more = {}): Run {
	const createTime = created === undefined ? undefined : iso(created);
	return { id, name: 'nightly', status, createTime, ...more } as Run;
}

function activeOf(statuses: readonly string[]): 'active' {
	expect(statuses).toEqual(ACTIVE_STATUSES);
	return 'active';
}

/** A service that records which lists and runs it is asked for. */
export class AskedRuns
	extends AskedSource<[list: 'active' | number, cursor?: string]>
	implements RunSource<Run>
{
	readonly kind = jobRuns;

	readonly askedRuns: string[] = [];

	/** Runs that can be read one by one. */
	single: Run[] = [];

	constructor(
		private readonly list: (list: 'active' | number, cursor?: string) => Page<Run> | Error,
	) {
		super();
	}

	runs: RunSource<Run>['runs'] = async (query, cursor) => {
		const list = 'statuses' in query ? activeOf(query.statuses) : query.createdFrom;
		this.note(cursor === undefined ? [list] : [list, cursor]);
		const answer = this.list(list, cursor);
		if (answer instanceof Error) throw answer;
		return await Promise.resolve(answer);
	};

	run: RunSource<Run>['run'] = async (id) => {
		this.askedRuns.push(id);
		return await Promise.resolve(this.single.find((each) => each.id === id));
	};
}

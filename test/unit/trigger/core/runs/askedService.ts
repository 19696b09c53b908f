import { jobRuns } from '../../../../../nodes/Wherobots/trigger/serviceSource';
import type { Run } from '../../../../../nodes/Wherobots/service/types';
import { followRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/followedRuns';
import { ObservedRuns } from '../../../../../nodes/Wherobots/trigger/core/runs/observedRuns';
import { isUsable } from '../../../../../nodes/Wherobots/trigger/core/runs/trackedRuns';
import type { RunSource } from '../../../../../nodes/Wherobots/trigger/core/source';
import {
	newRunState,
	type RunNotes,
	type TrackedRun,
} from '../../../../../nodes/Wherobots/trigger/core/state';
import { DAY } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedRuns, iso, NOW, paged } from './askedRuns';

export const ACTIVE = 'active runs';
export const CREATED = NOW - 2 * DAY;

export const run = (id: string, status = 'RUNNING') =>
	({ id, name: id, status, createTime: iso(CREATED) }) as Run;

/** A service whose lists and single runs a test decides, and that records what it was asked for. */
export class AskedService {
	now = NOW;

	asked: string[] = [];

	/** The pages of the list of active runs. */
	active: unknown[][] = [[]];

	/** The responses for single runs; any other run is not found. */
	single: Record<string, Run | Error> = {};

	/** The share of the poll's time that is used up, then the shares that a page and a single run take. */
	used = 0;

	pageTakes = 0;

	runTakes = 0;

	private readonly budget = { spent: (share = 1) => this.used >= share };

	private readonly source: RunSource<Run> = Object.assign(
		new AskedRuns((list, cursor) => {
			const name = list === 'active' ? ACTIVE : `runs from ${list} on`;
			this.asked.push(cursor === undefined ? name : `${name}, page ${Number(cursor) + 1}`);
			this.used += this.pageTakes;
			const pages = (list === 'active' ? this.active : [[]]) as Run[][];
			return pages.length > 0 ? paged(pages, cursor) : new Error('The list cannot be read');
		}),
		{
			now: () => this.now,
			localNow: () => this.now,
			run: async (id: string) => {
				this.asked.push(id);
				this.used += this.runTakes;
				const answer = this.single[id];
				if (answer instanceof Error) throw answer;
				return await Promise.resolve(answer);
			},
		},
	);

	/** Follows these runs as a poll does; `active` are those that remain tracked. */
	async follow(...entries: TrackedRun[]) {
		const observed = new ObservedRuns(
			this.source,
			newRunState('scope', 0, entries),
			false,
			false,
			false,
		);
		const taken: string[] = [];
		const take = observed.take.bind(observed);
		observed.take = (records) => {
			taken.push(
				...records
					.map(jobRuns.read)
					.filter(isUsable)
					.map(({ id, status }) => `${id} ${status}`),
			);
			return take(records);
		};
		await followRuns(observed, this.budget);
		return { active: observed.tracked.active(), taken, notes: observed.notes };
	}
}

export const followed = (id: string, notes: RunNotes = {}, created = CREATED): TrackedRun => [
	id,
	created,
	['RUNNING'],
	notes,
];

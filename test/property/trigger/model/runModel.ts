import { ACTIVE_STATUSES, isTerminal } from '../../../../nodes/Wherobots/service/runs';
import type { Run } from '../../../../nodes/Wherobots/service/types';
import type { RunSource } from '../../../../nodes/Wherobots/trigger/core/source';
import { Refused, type Calls } from './calls';
import { pageOf, type ListStyle } from './pages';

export const SECOND = 1_000_000;

export interface ModelRun {
	key: string;
	/** Creation time, microseconds. */
	time: number;
	createTime: string;
	status: string;
	/** It appears in lists from then on. */
	visibleAt: number;
}

/** Job runs as the service knows them, with its clock in microseconds. */
export class RunModel {
	now = Date.parse('2026-03-01T12:00:00.250Z') * 1000;

	/** How far n8n's clock is off. */
	skew = 0;

	/** Whether responses tell the service's time, which makes n8n's clock good for the rest of a poll. */
	tellsTime = true;

	readonly runs: ModelRun[] = [];

	constructor(readonly style: ListStyle) {}

	create(lateness = 0, inFuture = 0): ModelRun {
		const time = this.now + inFuture;
		const run = {
			key: `run-${this.runs.length}`,
			time,
			createTime: isoMicros(time),
			status: 'PENDING',
			visibleAt: this.now + lateness,
		};
		this.runs.push(run);
		return run;
	}

	/** Moves one of the runs that have not ended on. */
	move(pick: number, unusual: boolean): void {
		const open = this.runs.filter(({ status }) => !isTerminal(status));
		const run = open[pick % Math.max(1, open.length)];
		if (!run) return;
		const ends = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
		if (unusual && run.status !== 'SUSPENDED') run.status = 'SUSPENDED';
		else if (run.status === 'PENDING' && pick % 3 > 0) run.status = 'RUNNING';
		else run.status = ends[pick % ends.length];
	}

	/** The service as a poll sees it. Each record that is served goes to `onServed`. */
	source(calls: Calls, onServed: (run: ModelRun) => void): RunSource {
		const responded = { once: false };
		const show = (run: ModelRun): Run => {
			onServed(run);
			// Longer than any history: a run in an unknown status is not followed for ever.
			const payload = { timeoutSeconds: 365 * 86_400 };
			return {
				id: run.key,
				name: run.key,
				status: run.status,
				createTime: run.createTime,
				payload,
			};
		};
		return {
			now: () => this.now + (responded.once && this.tellsTime ? 0 : this.skew),
			broken: (what) => new Error(what),
			refusesCursor: (error) => error instanceof Refused,
			runs: async (query, cursor) => {
				await calls.next(cursor);
				responded.once = true;
				const matching = this.runs.filter(
					(run) =>
						run.visibleAt <= this.now &&
						('statuses' in query
							? ACTIVE_STATUSES.some((status) => status === run.status)
							: run.time > Math.floor(query.createdFrom / SECOND) * SECOND),
				);
				const page = pageOf(matching, this.runs, this.style, cursor);
				return calls.gives({ ...page, items: page.items.map(show) });
			},
			run: async (id) => {
				await calls.next();
				responded.once = true;
				const run = this.runs.find(({ key }) => key === id);
				return run && show(run);
			},
		};
	}
}

/** ISO 8601 with microseconds. */
export function isoMicros(time: number): string {
	const millis = new Date(Math.floor(time / 1000)).toISOString().slice(0, -1);
	return `${millis}${String(time % 1000).padStart(3, '0')}Z`;
}

/** Tested by test/engine/trigger/durationsAndExport.test.ts. */
import { defineCountField } from '../../form/declarations';
import { simplifyField } from '../../form/fields';
import type { Input } from '../../form/input';
import { toItem } from '../../form/output';
import type { RunKind, RunRecord } from '../../service/records/kind';
import { jobRuns } from '../../service/records/jobRun';
import { formatTime, type Micros } from '../../service/time';
import { toEventId, MINUTE, type RunState } from '../core/cursor';
import type { RunPollResult } from '../core/runPoll';
import type { TriggerEvent } from '../event';
import { jobRunFilters, pollRunsFrom, readJobRunFilter, toRecord } from './runEvents';
import { createRunSource } from '../sources';

const pendingMinutesField = defineCountField({
	displayName: 'Pending Longer Than (Minutes)',
	name: 'pendingMinutes',
	typeOptions: { minValue: 0, maxValue: 525_600 },
	default: 30,
	description: 'How long a job run may be pending, counted from its creation. 0 means no limit.',
});

const runningMinutesField = defineCountField({
	displayName: 'Running Longer Than (Minutes)',
	name: 'runningMinutes',
	typeOptions: { minValue: 0, maxValue: 525_600 },
	default: 120,
	description: 'How long a job run may be running, counted from its start. 0 means no limit.',
});

export const runExceededDuration: TriggerEvent = {
	name: 'Job Run Exceeds Duration',
	description: 'Starts the workflow once when a job run has been pending or running for too long',
	record: jobRuns.noun,
	fields: [pendingMinutesField, runningMinutesField, simplifyField, jobRunFilters],
	read(input) {
		const filter = readJobRunFilter(input);
		const limits = readLimits(input);
		const simplify = input.flag(simplifyField);
		return {
			scope: filter,
			async poll(client, start, budget) {
				const source = createRunSource(client, jobRuns, filter);
				const result = await pollRunsFrom(start, source, budget, true);
				const before = (start.state as DurationState | undefined)?.exceeded;
				const { exceeding, exceeded } = findExceeding(result, before, limits, source.kind);
				const newest = exceeding.sort((a, b) => a.since - b.since).slice(-start.limit);
				const items = newest.map(({ run, status, since, duration, limit }) =>
					toItem({
						...toRecord(run, simplify, client.serviceNow()),
						exceededStatus: status,
						since: formatTime(since),
						minutes: Math.floor(duration / MINUTE),
						limitMinutes: limit / MINUTE,
						eventId: toEventId('run', run.id, 'exceeded', status),
					}),
				);
				const state: DurationState = { ...result.state, exceeded };
				return { items, state, notes: result.notes };
			},
		};
	},
};

function readLimits(input: Input): DurationLimits {
	const pending = input.integer(pendingMinutesField);
	const running = input.integer(runningMinutesField);
	if (pending === 0 && running === 0) {
		throw input.problem(
			runningMinutesField,
			"or 'Pending Longer Than (Minutes)' must be more than 0",
		);
	}
	return { PENDING: pending * MINUTE || undefined, RUNNING: running * MINUTE || undefined };
}

/** How long a run may be in a status, in microseconds; absent for no limit. */
interface DurationLimits {
	PENDING?: Micros;
	RUNNING?: Micros;
}

/** The runs by their IDs, and the statuses that were reported as lasting too long. */
type Exceeded = Record<string, string[]>;

interface DurationState extends RunState {
	/** Absent as long as none was reported. */
	exceeded?: Exceeded;
}

/** A run that was in a status for longer than the limit. */
interface ExceededDuration<R extends RunRecord> {
	run: R;
	status: keyof DurationLimits;
	/** When it entered the status; then how long it has been or was in it, and how long it may be, in microseconds. */
	since: Micros;
	duration: Micros;
	limit: Micros;
}

/** In their order. */
const STATUSES = ['PENDING', 'RUNNING'] as const;

/**
 * The runs that exceed a limit, or by their own times did so before they changed, and have not been
 * reported for it; then what has been reported of the runs that are still tracked.
 *
 * A replica may show a status that the run left a while ago, at most the overlap of lists. So a run
 * that is in a status has certainly been in it only until then; one that has left it says when.
 */
export function findExceeding<R extends RunRecord>(
	{ changes, shown, state }: Pick<RunPollResult<R>, 'changes' | 'shown' | 'state'>,
	before: Exceeded = {},
	limits: DurationLimits,
	kind: RunKind<R>,
): { exceeding: Array<ExceededDuration<R>>; exceeded?: Exceeded } {
	const left = new Map(changes.map((change) => [change.run.id, change.previousStatus]));
	const place = (status: string | null = null) => (STATUSES as readonly unknown[]).indexOf(status);
	const tracked = new Map(state.runs.map(([id, , statuses]) => [id, statuses]));
	const exceeding: Array<ExceededDuration<R>> = [];
	const reported = new Map(Object.entries(before));
	for (const { run, at } of shown) {
		const { id, status: present } = run;
		// A list may be behind what is known.
		if ((tracked.get(id)?.at(-1) ?? present) !== present) continue;
		const { created, started, ended } = run;
		const endedAt = kind.terminal.includes(present) ? ended : undefined;
		const spans = {
			PENDING: { since: created, until: started ?? endedAt },
			RUNNING: { since: started, until: endedAt },
		};
		for (const status of STATUSES) {
			const isIn = status === present;
			// What a run had left when it was last seen has been handled, or was over before publication.
			if (!isIn && (!left.has(id) || place(status) < place(left.get(id)))) continue;
			const limit = limits[status];
			const since = spans[status].since ?? (isIn ? created : undefined);
			const until = isIn ? at - kind.overlap : spans[status].until;
			const known = reported.get(id) ?? [];
			if (limit === undefined || since === undefined || until === undefined) continue;
			if (until - since <= limit || known.includes(status)) continue;
			reported.set(id, [...known, status]);
			exceeding.push({ run, status, since, duration: (isIn ? at : until) - since, limit });
		}
	}
	const kept = [...reported].filter(([id]) => tracked.has(id));
	return { exceeding, exceeded: kept.length > 0 ? Object.fromEntries(kept) : undefined };
}

/** Tested by test/engine/trigger/durationsAndExport.test.ts and usual.test.ts. */
import { defineCountField } from '../../form/declarations';
import { simplifyField } from '../../form/fields';
import type { Input } from '../../form/input';
import { toItem } from '../../form/output';
import type { RunKind, RunRecord } from '../../service/records/kind';
import { formatTime, type Micros } from '../../service/time';
import { toEventId, MINUTE, type RunState } from '../core/cursor';
import type { RunPollResult } from '../core/runPoll';
import type { TriggerEvent } from '../event';
import {
	createRunSource,
	pollRunsFrom,
	readFilter,
	type WatchedRuns,
	watchedJobRuns,
	watchedTaskRuns,
} from './runEvents';
import {
	defineComparison,
	describeComparison,
	fetchUsual,
	type Measure,
	type Usual,
} from './usual';

const pendingMinutesField = defineCountField({
	displayName: 'Pending Longer Than (Minutes)',
	name: 'pendingMinutes',
	typeOptions: { minValue: 0, maxValue: 525_600 },
	default: 30,
	description:
		'How long a run may be pending, counted from its creation. An active run is reported five minutes after that. Enter 0 for no limit.',
});

const runningMinutesField = defineCountField({
	displayName: 'Running Longer Than (Minutes)',
	name: 'runningMinutes',
	typeOptions: { minValue: 0, maxValue: 525_600 },
	default: 120,
	description:
		'How long a run may be running, counted from its start. An active run is reported five minutes after that. Enter 0 for no limit.',
});

const usually = defineComparison('Multiple of Usual Duration', 'takes this many times as long');

const duration: Measure = {
	name: 'known duration',
	of: (_client, past) =>
		past.flatMap(({ id, isCached, started, ended }) => {
			// The times of a run that took its results from an earlier one say nothing.
			if (isCached || started === undefined || ended === undefined) return [];
			return ended === started ? [] : [[id, ended - started]];
		}),
};

function defineDurationEvent<R extends RunRecord>(
	name: string,
	{ kind, filters, ...parts }: WatchedRuns<R>,
): TriggerEvent {
	return {
		name,
		description: `Starts the workflow once when a ${kind.noun} has been pending or running for too long`,
		record: kind.noun,
		fields: [
			...[pendingMinutesField, runningMinutesField, usually.factorField, simplifyField],
			...[filters, usually.optionsField],
		],
		read(input) {
			const filter = readFilter(input, filters);
			const comparison = usually.read(input);
			const limits = readLimits(input, comparison !== undefined);
			const simplify = input.flag(simplifyField);
			return {
				scope: filter,
				async poll(client, start, budget) {
					const source = createRunSource(client, kind, filter);
					const result = await pollRunsFrom(start, source, budget, true);
					const before = (start.state as DurationState | undefined)?.exceeded;
					// What is pending, or has never run, is compared with nothing.
					const started = result.shown.filter(({ run }) => run.started !== undefined);
					const works = started.map(({ run }) => kind.toWork(run));
					const asked = { comparison, works, isTest: start.since !== undefined };
					const found = await fetchUsual(client, kind, duration, asked);
					const findUsual = (run: R) => found.find(kind.toWork(run), run.id);
					const { exceeding, exceeded } = findExceeding(result, before, limits, kind, findUsual);
					const newest = exceeding.sort((a, b) => a.since - b.since).slice(-start.limit);
					const items = newest.map(({ run, status, since, usual, ...times }) =>
						toItem({
							...parts.toRecord(run, simplify, client.serviceNow()),
							exceededStatus: status,
							since: formatTime(since),
							minutes: Math.floor(times.duration / MINUTE),
							limitMinutes: toMinutes(times.limit),
							...(comparison && {
								...describeComparison(comparison, usual, times.isUsual),
								usualMinutes: usual.median === undefined ? null : toMinutes(usual.median),
							}),
							eventId: toEventId(parts.subject, run.id, 'exceeded', status),
						}),
					);
					const state: DurationState = { ...result.state, exceeded };
					return { items, state, notes: [...result.notes, ...found.notes] };
				},
			};
		},
	};
}

export const runExceededDuration = defineDurationEvent('Job Run Exceeds Duration', watchedJobRuns);

export const taskRunExceededDuration = defineDurationEvent(
	'Task Run Exceeds Duration',
	watchedTaskRuns,
);

const toMinutes = (time: Micros) => Math.round((100 * time) / MINUTE) / 100;

function readLimits(input: Input, isCompared: boolean): DurationLimits {
	const pending = input.integer(pendingMinutesField);
	const running = input.integer(runningMinutesField);
	if (pending === 0 && running === 0 && !isCompared) {
		throw input.problem(
			runningMinutesField,
			`must be above 0, because '${pendingMinutesField.displayName}' and '${usually.factorField.displayName}' are 0`,
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
	status: Phase;
	/** When it entered the status; then how long it has been or was in it, and how long it may be, in microseconds. */
	since: Micros;
	duration: Micros;
	limit: Micros;
	/** What is usual for the run, and whether that limit is made from it. */
	usual: Usual;
	isUsual: boolean;
}

/** In their order. */
const PHASES = ['PENDING', 'RUNNING'] as const;

type Phase = (typeof PHASES)[number];

/** How long after a change a replica may still show the status before it: documented are two minutes. */
const STATUS_LAG: Micros = 5 * MINUTE;

/** The place of a status among the phases; -1 for one that is none, such as a final one. */
function getPhase({ active }: Pick<RunKind<never>, 'active'>, status?: string | null): number {
	const place = active.indexOf(status ?? '');
	return place < 0 ? -1 : Number(place >= active.indexOf('RUNNING'));
}

/**
 * The runs that exceed a limit, or by their own times did so before they changed, and have not been
 * reported for it; then what has been reported of the runs that are still tracked.
 *
 * A replica may show a status that the run left a while ago. So a run
 * that is in a status has certainly been in it only until then; one that has left it says when.
 */
export function findExceeding<R extends RunRecord>(
	{ changes, shown, state }: Pick<RunPollResult<R>, 'changes' | 'shown' | 'state'>,
	before: Exceeded = {},
	limits: DurationLimits,
	kind: Pick<RunKind<R>, 'active' | 'terminal'>,
	findUsual: (run: R) => Usual,
): { exceeding: Array<ExceededDuration<R>>; exceeded?: Exceeded } {
	const left = new Map(changes.map((change) => [change.run.id, change.previousStatus]));
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
		for (const [phase, status] of PHASES.entries()) {
			const isIn = phase === getPhase(kind, present);
			// What a run had left when it was last seen has been handled, or was over before publication.
			if (!isIn && (!left.has(id) || phase < getPhase(kind, left.get(id)))) continue;
			const fixed = limits[status] ?? Infinity;
			const usual = findUsual(run);
			const relative = status === 'RUNNING' ? usual.limit : Infinity;
			const limit = Math.min(fixed, relative);
			const since = spans[status].since ?? (isIn ? created : undefined);
			const until = isIn ? at - STATUS_LAG : spans[status].until;
			const known = reported.get(id) ?? [];
			if (since === undefined || until === undefined) continue;
			if (until - since <= limit || known.includes(status)) continue;
			reported.set(id, [...known, status]);
			const duration = (isIn ? at : until) - since;
			const isUsual = relative < fixed;
			exceeding.push({ run, status, since, duration, limit, usual, isUsual });
		}
	}
	const kept = [...reported].filter(([id]) => tracked.has(id));
	return { exceeding, exceeded: kept.length > 0 ? Object.fromEntries(kept) : undefined };
}

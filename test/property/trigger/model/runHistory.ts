import * as fc from 'fast-check';

import { isTerminal } from '../../../../nodes/Wherobots/service/jobRuns/runs';
import { changeId } from '../../../../nodes/Wherobots/trigger/items';
import type * as RunPolling from '../../../../nodes/Wherobots/trigger/core/runs/runPoll';
import type { Doubt, RunState } from '../../../../nodes/Wherobots/trigger/core/state';
import type { Calls } from './calls';
import type { Polled } from './engine';
import type { ListStyle } from './pages';
import { RunModel, type RunHabits } from './runModel';
import { SECOND } from './serviceClock';
import { habits, listStyle, rarely, stepsWith, type CommonStep } from './steps';
import { Trial } from './trial';

type Change =
	| { kind: 'create'; count: number; lateness: number; future: number }
	| { kind: 'move'; pick: number; unusual: boolean };

export interface RunHistory {
	style: ListStyle;
	engine: 'classic' | 'durable';
	habits: RunHabits;
	steps: Array<Change | CommonStep<Change>>;
}

const change: fc.Arbitrary<Change> = fc.oneof(
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('create' as const),
			count: rarely(4, 1, fc.integer({ min: 2, max: 9 })),
			lateness: rarely(2, 0, fc.integer({ min: 1, max: 200 })),
			future: rarely(12, 0, fc.integer({ min: 1, max: 900 })),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('move' as const),
			pick: fc.nat(50),
			unusual: rarely(10, false, fc.constant(true)),
		}),
	},
);

/** Histories of so many steps. */
export function runHistories(length: number, shortest = length): fc.Arbitrary<RunHistory> {
	// Many short ones, so that lists have several pages, and standstills that last.
	const waits = fc.oneof(
		{ weight: 3, arbitrary: fc.integer({ min: 1, max: 90 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
	);
	return fc.record({
		style: listStyle,
		engine: fc.constantFrom('classic', 'durable'),
		habits: fc
			.tuple(habits(90), fc.boolean(), rarely(6, false, fc.constant(true)))
			.map(([common, byUpdate, ignoresCreatedAfter]) => ({
				...common,
				byUpdate,
				ignoresCreatedAfter,
				replicaLagSeconds: common.tellsTime ? common.replicaLagSeconds : 0,
				// Not promised (docs/trigger.md): first polls that are cut short, by a clock that is ahead, and
				// lists in the order of updates that take several polls.
				requestSeconds: common.tellsTime && !byUpdate ? common.requestSeconds : 0,
			})),
		steps: fc.array(stepsWith(change, waits), { minLength: shortest, maxLength: length }),
	});
}

export class RunTrial extends Trial<RunState, Change> {
	private readonly runs: RunModel;

	/** What the first poll has noted: the statuses of each run. */
	private seenFirst = new Map<string, string[]>();

	private activeSince = Infinity;

	constructor(
		private readonly core: Pick<typeof RunPolling, 'pollRuns'>,
		history: RunHistory,
	) {
		const model = new RunModel(history.style, { ...history.habits });
		super(model, history.engine, history.steps);
		this.runs = model;
	}

	protected change(step: Change): void {
		if (step.kind === 'move') return this.runs.move(step.pick, step.unusual);
		for (let made = 0; made < step.count; made++) {
			const future = this.runs.datesAhead ? step.future : 0;
			this.runs.create(step.lateness * SECOND, future * SECOND);
		}
	}

	protected async poll(
		state: RunState | undefined,
		calls: Calls,
		doubt: Doubt | undefined,
	): Promise<Polled<RunState>> {
		const source = this.runs.source(calls);
		const result = await this.core.pollRuns(state, 'scope', source, calls, { doubt });
		const { state: next, notes } = result;
		return { state: next, notes, events: result.changes.map(({ run }) => changeId(run)) };
	}

	protected remembers(state: RunState): boolean {
		return state.runs.length > 0;
	}

	protected replaceRecords(): void {
		this.runs.replace(20);
	}

	protected begun(): void {
		this.activeSince = this.runs.now;
	}

	protected armed({ runs }: RunState): void {
		this.activeSince = Math.min(this.activeSince, this.runs.now);
		this.seenFirst = new Map(runs.map(([id, , statuses]) => [id, statuses]));
	}

	protected disarmed(): void {
		this.activeSince = Infinity;
	}

	protected missing(): string | undefined {
		for (const { key, status, time, statuses } of this.runs.runs) {
			const [[created]] = statuses;
			const first = created > this.activeSince ? undefined : this.seenFirst.get(key);
			// Neither active at the first poll nor created since.
			if (first === undefined && time <= this.activeSince) continue;
			// Each status comes once, and the end is the last.
			if (first?.includes(status) || first?.some(isTerminal)) continue;
			const id = changeId({ id: key, status, name: key, createTime: '' });
			if (!this.hasCome(id)) return id;
		}
		return undefined;
	}
}

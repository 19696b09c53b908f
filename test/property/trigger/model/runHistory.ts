import * as fc from 'fast-check';

import { isTerminal } from '../../../../nodes/Wherobots/service/runs';
import { changeId } from '../../../../nodes/Wherobots/trigger/items';
import type * as RunPolling from '../../../../nodes/Wherobots/trigger/core/runPoll';
import type { RunState } from '../../../../nodes/Wherobots/trigger/core/state';
import type { Calls } from './calls';
import type { Polled } from './engine';
import type { ListStyle } from './pages';
import { RunModel, SECOND } from './runModel';
import { listStyle, rarely, stepsWith, type CommonStep } from './steps';
import { Trial } from './trial';

type Change =
	| { kind: 'create'; count: number; lateness: number; future: number }
	| { kind: 'move'; pick: number; unusual: boolean };

export interface RunHistory {
	style: ListStyle;
	engine: 'classic' | 'durable';
	tellsTime: boolean;
	steps: Array<Change | CommonStep<Change>>;
}

const change: fc.Arbitrary<Change> = fc.oneof(
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('create' as const),
			count: rarely(10, 1, fc.integer({ min: 2, max: 9 })),
			lateness: rarely(2, 0, fc.integer({ min: 1, max: 280 })),
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
	const waits = fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 20_000 }));
	return fc.record({
		style: listStyle,
		engine: fc.constantFrom('classic', 'durable'),
		tellsTime: rarely(4, true, fc.constant(false)),
		steps: fc.array(stepsWith(change, waits), { minLength: shortest, maxLength: length }),
	});
}

export class RunTrial extends Trial<RunState, Change> {
	private readonly runs: RunModel;

	/** What the last first look saw: the status of each run when it was shown first. */
	private seenFirst = new Map<string, string>();

	/** What the poll that ended last saw; another one may have ended while it was on its way. */
	private shownLast = new Map<string, string>();

	private activeSince = Infinity;

	constructor(
		private readonly core: Pick<typeof RunPolling, 'pollRuns'>,
		history: RunHistory,
	) {
		const model = new RunModel(history.style);
		model.tellsTime = history.tellsTime;
		super(model, history.engine, history.steps);
		this.runs = model;
	}

	protected change(step: Change): void {
		if (step.kind === 'move') return this.runs.move(step.pick, step.unusual);
		for (let made = 0; made < step.count; made++) {
			this.runs.create(step.lateness * SECOND, step.future * SECOND);
		}
	}

	protected async look(state: RunState | undefined, calls: Calls): Promise<Polled<RunState>> {
		const shown = new Map<string, string>();
		const source = this.runs.source(calls, (run) => {
			if (!shown.has(run.key)) shown.set(run.key, run.status);
		});
		const result = await this.core.pollRuns(state, 'scope', source, calls);
		this.shownLast = shown;
		return { state: result.state, events: result.changes.map(({ run }) => changeId(run)) };
	}

	protected armed(): void {
		this.activeSince = this.runs.now;
		this.seenFirst = this.shownLast;
	}

	protected disarmed(): void {
		this.activeSince = Infinity;
	}

	protected checkComplete(): void {
		for (const { key, status, time } of this.runs.runs) {
			const first = this.seenFirst.get(key);
			// Neither active at the first look nor created since.
			if (first === undefined && time <= this.activeSince) continue;
			if (first === status || (first !== undefined && isTerminal(first))) continue;
			const id = changeId({ id: key, status, name: key, createTime: '' });
			if (!this.hasCome(id)) throw new Error(`${id} was never given`);
		}
	}
}

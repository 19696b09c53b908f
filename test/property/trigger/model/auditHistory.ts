import * as fc from 'fast-check';

import type { RecordRules } from '../../../../nodes/Wherobots/trigger/core/newRecords';
import { toAuditEventId } from '../../../../nodes/Wherobots/trigger/auditEvent';
import type * as AuditPolling from '../../../../nodes/Wherobots/trigger/core/newRecords';
import type { RecordState } from '../../../../nodes/Wherobots/trigger/core/cursor';
import { AuditModel, type LogHabits } from './auditModel';
import type { Calls } from './calls';
import type { Polled } from './engine';
import type { ListStyle } from './pages';
import { SECOND } from './serviceClock';
import { engine, habits, listStyle, rarely, stepsOf, type History } from './steps';
import { Trial } from './trial';

type Change = {
	kind: 'record';
	count: number;
	/** Seconds until it appears. Together with the replicas' lag below the overlap, or the event may be lost. */
	lateness: number;
	future: number;
	withoutId: boolean;
};

export interface AuditHistory extends History<LogHabits, Change> {
	style: ListStyle;
	overlapSeconds: number;
	settleSeconds: number;
}

const logHabits: fc.Arbitrary<LogHabits> = fc
	.record({
		wholeRanges: rarely(4, false, fc.constant(true)),
		storedMicros: fc.constantFrom(1, 1_000, 1_000_000),
		showsExactTime: fc.boolean(),
		byAppearance: rarely(3, false, fc.constant(true)),
	})
	.chain((own) => habits(38).map((common) => ({ ...own, ...common }))) as fc.Arbitrary<LogHabits>;

/** Histories of this many steps. */
export function auditHistories(length: number): fc.Arbitrary<AuditHistory> {
	const change: fc.Arbitrary<Change> = fc.record({
		kind: fc.constant('record' as const),
		count: rarely(9, 1, fc.integer({ min: 2, max: 9 })),
		lateness: rarely(2, 0, fc.integer({ min: 1, max: 60 })),
		future: rarely(12, 0, fc.integer({ min: 1, max: 900 })),
		withoutId: rarely(6, false, fc.constant(true)),
	});
	// A few hours suffice for ranges to be read one after the other.
	const waits = fc.oneof(
		fc.integer({ min: 0, max: 90 }),
		rarely(4, 60, fc.integer({ min: 1, max: 12_000 })),
	);
	return fc.record({
		style: listStyle,
		engine,
		habits: logHabits,
		overlapSeconds: fc.constantFrom(101, 300, 900),
		settleSeconds: fc.constantFrom(0, 60, 200),
		steps: stepsOf(length, change, waits),
	});
}

export class AuditTrial extends Trial<RecordState, Change> {
	private readonly log: AuditModel;

	private readonly rules: RecordRules;

	/** The index of the first event that has to come. */
	private activeFrom = Infinity;

	constructor(
		private readonly core: Pick<typeof AuditPolling, 'pollNewRecords'>,
		history: AuditHistory,
	) {
		const model = new AuditModel(history.style, { ...history.habits });
		super(model, history.engine, history.steps);
		this.log = model;
		this.rules = {
			overlap: history.overlapSeconds * SECOND,
			settle: history.settleSeconds * SECOND,
		};
	}

	protected change(step: Change): void {
		// A burst: all events have the same microsecond.
		for (let made = 0; made < step.count; made++) {
			const future = this.log.datesAhead ? step.future : 0;
			this.log.record(step.lateness * SECOND, future * SECOND, step.withoutId);
		}
	}

	protected async poll(state: RecordState | undefined, calls: Calls): Promise<Polled<RecordState>> {
		const source = this.log.source(calls);
		// Without the service's time, n8n's clock has to do.
		const now = () => this.log.now + (this.log.tellsTime ? this.log.serviceSkew : this.log.skew);
		const begun = now();
		const result = await this.core.pollNewRecords(state, 'scope', this.rules, source, calls);
		// The watermark would pass an event that is older than the newest one by more than the overlap.
		const passed = this.log.newestServed - this.rules.overlap;
		for (const { id, time } of result.records) {
			// An event that was still ahead of time when the poll began counts as one from the future.
			const isYoung = time > now() - this.rules.settle && time <= begun;
			if (isYoung && time > passed) {
				throw new Error(`${id} came before it had settled`);
			}
		}
		const { state: next, notes } = result;
		return { state: next, notes, events: result.records.map(({ id }) => id) };
	}

	protected begun(): void {
		this.activeFrom = this.log.events.length;
	}

	protected armed(): void {
		this.activeFrom = Math.min(this.activeFrom, this.log.events.length);
	}

	protected disarmed(): void {
		this.activeFrom = Infinity;
	}

	protected missing(): Array<[string, string]> {
		const due = this.log.events.slice(this.activeFrom).map(({ record }) => toAuditEventId(record));
		return due.filter((id) => !this.hasCome(id)).map((id) => [id, id]);
	}

	protected unknown({ watermark }: RecordState): string[] {
		const passed = this.log.events.filter(({ time }) => time < watermark);
		return passed.map(({ record }) => toAuditEventId(record)).filter((id) => !this.hasCome(id));
	}
}

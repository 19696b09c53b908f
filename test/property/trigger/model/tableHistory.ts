import * as fc from 'fast-check';

import type { TableState } from '../../../../nodes/Wherobots/trigger/core/cursor';
import type * as TablePolling from '../../../../nodes/Wherobots/trigger/core/tables';
import type { Calls } from './calls';
import type { Polled } from './engine';
import { engine, habits, rarely, stepsOf, type History } from './steps';
import { TableModel, type TableHabits } from './tableModel';
import { Trial } from './trial';

export type TableStep = {
	kind: 'commit' | 'revert' | 'expire' | 'drop' | 'touch';
	/** Which table, and which of its snapshots, or how many. */
	table: number;
	pick: number;
};

export interface TableHistory extends History<TableHabits, TableStep> {
	only: boolean;
}

const NAMES = ['hail', 'wind', 'snow', 'rain'];

/** Histories of this many steps. */
export function tableHistories(length: number): fc.Arbitrary<TableHistory> {
	const change: fc.Arbitrary<TableStep> = fc.record({
		kind: fc.oneof(
			{ weight: 8, arbitrary: fc.constant('commit' as const) },
			{ weight: 1, arbitrary: fc.constantFrom('revert', 'expire', 'drop', 'touch') },
		),
		table: fc.nat(NAMES.length - 1),
		pick: rarely(8, 0, fc.nat(60)),
	}) as fc.Arbitrary<TableStep>;
	return fc.record({
		only: fc.boolean(),
		engine,
		habits: fc
			.tuple(
				habits(290),
				fc.record({
					refs: rarely(5, true, fc.constant(false)),
					updateTimes: fc.constantFrom('both', 'both', 'list', 'details', 'none'),
					order: fc.constantFrom('oldestFirst', 'newestFirst', 'shuffled'),
					ids: fc.constantFrom('text', 'number'),
					writerSkewSeconds: rarely(3, 0, fc.integer({ min: -180, max: 180 })),
				}),
			)
			.map(([common, own]) => ({
				...common,
				...own,
				datesAhead: false,
				replicaLagSeconds: common.tellsTime ? common.replicaLagSeconds : 0,
			})) as fc.Arbitrary<TableHabits>,
		steps: stepsOf(length, change),
	});
}

/** Tables of a namespace, or one of them. */
export class TableTrial extends Trial<TableState, TableStep> {
	private readonly service: TableModel;

	private readonly names: string[];

	/**
	 * What need not come of each table that was there when the workflow was published; undefined until it
	 * is read, if nothing tells when that was.
	 */
	private readonly first = new Map<string, Set<string> | undefined>();

	/** What was shown then, and must not come. */
	private readonly shown = new Map<string, Set<string>>();

	/** Rollbacks that there were. */
	private readonly rollbacks = new Set<string>();

	constructor(
		private readonly core: Pick<typeof TablePolling, 'pollTables'>,
		private readonly history: TableHistory,
	) {
		const model = new TableModel({ ...history.habits });
		super(model, history.engine, history.steps);
		this.service = model;
		this.names = history.only ? NAMES.slice(0, 1) : NAMES;
		// The only table has to be there when the workflow is published.
		for (const name of this.names.slice(0, 2))
			for (let made = 0; made < 3; made++) model.commit(name);
		model.advance(600_000_000);
	}

	protected change({ kind, table, pick }: TableStep): void {
		const { service } = this;
		const name = this.names[table % this.names.length];
		const doc = service.latestOf(name);
		// Sometimes a burst.
		if (kind === 'commit') for (let made = 0; made <= pick; made++) service.commit(name);
		if (!doc) return;
		const { snapshots, head } = doc;
		if (kind === 'touch') service.set(name, doc);
		if (kind === 'drop') service.set(name, undefined);
		if (kind === 'expire') {
			// As long as the service does, the current snapshot and some before it are kept.
			const kept = new Set(service.lineOf(head).slice(0, 1 + pick));
			service.set(name, { ...doc, snapshots: snapshots.filter(({ id }) => kept.has(id)) });
		}
		if (kind === 'revert') {
			const to = snapshots.at(-2 - (pick % snapshots.length));
			if (!to || to.id === head) return;
			this.rollbacks.add(`${name}/${to.id}/rollback`);
			service.set(name, { ...doc, head: to.id });
		}
	}

	protected async poll(state: TableState | undefined, calls: Calls): Promise<Polled<TableState>> {
		// A crash may have brought back a state that does not know a table yet.
		if (state) this.noteUnread(state);
		const source = this.service.source(calls, this.history.only ? this.names[0] : undefined);
		const { changes, ...result } = await this.core.pollTables(state, 'scope', source, calls);
		// What was committed meanwhile counts, too.
		if (state) this.noteUnread(state);
		const known = new Set(
			state?.tables.flatMap(({ ids = [], head }) => [...ids, ...this.service.lineOf(head)]),
		);
		const events = changes.map(({ name, snapshot, previousId, isRollback, missedSince, time }) => {
			if (!snapshot) return `${name}@${time}`;
			const id = String(snapshot['snapshot-id']);
			if (isRollback) {
				const event = `${name}/${id}/rollback`;
				if (!this.rollbacks.has(event)) throw new Error(`${event} was made up`);
				return `${event}/${previousId}`;
			}
			if (this.isOld(name, id)) throw new Error(`${id} was there when the workflow was published`);
			const parent = this.service.made.get(id)?.parent;
			if (previousId !== parent) throw new Error(`${id} follows ${parent}, not ${previousId}`);
			const before = state?.tables.find((table) => table.name === name)?.ids ?? [];
			const isKnown = parent === undefined || known.has(parent) || before.length === 0;
			if (!isKnown && missedSince === undefined)
				throw new Error(`${id} does not say what is missing`);
			known.add(id);
			return `${name}/${id}`;
		});
		return { ...result, events };
	}

	protected begun(): void {}

	protected armed(state: TableState): void {
		for (const { name } of state.tables) {
			const { snapshots = [], head } = this.service.listed.get(name) ?? {};
			const shown = [...snapshots.map(({ id }) => id), ...this.service.lineOf(head)];
			this.shown.set(name, new Set(shown));
			this.first.set(name, undefined);
		}
		this.noteUnread(state);
	}

	/**
	 * Of a table that has not been read, what was committed before the workflow was published is old. Either
	 * clock may tell, that of the service or of who committed it.
	 */
	private noteUnread({ tables }: TableState): void {
		for (const { name, ids, updated } of tables) {
			if (ids || !this.first.has(name)) continue;
			const madeUntil = (which: (...times: number[]) => number) =>
				new Set(
					[...this.service.made.values()]
						.filter(({ time, made }) => which(time, made) * 1000 <= (updated ?? 0))
						.map(({ id }) => id),
				);
			this.first.set(name, updated === undefined ? undefined : madeUntil(Math.min));
			const certain = madeUntil(Math.max);
			const shown = [...(this.shown.get(name) ?? [])].filter((id) => certain.has(id));
			this.shown.set(name, new Set(shown));
		}
	}

	protected override taken({ tables }: TableState): void {
		for (const { name, ids, head } of tables) {
			if (!ids || !this.isUnread(name)) continue;
			this.first.set(name, new Set([...ids, ...this.service.lineOf(head)]));
		}
	}

	protected disarmed(): void {
		this.first.clear();
		this.shown.clear();
	}

	/** A replica that is behind may show later what was there, and main may move to what was elsewhere. */
	private isOld(name: string, id: string): boolean {
		const isShown = this.shown.get(name)?.has(id) && this.first.get(name)?.has(id);
		const isBehind = this.history.habits.replicaLagSeconds > 0;
		const hasMoved = this.rollbacks.has(`${name}/${id}/rollback`);
		return !isBehind && !hasMoved && isShown === true;
	}

	private isUnread(name: string): boolean {
		return this.first.has(name) && this.first.get(name) === undefined;
	}

	protected missing(): Array<[string, string]> {
		return this.names.flatMap((name) => {
			const doc = this.service.latestOf(name);
			const listed = new Set(doc?.snapshots.map(({ id }) => id));
			const first = this.first.get(name);
			if (this.isUnread(name)) return [];
			// Without references, the newest snapshot counts.
			const head = this.history.habits.refs ? doc?.head : doc?.snapshots.at(-1)?.id;
			return this.service
				.lineOf(head)
				.filter((id) => listed.has(id) && !first?.has(id))
				.map((id): [string, string] => [name, `${name}/${id}`])
				.filter(([, event]) => !this.hasCome(event));
		});
	}

	protected unknown(): string[] {
		return [];
	}
}

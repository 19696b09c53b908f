import * as fc from 'fast-check';

import type { IDataObject } from 'n8n-workflow';
import type { TableState } from '../../../../nodes/Wherobots/trigger/core/cursor';
import type * as TablePolling from '../../../../nodes/Wherobots/trigger/core/tables';
import type { TableSource } from '../../../../nodes/Wherobots/trigger/core/tables';
import { type Calls, ServiceFailure } from './calls';
import type { Polled } from './engine';
import { type ClockStep, ServiceClock, type ServiceHabits, isoMicros } from './serviceClock';
import { type History, engine, habits, rarely, stepsOf } from './steps';
import { Trial } from './trial';

interface ModelSnapshot {
	id: string;
	parent?: string;
	/** In milliseconds, by the clock of who committed it, and by that of the service. */
	time: number;
	made: number;
}

/** A table at some time; never changed afterwards. */
interface TableDoc {
	snapshots: readonly ModelSnapshot[];
	head?: string;
	updated: number;
}

/** How a service shows its tables. */
interface TableHabits extends ServiceHabits {
	/** Without references, nothing tells of a rollback. */
	refs: boolean;
	/** Where the update time is: in the list and in the details, in one of them, or nowhere. */
	updateTimes: 'both' | 'list' | 'details' | 'none';
	order: 'oldestFirst' | 'newestFirst' | 'shuffled';
	ids: 'text' | 'number';
	/** By how many seconds the clock of who commits is ahead. */
	writerSkewSeconds?: number;
}

/** A namespace as the service knows it. */
class TableModel extends ServiceClock {
	/** What each table was like since when; undefined while there is none of that name. */
	readonly tables = new Map<string, Array<[since: number, doc: TableDoc | undefined]>>();

	/** All snapshots that there ever were. */
	readonly made = new Map<string, ModelSnapshot>();

	/** What the last list was made from. */
	listed = new Map<string, TableDoc>();

	private lastMs = 0;

	private updated = 0;

	constructor(readonly style: TableHabits) {
		super(style);
	}

	/** docs/table-changes.md promises nothing for replicas that disagree for longer than five minutes. */
	override apply(step: ClockStep): void {
		if (this.style.replicaLagSeconds === 0) super.apply(step);
	}

	/** The only table that is watched has to be there for the workflow to be published. */
	override settle(): void {
		super.settle();
		const [first] = this.tables.keys();
		if (!this.latestOf(first)) this.commit(first);
	}

	latestOf(name: string): TableDoc | undefined {
		return this.tables.get(name)?.at(-1)?.[1];
	}

	set(name: string, doc: Omit<TableDoc, 'updated'> | undefined): void {
		const states = this.tables.get(name) ?? [];
		// No two updates have the same time.
		this.updated = Math.max(this.updated + 1, this.now, this.lastMs * 1000);
		states.push([this.now, doc && { ...doc, updated: this.updated }]);
		this.tables.set(name, states);
	}

	commit(name: string): void {
		const { snapshots, head } = this.latestOf(name) ?? { snapshots: [] };
		// No two have the same time: without references, only that tells which is newer. Nor has one the
		// millisecond of an earlier update: that alone tells what is newer than the list.
		const earliest = Math.max(this.lastMs, Math.floor(this.updated / 1000)) + 1;
		this.lastMs = Math.max(earliest, Math.floor(this.now / 1000));
		const id = String(1_000 + this.made.size);
		const time = this.lastMs + (this.style.writerSkewSeconds ?? 0) * 1000;
		const made = { id, parent: head, time, made: this.lastMs };
		this.made.set(id, made);
		this.set(name, { snapshots: [...snapshots, made], head: id });
	}

	/** A snapshot and those before it, newest first, whether or not they have expired. */
	lineOf(id: string | undefined): string[] {
		const line: string[] = [];
		for (let at = id; at !== undefined; at = this.made.get(at)?.parent) line.push(at);
		return line;
	}

	source(calls: Calls, only?: string): TableSource {
		const at = (written: number, name: string) =>
			(this.tables.get(name) ?? []).filter(([since]) => since <= written).at(-1)?.[1];
		return {
			...this.sourceOfTime(calls),
			tables: async () => {
				if (only !== undefined) return [{ name: only }];
				const read = () => {
					const written = this.next();
					this.listed = new Map(
						[...this.tables.keys()].flatMap((name) => {
							const doc = at(written, name);
							return doc ? [[name, doc] as const] : [];
						}),
					);
					return [...this.listed].map(([name, doc]) => ({ name, ...this.updateTime(doc, 'list') }));
				};
				let shown: ReturnType<typeof read> = [];
				const { items } = await calls.list(undefined, () => ({ items: (shown = read()) }));
				return items.length < shown.length ? items : shown;
			},
			table: async (name) => {
				await calls.next();
				const doc = at(this.next(), name);
				if (!doc || calls.isMissing) throw new ServiceFailure('Not found');
				return this.view(doc);
			},
		};
	}

	private updateTime({ updated }: TableDoc, where: 'list' | 'details'): IDataObject {
		const { updateTimes } = this.style;
		const isShown = updateTimes === 'both' || updateTimes === where;
		return isShown ? { updateTime: isoMicros(updated) } : { updateTime: null };
	}

	private view(doc: TableDoc): IDataObject {
		const { refs, order, ids } = this.style;
		const idOf = (id: string) => (ids === 'text' ? id : Number(id));
		const listed = doc.snapshots.map(({ id, parent, time }) => ({
			'snapshot-id': idOf(id),
			'parent-snapshot-id': parent === undefined ? null : idOf(parent),
			'timestamp-ms': time,
			summary: { operation: 'append' },
		}));
		if (order === 'newestFirst') listed.reverse();
		if (order === 'shuffled')
			listed.sort((a, b) => (a['timestamp-ms'] % 7) - (b['timestamp-ms'] % 7));
		return {
			...this.updateTime(doc, 'details'),
			snapshots: listed,
			...(refs &&
				doc.head && { refs: { main: { 'snapshot-id': idOf(doc.head), type: 'branch' } } }),
		};
	}
}

type TableStep = {
	kind: 'commit' | 'revert' | 'expire' | 'drop' | 'touch';
	/** Which table, and which of its snapshots, or how many. */
	table: number;
	pick: number;
};

interface TableHistory extends History<TableHabits, TableStep> {
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

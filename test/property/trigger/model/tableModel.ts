import type { IDataObject } from 'n8n-workflow';

import type { TableSource } from '../../../../nodes/Wherobots/trigger/core/tables';
import { ServiceFailure, type Calls } from './calls';
import { isoMicros } from './runModel';
import { ServiceClock, type ClockStep, type ServiceHabits } from './serviceClock';

export interface ModelSnapshot {
	id: string;
	parent?: string;
	/** In milliseconds, by the clock of who committed it, and by that of the service. */
	time: number;
	made: number;
}

/** A table at some time; never changed afterwards. */
export interface TableDoc {
	snapshots: readonly ModelSnapshot[];
	head?: string;
	updated: number;
}

/** How a service shows its tables. */
export interface TableHabits extends ServiceHabits {
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
export class TableModel extends ServiceClock {
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

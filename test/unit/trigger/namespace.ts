/** A namespace whose tables change, and what polls report of it. */
import { MINUTE, type TableState } from '../../../nodes/Wherobots/trigger/core/cursor';
import { pollTables, type TableChange } from '../../../nodes/Wherobots/trigger/core/tables';

export const START = Date.parse('2026-03-01T12:00:00Z');

export const timeOf = (count: number) => new Date(START + count * 1_000).toISOString();
export const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** A table as the service shows it. */
export interface Table {
	/** The snapshots on the branch main, oldest first; each was committed as many seconds after the start. */
	line: number[];
	/** Others that are listed; they follow those, or one of them. */
	others?: number[];
	from?: number;
	/** Those that have expired: they are not listed. */
	expired?: number[];
	/** By how many seconds the clock is ahead of whoever commits. */
	ahead?: number;
	/** The update times in the list and in the details. */
	listed?: string;
	updated?: string;
	/** Whether the service says where main is (default: yes). */
	refs?: boolean;
}

/** A namespace, polled once a minute. */
export class Namespace {
	readonly tables = new Map<string, Table>();

	/** Tables that cannot be read. */
	readonly broken = new Set<string>();

	/** How many tables a poll has time for. */
	time = Infinity;

	/** Whether responses tell the service's time; if not, the clock is an hour ahead. */
	isClockSure = true;

	state: TableState | undefined;

	notes: string[] = [];

	/** The changes of the last poll, and the tables that it read. */
	changes: TableChange[] = [];

	reads: string[] = [];

	private now = START * 1_000;

	set(line: number[], rest: Partial<Table> = {}, names = ['hail']): void {
		for (const name of names) this.tables.set(name, { ...rest, line });
	}

	/** What is new when it shows this. */
	async show(...shown: Parameters<Namespace['set']>): Promise<string[]> {
		this.set(...shown);
		return await this.poll();
	}

	/** What is new in so many polls. */
	async polls(count: number): Promise<string[]> {
		const found: string[] = [];
		for (let minute = 0; minute < count; minute++) found.push(...(await this.poll()));
		return found;
	}

	/** What is new: of a snapshot its table and ID, of another update its time. */
	async poll(minutes = 1): Promise<string[]> {
		this.now += minutes * MINUTE;
		let asked = 0;
		this.reads = [];
		const listed = [...this.tables].map(([name, { listed: updateTime }]) => ({ name, updateTime }));
		const source = {
			now: () => this.now + (this.isClockSure ? 0 : 60 * MINUTE),
			isClockSure: () => this.isClockSure,
			tables: async () => await Promise.resolve(listed),
			table: async (name: string) => {
				this.reads.push(name);
				return await Promise.resolve(this.details(name));
			},
		};
		const budget = { spent: () => asked++ >= this.time };
		const { state, changes, notes } = await pollTables(this.state, 'scope', source, budget);
		this.notes = notes;
		this.changes = changes;
		this.state = JSON.parse(JSON.stringify(state)) as TableState;
		return changes.map(({ name, snapshot, time = 0, isRollback }) => {
			const id = snapshot?.['snapshot-id'] ?? new Date(time / 1_000).toISOString();
			return `${name}/${id}${isRollback ? ' rolled back' : ''}`;
		});
	}

	private details(name: string) {
		if (this.broken.has(name)) throw new Error('Its metadata is missing');
		const table = this.tables.get(name) as Table;
		const { line, others = [], from, expired = [], updated, ahead = 0, refs = true } = table;
		const made = [...line, ...others];
		const all = [...made].sort((a, b) => a - b).filter((id) => !expired.includes(id));
		const main = { 'snapshot-id': line.at(-1), type: 'branch' };
		return {
			snapshots: all.map((id) => ({
				'snapshot-id': id,
				'parent-snapshot-id':
					(id === others[0] ? from : undefined) ?? made[made.indexOf(id) - 1] ?? null,
				'timestamp-ms': START + (id + ahead) * 1_000,
			})),
			refs: refs && line.length > 0 ? { main } : {},
			updateTime: updated,
		};
	}
}

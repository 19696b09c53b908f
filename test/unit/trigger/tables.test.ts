import type { IDataObject } from 'n8n-workflow';

import { MINUTE, type TableState } from '../../../nodes/Wherobots/trigger/core/cursor';
import { pollTables } from '../../../nodes/Wherobots/trigger/core/tables';

/** A namespace of tables, each with so many snapshots in a row. */
class Tables {
	now = Date.parse('2026-03-01T12:00:00Z') * 1_000;

	state: TableState | undefined;

	readonly counts = new Map<string, number>();

	/** Tables that cannot be read. */
	readonly broken = new Set<string>();

	notes: string[] = [];

	/** How many tables a poll has time for. */
	time = Infinity;

	private reads = 0;

	async poll(): Promise<string[]> {
		this.now += MINUTE;
		this.reads = 0;
		const source = {
			now: () => this.now,
			isClockSure: () => true,
			tables: async () => await Promise.resolve([...this.counts.keys()].map((name) => ({ name }))),
			table: async (name: string) => await Promise.resolve(this.details(name)),
		};
		const budget = { spent: () => this.reads++ >= this.time };
		const { state, changes, notes } = await pollTables(this.state, 'scope', source, budget);
		this.notes = notes;
		this.state = JSON.parse(JSON.stringify(state)) as TableState;
		return changes.map(({ name, snapshot }) => `${name}/${snapshot?.['snapshot-id']}`);
	}

	private details(name: string): IDataObject {
		if (this.broken.has(name)) throw new Error('Its metadata is missing');
		const snapshots = Array.from({ length: this.counts.get(name) ?? 0 }, (_, at) => ({
			'snapshot-id': `1-${at}`,
			'parent-snapshot-id': at === 0 ? null : `1-${at - 1}`,
		}));
		return { snapshots };
	}
}

test('a state does not grow with the snapshots of a table', async () => {
	const tables = new Tables();
	tables.counts.set('hail', 1);
	await tables.poll();
	let longest = 0;
	for (let times = 1; times <= 12; times++) {
		tables.counts.set('hail', times * 3_000);
		expect(await tables.poll()).toHaveLength(times === 1 ? 2_999 : 3_000);
		longest = Math.max(longest, tables.state?.tables[0].ids?.length ?? 0);
	}
	expect(longest).toBe(10_000);
	expect(await tables.poll()).toEqual([]);
});

test('more than 5,000 snapshots come over several polls, oldest first', async () => {
	const tables = new Tables();
	tables.counts.set('hail', 1);
	await tables.poll();
	tables.counts.set('hail', 12_001);
	const found = [await tables.poll(), await tables.poll(), await tables.poll()];
	expect(found.map((each) => each.length)).toEqual([5_000, 5_000, 2_000]);
	expect(found.flat().map((id) => Number(id.split('-')[1]))).toEqual(
		Array.from({ length: 12_000 }, (_, at) => at + 1),
	);
	expect(await tables.poll()).toEqual([]);
});

test('when a poll has no time for all tables, the next ones read the others', async () => {
	const tables = new Tables();
	for (const name of ['a', 'b', 'c', 'd', 'e']) tables.counts.set(name, 1);
	await tables.poll();
	for (const name of tables.counts.keys()) tables.counts.set(name, 2);
	tables.time = 2;
	const found = [await tables.poll(), await tables.poll(), await tables.poll()];
	expect(found.map((each) => each.length)).toEqual([2, 2, 1]);
	expect(new Set(found.flat()).size).toBe(5);
});

test.each([
	[['b'], 'Table b could not be read (Its metadata is missing); the next poll tries again.'],
	[['b', 'c', 'd'], 'Table b and 2 others could not be read (Its metadata is missing); the next'],
])('a note names the table that could not be read: %j', async (broken, note) => {
	const tables = new Tables();
	for (const name of ['a', 'b', 'c', 'd', 'e']) tables.counts.set(name, 1);
	await tables.poll();
	expect(tables.notes).toEqual([]);
	for (const name of broken) tables.broken.add(name);
	await tables.poll();
	expect(tables.notes).toEqual([expect.stringContaining(note)]);
});

test.each([true, false])(
	'a snapshot comes that the list knew before the details (with an update time: %s)',
	async (isTimed) => {
		const start = Date.parse('2026-03-01T12:00:00Z');
		const updated = (count: number) => new Date(start + count * 1_000).toISOString();
		const snapshots = (count: number) =>
			Array.from({ length: count }, (_, at) => ({
				'snapshot-id': at + 1,
				'parent-snapshot-id': at === 0 ? null : at,
			}));
		let now = start * 1_000;
		let [listed, shown] = [1, 1];
		const source = {
			now: () => now,
			isClockSure: () => true,
			tables: async () => await Promise.resolve([{ name: 'hail', updateTime: updated(listed) }]),
			table: async () =>
				await Promise.resolve({
					snapshots: snapshots(shown),
					updateTime: isTimed ? updated(shown) : null,
				}),
		};
		let state: TableState | undefined;
		const poll = async () => {
			now += MINUTE;
			const polled = await pollTables(state, 'scope', source, { spent: () => false });
			state = polled.state;
			return polled.changes.map(({ snapshot }) => snapshot?.['snapshot-id']);
		};
		await poll();
		listed = 2;
		expect(await poll()).toEqual([]);
		shown = 2;
		expect(await poll()).toEqual([2]);
	},
);

test('a replica that is behind what main went back from does not make it look rolled back again', async () => {
	let [now, shown] = [Date.parse('2026-03-01T12:00:00Z') * 1_000, [1]];
	const source = {
		now: () => now,
		isClockSure: () => true,
		tables: async () => await Promise.resolve([{ name: 'hail' }]),
		table: async () =>
			await Promise.resolve({
				snapshots: shown.map((id, at) => ({
					'snapshot-id': id,
					'parent-snapshot-id': shown[at - 1] ?? null,
				})),
				refs: { main: { 'snapshot-id': shown.at(-1), type: 'branch' } },
			}),
	};
	let state: TableState | undefined;
	const poll = async (...line: number[]) => {
		now += MINUTE;
		shown = line;
		const polled = await pollTables(state, 'scope', source, { spent: () => false });
		state = polled.state;
		return polled.changes.map(({ snapshot }) => snapshot?.['snapshot-id']);
	};
	await poll(1, 2);
	expect(await poll(1, 8)).toEqual([8]);
	expect(await poll(1, 2, 3)).toEqual([3]);
	for (let times = 0; times < 10; times++) expect(await poll(1, 8)).toEqual([]);
	expect(await poll(1, 8, 9)).toEqual([9]);
});

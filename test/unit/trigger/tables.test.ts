import { MINUTE, type TableState } from '../../../nodes/Wherobots/trigger/core/cursor';
import { pollTables } from '../../../nodes/Wherobots/trigger/core/tables';

const START = Date.parse('2026-03-01T12:00:00Z');

const timeOf = (count: number) => new Date(START + count * 1_000).toISOString();
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** A table as the service shows it. */
interface Table {
	/** The snapshots on the branch main, oldest first. */
	line: number[];
	/** The update times in the list and in the details. */
	listed?: string;
	updated?: string;
}

/** A namespace, polled once a minute. */
class Namespace {
	readonly tables = new Map<string, Table>();

	/** Tables that cannot be read. */
	readonly broken = new Set<string>();

	/** How many tables a poll has time for. */
	time = Infinity;

	state: TableState | undefined;

	notes: string[] = [];

	private now = START * 1_000;

	set(line: number[], names = ['hail'], times: Partial<Table> = {}): void {
		for (const name of names) this.tables.set(name, { ...times, line });
	}

	/** The new snapshots: their table and ID. */
	async poll(): Promise<string[]> {
		this.now += MINUTE;
		let reads = 0;
		const listed = [...this.tables].map(([name, { listed: updateTime }]) => ({ name, updateTime }));
		const source = {
			now: () => this.now,
			isClockSure: () => true,
			tables: async () => await Promise.resolve(listed),
			table: async (name: string) => await Promise.resolve(this.details(name)),
		};
		const budget = { spent: () => reads++ >= this.time };
		const { state, changes, notes } = await pollTables(this.state, 'scope', source, budget);
		this.notes = notes;
		this.state = JSON.parse(JSON.stringify(state)) as TableState;
		return changes.map(({ name, snapshot }) => `${name}/${snapshot?.['snapshot-id']}`);
	}

	private details(name: string) {
		if (this.broken.has(name)) throw new Error('Its metadata is missing');
		const { line, updated } = this.tables.get(name) as Table;
		return {
			snapshots: line.map((id, at) => ({
				'snapshot-id': id,
				'parent-snapshot-id': line[at - 1] ?? null,
			})),
			refs: { main: { 'snapshot-id': line.at(-1), type: 'branch' } },
			updateTime: updated,
		};
	}
}

const NAMES = ['a', 'b', 'c', 'd', 'e'];

let space: Namespace;

beforeEach(() => {
	space = new Namespace();
});

test('a state does not grow with the snapshots of a table', async () => {
	space.set([1]);
	await space.poll();
	let longest = 0;
	for (let times = 1; times <= 5; times++) {
		space.set(upTo(times * 3_000));
		expect(await space.poll()).toHaveLength(times === 1 ? 2_999 : 3_000);
		longest = Math.max(longest, space.state?.tables[0].ids?.length ?? 0);
	}
	expect(longest).toBe(10_000);
	expect(await space.poll()).toEqual([]);
});

test('more than 5,000 snapshots come over several polls, oldest first', async () => {
	space.set([1]);
	await space.poll();
	space.set(upTo(12_001));
	const found = [await space.poll(), await space.poll(), await space.poll()];
	expect(found.map((each) => each.length)).toEqual([5_000, 5_000, 2_000]);
	const [, ...others] = upTo(12_001);
	expect(found.flat()).toEqual(others.map((id) => `hail/${id}`));
});

test('when a poll has no time for all tables, the next ones read the others', async () => {
	space.set([1], NAMES);
	await space.poll();
	space.set([1, 2], NAMES);
	space.time = 2;
	const found = [await space.poll(), await space.poll(), await space.poll()];
	expect(found.map((each) => each.length)).toEqual([2, 2, 1]);
	expect(new Set(found.flat()).size).toBe(5);
});

test.each([
	[['b'], 'Table b could not be read (Its metadata is missing); the next poll tries again.'],
	[['b', 'c', 'd'], 'Table b and 2 others could not be read (Its metadata is missing); the next'],
])('a note names the table that could not be read: %j', async (broken, note) => {
	space.set([1], NAMES);
	await space.poll();
	expect(space.notes).toEqual([]);
	for (const name of broken) space.broken.add(name);
	await space.poll();
	expect(space.notes).toEqual([expect.stringContaining(note)]);
});

test.each([true, false])(
	'a snapshot comes that the list knew before the details (with an update time: %s)',
	async (isTimed) => {
		const show = (listed: number, shown: number) => {
			const updated = isTimed ? timeOf(shown) : undefined;
			space.set(upTo(shown), ['hail'], { listed: timeOf(listed), updated });
		};
		show(1, 1);
		await space.poll();
		show(2, 1);
		expect(await space.poll()).toEqual([]);
		show(2, 2);
		expect(await space.poll()).toEqual(['hail/2']);
	},
);

test('a replica that is behind what main went back from does not make it look rolled back again', async () => {
	const poll = async (...line: number[]) => {
		space.set(line);
		return await space.poll();
	};
	await poll(1, 2);
	expect(await poll(1, 8)).toEqual(['hail/8']);
	expect(await poll(1, 2, 3)).toEqual(['hail/3']);
	for (let times = 0; times < 10; times++) expect(await poll(1, 8)).toEqual([]);
	expect(await poll(1, 8, 9)).toEqual(['hail/9']);
});

test('a replica that is behind a new snapshot does not make main look rolled back, even after it was', async () => {
	const poll = async (...line: number[]) => {
		space.set(line);
		return await space.poll();
	};
	await poll(1, 2, 3);
	for (let times = 0; times < 4; times++) expect(await poll(1, 2)).toEqual([]);
	expect(await poll(1, 2, 4)).toEqual(['hail/4']);
	for (let times = 0; times < 3; times++) expect(await poll(1, 2)).toEqual([]);
	for (let times = 0; times < 10; times++) expect(await poll(1, 2, 4)).toEqual([]);
	expect(await poll(1, 2, 4, 5)).toEqual(['hail/5']);
});

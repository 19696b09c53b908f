import { Namespace, type Table, timeOf, upTo } from './namespace';

let space: Namespace;

beforeEach(() => {
	space = new Namespace();
});

describe('a rollback', () => {
	/** What is new until it is certain. */
	const until = async (line: number[], rest: Partial<Table> = {}) => {
		space.set(line, rest);
		return await space.polls(7);
	};

	test('does not come when the clock goes back', async () => {
		await space.show([1, 2]);
		await space.show([1]);
		await space.poll(-60);
		expect(await space.poll()).toEqual([]);
		expect(await until([1])).toEqual(['hail/1 rolled back']);
	});

	test.each([[[]], [[2, 3]], [[3]]])(
		'does not come without references, also when others expire: %j',
		async (others) => {
			await space.show([1, 2, 3], { refs: false });
			expect(await until([1], { refs: false, others })).toEqual([]);
			expect(await space.show([1, 600], { refs: false })).toEqual(['hail/600']);
		},
	);

	test('before the publication does not bring what main left, which a replica still shows', async () => {
		await space.show([1], { others: [2, 3] });
		space.set([1, 3]);
		expect(await space.polls(4)).toEqual([]);
	});

	test('to what is no longer remembered brings nothing again', async () => {
		const others = upTo(999).map((at) => `other ${at}`);
		space.set(upTo(30), { listed: timeOf(1), updated: timeOf(1) }, others);
		await space.show(upTo(30));
		const found = await until(upTo(5), { others: upTo(30).slice(5) });
		expect(found).toEqual(['hail/5 rolled back']);
	});

	test('counts as what was last seen when snapshots expire after it', async () => {
		await space.show([1, 2, 3]);
		await until([1, 2]);
		const expired = { expired: [1, 2, 600] };
		expect(await space.show([1, 2, 600, 601], expired)).toEqual(['hail/601']);
		expect(space.changes[0].missedSince).toBe('2');
	});

	test('is not made up of a replica that is behind a new snapshot, after main went back', async () => {
		await space.show([1, 2, 3]);
		space.set([1, 2]);
		expect(await space.polls(4)).toEqual([]);
		expect(await space.show([1, 2, 300])).toEqual(['hail/300']);
		space.set([1, 2]);
		expect(await space.polls(3)).toEqual([]);
		space.set([1, 2, 300]);
		expect(await space.polls(10)).toEqual([]);
		expect(await space.show([1, 2, 300, 900])).toEqual(['hail/900']);
	});
});

test.each([
	['that follows the last one, which has expired', [1, 60, 50], { expired: [1, 60] }],
	['after a rollback', [1, 50], { others: [60], from: 1 }],
])('a snapshot %s comes at once, also by a clock that is behind', async (_, line, rest) => {
	await space.show([1, 60]);
	expect(await space.show(line, rest)).toEqual(['hail/50']);
	expect(space.changes[0].missedSince).toBeUndefined();
});

describe('a table whose snapshots are not shown', () => {
	test.each([
		['for a while', {}, []],
		['since before the publication', { expired: [1, 2], updated: timeOf(100) }, [1, 2]],
	])('%s brings nothing, and later what is new', async (_, rest, line) => {
		await space.show([1, 2], rest);
		space.set(line, { ...rest, updated: timeOf(100) });
		expect(await space.polls(5)).toEqual([]);
		expect(await space.show([1, 2, 300], { updated: timeOf(300) })).toEqual(['hail/300']);
	});

	test('for longer comes with its updates, and not again when they are back', async () => {
		await space.show([1, 2]);
		space.set([], { updated: timeOf(100) });
		expect(await space.polls(7)).toEqual([`hail/${timeOf(100)}`]);
		space.set([1, 2]);
		expect(await space.polls(7)).toEqual([]);
	});

	test('since it was made anew does not come with the time of an update before that', async () => {
		await space.show([1], { listed: timeOf(5) });
		space.set([], { listed: timeOf(90) });
		expect(await space.polls(15)).toEqual([`hail/${timeOf(90)}`]);
	});
});

import { Namespace, type Table, timeOf, upTo } from './namespace';

let space: Namespace;

beforeEach(() => {
	space = new Namespace();
});

describe('a rollback', () => {
	const poll = async (line: number[], rest: Partial<Table> = {}) => {
		space.set(line, ['hail'], rest);
		return await space.poll();
	};
	const until = async (line: number[], rest: Partial<Table> = {}) => {
		const found: string[] = [];
		for (let minute = 0; minute < 7; minute++) found.push(...(await poll(line, rest)));
		return found;
	};

	test('does not come from a replica that is behind now and then', async () => {
		await poll([1, 2]);
		for (let minute = 0; minute < 20; minute++) {
			expect(await poll(minute % 4 === 3 ? [1, 2] : [1])).toEqual([]);
		}
	});

	test('does not come when the clock goes back', async () => {
		await poll([1, 2]);
		await poll([1]);
		await space.poll(-60);
		expect(await poll([1])).toEqual([]);
		expect(await until([1])).toEqual(['hail/1 rolled back']);
	});

	test.each([[[]], [[2, 3]], [[3]]])(
		'does not come without references, also when others expire: %j',
		async (others) => {
			await poll([1, 2, 3], { refs: false });
			expect(await until([1], { refs: false, others })).toEqual([]);
			expect(await poll([1, 600], { refs: false })).toEqual(['hail/600']);
		},
	);

	test('does not come when a snapshot is committed before it is certain; that one comes', async () => {
		await poll([1, 2]);
		await poll([1]);
		expect(await poll([1, 150])).toEqual(['hail/150']);
		expect(space.changes[0].previousId).toBe('1');
		expect(await until([1, 150])).toEqual([]);
	});

	test('to where main was before the first reading does not bring what came before that', async () => {
		await poll([1, 2, 3]);
		expect(await until([1, 2])).toEqual(['hail/2 rolled back']);
		expect(await poll([1, 2, 300])).toEqual(['hail/300']);
	});

	test('before the publication does not bring what main left, which a replica still shows', async () => {
		await poll([1], { others: [2, 3] });
		for (let minute = 0; minute < 4; minute++) expect(await poll([1, 3])).toEqual([]);
	});

	test('to what is no longer remembered brings nothing again', async () => {
		const times = { listed: timeOf(1), updated: timeOf(1) };
		const others = upTo(999).map((at) => `other ${at}`);
		space.set(upTo(30), others, times);
		await poll(upTo(30));
		const found = await until(upTo(5), { others: upTo(30).slice(5) });
		expect(found).toEqual(['hail/5 rolled back']);
	});

	test('counts as what was last seen when snapshots expire after it', async () => {
		await poll([1, 2, 3]);
		await until([1, 2]);
		expect(await poll([1, 2, 600, 601], { expired: [1, 2, 600] })).toEqual(['hail/601']);
		expect(space.changes[0].missedSince).toBe('2');
	});

	test('is not made up of a replica that is behind what main went back from', async () => {
		await poll([1, 2]);
		expect(await poll([1, 80])).toEqual(['hail/80']);
		expect(await poll([1, 2, 150])).toEqual(['hail/150']);
		for (let minute = 0; minute < 5; minute++) expect(await poll([1, 80])).toEqual([]);
		expect(await poll([1, 2, 150, 500])).toEqual(['hail/500']);
		expect(await until([1, 2, 150, 500])).toEqual([]);
	});

	test('is not made up of a replica that is behind a new snapshot, after main went back', async () => {
		await poll([1, 2, 3]);
		for (let minute = 0; minute < 4; minute++) expect(await poll([1, 2])).toEqual([]);
		expect(await poll([1, 2, 300])).toEqual(['hail/300']);
		for (let minute = 0; minute < 3; minute++) expect(await poll([1, 2])).toEqual([]);
		for (let minute = 0; minute < 10; minute++) expect(await poll([1, 2, 300])).toEqual([]);
		expect(await poll([1, 2, 300, 900])).toEqual(['hail/900']);
	});
});

test.each([
	['that follows the last one, which has expired', [1, 60, 50], { expired: [1, 60] }],
	['after a rollback', [1, 50], { others: [60], from: 1 }],
])('a snapshot %s comes at once, also by a clock that is behind', async (_, line, rest) => {
	space.set([1, 60]);
	await space.poll();
	space.set(line, ['hail'], rest);
	expect(await space.poll()).toEqual(['hail/50']);
	expect(space.changes[0].missedSince).toBeUndefined();
});

describe('a table whose snapshots are not shown', () => {
	test('for a while brings nothing, and later what is new', async () => {
		space.set([1, 2]);
		await space.poll();
		space.set([], ['hail'], { updated: timeOf(100) });
		for (let minute = 0; minute < 5; minute++) expect(await space.poll()).toEqual([]);
		space.set([1, 2, 300], ['hail'], { updated: timeOf(300) });
		expect(await space.poll()).toEqual(['hail/300']);
	});

	test('for longer comes with its updates, and not again when they are back', async () => {
		space.set([1, 2]);
		await space.poll();
		space.set([], ['hail'], { updated: timeOf(100) });
		const found: string[] = [];
		for (let minute = 0; minute < 7; minute++) found.push(...(await space.poll()));
		expect(found).toEqual([`hail/${timeOf(100)}`]);
		space.set([1, 2]);
		for (let minute = 0; minute < 7; minute++) expect(await space.poll()).toEqual([]);
	});

	test('since it was made anew does not come with the time of an update before that', async () => {
		space.set([1], ['hail'], { listed: timeOf(5) });
		await space.poll();
		space.set([], ['hail'], { listed: timeOf(90) });
		const found: string[] = [];
		for (let minute = 0; minute < 15; minute++) found.push(...(await space.poll()));
		expect(found).toEqual([`hail/${timeOf(90)}`]);
	});
});

import { Namespace, type Table, timeOf, upTo } from './namespace';

const NAMES = ['a', 'b', 'c', 'd', 'e'];

let space: Namespace;

beforeEach(() => {
	space = new Namespace();
});

test('a state does not grow with the snapshots of a table', async () => {
	await space.show([1]);
	let longest = 0;
	for (let times = 1; times <= 5; times++) {
		expect(await space.show(upTo(times * 3_000))).toHaveLength(times === 1 ? 2_999 : 3_000);
		longest = Math.max(longest, space.state?.tables[0].ids?.length ?? 0);
	}
	expect(longest).toBe(10_000);
	expect(await space.poll()).toEqual([]);
});

test('more than 5,000 snapshots come over several polls, oldest first', async () => {
	await space.show([1]);
	space.set(upTo(12_001), { listed: timeOf(10), updated: timeOf(10) });
	const found = [await space.poll(), await space.poll(), await space.poll()];
	expect(found.map((each) => each.length)).toEqual([5_000, 5_000, 2_000]);
	const [, ...others] = upTo(12_001);
	expect(found.flat()).toEqual(others.map((id) => `hail/${id}`));
});

test('when a poll has no time for all tables, the next ones read the others', async () => {
	await space.show([1], {}, NAMES);
	space.set([1, 2], {}, NAMES);
	space.time = 2;
	const found = [await space.poll(), await space.poll(), await space.poll()];
	expect(found.map((each) => each.length)).toEqual([2, 2, 1]);
	expect(new Set(found.flat()).size).toBe(5);
});

test.each([
	[['b'], 'Table b could not be read (Its metadata is missing); the next poll tries again.'],
	[['b', 'c', 'd'], 'Table b and 2 more could not be read (Its metadata is missing); the next'],
])('a note names the table that could not be read: %j', async (broken, note) => {
	await space.show([1], {}, NAMES);
	expect(space.notes).toEqual([]);
	for (const name of broken) space.broken.add(name);
	await space.poll();
	expect(space.notes).toEqual([expect.stringContaining(note)]);
});

test('a snapshot comes that was committed in the second of an update that is known', async () => {
	const times = { listed: timeOf(60), updated: timeOf(60) };
	await space.show([1], times);
	expect(await space.show([1, 60], times)).toEqual(['hail/60']);
});

test('a snapshot comes that the list shows when it is certain that the details have an older one', async () => {
	space.set([1], { listed: timeOf(1) });
	await space.polls(5);
	space.set([1], { listed: timeOf(350) });
	await space.polls(4);
	expect(await space.show([1, 350], { listed: timeOf(350) })).toEqual(['hail/350']);
});

test('a poll of many tables with many snapshots gives what there is room for, the next ones the rest', async () => {
	const names = upTo(12).map((at) => `table ${at}`);
	await space.show([1], {}, names);
	space.set(upTo(5_001), {}, names);
	const found = [await space.poll(), await space.poll()];
	expect(found[0].length).toBeLessThanOrEqual(50_000);
	expect(new Set(found.flat()).size).toBe(60_000);
});

describe('a table without snapshots', () => {
	test.each([
		['in the list and in the details', { listed: timeOf(60), updated: timeOf(60) }],
		['in the list', { listed: timeOf(60) }],
		['in the details', { updated: timeOf(60) }],
	])('comes with its first one, when update times are %s', async (_, times) => {
		await space.show([], times);
		const later = { ...times, ...('listed' in times && { listed: timeOf(120) }) };
		expect(await space.show([120], later)).toEqual(['hail/120']);
	});

	test('comes with each update that its details show', async () => {
		for (let minute = 0; minute < 10; minute++) {
			const time = timeOf(60 * (minute + 1));
			const found = await space.show([], { listed: time, updated: time });
			expect(found).toEqual(minute === 0 ? [] : [`hail/${time}`]);
		}
	});

	test('comes every five minutes when only the list shows its updates, once a minute', async () => {
		const found: string[] = [];
		for (let minute = 0; minute < 31; minute++) {
			found.push(...(await space.show([], { listed: timeOf(60 * (minute + 1)) })));
		}
		expect(found.length).toBeGreaterThanOrEqual(4);
		space.set([], { listed: timeOf(31 * 60) });
		found.push(...(await space.polls(7)));
		expect(found.at(-1)).toBe(`hail/${timeOf(31 * 60)}`);
		expect(new Set(found).size).toBe(found.length);
	});

	test('that was there when the workflow was published does not come unless it is updated', async () => {
		space.set([], { listed: timeOf(1) });
		space.set([], { listed: timeOf(1), updated: timeOf(1) }, ['wind']);
		space.set([], { updated: timeOf(1) }, ['snow']);
		space.set([], {}, ['rain']);
		expect(await space.polls(8)).toEqual([]);
		// By then, only those are read whose updates the list does not show.
		expect(space.reads.sort()).toEqual(['rain', 'snow']);
	});
});

describe('tables that could not be read when the workflow was published', () => {
	// The publication is at 60 seconds, the next poll at 120.
	const publish = async (rest: Partial<Table>) => {
		space.time = 0;
		await space.show([10, 50], rest, NAMES);
		space.time = Infinity;
	};

	test.each([
		['shown nowhere', 0, {}],
		["the service's", 120, { listed: timeOf(50), updated: timeOf(50) }],
		["the writer's", 120.1, { listed: timeOf(170.1), updated: timeOf(170.1) }],
		["the writer's, in seconds", 120.5, { listed: timeOf(170), updated: timeOf(170) }],
	])(
		'do not come when nothing has changed, with update times that are %s',
		async (_, ahead, times) => {
			await publish({ ahead, ...times });
			expect(await space.poll()).toEqual([]);
		},
	);

	test('come with what follows something new, also by a clock that is behind', async () => {
		await publish({});
		expect(await space.show([10, 50, 70, 55], {}, NAMES)).toHaveLength(2 * NAMES.length);
	});

	test('come with what is newer than the list when no response tells the time', async () => {
		space.isClockSure = false;
		await publish({ listed: timeOf(50) });
		const later = await space.show([10, 50, 61], { listed: timeOf(61) }, NAMES);
		expect(later).toHaveLength(NAMES.length);
	});
});

describe('when snapshots expire soon', () => {
	test('each comes by the update time of the table, also when the clocks of writers differ', async () => {
		await space.show([1, 60], { updated: timeOf(60) });
		const rest = { expired: [1, 60, 45], updated: timeOf(120) };
		expect(await space.show([1, 60, 45, 50, 55], rest)).toEqual(['hail/50', 'hail/55']);
		expect(space.changes).toMatchObject([
			{ previousId: '45', missedSince: '60' },
			{ previousId: '50', missedSince: undefined },
		]);
	});

	test('a replica that is behind does not bring old ones', async () => {
		await space.show([1, 2, 30], { expired: [1, 2] });
		space.set([1, 29]);
		expect(await space.polls(4)).toEqual([]);
		expect(await space.show([1, 2, 30], { expired: [1, 2] })).toEqual([]);
	});
});

describe('a table that lists lack', () => {
	const hide = (name: string) => void space.tables.delete(name);

	test('comes with all of its snapshots when it was made anew', async () => {
		await space.show([1, 2], {}, NAMES);
		hide('b');
		await space.poll();
		expect(await space.show([130, 131], {}, ['b'])).toEqual(['b/130', 'b/131']);
		expect(space.changes[0]).toMatchObject({ previousId: undefined, missedSince: undefined });
	});

	test('is remembered as long as there is room for a thousand', async () => {
		await space.show([1], {}, NAMES);
		NAMES.forEach(hide);
		const others = upTo(999).map((at) => `other ${at}`);
		space.set(upTo(30), {}, others);
		await space.polls(8);
		expect(space.state?.tables).toHaveLength(1_000);
		const remembered = space.state?.tables.flatMap(({ ids = [] }) => ids);
		expect(remembered?.length).toBeLessThanOrEqual(10_000);
		others.forEach(hide);
		expect(await space.show([1], {}, NAMES)).toHaveLength(4);
	});
});

import { inParallel } from '../../../nodes/Wherobots/transport/clock';

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

it('results are in the order of the indexes, with never more at work than there is room for', async () => {
	let atWork = 0;
	let most = 0;
	const results = await inParallel(7, 3, async (index) => {
		most = Math.max(most, ++atWork);
		for (let turns = index % 3; turns >= 0; turns--) await turn();
		atWork--;
		return index * 10;
	});
	expect(results).toEqual([0, 10, 20, 30, 40, 50, 60]);
	expect(most).toBe(3);
});

it.each([
	[0, []],
	[2, [0, 1]],
])('%i of them are all, however much room there is', async (count, expected) => {
	expect(await inParallel(count, 10, async (index) => await Promise.resolve(index))).toEqual(
		expected,
	);
});

it('none is started after a failure, also where results are undefined', async () => {
	const started: number[] = [];
	const outcome = inParallel(20, 2, async (index) => {
		started.push(index);
		await turn();
		if (index === 3) throw new Error('no');
		return undefined;
	});
	await expect(outcome).rejects.toThrow('no');
	await turn();
	await turn();
	expect(started.length).toBeLessThan(6);
	expect(started).toContain(3);
});

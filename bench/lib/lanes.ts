/** Does the work for every item, so many at once, in order. */
export async function inLanes<T>(
	list: T[],
	atOnce: number,
	work: (item: T) => Promise<void>,
): Promise<void> {
	let next = 0;
	const lane = async () => {
		while (next < list.length) await work(list[next++]);
	};
	await Promise.all(Array.from({ length: atOnce }, lane));
}

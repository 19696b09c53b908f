/** Runs `work` for the indexes 0 to count - 1, at most `width` at once. After a failure, none is started. */
export async function inParallel<T>(
	count: number,
	width: number,
	work: (index: number) => Promise<T>,
): Promise<T[]> {
	const results = new Array<T>(count);
	let next = 0;
	let failed = false;
	const lane = async () => {
		while (next < count && !failed) {
			const index = next++;
			try {
				results[index] = await work(index);
			} finally {
				failed ||= !(index in results);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
	return results;
}

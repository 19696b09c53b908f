export type Result<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** How a promise ended, as a value: for code that goes on after a failure, or decides what it means. */
export async function toResult<T>(work: Promise<T>): Promise<Result<T>> {
	return await work.then(
		(value) => ({ ok: true as const, value }),
		(error: unknown) => ({ ok: false as const, error }),
	);
}

export type Result<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** The outcome of a promise as a value, for code that handles failures itself. */
export async function toResult<T>(work: Promise<T>): Promise<Result<T>> {
	return await work.then(
		(value) => ({ ok: true as const, value }),
		(error: unknown) => ({ ok: false as const, error }),
	);
}

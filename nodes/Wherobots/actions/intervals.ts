const FIRST_INTERVAL_MS = 2_000;
const INTERVAL_GROWTH = 1.5;

/** Longest interval unless somebody asks for another, in seconds. */
export const DEFAULT_MAX_INTERVAL_S = 15;

/** Waits that grow from two seconds to a cap: runs are short or long, and either should cost little. */
export function intervals(capMs = DEFAULT_MAX_INTERVAL_S * 1000): { next(): number } {
	let interval = Math.min(FIRST_INTERVAL_MS, capMs);
	return {
		next() {
			const current = interval;
			interval = Math.min(capMs, interval * INTERVAL_GROWTH);
			return current;
		},
	};
}

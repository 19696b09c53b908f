import type { Parameters } from 'fast-check';

export const STEPS = 45;

export const SEED = 20_261_122;

/** How many histories a property lives through: `npm run test:trigger -- --histories 100000` for more. */
export function histories(): number {
	return Number(process.env.TRIGGER_HISTORIES ?? 1000);
}

/**
 * The same histories in each run of the suite, so that it fails only for what has changed.
 * `npm run test:trigger` explores others; when one fails, fast-check prints its seed.
 */
export function explored<T>(): Parameters<T> {
	const seed = process.env.TRIGGER_HISTORIES === undefined ? { seed: SEED } : {};
	return { numRuns: histories(), ...seed };
}

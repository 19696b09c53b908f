import fc from 'fast-check';

type Arbitraries<Values> = { [At in keyof Values]: fc.Arbitrary<Values[At]> };
type Check<Values extends unknown[]> = (...values: Values) => unknown;

/** Tries a rule with random values of these kinds, as often as it says; `false` breaks it, as an error does. */
export async function forAll<Values extends [unknown, ...unknown[]]>(
	arbitraries: Arbitraries<Values>,
	options: number | fc.Parameters<Values>,
	check: Check<Values>,
): Promise<void> {
	const parameters = typeof options === 'number' ? { numRuns: options } : options;
	const property = fc.asyncProperty<Values>(...arbitraries, async (...values: Values) => {
		return (await check(...values)) !== false;
	});
	await fc.assert(property, parameters);
}

/** How often a rule is tried unless something else is said. */
export const USUALLY = 100;

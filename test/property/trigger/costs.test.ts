import * as fc from 'fast-check';

import { HISTORIES, PROPERTIES, SEED, STEPS } from './histories';

it(`yields every run that costs too much once in ${HISTORIES} histories of ${STEPS} steps`, async () => {
	await fc.assert(PROPERTIES.costs, { numRuns: HISTORIES, seed: SEED });
}, 600_000);

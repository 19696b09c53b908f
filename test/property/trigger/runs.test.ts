import * as fc from 'fast-check';

import { HISTORIES, PROPERTIES, SEED, STEPS } from './histories';

it(`yields every change once in ${HISTORIES} histories of ${STEPS} steps`, async () => {
	await fc.assert(PROPERTIES.runs, { numRuns: HISTORIES, seed: SEED });
}, 600_000);

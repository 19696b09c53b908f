import * as fc from 'fast-check';

import { HISTORIES, PROPERTIES, SEED, STEPS } from './histories';

it(`yields every event once in ${HISTORIES} histories of ${STEPS} steps`, async () => {
	await fc.assert(PROPERTIES.audit, { numRuns: HISTORIES, seed: SEED });
}, 600_000);

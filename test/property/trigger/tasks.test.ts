import * as fc from 'fast-check';

import { HISTORIES, PROPERTIES, SEED, STEPS } from './histories';

it(`yields every change of a task run once in ${HISTORIES} histories of ${STEPS} steps`, async () => {
	await fc.assert(PROPERTIES.tasks, { numRuns: HISTORIES, seed: SEED });
}, 600_000);

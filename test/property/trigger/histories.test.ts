import * as fc from 'fast-check';

import { HISTORIES, PROPERTIES, SEED, STEPS } from './histories';

it.each([
	['every change of a job run', PROPERTIES.runs],
	['every change of a task run', PROPERTIES.tasks],
	['every job run that costs too much', PROPERTIES.costs],
	['every task run that costs too much', PROPERTIES.taskCosts],
	['every snapshot of a table', PROPERTIES.tables],
	['every audit event', PROPERTIES.audit],
] as Array<[string, fc.IAsyncProperty<unknown>]>)(
	`yields %s once in ${HISTORIES} histories of ${STEPS} steps`,
	async (_, property) => {
		await fc.assert(property, { numRuns: HISTORIES, seed: SEED });
	},
	600_000,
);

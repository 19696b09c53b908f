import * as fc from 'fast-check';

import * as core from '../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { explored, histories, STEPS } from './histories';
import { runHistories, RunTrial } from './model/runHistory';

it(`gives every change once in ${histories()} histories of ${STEPS} steps`, async () => {
	await fc.assert(
		fc.asyncProperty(runHistories(STEPS), async (history) => {
			await new RunTrial(core, history).run();
		}),
		explored(),
	);
}, 3_600_000);

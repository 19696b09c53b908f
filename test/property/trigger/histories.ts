import * as fc from 'fast-check';

import * as auditCore from '../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import * as runCore from '../../../nodes/Wherobots/trigger/core/runs/runPoll';
import { runs } from '../../support/runs';
import { auditHistories, AuditTrial } from './model/auditHistory';
import { runHistories, RunTrial } from './model/runHistory';

export const STEPS = 45;

/** The tests live through the same histories each time, so that they fail only for what has changed. */
export const SEED = 20_261_122;

/** How many histories the tests live through. */
export const HISTORIES = Number(process.env.TRIGGER_HISTORIES ?? runs(40, 1000));

/** Whatever happens to the service and to n8n: nothing is lost, and nothing comes twice. */
export const PROPERTIES = {
	runs: fc.asyncProperty(runHistories(STEPS), async (history) => {
		await new RunTrial(runCore, history).run();
	}),
	audit: fc.asyncProperty(auditHistories(STEPS), async (history) => {
		await new AuditTrial(auditCore, history).run();
	}),
};

import * as fc from 'fast-check';

import * as core from '../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import { explored, histories, STEPS } from './histories';
import { auditHistories, AuditTrial } from './model/auditHistory';

it(`gives every event once in ${histories()} histories of ${STEPS} steps`, async () => {
	await fc.assert(
		fc.asyncProperty(auditHistories(STEPS), async (history) => {
			await new AuditTrial(core, history).run();
		}),
		explored(),
	);
}, 3_600_000);
